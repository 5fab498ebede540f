//! The spec of a tuning: what is tuned, on which puzzles, at what cost.
//!
//! ```toml
//! name = "boxes"                        # default: the file's stem
//! method = "boxes"                      # a preset
//! training = ["training.sdm"]           # as puzzles of an experiment
//! validation = ["validation.sdm"]       # others, on which the winner meets the default
//! budget = 400                          # runs of training, and
//! work = "2G"                           # the work of all of them; at least one of both
//! cost = "work"                         # work, fitness, or work-then-fitness
//! penalty = 10                          # an unsolved run costs so many times max_work (default 10)
//! level = 0.05                          # of the tests of a race (default 0.05)
//! first_test = 5                        # blocks before the first test (default 5)
//! seed = 1                              # of what is sampled (default 1)
//! first_seed = 1                        # of the runs (default 1)
//! validation_seeds = 10                 # runs of each validation puzzle (default 10)
//!
//! [parameters]
//! max_work = "1M"                       # one value: the same for all
//! population = { from = 10, to = 1_000, scale = "log" }
//! mutation = ["exchange", "partial-shuffle"]
//! shuffle = { from = 2, to = 9, when = { mutation = "partial-shuffle" } }
//! ```

use std::path::Path;

use super::irace::TuneBudget;
use super::race::Rules;
use super::space::ParameterSpace;
use super::space_parser::{RawRange, space, untunable};
use crate::experiment::{
    ALIKE, BlockSpec, Method, RawBlock, Spec, SpecEntry, SpecError, SpecPlace, SpecTable,
    SpecValues, file_names, spec_name, spec_text,
};
use crate::ga::{Overrides, RunSettings};
use crate::util::named_enum::named;
use crate::util::quantity;

/// Keys that have one value.
const KEYS: [&str; 13] = [
    "name", "box", "alphabet", "method", "budget", "work", "cost", "penalty", "level",
    "first_test", "seed", "first_seed", "validation_seeds",
];

named! {
    /// The figure that is the cost of a run.
    pub enum CostOf {
        /// Work to a solution, or the penalty.
        Work = "work",
        /// The best fitness.
        Fitness = "fitness",
        /// Work to a solution, or the penalty and more the worse the best board is.
        WorkThenFitness = "work-then-fitness",
    }
}

/// How the cost of a run is computed: the less the better.
///
/// By `work` a solved run costs its work, and one that is not `penalty` times `max_work`, which with a
/// penalty of 10 is PAR10: a configuration is worth little that fails often. A late run counts as unsolved.
/// By `fitness` a run costs what its best board scores, for puzzles that nothing solves.
/// `work-then-fitness` adds to the penalty the share of the worst fitness that is left, so that unsolved
/// runs differ too.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// By what.
    pub of: CostOf,
    /// How many times `max_work` an unsolved run costs.
    pub penalty: f64,
    /// The most work of a run.
    pub max_work: u64,
}

impl Cost {
    /// Whether a run with this work is late: it took over a tenth more than `max_work`, because no generation is cut short.
    pub fn is_late(&self, work: u64) -> bool {
        self.max_work > 0 && work as f64 > ALIKE * self.max_work as f64
    }

    /// The cost of a run on a board of this side.
    pub fn cost(&self, solved: bool, work: u64, fitness: u16, side: usize) -> f64 {
        let failed = self.penalty * self.max_work as f64;
        // The worst that a board of this side can score.
        let share = f64::from(fitness) / (3 * side * side) as f64;
        match (self.of, solved) {
            (CostOf::Fitness, _) => fitness.into(),
            (_, true) => work as f64,
            (CostOf::Work, false) => failed,
            (CostOf::WorkThenFitness, false) => failed * (1.0 + share),
        }
    }
}

/// The description of a tuning.
#[derive(Clone, Debug, PartialEq)]
pub struct TuneSpec {
    /// Its name.
    pub name: String,
    /// The preset, and what is set for all candidates.
    pub settings: RunSettings,
    /// The parameters that are tuned.
    pub space: ParameterSpace,
    /// The training puzzles, and the validation puzzles, as an experiment of one run each by default.
    pub puzzles: Spec,
    /// The budget of training.
    pub budget: TuneBudget,
    /// The cost of a run.
    pub cost: Cost,
    /// How races are run.
    pub rules: Rules,
    /// The seed of samples.
    pub seed: u64,
    /// The first seed of runs.
    pub first_seed: u64,
    /// Runs of each configuration on each validation puzzle.
    pub validation_seeds: u32,
}

impl TuneSpec {
    /// Number of training puzzles.
    pub fn training(&self) -> usize {
        self.puzzles.blocks[0].puzzles.len()
    }

    /// Reads a spec's file.
    ///
    /// # Errors
    /// [`SpecError`] with the line of the first thing that is wrong.
    pub fn read(path: &Path) -> Result<Self, SpecError> {
        Self::from_toml(&spec_text(path)?, path)
    }

