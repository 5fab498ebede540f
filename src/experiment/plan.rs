//! The plan: every cell of an experiment, and the runs of each.
//!
//! A cell is one puzzle, one method and one value for each parameter; its runs are its seeds.
//! Runs are numbered through the whole plan, cell by cell.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};

use super::cost::{most_work, too_costly};
use super::fingerprint::Fingerprint;
use super::spec::{BlockSpec, Factor};
use super::{Method, Placed, Refusal, Spec, SpecError};
use crate::board::{Presolve, Puzzle, SearchSpace, presolve};
use crate::evolve::breeder::Breeder;
use crate::evolve::{Config, Operators, Overrides, Preset, Run, Settings};
use crate::exact::{Backtracking, Budget, Solutions, dig, shown_to_have_none};
use crate::memory::{self, NotEnoughMemory};
use crate::nouns::counted;

/// Solutions after which those of a rung are no longer counted.
const CAP: u64 = 1_000;
/// Guesses after which no more solutions of a rung are looked for. No time,
/// so that a plan is the same on every machine.
const GUESSES: u64 = 20_000;

/// The most cells that an experiment has.
pub(super) const MOST_CELLS: usize = 100_000;
/// The most runs: what is known of each is kept in memory, a few kilobytes.
pub(super) const MOST_RUNS: usize = 1_000_000;

/// Parameters that say how long a child is improved, one for each improvement that has any.
pub(super) const LENGTHS: [&str; 2] = ["tries", "tabu_steps"];

/// All cells of an experiment.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The experiment's name.
    pub name: String,
    /// What the results of this plan are recognised by.
    pub fingerprint: String,
    /// Parameters that the spec names.
    pub parameters: Vec<&'static str>,
    /// Its cells, in order.
    pub cells: Vec<Cell>,
}

/// One puzzle, one method, one value for each parameter.
#[derive(Clone, Debug)]
pub struct Cell {
    /// The block's name.
    pub block: String,
    /// The puzzle.
    pub puzzle: Arc<Puzzle>,
    /// The method.
    pub method: Method,
    /// All parameters. Of an exact method only the time limit counts.
    pub config: Config,
    /// The seed of its first run; the others follow it.
    pub first_seed: u64,
    /// Its runs; none if it is skipped.
    pub seeds: u32,
    /// What is known of its puzzle: on a ladder, how many solutions it has.
    pub remark: String,
    /// Why it is not run, if it is not.
    pub skip: Option<Skip>,
    /// Number of its first run in the plan.
    pub first_run: usize,
    /// What a run of it costs at most: evaluations and moves, times the cells of its board; 0 where
    /// nothing but time bounds it.
    pub cost: u64,
    /// Bytes that its populations take.
    pub memory: u64,
}

/// Why a cell is not run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Skip {
    /// Its puzzle has no solution: what contradicts.
    Contradictory(String),
    /// The program was built without its method.
    NotBuilt,
    /// Its work does not pay the generations that the spec asks for.
    Blank,
    /// Its method does not fit its puzzle or parameters: what is wrong.
    Unfit(String),
}

/// What is done about a cell whose method does not fit its puzzle or parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Misfits {
    /// Nothing is run.
    #[default]
    Refused,
    /// It is left out, and the others are run.
    Skipped,
}

impl Cell {
    /// The seed of one of its runs, counted from 0.
    pub fn seed(&self, run: u32) -> u64 {
        self.first_seed.wrapping_add(run.into())
    }

    /// Takes all that its runs depend on into a fingerprint, and what they are called.
    fn note(&self, fingerprint: &mut Fingerprint) {
        fingerprint.field(self.block.as_bytes());
        fingerprint.field(self.puzzle.name.as_bytes());
        fingerprint.field(self.puzzle.geometry.to_string().as_bytes());
        fingerprint.field(&self.puzzle.givens);
        fingerprint.field(self.method.name().as_bytes());
        for parameter in Config::PARAMETERS {
            fingerprint.field(parameter.name.as_bytes());
            fingerprint.field((parameter.get)(&self.config).as_bytes());
        }
        fingerprint.field(&self.first_seed.to_le_bytes());
        fingerprint.field(&self.seeds.to_le_bytes());
    }

    /// How long each child is improved: the parameter and its value, if its method improves.
    pub fn length(&self) -> Option<(&'static str, String)> {
        let Method::Preset(_) = self.method else { return None };
        let mut known = LENGTHS.iter().filter_map(|name| Config::parameter(name).ok());
        let parameter = known.find(|parameter| (parameter.applies)(&self.config))?;
        Some((parameter.name, (parameter.get)(&self.config)))
    }

    /// The value of a parameter, or nothing if the method has none.
    pub fn value(&self, parameter: &str) -> Option<String> {
        match (self.method, Config::parameter(parameter)) {
            (Method::Preset(_), Ok(parameter)) => Some((parameter.get)(&self.config)),
            _ => None,
        }
    }
}

