//! The spec of an experiment: its puzzles, methods, parameter values and seeds, in blocks.
//!
//! ```toml
//! name = "sizes"                        # default: the file's stem
//! puzzles = ["003-4x4", "mine.sdm"]     # files and lists (beside the spec first), shipped names,
//!                                       # grids
//! box = "2x4"                           # how the puzzles are read, as --box and
//! alphabet = "0123456789ABCDEF"         # --alphabet do
//! methods = ["boxes", "memetic"]        # presets, backtracking, integer-program
//! seeds = 20                            # default 1
//! first_seed = 1                        # default 1
//! time_limit = 60                       # seconds a run, as parameters.time_limit
//! least_generations = 20                # leave cells blank that max_work cannot pay them
//! dig = "rows"                          # rows or any: puzzles with ever fewer givens,
//! step = 8                              # so many a rung (default: side - 1),
//! until = 30                            # down to so many; the first seed is the ladder's
//!
//! [parameters]                          # a value, or a list: every combination is a cell
//! population = [10, 100, 1_000]
//! crossover = "subset"
//!
//! [[block]]                             # if there are any, the keys above are their defaults
//! name = "hard"
//! puzzles = ["001-hard-01"]
//! parameters = { restart_after = 30 }
//! ```
//!
//! Cells are ordered by block, puzzle, method, then parameters, the last of them fastest.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fmt::Display;
use std::mem;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use super::spec_toml::{NamedList, SpecTable, SpecValues, spec_text};
use super::{Located, Method, SpecError, SpecPlace};
use crate::board::Puzzle;
use crate::exact::{LadderSpec, RemovalOrder};
use crate::format::{Options, ParsedPuzzle, open};
use crate::ga::{Config, Overrides};
use crate::util::quantity::{self, count};
use crate::util::sanitize::line;

/// The most cells that an experiment has.
pub(super) const MOST_CELLS: usize = 100_000;
/// Characters of a name.
const LONGEST_NAME: usize = 255;
/// Keys of a block that have one value.
const KEYS: [&str; 10] = [
    "name", "box", "alphabet", "seeds", "first_seed", "time_limit", "least_generations", "dig",
    "step", "until",
];

/// The description of an experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct Spec {
    /// Its name.
    pub name: String,
    /// Its parts, at least one.
    pub blocks: Vec<BlockSpec>,
    /// The files that its puzzles were read from.
    pub files: Vec<PathBuf>,
    /// What is to be said of how they were read.
    pub remarks: Vec<String>,
}

/// Puzzles x methods x parameter values x seeds.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockSpec {
    /// Its name; may be empty.
    pub name: String,
    /// Its puzzles.
    pub puzzles: Vec<Located<Puzzle>>,
    /// How each is to be solved.
    pub methods: Vec<Located<Method>>,
    /// Parameters and their values.
    pub factors: Vec<Factor>,
    /// Runs of each cell.
    pub seeds: Located<u32>,
    /// The seed of a cell's first run; the others follow it.
    pub first_seed: u64,
    /// Cells whose bound on work does not pay this many generations after the first are left
    /// blank.
    pub least_generations: u32,
    /// How the ladder of each puzzle is dug: puzzles with ever fewer givens, which are puzzles of the block
    /// too.
    pub ladder: Option<LadderSpec>,
}

/// A parameter and the values it takes in turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Factor {
    /// The parameter.
    pub name: &'static str,
    /// Its values: each sets the parameter alone.
    pub values: Vec<Located<Overrides>>,
}

impl Spec {
    /// Reads a spec's file; the values of `flags` replace its own.
    ///
    /// # Errors
    /// [`SpecError`] with the line of the first thing that is wrong.
    pub fn read(path: &Path, flags: &RawBlock) -> Result<Self, SpecError> {
        Self::with_flags(&spec_text(path)?, path, flags)
    }

    /// Reads a spec's text; `path` names it in errors, and puzzle files are looked for beside it.
    ///
    /// # Errors
    /// [`SpecError`] with the line of the first thing that is wrong.
    pub fn from_toml(text: &str, path: &Path) -> Result<Self, SpecError> {
        Self::with_flags(text, path, &RawBlock::default())
    }

