//! The spec: what an experiment is asked to do.
//!
//! ```toml
//! name = "sizes"                        # default: the file's stem
//! puzzles = ["003-4x4", "mine.sdm"]     # files and lists (beside the spec first), shipped names,
//!                                       # grids
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

use std::path::{Path, PathBuf};

use super::{Located, Method, RawBlock, SpecError, spec_parser};
use crate::board::Puzzle;
use crate::exact::LadderSpec;
use crate::ga::Overrides;
use crate::util::sanitize::line;

/// Characters of a name.
pub(super) const LONGEST_NAME: usize = 255;

/// What an experiment is asked to do.
#[derive(Clone, Debug, PartialEq)]
pub struct Spec {
    /// What it is called.
    pub name: String,
    /// Its parts, at least one.
    pub blocks: Vec<BlockSpec>,
    /// The files that its puzzles were read from.
    pub files: Vec<PathBuf>,
}

/// Puzzles x methods x parameter values x seeds.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockSpec {
    /// What it is called, if anything.
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
    /// How ever fewer givens are left of each puzzle, which are puzzles of the block too.
    pub dig: Option<LadderSpec>,
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
    /// Reads a spec's file.
    ///
    /// # Errors
    /// [`SpecError`] with the line of the first thing that is wrong.
    pub fn read(path: &Path) -> Result<Self, SpecError> {
        Self::from_toml(&spec_parser::spec_text(path)?, path)
    }

    /// Reads a spec's text; `path` names it in errors, and puzzle files are looked for beside it.
    ///
    /// # Errors
    /// [`SpecError`] with the line of the first thing that is wrong.
    pub fn from_toml(text: &str, path: &Path) -> Result<Self, SpecError> {
        let document = spec_parser::read(text, &path.display().to_string())?;
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let name = line(&document.top.name.clone().or(stem).unwrap_or_default(), LONGEST_NAME);
        let folder = path.parent();
        let mut files = Vec::new();
        let blocks = if document.blocks.is_empty() {
            vec![RawBlock { name: None, ..document.top }.block(folder, &mut files)?]
        } else {
            let block = |draft: RawBlock| draft.over(&document.top).block(folder, &mut files);
            document.blocks.into_iter().map(block).collect::<Result<_, _>>()?
        };
        Ok(Self { name, blocks, files })
    }

    /// A spec of one block.
    ///
    /// # Errors
    /// [`SpecError`] on the first thing that is wrong.
    pub fn from_draft(draft: RawBlock) -> Result<Self, SpecError> {
        let name = line(draft.name.as_deref().unwrap_or("experiment"), LONGEST_NAME);
        let mut files = Vec::new();
        let block = RawBlock { name: None, ..draft }.block(None, &mut files)?;
        Ok(Self { name, blocks: vec![block], files })
    }
}
