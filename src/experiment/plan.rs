//! The plan: every cell of an experiment, and the runs of each.
//!
//! Runs are numbered through the whole plan, cell by cell. A cell that cannot run is known, and refused or
//! left out, before anything runs.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::cell::differ;
use super::spec::{BlockSpec, Factor, MOST_CELLS, too_many};
use super::{Cell, Fingerprint, Located, Method, Skip, Spec, SpecError};
use crate::board::{Geometry, Presolve, Puzzle, SearchSpace, presolve};
use crate::exact::{Backtracking, GuessBudget, Solutions, dig, proves_unsolvable};
use crate::ga::{Config, Overrides, Preset, Run, RunSettings};
use crate::util::distinct;
use crate::util::memory::{self, NotEnoughMemory};
use crate::util::quantity::counted;

/// The most runs: the results of each take a few kilobytes of memory.
pub(super) const MOST_RUNS: usize = 1_000_000;
/// Solutions of a rung of a ladder after which they are no longer counted.
const MOST_SOLUTIONS: u64 = 1_000;
/// Guesses after which no more solutions of a rung are looked for. A bound on time would make the plan
/// depend on the machine.
const GUESSES: u64 = 20_000;

/// All cells of an experiment.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The experiment's name.
    pub name: String,
    /// A checksum by which the results of this plan are recognised.
    pub fingerprint: String,
    /// Parameters that the spec names.
    pub parameters: Vec<&'static str>,
    /// Its cells, in order.
    pub cells: Vec<Cell>,
}

impl Plan {
    /// The cells of a spec, each of which can be run.
    ///
    /// # Errors
    /// [`SpecError`] when parameters do not go together or a population does not fit into memory.
    pub fn new(spec: &Spec) -> Result<Self, SpecError> {
        Self::with(spec, false)
    }

    /// The cells of a spec. Where a method does not fit its puzzle or parameters, the plan is refused, or the
    /// cell is not run if `skip_misfits`.
    ///
    /// # Errors
    /// [`SpecError`] on a misfit that is refused, and when there are more cells or runs than there may be.
    pub fn with(spec: &Spec, skip_misfits: bool) -> Result<Self, SpecError> {
        let available = memory::available();
        let mut builder = PlanBuilder { skip_misfits, available, ..PlanBuilder::default() };
        spec.blocks.iter().try_for_each(|block| builder.add_block(block))?;
        let factors = spec.blocks.iter().flat_map(|block| &block.factors);
        let parameters = distinct(factors.map(|factor| factor.name));
        Ok(Self::of(spec.name.clone(), parameters, builder.cells))
    }

    /// A plan of these cells.
    pub(crate) fn of(name: String, parameters: Vec<&'static str>, cells: Vec<Cell>) -> Self {
        let mut fingerprint = Fingerprint::new();
        cells.iter().for_each(|cell| cell.note(&mut fingerprint));
        Self { name, fingerprint: fingerprint.text(), parameters, cells }
    }

    /// The parameters of which not all cells have the same value.
    pub fn varying(&self) -> Vec<&'static str> {
        let varies =
            |name: &&'static str| differ(self.cells.iter().filter_map(|cell| cell.value(name)));
        self.parameters.iter().copied().filter(varies).collect()
    }

    /// Runs of all cells.
    pub fn runs(&self) -> usize {
        end_of(&self.cells)
    }

    /// The cell of a run, and which of its runs it is.
    pub fn run(&self, number: usize) -> (usize, u32) {
        let cell = self.cells.partition_point(|cell| cell.first_run <= number) - 1;
        (cell, (number - self.cells[cell].first_run) as u32)
    }

    /// The number of a run's cell, the cell, and the run's seed.
    pub fn cell_of(&self, run: usize) -> (usize, &Cell, u64) {
        let (number, place) = self.run(run);
        let cell = &self.cells[number];
        (number, cell, cell.seed(place))
    }

    /// A run in words: `003-4x4, boxes, seed 1`.
    pub(super) fn run_text(&self, run: usize) -> String {
        let (_, cell, seed) = self.cell_of(run);
        format!("{}, {}, seed {seed}", cell.puzzle.name, cell.method)
    }

    /// The most memory that one run takes, in bytes.
    pub fn memory(&self) -> u64 {
        self.cells.iter().map(|cell| cell.memory).max().unwrap_or(0)
    }
}

/// The number of the run after those of these cells.
fn end_of(cells: &[Cell]) -> usize {
    cells.last().map_or(0, |cell| cell.first_run + cell.seeds as usize)
}