    /// Reads a spec's text; `path` names it in errors, and puzzle files are looked for beside it.
    ///
    /// # Errors
    /// [`SpecError`] with the line of the first thing that is wrong.
    pub fn from_toml(text: &str, path: &Path) -> Result<Self, SpecError> {
        let file = path.display().to_string();
        let mut table = SpecTable::parse(text, &file, "a tuning")?;
        let values = table.values(&KEYS)?;
        let lists = [table.list("training")?, table.list("validation")?];
        let parameters = table.entries("parameters", "a range")?;
        table.finish()?;
        let whole = SpecPlace(file.clone());
        let method =
            values.one("method").ok_or_else(|| whole.refused("the key method is missing"))?;
        let preset = match method.value.parse().map_err(|error| method.refused(error))? {
            Method::Preset(preset) => preset,
            Method::Exact(exact) => return Err(method.refused(untunable(exact.name()))),
        };
        let (mut fixed, mut tuned) = (Vec::new(), Vec::new());
        for (name, entry) in parameters {
            match entry {
                SpecEntry::Values(values) if values.len() > 1 => {
                    let (place, keys, when) =
                        (name.place.clone(), SpecValues::default(), Vec::new());
                    tuned.push((name, RawRange { place, keys, listed: Some(values), when }));
                }
                SpecEntry::Values(single) => fixed.push((name, single)),
                SpecEntry::Table(table) => tuned.push((name, RawRange::read(table)?)),
            }
        }
        let mut methods = SpecValues::default();
        methods.set("methods", vec![method.clone()]);
        for key in ["box", "alphabet"] {
            methods.set(key, values.list(key).to_vec());
        }
        let blocks = lists.map(|puzzles| RawBlock {
            place: whole.clone(),
            values: methods.clone(),
            puzzles: puzzles.map(file_names),
            parameters: fixed.clone(),
        });
        let mut puzzles = Spec::of(spec_name(&values, path), blocks.into(), path.parent())?;
        puzzles.blocks[0].name = "training".to_owned();
        puzzles.blocks[1].name = "validation".to_owned();
        refuse_common(&puzzles.blocks[0], &puzzles.blocks[1])?;
        let mut overrides = Overrides::default();
        for value in puzzles.blocks[0].factors.iter().flat_map(|factor| &factor.values) {
            overrides.merge(&value.value);
        }
        if overrides.time_limit.is_some_and(|limit| limit > 0.0) {
            let remark = "costs depend on the machine with time_limit: use max_work";
            puzzles.remarks.push(remark.to_owned());
        }
        let space = space(tuned, &whole, &overrides)?;
        let number =
            |key, default, least, most| values.number(key, quantity::whole, default, least..=most);
        Ok(Self {
            name: puzzles.name.clone(),
            puzzles,
            space,
            budget: budget(&values, &whole)?,
            cost: cost(&values, &whole, &overrides)?,
            settings: RunSettings { preset, overrides },
            rules: Rules {
                level: values.number("level", quantity::real, 0.05, 1e-6..=0.5)?,
                first_test: number("first_test", 5, 2, 1_000)? as usize,
                survivors: 1,
            },
            seed: number("seed", 1, 0, u64::MAX)?,
            first_seed: number("first_seed", 1, 0, u64::MAX)?,
            validation_seeds: number("validation_seeds", 10, 1, 1_000_000)? as u32,
        })
    }
}

/// Finds that no puzzle is in both lists.
fn refuse_common(training: &BlockSpec, validation: &BlockSpec) -> Result<(), SpecError> {
    for puzzle in &validation.puzzles {
        let (geometry, givens) = (puzzle.value.geometry, &puzzle.value.givens);
        let mut others = training.puzzles.iter().map(|other| &other.value);
        if others.any(|other| (other.geometry, &other.givens) == (geometry, givens)) {
            let what = "is in both training and validation: remove it from one";
            return Err(puzzle.refused(format_args!("{} {what}", puzzle.value.name)));
        }
    }
    Ok(())
}

fn budget(values: &SpecValues, whole: &SpecPlace) -> Result<TuneBudget, SpecError> {
    let bound = |key| -> Result<Option<u64>, SpecError> {
        let number = values.number(key, quantity::whole, 1, 1..=u64::MAX)?;
        Ok(values.one(key).map(|_| number))
    };
    match (bound("budget")?, bound("work")?) {
        (None, None) => Err(whole.refused("the key budget or work is missing")),
        (runs, work) => Ok(TuneBudget { runs, work }),
    }
}

fn cost(values: &SpecValues, whole: &SpecPlace, set: &Overrides) -> Result<Cost, SpecError> {
    let of = values.named("cost")?.unwrap_or(CostOf::Work);
    let penalty = values.number("penalty", quantity::real, 10.0, 1.0..=1e6)?;
    if let (CostOf::Fitness, Some(unused)) = (of, values.one("penalty")) {
        return Err(unused.refused("penalty needs the cost work or work-then-fitness"));
    }
    let max_work = set.max_work.unwrap_or(0);
    // The most work of a run bounds a budget of work, and prices an unsolved run.
    if max_work == 0 && (of != CostOf::Fitness || values.one("work").is_some()) {
        let what =
            "[parameters] must set max_work, the limit of work of a run, to one value above 0";
        return Err(whole.refused(what));
    }
    Ok(Cost { of, penalty, max_work })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unsolved_runs_cost_the_penalty_or_their_fitness() {
        let cost = |of| Cost { of, penalty: 10.0, max_work: 1_000 };
        assert_eq!(cost(CostOf::Work).cost(true, 40, 0, 9), 40.0);
        assert_eq!(cost(CostOf::Work).cost(false, 1_000, 7, 9), 10_000.0);
        assert!(!cost(CostOf::Work).is_late(1_100) && cost(CostOf::Work).is_late(1_101));
        assert_eq!(cost(CostOf::Fitness).cost(false, 1_000, 7, 9), 7.0);
        assert_eq!(cost(CostOf::Fitness).cost(true, 40, 0, 9), 0.0);
        let both = cost(CostOf::WorkThenFitness);
        assert!(both.cost(false, 900, 3, 9) < both.cost(false, 900, 4, 9));
        assert!(both.cost(true, 1_000, 0, 9) < both.cost(false, 0, 1, 9));
    }
}
