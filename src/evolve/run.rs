//! A run: generation after generation until something ends it.
//!
//! Generation 0 is the scored initial population. A generation completes before stops are tested,
//! in the order solved, interrupted, time, work, generations. An interrupt or the time limit may
//! abandon a generation, which is then not counted. A restart is a generation whose children come
//! from the initialiser.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use indicatif::HumanCount;

use super::breeder::{Breeder, Source};
use super::diversity::distinct;
use super::improvement::Effort;
use super::restart::Staleness;
use super::{Config, GenerationReport, Individuals, Observer, Outcome, RunError, StopReason};
use crate::board::SearchSpace;
use crate::memory;
use crate::random::Seed;
use crate::score::{GenerationTimes, Pipeline, fitness};
use crate::verify::verify;

/// A puzzle to be solved under a configuration and a seed.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// The puzzle after presolve.
    pub space: &'a SearchSpace,
    /// All parameters.
    pub config: &'a Config,
    /// The seed: with the configuration, all that the run depends on.
    pub seed: u64,
    /// Set by whoever wants the run to end.
    pub interrupted: &'a AtomicBool,
}

impl Run<'_> {
    /// Evolves on the threads of the current rayon pool until something ends the run.
    ///
    /// # Errors
    /// [`RunError`] when it cannot begin or go on; running out of budget is no error.
    pub fn evolve(
        &self,
        pipeline: &mut Pipeline,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, RunError> {
        let mut evolution = Evolution::new(*self);
        let stop_reason = if self.space.free.is_empty() {
            StopReason::Presolved
        } else {
            evolution.generations(pipeline, observer)?
        };
        evolution.finish(stop_reason, pipeline)
    }

    /// Whether there is memory for this run, which [`evolve`](Self::evolve) checks as well.
    ///
    /// # Errors
    /// [`RunError`] when there is not.
    pub fn check_memory(&self) -> Result<(), RunError> {
        let what = format!("a population of {}", HumanCount(self.config.population.into()));
        Ok(memory::check(&what, self.memory_needed())?)
    }

    /// Bytes that the populations of this run take, and the rankings of its operators at most.
    pub fn memory_needed(&self) -> u64 {
        const RANKINGS: u64 = 6 * size_of::<u32>() as u64;
        let individual = (self.space.geometry().stride() + size_of::<u16>()) as u64;
        u64::from(self.config.population) * (2 * individual + RANKINGS)
    }
}

/// What a run has come to.
struct Evolution<'a> {
    run: Run<'a>,
    start: Instant,
    best: Vec<u8>,
    best_fitness: u16,
    generation: u32,
    restarts: u32,
    evaluations: u64,
    effort: Effort,
    staleness: Staleness,
}

impl<'a> Evolution<'a> {
    fn new(run: Run<'a>) -> Self {
        Self {
            run,
            start: Instant::now(),
            best: run.space.fixed.clone(),
            best_fitness: fitness(run.space.geometry(), &run.space.fixed),
            generation: 0,
            restarts: 0,
            evaluations: 0,
            effort: Effort::default(),
            staleness: Staleness::new(run.config),
        }
    }

    fn generations(
        &mut self,
        pipeline: &mut Pipeline,
        observer: &mut dyn Observer,
    ) -> Result<StopReason, RunError> {
        let Run { space, config, .. } = self.run;
        self.run.check_memory()?;
        let mut breeder = Breeder::new(space, config)?;
        let count = config.population as usize;
        let mut population = Individuals::new(space.geometry(), count)?;
        let mut children = Individuals::new(space.geometry(), count)?;
        let mut source = Source::Initialiser;
        let mut next = 0;
        loop {
            let seed = Seed::new(self.run.seed, next);
            breeder.plan(&population, source, &seed);
            let warned = pipeline.fault().is_some();
            let mut effort = Effort::default();
            let offspring = breeder.offspring_count(source);
            let filled = pipeline.fill(
                &mut children.boards,
                &mut children.fitness[..offspring],
                |slots, boards| {
                    let stop = || self.stopped_early().is_some();
                    let bred = breeder.breed(&population, source, &seed, slots, boards, &stop);
                    effort += bred.unwrap_or_default();
                    bred.is_some()
                },
            )?;
            if let (false, Some(fault)) = (warned, pipeline.fault()) {
                observer.warning(&format!("{fault}; scoring goes on on the CPU"));
            }
            let Some(times) = filled else {
                return Ok(self.stopped_early().unwrap_or(StopReason::Interrupted));
            };
            breeder.replace(&mut population, &mut children, source);
            self.generation = next;
            self.evaluations += offspring as u64;
            self.effort += effort;
            self.restarts += u32::from(source == Source::Restart);
            self.note_best(&population);
            self.report(&population, times, observer);
            if let Some(reason) = self.stop_reason() {
                return Ok(reason);
            }
            let bred_from = std::mem::replace(&mut source, Source::Parents);
            if self.staleness.note(population.best(), bred_from) {
                source = Source::Restart;
            }
            next += 1;
        }
    }