impl Plan {
    /// The cells of a spec, each found to be possible.
    ///
    /// # Errors
    /// [`SpecError`] when parameters do not go together or a population does not fit into memory.
    pub fn new(spec: &Spec) -> Result<Self, SpecError> {
        Self::with(spec, Misfits::Refused)
    }

    /// The cells of a spec, where `misfits` are refused or skipped.
    ///
    /// # Errors
    /// [`SpecError`] when a population does not fit into memory, and on a misfit that is refused.
    pub fn with(spec: &Spec, misfits: Misfits) -> Result<Self, SpecError> {
        let mut maker = Maker {
            cells: Vec::new(),
            next_run: 0,
            misfits,
            available: memory::available(),
            contradictions: HashMap::new(),
        };
        let mut parameters: Vec<&'static str> = Vec::new();
        for block in &spec.blocks {
            maker.block(block)?;
            for factor in &block.factors {
                if !parameters.contains(&factor.name) {
                    parameters.push(factor.name);
                }
            }
        }
        Ok(Self::of(spec.name.clone(), parameters, maker.cells))
    }

    /// A plan of these cells.
    pub(crate) fn of(name: String, parameters: Vec<&'static str>, cells: Vec<Cell>) -> Self {
        let mut fingerprint = Fingerprint::new();
        cells.iter().for_each(|cell| cell.note(&mut fingerprint));
        Self { name, fingerprint: fingerprint.text(), parameters, cells }
    }

    /// Runs of all cells.
    pub fn runs(&self) -> usize {
        self.cells.last().map_or(0, |cell| cell.first_run + cell.seeds as usize)
    }

    /// The cell of a run, and which of its runs it is.
    pub fn run(&self, number: usize) -> (usize, u32) {
        let cell = self.cells.partition_point(|cell| cell.first_run <= number) - 1;
        (cell, (number - self.cells[cell].first_run) as u32)
    }

    /// The most memory that one run takes, in bytes.
    pub fn memory(&self) -> u64 {
        self.cells.iter().map(|cell| cell.memory).max().unwrap_or(0)
    }
}

/// A plan in the making.
struct Maker {
    cells: Vec<Cell>,
    next_run: usize,
    misfits: Misfits,
    available: u64,
    /// What is wrong with each puzzle's givens, if anything.
    contradictions: HashMap<Vec<u8>, Option<String>>,
}

impl Maker {
    fn block(&mut self, block: &BlockSpec) -> Result<(), SpecError> {
        for (puzzle, remark) in puzzles(block)? {
            let puzzle = Arc::new(puzzle);
            for method in &block.methods {
                let (preset, sets) = match method.value {
                    Method::Preset(preset) => (preset, combinations(&block.factors)),
                    // Only the time limit means anything to an exact method.
                    Method::Exact(_) => (Preset::Memetic, time_limits(&block.factors)),
                };
                for overrides in sets.ok_or_else(|| method.refused(too_many_cells()))? {
                    let settings = Settings { preset, overrides };
                    self.cell(block, &puzzle, &remark, method, &settings)?;
                }
            }
        }
        Ok(())
    }

    fn cell(
        &mut self,
        block: &BlockSpec,
        puzzle: &Arc<Puzzle>,
        remark: &str,
        method: &Placed<Method>,
        settings: &Settings,
    ) -> Result<(), SpecError> {
        let space = presolve(puzzle, settings.presolve()).ok();
        // A puzzle without a solution is told of all the same.
        let known = space.clone().unwrap_or_else(|| SearchSpace::blank(puzzle.geometry));
        let (config, misfit) = match settings.config(&known) {
            Ok(config) => (config, None),
            // Tables show what was set; nothing is run by it.
            Err(error) => {
                let set = Config::of(settings.preset, &known).with(&settings.overrides);
                (set, Some(Refusal::from(error)))
            }
        };
        let possible = match (misfit, self.contradiction(puzzle), &space) {
            (Some(misfit), ..) => Err(misfit),
            (None, Some(what), _) => Ok(Demand::none(Skip::Contradictory(what))),
            // The last level finds all that the others do, and found nothing.
            (None, None, None) => Ok(Demand::none(Skip::Contradictory(String::new()))),
            (None, None, Some(space)) => self.demand(block, space, method.value, &config),
        };
        let Demand { skip, cost, memory } = match (possible, self.misfits) {
            (Ok(possible), _) => possible,
            (Err(misfit), Misfits::Skipped) => Demand::none(Skip::Unfit(misfit.to_string())),
            (Err(misfit), Misfits::Refused) => {
                let (puzzle, name) = (puzzle.name.clone(), method.value.name());
                let misfit = Box::new(misfit);
                return Err(method.refused(Refusal::Misfit { puzzle, method: name, misfit }));
            }
        };
        let seeds = match (&skip, method.value) {
            (Some(_), _) => 0,
            (None, Method::Preset(_)) => block.seeds.value,
            // The same run for every seed.
            (None, Method::Exact(_)) => 1,
        };
        if self.cells.len() >= MOST_CELLS {
            return Err(method.refused(too_many_cells()));
        }
        if self.next_run + seeds as usize > MOST_RUNS {
            let most = MOST_RUNS as u64;
            return Err(block.seeds.refused(Refusal::TooMany { what: "runs", most }));
        }
        let cell = Cell {
            block: block.name.clone(),
            puzzle: puzzle.clone(),
            method: method.value,
            config,
            first_seed: block.first_seed,
            seeds,
            remark: remark.to_owned(),
            skip,
            first_run: self.next_run,
            cost,
            memory,
        };
        self.next_run += seeds as usize;
        self.cells.push(cell);
        Ok(())
    }