/// Builds a plan cell by cell.
#[derive(Default)]
struct PlanBuilder {
    cells: Vec<Cell>,
    skip_misfits: bool,
    /// Bytes of memory that populations may take.
    available: u64,
    /// The contradiction in each puzzle, if it has one.
    contradictions: HashMap<(Geometry, Vec<u8>), Option<String>>,
    /// The search space that each level of presolve leaves of the puzzle that is being planned, or the
    /// contradiction that it finds.
    spaces: HashMap<Presolve, Result<Arc<SearchSpace>, String>>,
}

impl PlanBuilder {
    /// Adds the cells of a block.
    fn add_block(&mut self, block: &BlockSpec) -> Result<(), SpecError> {
        for (puzzle, remark) in puzzles(block)? {
            let puzzle = Arc::new(puzzle);
            self.spaces.clear();
            for method in &block.methods {
                let (preset, sets) = match method.value {
                    Method::Preset(preset) => (preset, combinations(&block.factors, |_| true)),
                    // An exact method has no other parameter.
                    Method::Exact(_) => {
                        let sets = combinations(&block.factors, |name| name == "time_limit");
                        (Preset::Memetic, sets)
                    }
                };
                for overrides in
                    sets.ok_or_else(|| method.refused(too_many("cells", MOST_CELLS)))?
                {
                    let settings = RunSettings { preset, overrides };
                    self.add_cell(block, &puzzle, &remark, method, &settings)?;
                }
            }
        }
        Ok(())
    }

    fn add_cell(
        &mut self,
        block: &BlockSpec,
        puzzle: &Arc<Puzzle>,
        remark: &str,
        method: &Located<Method>,
        settings: &RunSettings,
    ) -> Result<(), SpecError> {
        // The configuration of a puzzle without a solution is known too.
        let space = self
            .space(puzzle, settings.presolve())
            .unwrap_or_else(|_| SearchSpace::blank(puzzle.geometry).into());
        let (config, cost) = match settings.config(&space) {
            // Tables show what was set; nothing is run by it.
            Err(error) => {
                let set = Config::of(settings.preset, &space).with(&settings.overrides);
                (set, Err(Skip::Unfit(error.to_string())))
            }
            Ok(config) => {
                // The last level of presolve finds all that the others do.
                let cost = match self.contradiction(puzzle) {
                    None => self.cost(block, &space, method.value, &config),
                    Some(what) => Err(Skip::Contradictory(what)),
                };
                (config, cost)
            }
        };
        let (skip, (cost, memory)) = match cost {
            Ok(cost) => (None, cost),
            Err(Skip::Unfit(misfit)) if !self.skip_misfits => {
                let (puzzle, method_name) = (&puzzle.name, method.value);
                return Err(method.refused(format_args!(
                    "{puzzle} by {method_name}: {misfit} (use --skip-unfit to leave it out)"
                )));
            }
            Err(skip) => (Some(skip), (0, 0)),
        };
        let seeds = match (&skip, method.value) {
            (Some(_), _) => 0,
            (None, Method::Preset(_)) => block.seeds.value,
            // The same run for every seed.
            (None, Method::Exact(_)) => 1,
        };
        if self.cells.len() >= MOST_CELLS {
            return Err(method.refused(too_many("cells", MOST_CELLS)));
        }
        let first_run = end_of(&self.cells);
        if first_run + seeds as usize > MOST_RUNS {
            return Err(block.seeds.refused(too_many("runs", MOST_RUNS)));
        }
        self.cells.push(Cell {
            block: block.name.clone(),
            puzzle: puzzle.clone(),
            method: method.value,
            config,
            first_seed: block.first_seed,
            seeds,
            remark: remark.to_owned(),
            skip,
            first_run,
            cost,
            memory,
        });
        Ok(())
    }

    /// The search space that presolve leaves of a puzzle, the same for all its methods and parameters, or the
    /// contradiction that it finds.
    fn space(&mut self, puzzle: &Puzzle, level: Presolve) -> Result<Arc<SearchSpace>, String> {
        let presolved = || presolve(puzzle, level).map(Arc::new).map_err(|error| error.to_string());
        self.spaces.entry(level).or_insert_with(presolved).clone()
    }