    fn note_best(&mut self, population: &Individuals) {
        let slot = population.best_slot();
        let fitness = population.fitness[slot];
        // The first complete generation replaces the unfilled board, however bad it is.
        if fitness < self.best_fitness || self.generation == 0 {
            self.best_fitness = fitness;
            self.best.copy_from_slice(population.boards.board(slot));
        }
    }

    /// Whether the generation that is being bred should be abandoned.
    fn stopped_early(&self) -> Option<StopReason> {
        let limit = self.run.config.time_limit();
        if self.run.interrupted.load(Ordering::Relaxed) {
            Some(StopReason::Interrupted)
        } else if limit.is_some_and(|limit| self.start.elapsed() >= limit) {
            Some(StopReason::Time)
        } else {
            None
        }
    }

    fn stop_reason(&self) -> Option<StopReason> {
        let config = self.run.config;
        let reached = |bound: u64, value: u64| bound > 0 && value >= bound;
        if self.best_fitness == 0 {
            Some(StopReason::Solved)
        } else if let Some(early) = self.stopped_early() {
            Some(early)
        } else if reached(config.max_work, self.evaluations + self.effort.moves) {
            Some(StopReason::Work)
        } else if reached(config.max_generations.into(), self.counted_generations().into()) {
            Some(StopReason::Generations)
        } else {
            None
        }
    }

    /// Generations that the budget counts.
    fn counted_generations(&self) -> u32 {
        self.generation - self.run.config.restart_rule.uncounted(self.restarts)
    }

    fn report(
        &self,
        population: &Individuals,
        times: GenerationTimes,
        observer: &mut dyn Observer,
    ) {
        let every = self.run.config.distinct_every;
        let due = every > 0 && self.generation.is_multiple_of(every) && observer.wants_distinct();
        let fitness = &population.fitness;
        observer.generation(&GenerationReport {
            generation: self.generation,
            restart: self.restarts,
            best: fitness.iter().copied().min().unwrap_or(u16::MAX),
            best_so_far: self.best_fitness,
            sum: fitness.iter().map(|fitness| u64::from(*fitness)).sum(),
            population: fitness.len() as u64,
            worst: fitness.iter().copied().max().unwrap_or(u16::MAX),
            distinct: due.then(|| distinct(&population.boards)),
            evaluations: self.evaluations,
            moves: self.effort.moves,
            times,
            elapsed: self.start.elapsed(),
            best_board: &self.best,
        });
    }

    fn finish(self, stop_reason: StopReason, pipeline: &Pipeline) -> Result<Outcome, RunError> {
        let puzzle = &self.run.space.puzzle;
        let mut board = self.best;
        board.truncate(puzzle.geometry.cells());
        if self.best_fitness == 0 {
            verify(puzzle, &board).map_err(RunError::Unverified)?;
        }
        Ok(Outcome {
            stop_reason,
            board,
            fitness: self.best_fitness,
            generations: self.generation,
            restarts: self.restarts,
            evaluations: self.evaluations,
            moves: self.effort.moves,
            steps: self.effort.steps,
            elapsed: self.start.elapsed(),
            fault: pipeline.fault().cloned(),
        })
    }
}