    /// Whether a cell runs at all, and what that takes.
    fn demand(
        &self,
        block: &BlockSpec,
        space: &SearchSpace,
        method: Method,
        config: &Config,
    ) -> Result<Demand, Refusal> {
        if let Method::Exact(exact) = method {
            let skip = (!exact.built()).then_some(Skip::NotBuilt);
            return Ok(Demand { skip, cost: 0, memory: 0 });
        }
        let moves = if space.free.is_empty() {
            0
        } else {
            Breeder::new(space, config, Operators::none())?.moves_a_child()
        };
        if too_costly(config, moves, block.least_generations) {
            return Ok(Demand::none(Skip::Blank));
        }
        let interrupted = AtomicBool::new(false);
        let run = Run::new(space, config, 0, &interrupted);
        let memory = run.memory_needed();
        if memory > self.available {
            let what = format!("a population of {}", config.population);
            let available = self.available;
            return Err(NotEnoughMemory { what, needed: memory, available }.into());
        }
        let cells = space.geometry().cells() as u64;
        let cost = most_work(config, moves).map_or(0, |work| work.saturating_mul(cells));
        Ok(Demand { skip: None, cost, memory })
    }

    /// What contradicts in a puzzle, as far as presolve and a short search can tell.
    fn contradiction(&mut self, puzzle: &Puzzle) -> Option<String> {
        let mut key = puzzle.geometry.to_string().into_bytes();
        key.extend(&puzzle.givens);
        let find = || match presolve(puzzle, Presolve::Probing) {
            Err(error) => Some(error.to_string()),
            Ok(_) => shown_to_have_none(puzzle, None).then(|| "backtracking finds none".to_owned()),
        };
        self.contradictions.entry(key).or_insert_with(find).clone()
    }
}

/// The puzzles of a block and, if they are dug, their numbers of solutions.
fn puzzles(block: &BlockSpec) -> Result<Vec<(Puzzle, String)>, SpecError> {
    let mut all = Vec::new();
    for puzzle in &block.puzzles {
        let Some(digging) = &block.dig else {
            all.push((puzzle.value.clone(), String::new()));
            continue;
        };
        let budget = Budget { cap: CAP, guesses: GUESSES, ..Budget::default() };
        let whole = search(&puzzle.value, &budget);
        all.push((puzzle.value.clone(), solutions(&whole)));
        let rungs = dig(&puzzle.value, digging, &budget).map_err(|error| puzzle.refused(error))?;
        all.extend(rungs.into_iter().map(|rung| (rung.puzzle, solutions(&rung.solutions))));
    }
    Ok(all)
}

fn search(puzzle: &Puzzle, budget: &Budget<'_>) -> Solutions {
    Backtracking::new(puzzle.geometry).search(&puzzle.givens, budget)
}

/// `1 solution`, `17 solutions`, `at least 1,000 solutions`.
fn solutions(found: &Solutions) -> String {
    let least = if found.complete() { "" } else { "at least " };
    format!("{least}{}", counted(found.count, "solution"))
}

/// Every combination of the factors' values, the last factor fastest, unless there are too many.
fn combinations(factors: &[Factor]) -> Option<Vec<Overrides>> {
    let mut all = vec![Overrides::default()];
    for factor in factors {
        if all.len() * factor.values.len() > MOST_CELLS {
            return None;
        }
        let with = |set: &Overrides| {
            let set = set.clone();
            factor.values.iter().map(move |value| {
                let mut set = set.clone();
                set.merge(&value.value);
                set
            })
        };
        all = all.iter().flat_map(with).collect();
    }
    Some(all)
}

/// The time limits alone, or none at all.
fn time_limits(factors: &[Factor]) -> Option<Vec<Overrides>> {
    let limits = |factor: &&Factor| factor.values.iter().all(|v| v.value.time_limit.is_some());
    combinations(&factors.iter().filter(limits).cloned().collect::<Vec<_>>())
}

fn too_many_cells() -> Refusal {
    Refusal::TooMany { what: "cells", most: MOST_CELLS as u64 }
}

/// What a run of a cell takes.
struct Demand {
    skip: Option<Skip>,
    cost: u64,
    memory: u64,
}

impl Demand {
    /// That of a cell which is not run.
    fn none(skip: Skip) -> Self {
        Self { skip: Some(skip), cost: 0, memory: 0 }
    }
}
