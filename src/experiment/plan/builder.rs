//! Makes a plan's cells block by block: what does not fit is refused or skipped, and what cannot run is known
//! before anything does.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::combinations::{combinations, time_limits};
use super::ladder::puzzles;
use super::{MOST_CELLS, MOST_RUNS, MisfitPolicy};
use crate::board::{Presolve, Puzzle, SearchSpace, presolve};
use crate::exact::proves_unsolvable;
use crate::experiment::cost::{most_work, too_costly};
use crate::experiment::spec::BlockSpec;
use crate::experiment::{Cell, Located, Method, Skip, SpecError, SpecErrorKind};
use crate::ga::breeder::Breeder;
use crate::ga::{Config, CustomOperators, Preset, Run, RunSettings};
use crate::util::memory::{self, NotEnoughMemory};

/// A plan in the making.
pub(super) struct PlanBuilder {
    cells: Vec<Cell>,
    next_run: usize,
    misfits: MisfitPolicy,
    available: u64,
    /// What is wrong with each puzzle's givens, if anything.
    contradictions: HashMap<Vec<u8>, Option<String>>,
    /// What each level of presolve leaves of the block's puzzle that is planned; nothing where it
    /// contradicts.
    spaces: Vec<(Arc<Puzzle>, Presolve, Option<Arc<SearchSpace>>)>,
}

impl PlanBuilder {
    pub fn new(misfits: MisfitPolicy) -> Self {
        Self {
            cells: Vec::new(),
            next_run: 0,
            misfits,
            available: memory::available(),
            contradictions: HashMap::new(),
            spaces: Vec::new(),
        }
    }

    /// The cells of all blocks so far.
    pub fn done(self) -> Vec<Cell> {
        self.cells
    }

    /// Adds the cells of a block.
    ///
    /// # Errors
    /// [`SpecError`] for what is refused.
    pub fn block(&mut self, block: &BlockSpec) -> Result<(), SpecError> {
        for (puzzle, remark) in puzzles(block)? {
            let puzzle = Arc::new(puzzle);
            for method in &block.methods {
                let (preset, sets) = match method.value {
                    Method::Preset(preset) => (preset, combinations(&block.factors)),
                    // Only the time limit means anything to an exact method.
                    Method::Exact(_) => (Preset::Memetic, time_limits(&block.factors)),
                };
                for overrides in sets.ok_or_else(|| method.refused(too_many_cells()))? {
                    let settings = RunSettings { preset, overrides };
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
        method: &Located<Method>,
        settings: &RunSettings,
    ) -> Result<(), SpecError> {
        let space = self.space(puzzle, settings.presolve());
        // A puzzle without a solution is told of all the same.
        let known = space.clone().unwrap_or_else(|| SearchSpace::blank(puzzle.geometry).into());
        let (config, misfit) = match settings.config(&known) {
            Ok(config) => (config, None),
            // Tables show what was set; nothing is run by it.
            Err(error) => {
                let set = Config::of(settings.preset, &known).with(&settings.overrides);
                (set, Some(SpecErrorKind::from(error)))
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
            (Err(misfit), MisfitPolicy::Skipped) => {
                Demand::none(Skip::RejectedRecord(misfit.to_string()))
            }
            (Err(misfit), MisfitPolicy::Refused) => {
                let (puzzle, name) = (puzzle.name.clone(), method.value.name());
                let misfit = Box::new(misfit);
                return Err(method.refused(SpecErrorKind::Misfit { puzzle, method: name, misfit }));
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
            return Err(block.seeds.refused(SpecErrorKind::TooMany { what: "runs", most }));
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

    /// What presolve leaves of a puzzle: the same for all its methods and parameters.
    fn space(&mut self, puzzle: &Arc<Puzzle>, level: Presolve) -> Option<Arc<SearchSpace>> {
        // Only one puzzle is planned at a time.
        self.spaces.retain(|(known, ..)| Arc::ptr_eq(known, puzzle));
        if let Some((.., space)) = self.spaces.iter().find(|(_, known, _)| *known == level) {
            return space.clone();
        }
        let space = presolve(puzzle, level).ok().map(Arc::new);
        self.spaces.push((puzzle.clone(), level, space.clone()));
        space
    }

    /// Whether a cell runs at all, and what that takes.
    fn demand(
        &self,
        block: &BlockSpec,
        space: &SearchSpace,
        method: Method,
        config: &Config,
    ) -> Result<Demand, SpecErrorKind> {
        if let Method::Exact(exact) = method {
            let skip = (!exact.built()).then_some(Skip::NotBuilt);
            return Ok(Demand { skip, cost: 0, memory: 0 });
        }
        let moves = if space.free.is_empty() {
            0
        } else {
            Breeder::new(space, config, CustomOperators::none())?.moves_a_child()
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
            Ok(_) => proves_unsolvable(puzzle, None).then(|| "backtracking finds none".to_owned()),
        };
        self.contradictions.entry(key).or_insert_with(find).clone()
    }
}

fn too_many_cells() -> SpecErrorKind {
    SpecErrorKind::TooMany { what: "cells", most: MOST_CELLS as u64 }
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
