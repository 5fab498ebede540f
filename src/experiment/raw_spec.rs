//! A block as it was written, in a spec or by flags, before any of it is understood.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use super::plan::MOST_CELLS;
use super::spec::{BlockSpec, Factor, LONGEST_NAME};
use super::{Located, Method, SpecError, SpecErrorKind, SpecPlace};
use crate::board::Puzzle;
use crate::exact::{LadderSpec, RemovalOrder};
use crate::format::{Options, open};
use crate::ga::{Config, Overrides};
use crate::util::quantity;
use crate::util::sanitize::line;

/// What was written, each with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawBlock {
    /// Where it begins.
    pub place: SpecPlace,
    /// Its name.
    pub name: Option<String>,
    /// Puzzles; files may have names that are not UTF-8.
    pub puzzles: Option<Vec<Located<OsString>>>,
    /// Methods.
    pub methods: Option<Vec<Located<String>>>,
    /// Parameters, each with its values.
    pub parameters: Vec<(Located<String>, Vec<Located<String>>)>,
    /// Runs of each cell.
    pub seeds: Option<Located<String>>,
    /// The first seed.
    pub first_seed: Option<Located<String>>,
    /// Generations that a cell must be able to pay.
    pub least_generations: Option<Located<String>>,
    /// Where givens are taken away.
    pub dig: Option<Located<String>>,
    /// How many for each rung.
    pub step: Option<Located<String>>,
    /// How many the last rung has left.
    pub until: Option<Located<String>>,
}

impl RawBlock {
    /// Nothing yet, at a place.
    pub fn at(place: SpecPlace) -> Self {
        Self {
            place,
            name: None,
            puzzles: None,
            methods: None,
            parameters: Vec::new(),
            seeds: None,
            first_seed: None,
            least_generations: None,
            dig: None,
            step: None,
            until: None,
        }
    }

    /// This draft, with what it lacks taken from `defaults`.
    pub(super) fn over(self, defaults: &Self) -> Self {
        let own = |name: &str| self.parameters.iter().any(|(own, _)| same(&own.value, name));
        let inherited = defaults.parameters.iter().filter(|(name, _)| !own(&name.value));
        let parameters = inherited.cloned().chain(self.parameters.iter().cloned()).collect();
        Self {
            place: self.place,
            name: self.name,
            puzzles: self.puzzles.or_else(|| defaults.puzzles.clone()),
            methods: self.methods.or_else(|| defaults.methods.clone()),
            parameters,
            seeds: self.seeds.or_else(|| defaults.seeds.clone()),
            first_seed: self.first_seed.or_else(|| defaults.first_seed.clone()),
            least_generations: self
                .least_generations
                .or_else(|| defaults.least_generations.clone()),
            dig: self.dig.or_else(|| defaults.dig.clone()),
            step: self.step.or_else(|| defaults.step.clone()),
            until: self.until.or_else(|| defaults.until.clone()),
        }
    }

    /// The block that it means; puzzle files are looked for in `folder` first, and added to
    /// `files`.
    ///
    /// # Errors
    /// [`SpecError`] on the first name or number that is wrong.
    pub(crate) fn block(
        self,
        folder: Option<&Path>,
        files: &mut Vec<PathBuf>,
    ) -> Result<BlockSpec, SpecError> {
        let methods = listed(self.methods.as_deref(), "methods", &self.place)?
            .iter()
            .map(|name| {
                let method: Method = name.value.parse().map_err(|error| name.refused(error))?;
                Ok(Located { value: method, place: name.place.clone() })
            })
            .collect::<Result<Vec<_>, SpecError>>()?;
        once(&methods, |method| method.name().to_owned())?;
        let factors = factors(&self.parameters)?;
        let mut puzzles = Vec::new();
        for name in listed(self.puzzles.as_deref(), "puzzles", &self.place)? {
            files.extend(add_puzzles(name, folder, &mut puzzles)?);
        }
        let first_seed = number(self.first_seed.as_ref(), "first_seed", 1, 0, u64::MAX)?;
        Ok(BlockSpec {
            name: line(&self.name.unwrap_or_default(), LONGEST_NAME),
            puzzles,
            methods,
            factors,
            seeds: Located {
                value: number(self.seeds.as_ref(), "seeds", 1, 1, u32::MAX.into())? as u32,
                place: self.seeds.map_or(self.place, |seeds| seeds.place),
            },
            first_seed,
            least_generations: number(
                self.least_generations.as_ref(),
                "least_generations",
                0,
                0,
                u32::MAX.into(),
            )? as u32,
            dig: dig(self.dig.as_ref(), self.step.as_ref(), self.until.as_ref(), first_seed)?,
        })
    }
}