    fn with_flags(text: &str, path: &Path, flags: &RawBlock) -> Result<Self, SpecError> {
        let file = path.display().to_string();
        let mut table = SpecTable::parse(text, &file, "a spec")?;
        let blocks = table.tables("block", "a block")?;
        let mut top = RawBlock::read(table)?;
        let name = spec_name(&top.values, path);
        // Blocks do not inherit the name.
        top.values.set("name", Vec::new());
        let mut raw = Vec::new();
        for block in blocks {
            raw.push(RawBlock::read(block)?.inherit(&top));
        }
        if raw.is_empty() {
            raw.push(top);
        }
        for block in &mut raw {
            let place = block.place.clone();
            *block = RawBlock { place, ..flags.clone().inherit(block) };
        }
        Self::of(name, raw, path.parent())
    }

    /// A spec of these blocks, whose puzzle files are looked for in `folder` first.
    ///
    /// # Errors
    /// [`SpecError`] on the first thing that is wrong.
    pub fn of(
        name: String,
        blocks: Vec<RawBlock>,
        folder: Option<&Path>,
    ) -> Result<Self, SpecError> {
        let (mut files, mut remarks) = (Vec::new(), Vec::new());
        let block = |raw: RawBlock| raw.block(folder, &mut files, &mut remarks);
        let names = blocks.iter().filter_map(|raw| raw.values.one("name"));
        let names = names.map(|name| name.with(format!("block {}", name.value)));
        refuse_twice(&names.collect::<Vec<_>>())?;
        let blocks = blocks.into_iter().map(block).collect::<Result<_, _>>()?;
        remarks.dedup();
        Ok(Self { name, blocks, files, remarks })
    }
}

/// The name of a spec in this file: the file's stem where it says none.
pub(crate) fn spec_name(values: &SpecValues, path: &Path) -> String {
    let stem = || path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let name = values.one("name").map(|name| name.value.clone()).or_else(stem);
    line(&name.unwrap_or_default(), LONGEST_NAME)
}

/// A block as text, from a spec or from flags.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawBlock {
    /// Where it begins.
    pub place: SpecPlace,
    /// The values of all keys but puzzles and parameters.
    pub values: SpecValues,
    /// Puzzles; files may have names that are not UTF-8.
    pub puzzles: Option<Vec<Located<OsString>>>,
    /// Parameters, each with its values.
    pub parameters: Vec<NamedList>,
}

impl RawBlock {
    fn read(mut table: SpecTable<'_>) -> Result<Self, SpecError> {
        let mut values = table.values(&KEYS)?;
        let methods = table.list("methods")?;
        methods.into_iter().for_each(|methods| values.set("methods", methods));
        let puzzles = table.list("puzzles")?.map(file_names);
        let mut parameters = Vec::new();
        if let Some(limit) = values.one("time_limit") {
            parameters.push((limit.with("time_limit".to_owned()), vec![limit.clone()]));
        }
        parameters.extend(table.lists("parameters")?);
        let place = table.place.clone();
        table.finish()?;
        Ok(Self { place, values, puzzles, parameters })
    }

    /// Takes from `defaults` what is not set here.
    fn inherit(mut self, defaults: &Self) -> Self {
        let same = |a: &str, b: &str| a.replace('-', "_") == b.replace('-', "_");
        let own = |name: &str| self.parameters.iter().any(|(own, _)| same(&own.value, name));
        let inherited = defaults.parameters.iter().filter(|(name, _)| !own(&name.value));
        self.parameters = inherited.chain(&self.parameters).cloned().collect();
        self.puzzles = self.puzzles.or_else(|| defaults.puzzles.clone());
        self.values.inherit(&defaults.values);
        self
    }

