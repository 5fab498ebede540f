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
//! test = "friedman"                     # or t; level = 0.05, first_test = 5
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

use std::path::{Path, PathBuf};
use std::str::FromStr;

use toml::Spanned;

use super::cost::{Cost, CostOf};
use super::irace::TuneBudget;
use super::race::{RaceTest, Rules};
use super::space::ParameterSpace;
use super::space_parser::dimensions;
use super::spec_toml::{KEYS, Range, SpecToml};
use crate::board::Puzzle;
use crate::experiment::{
    BlockSpec, Located, Method, RawBlock, Reader, Scalar, Spec, SpecError, SpecErrorKind,
    SpecPlace, spec_text,
};
use crate::ga::{Overrides, Preset, RunSettings};
use crate::util::named_enum::{UnknownName, nearest};
use crate::util::quantity;
use crate::util::sanitize::line;

/// Characters of a name.
const LONGEST_NAME: usize = 255;

/// What is tuned, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct TuneSpec {
    /// What it is called.
    pub name: String,
    /// The preset, and what is set for all candidates.
    pub settings: RunSettings,
    /// What is tuned.
    pub space: ParameterSpace,
    /// The training puzzles, and the validation puzzles, as an experiment of one run each by default.
    pub puzzles: Spec,
    /// What may be spent on training.
    pub budget: TuneBudget,
    /// What a run costs.
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
        let reader = Reader { text, file: &file };
        let mut written: SpecToml = reader.parse()?;
        if let Some(given) = written.unknown.keys().next().cloned() {
            let place = reader.place(reader.key(None, &given).unwrap_or_default());
            let nearest = nearest(&given, KEYS);
            return Err(SpecError { place, refusal: SpecErrorKind::UnknownKey { given, nearest } });
        }
        let whole = SpecPlace::File(file.clone());
        let mut one = Values { reader: &reader, whole: &whole };
        let method = one.method(written.method.take())?;
        let mut fixed = Vec::new();
        let mut tuned = Vec::new();
        for (name, range) in written.parameters.take().unwrap_or_default() {
            let at = name.span().start;
            let name = Located { place: reader.place(name.span()), value: name.into_inner() };
            let place = reader.place(range.span());
            match range.into_inner() {
                Range::Values(values) => match reader.values(values, place) {
                    several if several.len() > 1 => tuned.push((at, name, Range::several(several))),
                    single => fixed.push((name, single)),
                },
                Range::Table(table) => tuned.push((at, name, Range::read(table, &reader, place)?)),
            }
        }
        tuned.sort_by_key(|(at, ..)| *at);
        let tuned = tuned.into_iter().map(|(_, name, range)| (name, range)).collect();
        let mut files = Vec::new();
        let [training, validation] =
            [("training", written.training.take()), ("validation", written.validation.take())].map(
                |(name, puzzles)| {
                    let draft = RawBlock {
                        name: Some(name.to_owned()),
                        puzzles: puzzles.map(|puzzles| reader.names(puzzles)),
                        methods: Some(vec![method.clone()]),
                        parameters: fixed.clone(),
                        ..RawBlock::at(whole.clone())
                    };
                    draft.block(path.parent(), &mut files)
                },
            );
        let (training, validation) = (training?, validation?);
        disjoint(&training, &validation)?;
        let settings = settings(&method, &training)?;
        let space = dimensions(tuned, &whole, &settings.overrides)?;
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let name = written.name.take().map(|name| reader.placed(name).value).or(stem);
        let name = line(&name.unwrap_or_default(), LONGEST_NAME);
        let budget = one.budget(&mut written)?;
        let cost = one.cost(&mut written, &settings.overrides)?;
        let rules = Rules {
            test: one.named(written.test.take(), RaceTest::Friedman)?,
            level: one.real(written.level.take(), "level", 0.05, 1e-6, 0.5)?,
            first_test: one.whole(written.first_test.take(), "first_test", 5, 2, 1_000)? as usize,
            survivors: 1,
        };
        let seeds = written.validation_seeds.take();
        Ok(Self {
            puzzles: Spec { name: name.clone(), blocks: vec![training, validation], files },
            name,
            settings,
            space,
            budget,
            cost,
            rules,
            seed: one.whole(written.seed.take(), "seed", 1, 0, u64::MAX)?,
            first_seed: one.whole(written.first_seed.take(), "first_seed", 1, 0, u64::MAX)?,
            validation_seeds: one.whole(seeds, "validation_seeds", 10, 1, 1_000_000)? as u32,
        })
    }

    /// The files that were read.
    pub fn files(&self) -> &[PathBuf] {
        &self.puzzles.files
    }
}

