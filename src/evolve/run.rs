//! A run: generation after generation until something ends it.
//!
//! Generation 0 is the scored initial population. A generation completes before stops are tested,
//! in the order solved, observer, interrupted, time, work, generations. An interrupt or the time
//! limit may abandon a generation, which is then not counted. A restart is a generation whose
//! children come from the initialiser.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::engine::{Engine, Summary, Wanted};
use super::host::HostEngine;
use super::improvement::Effort;
use super::replacement::TILE;
use super::restart::Staleness;
use super::{Config, GenerationReport, Observer, Operators, Outcome, RunError, Source, StopReason};
use crate::board::{SearchSpace, verify};
use crate::memory;
use crate::score::{EvaluatorError, Pipeline, fitness};

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
    /// Operators that take the place of the configuration's.
    pub operators: &'a Operators,
}

impl<'a> Run<'a> {
    /// A run with the configuration's operators.
    pub fn new(
        space: &'a SearchSpace,
        config: &'a Config,
        seed: u64,
        interrupted: &'a AtomicBool,
    ) -> Self {
        Self { space, config, seed, interrupted, operators: Operators::none() }
    }
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
        self.evolve_on(|| HostEngine::new(self, pipeline), observer)
    }

    /// Evolves on the engine that `engine` makes, unless presolve left nothing to evolve.
    ///
    /// # Errors
    /// As [`evolve`](Self::evolve).
    pub fn evolve_on<E: Engine>(
        &self,
        engine: impl FnOnce() -> Result<E, RunError>,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, RunError> {
        let mut evolution = Evolution::new(*self);
        if self.space.free.is_empty() {
            return evolution.finish(StopReason::Presolved, None);
        }
        let mut engine = engine()?;
        evolution.making = evolution.start.elapsed();
        match evolution.generations(&mut engine, observer) {
            Ok(stop_reason) => evolution.finish(stop_reason, engine.given_up()),
            Err(RunError::Lost(fault)) => evolution.finish(StopReason::Lost, Some(&fault)),
            Err(error) => Err(error),
        }
    }

    /// Whether a generation that is being bred should be abandoned.
    fn stopped_early(&self, start: Instant) -> Option<StopReason> {
        let limit = self.config.time_limit();
        if self.interrupted.load(Ordering::Relaxed) {
            Some(StopReason::Interrupted)
        } else if limit.is_some_and(|limit| start.elapsed() >= limit) {
            Some(StopReason::Time)
        } else {
            None
        }
    }

    /// Whether there is memory for this run, which [`evolve`](Self::evolve) checks as well.
    ///
    /// # Errors
    /// [`RunError`] when there is not.
    pub fn check_memory(&self) -> Result<(), RunError> {
        let what = format!("a population of {}", self.config.population);
        Ok(memory::check(&what, self.memory_needed())?)
    }

    /// Bytes that the populations of this run take, and the lists of its operators at most.
    pub fn memory_needed(&self) -> u64 {
        // The most that go together: truncation's ranking and a pool of twice the population,
        // keep-distance's two rankings, places, marks, and a bit for each child of a tile, and a
        // restart's ranking.
        const LISTS: u64 = (3 + 4 + TILE as u64 / 32 + 1) * size_of::<u32>() as u64;
        let individual = (self.space.geometry().stride() + size_of::<u16>()) as u64;
        u64::from(self.config.population) * (2 * individual + LISTS)
    }
}

/// What a run has come to.
struct Evolution<'a> {
    run: Run<'a>,
    start: Instant,
    making: Duration,
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
            making: Duration::ZERO,
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
        engine: &mut dyn Engine,
        observer: &mut dyn Observer,
    ) -> Result<StopReason, RunError> {
        let (run, start) = (self.run, self.start);
        let wants_distinct = observer.wants_distinct();
        let mut source = Source::Initialiser;
        let mut next = 0;
        loop {
            let warned = engine.fault().is_some();
            let advanced = engine.advance(&Wanted {
                generation: next,
                source,
                generations: self.foreseen(),
                distinct_every: if wants_distinct { run.config.distinct_every } else { 0 },
                stop: &|| run.stopped_early(start).is_some(),
            })?;
            if let (false, Some(fault)) = (warned, engine.fault()) {
                observer.warning(&format!("{fault}; {}", engine.consequence()));
            }
            if !advanced {
                return Ok(run.stopped_early(start).unwrap_or(StopReason::Interrupted));
            }
            for summary in engine.summaries() {
                self.note(summary, next, source);
                let told = self.report(summary, observer);
                if let Some(reason) = self.stop_reason(told) {
                    return Ok(reason);
                }
                let bred_from = std::mem::replace(&mut source, Source::Parents);
                if self.staleness.note(summary.best, bred_from) {
                    source = Source::Restart;
                }
                next += 1;
            }
        }
    }

    /// Generations that are wanted whatever comes of them, short of a solution: neither a restart
    /// nor the bound on generations falls between them.
    fn foreseen(&self) -> u32 {
        let left = match self.run.config.max_generations {
            0 => u32::MAX,
            most => most.saturating_sub(self.counted_generations()),
        };
        left.min(self.staleness.patience()).max(1)
    }

    fn note(&mut self, summary: &Summary, generation: u32, source: Source) {
        self.generation = generation;
        self.evaluations += summary.evaluations;
        self.effort += summary.effort;
        self.restarts += u32::from(source == Source::Restart);
        // The first complete generation replaces the unfilled board, however bad it is.
        if summary.best < self.best_fitness || generation == 0 {
            self.best_fitness = summary.best;
            self.best.copy_from_slice(&summary.best_board);
        }
    }

    /// Why the run ends after a generation on which its observer said `told`.
    fn stop_reason(&self, told: ControlFlow<()>) -> Option<StopReason> {
        let config = self.run.config;
        let reached = |bound: u64, value: u64| bound > 0 && value >= bound;
        if self.best_fitness == 0 {
            Some(StopReason::Solved)
        } else if told.is_break() {
            Some(StopReason::Observer)
        } else if let Some(early) = self.run.stopped_early(self.start) {
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

    fn report(&self, summary: &Summary, observer: &mut dyn Observer) -> ControlFlow<()> {
        observer.generation(&GenerationReport {
            generation: self.generation,
            restart: self.restarts,
            best: summary.best,
            best_so_far: self.best_fitness,
            sum: summary.sum,
            population: self.run.config.population.into(),
            worst: summary.worst,
            distinct: summary.distinct,
            evaluations: self.evaluations,
            moves: self.effort.moves,
            times: summary.times,
            elapsed: self.start.elapsed(),
            best_board: &self.best,
        })
    }

    fn finish(
        self,
        stop_reason: StopReason,
        fault: Option<&EvaluatorError>,
    ) -> Result<Outcome, RunError> {
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
            making: self.making,
            fault: fault.cloned(),
        })
    }
}