    /// The block that this describes; puzzle files are looked for in `folder` first, and added to
    /// `files`.
    ///
    /// # Errors
    /// [`SpecError`] on the first name or number that is wrong.
    fn block(
        self,
        folder: Option<&Path>,
        files: &mut Vec<PathBuf>,
        remarks: &mut Vec<String>,
    ) -> Result<BlockSpec, SpecError> {
        let Self { place, values, puzzles: names, parameters } = self;
        let nothing = |what: &str| place.refused(format_args!("no {what} are listed"));
        let method = |name: &Located<String>| name.read(|name| name.parse::<Method>());
        let methods: Vec<_> =
            values.list("methods").iter().map(method).collect::<Result<_, _>>()?;
        if methods.is_empty() {
            return Err(nothing("methods"));
        }
        refuse_twice(&methods)?;
        let factors = factors(&parameters)?;
        let mut puzzles = Vec::new();
        let (shape, alphabet) = (values.named("box")?, values.named("alphabet")?);
        let options = Options { shape, alphabet, ..Options::default() };
        let mut shape = None;
        for name in names.iter().flatten() {
            files.extend(add_puzzles(name, folder, &options, |reading| {
                // Once for puzzles of one shape.
                let geometry = Some(reading.puzzle.geometry);
                if mem::replace(&mut shape, geometry) != geometry {
                    remarks.extend(reading.remark());
                }
                puzzles.push(name.with(reading.puzzle));
                puzzles.len()
            })?);
        }
        if puzzles.is_empty() {
            return Err(nothing("puzzles"));
        }
        let mut known = HashMap::new();
        for Located { value, place } in &puzzles {
            let name = &value.name;
            let refusal = match known.insert((value.geometry, &value.givens), name) {
                None => continue,
                Some(same) if same == name => format!("{name} is given twice"),
                Some(other) => format!("{name} is the same puzzle as {other}"),
            };
            return Err(place.refused(refusal));
        }
        let whole = |key, default, least: u64, most: u32| {
            values.number(key, quantity::whole, default, least..=most.into())
        };
        let first_seed = values.number("first_seed", quantity::whole, 1, 0..=u64::MAX)?;
        let order: Option<RemovalOrder> = values.named("dig")?;
        for key in ["step", "until"] {
            if let (None, Some(unused)) = (order, values.one(key)) {
                return Err(unused.refused(format_args!("{key} needs dig")));
            }
        }
        let step = NonZeroUsize::new(whole("step", 0, 1, u32::MAX)? as usize);
        let until = whole("until", 0, 0, u32::MAX)? as usize;
        let ladder = order.map(|order| LadderSpec { order, step, until, seed: first_seed });
        Ok(BlockSpec {
            name: line(values.one("name").map_or("", |name| &name.value), LONGEST_NAME),
            puzzles,
            methods,
            factors,
            seeds: Located {
                value: whole("seeds", 1, 1, u32::MAX)? as u32,
                place: values.one("seeds").map_or(place, |seeds| seeds.place.clone()),
            },
            first_seed,
            least_generations: whole("least_generations", 0, 0, u32::MAX)? as u32,
            ladder,
        })
    }
}

/// These texts as names of files.
pub(crate) fn file_names(texts: Vec<Located<String>>) -> Vec<Located<OsString>> {
    let name = |text: Located<String>| Located { value: text.value.into(), place: text.place };
    texts.into_iter().map(name).collect()
}

/// An error text on too many cells or runs.
pub(super) fn too_many(what: &str, most: usize) -> String {
    format!("an experiment has at most {} {what}", count(most as u64))
}

/// Checks that nothing is listed twice, which would repeat the same runs.
pub fn refuse_twice<T: PartialEq + Display>(listed: &[Located<T>]) -> Result<(), SpecError> {
    for (at, one) in listed.iter().enumerate() {
        if listed[..at].iter().any(|before| before.value == one.value) {
            return Err(one.refused(format_args!("{} is given twice", one.value)));
        }
    }
    Ok(())
}

/// Adds the puzzle or the list of puzzles of this name; `add` returns how many there are then. Returns its file, if
/// it is one.
fn add_puzzles(
    name: &Located<OsString>,
    folder: Option<&Path>,
    options: &Options,
    mut add: impl FnMut(ParsedPuzzle) -> usize,
) -> Result<Option<PathBuf>, SpecError> {
    let beside = folder.map(|folder| folder.join(&name.value)).filter(|path| path.is_file());
    let path = beside.unwrap_or_else(|| PathBuf::from(&name.value));
    for reading in open(path.as_os_str(), options).map_err(|error| name.refused(error))? {
        if add(reading.map_err(|error| name.refused(error))?) > MOST_CELLS {
            return Err(name.refused(too_many("cells", MOST_CELLS)));
        }
    }
    Ok(path.is_file().then_some(path))
}

/// Reads every value, so that one out of range is refused before anything runs.
fn factors(parameters: &[NamedList]) -> Result<Vec<Factor>, SpecError> {
    let mut factors: Vec<Factor> = Vec::new();
    for (name, texts) in parameters {
        let parameter = Config::parameter(&name.value).map_err(|error| name.refused(error))?;
        if factors.iter().any(|factor| factor.name == parameter.name) {
            return Err(name.refused(format_args!("{} is given twice", parameter.name)));
        }
        if texts.is_empty() {
            return Err(name.refused("no values are listed"));
        }
        let value =
            |text: &Located<String>| text.read(|text| Overrides::parse(parameter.name, text));
        let values: Vec<_> = texts.iter().map(value).collect::<Result<_, _>>()?;
        refuse_twice(&values)?;
        factors.push(Factor { name: parameter.name, values });
    }
    Ok(factors)
}