/// The preset, and the values that all candidates have.
fn settings(method: &Located<String>, block: &BlockSpec) -> Result<RunSettings, SpecError> {
    let preset: Preset = method.value.parse().map_err(|error| method.refused(error))?;
    let mut overrides = Overrides::default();
    for factor in &block.factors {
        factor.values.iter().for_each(|value| overrides.merge(&value.value));
    }
    Ok(RunSettings { preset, overrides })
}

/// Finds that no puzzle is in both lists.
fn disjoint(training: &BlockSpec, validation: &BlockSpec) -> Result<(), SpecError> {
    let same = |one: &Located<Puzzle>| {
        let other = |other: &&Located<Puzzle>| {
            (one.value.geometry, &one.value.givens) == (other.value.geometry, &other.value.givens)
        };
        training.puzzles.iter().find(other).is_some()
    };
    match validation.puzzles.iter().find(|puzzle| same(puzzle)) {
        Some(puzzle) => Err(puzzle.refused(SpecErrorKind::InBoth(puzzle.value.name.clone()))),
        None => Ok(()),
    }
}

/// Reads single values.
struct Values<'a> {
    reader: &'a Reader<'a>,
    whole: &'a SpecPlace,
}

/// What stands under a key, if that is there.
type Entry = Option<Spanned<Scalar>>;

impl Values<'_> {
    fn method(&mut self, written: Entry) -> Result<Located<String>, SpecError> {
        let nothing =
            || SpecError { place: self.whole.clone(), refusal: SpecErrorKind::Lacks("method") };
        let method = self.reader.placed(written.ok_or_else(nothing)?);
        match method.value.parse::<Method>().map_err(|error| method.refused(error))? {
            Method::Preset(_) => Ok(method),
            Method::Exact(exact) => Err(method.refused(SpecErrorKind::Untunable(exact.name()))),
        }
    }

    fn whole(
        &mut self,
        written: Entry,
        key: &'static str,
        default: u64,
        least: u64,
        most: u64,
    ) -> Result<u64, SpecError> {
        let Some(text) = written.map(|text| self.reader.placed(text)) else { return Ok(default) };
        match quantity::whole(&text.value).filter(|number| (least..=most).contains(number)) {
            Some(number) => Ok(number),
            None => {
                let given = text.value.clone();
                Err(text.refused(SpecErrorKind::OutOfRange { key, given, least, most }))
            }
        }
    }

    fn real(
        &mut self,
        written: Entry,
        key: &'static str,
        default: f64,
        least: f64,
        most: f64,
    ) -> Result<f64, SpecError> {
        let Some(text) = written.map(|text| self.reader.placed(text)) else { return Ok(default) };
        match quantity::real(&text.value).filter(|number| (least..=most).contains(number)) {
            Some(number) => Ok(number),
            None => {
                let given = text.value.clone();
                Err(text.refused(SpecErrorKind::OutOfReals { key, given, least, most }))
            }
        }
    }

    fn named<T: FromStr<Err = UnknownName>>(
        &mut self,
        written: Entry,
        default: T,
    ) -> Result<T, SpecError> {
        let Some(text) = written.map(|text| self.reader.placed(text)) else { return Ok(default) };
        text.value.parse().map_err(|error| text.refused(error))
    }

    fn budget(&mut self, written: &mut SpecToml) -> Result<TuneBudget, SpecError> {
        let (runs, work) = (written.budget.take(), written.work.take());
        if runs.is_none() && work.is_none() {
            return Err(SpecError {
                place: self.whole.clone(),
                refusal: SpecErrorKind::Lacks("budget"),
            });
        }
        let mut bound = |text: Entry, key| {
            let is_there = text.is_some();
            self.whole(text, key, 0, 1, u64::MAX).map(|number| is_there.then_some(number))
        };
        Ok(TuneBudget { runs: bound(runs, "budget")?, work: bound(work, "work")? })
    }

    fn cost(&mut self, written: &mut SpecToml, set: &Overrides) -> Result<Cost, SpecError> {
        let of = self.named(written.cost.take(), CostOf::Work)?;
        let penalty = self.real(written.penalty.take(), "penalty", 10.0, 1.0, 1e6)?;
        let max_work = set.max_work.unwrap_or(0);
        // What a run can take is what bounds a budget of work, and what an unsolved run is worth.
        if max_work == 0 && (of != CostOf::Fitness || written.work.is_some()) {
            return Err(SpecError { place: self.whole.clone(), refusal: SpecErrorKind::Unbounded });
        }
        Ok(Cost { of, penalty, max_work })
    }
}