    /// The work of a run at most, times the cells of its board, and its memory in bytes; or why it is not run.
    fn cost(
        &self,
        block: &BlockSpec,
        space: &SearchSpace,
        method: Method,
        config: &Config,
    ) -> Result<(u64, u64), Skip> {
        if let Method::Exact(exact) = method {
            return if exact.built() { Ok((0, 0)) } else { Err(Skip::NotBuilt) };
        }
        let unfit = |error: &dyn ToString| Skip::Unfit(error.to_string());
        let interrupted = AtomicBool::new(false);
        let run = Run::new(space, config, 0, &interrupted);
        let breeder = (!space.free.is_empty()).then(|| run.smallest_breeder()).transpose();
        let moves = breeder.map_err(|error| unfit(&error))?.map_or(0, |it| it.moves_a_child());
        let least = block.least_generations;
        if config.max_work > 0 && least > 0 && work(config, moves, least) > config.max_work.into() {
            return Err(Skip::Blank);
        }
        let memory = run.memory_needed();
        if memory > self.available {
            let what = format!("a population of {}", config.population);
            let available = self.available;
            return Err(unfit(&NotEnoughMemory { what, needed: memory, available }));
        }
        let cells = space.geometry().cells() as u64;
        let cost = most_work(config, moves).map_or(0, |work| work.saturating_mul(cells));
        Ok((cost, memory))
    }

    /// The contradiction in a puzzle, if presolve or a short search finds one.
    fn contradiction(&mut self, puzzle: &Puzzle) -> Option<String> {
        let key = (puzzle.geometry, puzzle.givens.clone());
        if let Some(known) = self.contradictions.get(&key) {
            return known.clone();
        }
        let found = match self.space(puzzle, Presolve::Probing) {
            Err(what) => Some(what),
            Ok(_) => proves_unsolvable(puzzle, None).then(|| "backtracking finds none".to_owned()),
        };
        self.contradictions.entry(key).or_insert(found).clone()
    }
}

/// The work of the first population and of this many generations after it, in which improvement takes
/// `moves` a child.
///
/// 1,000 individuals of which each generation replaces all, improved by 60 moves each, for 10 generations:
/// 1,000 + 10 * 1,000 * 61 = 611,000.
fn work(config: &Config, moves: u64, generations: u32) -> u128 {
    let children = u128::from(config.replacement.offspring(config));
    let generation = children * (1 + u128::from(moves));
    u128::from(config.population) + u128::from(generations) * generation
}

/// The work that a run does at most, if that is bounded.
fn most_work(config: &Config, moves: u64) -> Option<u64> {
    let by_generations = (config.max_generations > 0)
        .then(|| u64::try_from(work(config, moves, config.max_generations)).unwrap_or(u64::MAX));
    let by_work = (config.max_work > 0).then_some(config.max_work);
    by_generations.into_iter().chain(by_work).min()
}

/// Every combination of the values of these factors, the last factor fastest; `None` if there are too many.
fn combinations(factors: &[Factor], counts: impl Fn(&str) -> bool) -> Option<Vec<Overrides>> {
    let mut all = vec![Overrides::default()];
    for factor in factors.iter().filter(|factor| counts(factor.name)) {
        if all.len() * factor.values.len() > MOST_CELLS {
            return None;
        }
        let with = |set: Overrides| {
            factor.values.iter().map(move |value| {
                let mut set = set.clone();
                set.merge(&value.value);
                set
            })
        };
        all = all.into_iter().flat_map(with).collect();
    }
    Some(all)
}

/// The puzzles of a block: those that it names, and, if it digs, the rungs of their ladders, each with its
/// number of solutions.
fn puzzles(block: &BlockSpec) -> Result<Vec<(Puzzle, String)>, SpecError> {
    let mut all = Vec::new();
    for Located { value: puzzle, place } in &block.puzzles {
        let Some(ladder) = &block.ladder else {
            all.push((puzzle.clone(), String::new()));
            continue;
        };
        let budget =
            GuessBudget { cap: MOST_SOLUTIONS, guesses: GUESSES, ..GuessBudget::default() };
        let whole = Backtracking::new(puzzle.geometry).search(&puzzle.givens, &budget);
        all.push((puzzle.clone(), solutions(&whole)));
        let rungs = dig(puzzle, ladder, &budget).map_err(|error| place.refused(error))?;
        all.extend(rungs.into_iter().map(|rung| (rung.puzzle, solutions(&rung.solutions))));
    }
    Ok(all)
}

/// `1 solution`, `17 solutions`, `at least 1,000 solutions`.
fn solutions(found: &Solutions) -> String {
    let least = if found.complete() { "" } else { "at least " };
    format!("{least}{}", counted(found.count, "solution"))
}
