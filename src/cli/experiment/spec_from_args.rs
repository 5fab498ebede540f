//! What the flags of an experiment say, in the words of a spec.

use std::ffi::OsString;

use anyhow::{Result, anyhow};

use super::Experiment;
use crate::experiment::{Located, RawBlock, SpecPlace};
use crate::ga::Preset;

impl Experiment {
    /// What the flags say in a spec's words.
    pub(super) fn draft(&self) -> Result<RawBlock> {
        let placed =
            |flag, text: &str| Located { value: text.to_owned(), place: SpecPlace::Flag(flag) };
        let list = |flag, texts: &[String]| -> Vec<Located<String>> {
            texts.iter().map(|text| placed(flag, text)).collect()
        };
        let one = |flag, text: &Option<String>| text.as_deref().map(|text| placed(flag, text));
        let mut draft = RawBlock::at(SpecPlace::Flag("--puzzle"));
        let puzzle =
            |name: &OsString| Located { value: name.clone(), place: SpecPlace::Flag("--puzzle") };
        draft.puzzles = Some(self.puzzle.iter().map(puzzle).collect());
        draft.methods = Some(if self.preset.is_empty() {
            vec![placed("--preset", Preset::Memetic.name())]
        } else {
            list("--preset", &self.preset)
        });
        draft.seeds = one("--seeds", &self.seeds);
        draft.first_seed = one("--first-seed", &self.first_seed);
        draft.dig = one("--dig", &self.dig);
        draft.step = one("--step", &self.step);
        draft.until = one("--until", &self.until);
        for setting in &self.set {
            let (name, values) = setting.split_once('=').ok_or_else(|| {
                anyhow!("--set takes name=value or name=value,value,..., not '{setting}'")
            })?;
            let values = values.split(',').map(|value| placed("--set", value)).collect();
            draft.parameters.push((placed("--set", name), values));
        }
        if let Some(limit) = &self.time_limit {
            let flag = "--time-limit";
            draft.parameters.push((placed(flag, "time_limit"), vec![placed(flag, limit)]));
        }
        Ok(draft)
    }
}