fn same(a: &str, b: &str) -> bool {
    a.replace('-', "_") == b.replace('-', "_")
}

fn listed<'a, T>(
    names: Option<&'a [Located<T>]>,
    key: &'static str,
    place: &SpecPlace,
) -> Result<&'a [Located<T>], SpecError> {
    match names {
        Some(names) if !names.is_empty() => Ok(names),
        _ => Err(SpecError { place: place.clone(), refusal: SpecErrorKind::Nothing(key) }),
    }
}

/// Finds that nothing is listed twice: the same runs would be made again, and stand beside themselves.
fn once<T: PartialEq>(listed: &[Located<T>], name: impl Fn(&T) -> String) -> Result<(), SpecError> {
    let twice = (1..listed.len())
        .find(|at| listed[..*at].iter().any(|before| before.value == listed[*at].value));
    twice.map_or(Ok(()), |at| {
        let again = &listed[at];
        Err(again.refused(SpecErrorKind::Twice(name(&again.value))))
    })
}

/// All puzzles of what was named, which may be a list; and the file that it names, if it does.
fn add_puzzles(
    name: &Located<OsString>,
    folder: Option<&Path>,
    puzzles: &mut Vec<Located<Puzzle>>,
) -> Result<Option<PathBuf>, SpecError> {
    let beside = folder.map(|folder| folder.join(&name.value)).filter(|path| path.is_file());
    let path = beside.clone().unwrap_or_else(|| PathBuf::from(&name.value));
    let argument = beside.map_or_else(|| name.value.clone(), PathBuf::into_os_string);
    for reading in open(&argument, &Options::default()).map_err(|error| name.refused(error))? {
        let puzzle = reading.map_err(|error| name.refused(error))?.puzzle;
        if puzzles.len() >= MOST_CELLS {
            return Err(
                name.refused(SpecErrorKind::TooMany { what: "cells", most: MOST_CELLS as u64 })
            );
        }
        puzzles.push(Located { value: puzzle, place: name.place.clone() });
    }
    Ok(path.is_file().then_some(path))
}

/// Every value is read, so that one out of range is known before anything runs.
fn factors(
    parameters: &[(Located<String>, Vec<Located<String>>)],
) -> Result<Vec<Factor>, SpecError> {
    let mut factors: Vec<Factor> = Vec::new();
    for (name, values) in parameters {
        let parameter = Config::parameter(&name.value).map_err(|error| name.refused(error))?;
        if factors.iter().any(|factor| factor.name == parameter.name) {
            return Err(name.refused(SpecErrorKind::Twice(parameter.name.to_owned())));
        }
        if values.is_empty() {
            return Err(name.refused(SpecErrorKind::Nothing("values")));
        }
        let read = |text: &Located<String>| {
            let value = Overrides::parse(parameter.name, &text.value);
            let value = value.map_err(|error| text.refused(error))?;
            Ok(Located { value, place: text.place.clone() })
        };
        let values = values.iter().map(read).collect::<Result<Vec<_>, SpecError>>()?;
        once(&values, Overrides::to_string)?;
        factors.push(Factor { name: parameter.name, values });
    }
    Ok(factors)
}

fn number(
    text: Option<&Located<String>>,
    key: &'static str,
    default: u64,
    least: u64,
    most: u64,
) -> Result<u64, SpecError> {
    let Some(text) = text else { return Ok(default) };
    match quantity::whole(&text.value) {
        Some(number) if (least..=most).contains(&number) => Ok(number),
        _ => Err(text.refused(SpecErrorKind::OutOfRange {
            key,
            given: text.value.clone(),
            least,
            most,
        })),
    }
}

fn dig(
    from: Option<&Located<String>>,
    step: Option<&Located<String>>,
    until: Option<&Located<String>>,
    seed: u64,
) -> Result<Option<LadderSpec>, SpecError> {
    let Some(from) = from else {
        let unused = [("step", step), ("until", until)];
        return match unused.into_iter().find_map(|(key, text)| Some((key, text?))) {
            Some((key, text)) => Err(text.refused(SpecErrorKind::Without { key, lacks: "dig" })),
            None => Ok(None),
        };
    };
    let dig: RemovalOrder = from.value.parse().map_err(|error| from.refused(error))?;
    let step = number(step, "step", 0, 1, u32::MAX.into())?;
    let until = number(until, "until", 0, 0, u32::MAX.into())? as usize;
    Ok(Some(LadderSpec { dig, step: NonZeroUsize::new(step as usize), until, seed }))
}
