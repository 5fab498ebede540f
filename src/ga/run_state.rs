//! The state of a run: its counters, the next generation, and the reason to stop.
//!
//! An engine that carries out one run asks generation by generation, or for several at once; one
//! that carries out many keeps an evolution of each, and asks them in turn. Both go by what stands
//! here, so that a run is the same alone and among others.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use super::checkpoint::LAST_GENERATION;
use super::cpu_engine::CpuEngine;
use super::engine::{Engine, GenerationRequest, GenerationStats};
use super::local_search::Effort;
use super::observer::PopulationSource;
use super::restart::StagnationCounter;
use super::{
    GenerationKind, GenerationReport, Observer, Outcome, Run, RunCounters, RunError, RunHandle,
    StopReason,
};
use crate::board::verify;
use crate::fitness::{EvaluatorError, Pipeline, fitness};

impl Run<'_> {
    /// Runs on the threads of the current rayon pool until a stop condition holds.
    ///
    /// # Errors
    /// [`RunError`] when the run cannot start or continue. A spent budget is not an error.
    pub fn execute(
        &self,
        pipeline: &mut Pipeline,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, RunError> {
        self.execute_on(|| CpuEngine::new(self, pipeline), observer)
    }

    /// Runs on the engine that `engine` creates, unless presolve has filled all cells.
    ///
    /// # Errors
    /// As [`execute`](Self::execute).
    #[doc(hidden)]
    pub fn execute_on<E: Engine>(
        &self,
        engine: impl FnOnce() -> Result<E, RunError>,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, RunError> {
        self.config.check()?;
        let mut evolution = RunState::start_or_resume(self)?;
        if self.space.free.is_empty() {
            return evolution.finish(self, StopReason::Presolved, None);
        }
        let mut engine = match engine() {
            Err(RunError::Interrupted) => return evolution.end_interrupted(self, observer),
            made => made?,
        };
        if let Some(from) = self.resume_from {
            engine.restore(&from.state)?;
        }
        evolution.engine_ready();
        let ended = evolution.generations(self, &mut engine, observer);
        evolution.conclude(self, ended, &engine)
    }
}

/// The state of a run. Each method takes the run itself as an argument.
#[derive(Debug)]
pub(crate) struct RunState {
    start: Instant,
    /// Time that the run took before it was resumed, if it was.
    before: Duration,
    making: Duration,
    /// Whether it goes on from a checkpoint and carried nothing out yet.
    resumed: bool,
    best: Vec<u8>,
    best_fitness: u16,
    /// The last complete generation.
    generation: u32,
    restarts: u32,
    evaluations: u64,
    effort: Effort,
    staleness: StagnationCounter,
    /// The next generation, and where its children come from.
    next: u32,
    source: GenerationKind,
}

impl RunState {
    /// A run that begins now, or goes on from what it had come to.
    ///
    /// # Errors
    /// [`StateError::RunCounters`](super::StateError::RunCounters) when that cannot be.
    pub fn start_or_resume(run: &Run<'_>) -> Result<Self, RunError> {
        match run.resume_from {
            Some(from) => Self::resumed(run, &from.progress),
            None => Ok(Self::new(run)),
        }
    }

    /// A run that begins now.
    fn new(run: &Run<'_>) -> Self {
        Self {
            start: Instant::now(),
            before: Duration::ZERO,
            making: Duration::ZERO,
            resumed: false,
            best: run.space.fixed.clone(),
            best_fitness: fitness(run.space.geometry(), &run.space.fixed),
            generation: 0,
            restarts: 0,
            evaluations: 0,
            effort: Effort::default(),
            staleness: StagnationCounter::new(run.config),
            next: 0,
            source: GenerationKind::Initialiser,
        }
    }

    /// A run that goes on now from what it had come to.
    fn resumed(run: &Run<'_>, progress: &RunCounters) -> Result<Self, RunError> {
        progress.check(run.space)?;
        Ok(Self {
            start: Instant::now(),
            before: progress.elapsed,
            making: progress.making,
            resumed: true,
            best: progress.best.clone(),
            best_fitness: progress.best_fitness,
            generation: progress.generation,
            restarts: progress.restarts,
            evaluations: progress.evaluations,
            effort: progress.effort,
            staleness: StagnationCounter::new(run.config).seen(progress.compared, progress.stale),
            next: progress.generation + 1,
            source: progress.source,
        })
    }

    /// Returns the counters between two generations.
    pub fn progress(&self) -> RunCounters {
        RunCounters {
            generation: self.generation,
            restarts: self.restarts,
            evaluations: self.evaluations,
            effort: self.effort,
            best: self.best.clone(),
            best_fitness: self.best_fitness,
            compared: self.staleness.compared(),
            stale: self.staleness.stale(),
            source: self.source,
            elapsed: self.elapsed(),
            making: self.making,
        }
    }

    /// Time since the run began, without that between a stop and a resumption.
    fn elapsed(&self) -> Duration {
        self.before + self.start.elapsed()
    }

    /// Says that its engine has been made since it began.
    pub fn engine_ready(&mut self) {
        self.making += self.start.elapsed();
    }

    /// The number of the generation that is wanted, and where its children come from.
    pub fn next(&self) -> (u32, GenerationKind) {
        (self.next, self.source)
    }

    /// Why a generation that is being bred should be abandoned, if it should.
    pub fn stopped_early(&self, run: &Run<'_>) -> Option<StopReason> {
        run.stopped_early(|| self.elapsed())
    }

    /// Why a run is over before it goes on: its budget was spent when the checkpoint was taken.
    pub fn budget_spent(&self, run: &Run<'_>) -> Option<StopReason> {
        if self.resumed { self.stop_reason(run, ControlFlow::Continue(())) } else { None }
    }

    /// Ends the run after its [`generations`](Self::generations) on an engine.
    ///
    /// # Errors
    /// [`RunError`] when the run could not continue.
    pub fn conclude(
        self,
        run: &Run<'_>,
        ended: Result<StopReason, RunError>,
        engine: &dyn Engine,
    ) -> Result<Outcome, RunError> {
        match ended {
            Ok(stop_reason) => self.finish(run, stop_reason, engine.status().degraded_by),
            Err(RunError::Lost(fault)) => self.finish(run, StopReason::Lost, Some(&fault)),
            Err(error) => Err(error),
        }
    }

    /// Carries out generations on an engine until something ends the run, and returns the reason.
    ///
    /// # Errors
    /// [`RunError`] when the run cannot continue.
    pub fn generations(
        &mut self,
        run: &Run<'_>,
        engine: &mut dyn Engine,
        observer: &mut dyn Observer,
    ) -> Result<StopReason, RunError> {
        let (start, before) = (self.start, self.before);
        if let Some(reason) = self.budget_spent(run) {
            return Ok(reason);
        }
        let (wants_distinct, wants_boards) = (observer.wants_distinct(), observer.wants_boards());
        let mut warned = false;
        loop {
            let advanced = engine.step(&GenerationRequest {
                generation: self.next,
                source: self.source,
                generations: self.lookahead(run),
                distinct_every: if wants_distinct { run.config.distinct_every } else { 0 },
                below: if wants_boards || self.next == 0 { u16::MAX } else { self.best_fitness },
                stop: &|| run.stopped_early(|| before + start.elapsed()).is_some(),
            })?;
            warn(engine, observer, &mut warned);
            if !advanced {
                let reason = self.stopped_early(run).unwrap_or(StopReason::Interrupted);
                self.offer_checkpoint(PopulationSource::Engine(engine), observer, Some(reason));
                return Ok(reason);
            }
            let (ending, is_last) = self.record_all(run, engine.summaries(), observer);
            // An engine that is ahead of where the run ended has nothing to go on from.
            if is_last {
                self.offer_checkpoint(PopulationSource::Engine(engine), observer, ending);
                warn(engine, observer, &mut warned);
            }
            if let Some(reason) = ending {
                return Ok(reason);
            }
        }
    }

    /// Notes what came of generations that were carried out at once; gives what ends the run, and
    /// whether it is the last of them after which it ends or goes on.
    fn record_all(
        &mut self,
        run: &Run<'_>,
        summaries: &[GenerationStats],
        observer: &mut dyn Observer,
    ) -> (Option<StopReason>, bool) {
        let mut ending = None;
        for (place, summary) in summaries.iter().enumerate() {
            ending = self.record(run, summary, observer);
            // What is complete is counted, however little time is left.
            if ending.is_some_and(|reason| !reason.is_early()) {
                return (ending, place + 1 == summaries.len());
            }
        }
        (ending, true)
    }

    /// Lets a checkpoint be taken, if one is wanted.
    pub fn offer_checkpoint(
        &self,
        holder: PopulationSource<'_>,
        observer: &mut dyn Observer,
        ending: Option<StopReason>,
    ) {
        // Before the first generation there is nothing to go on from.
        if self.next > 0 && observer.wants_checkpoint(self.generation, ending) {
            observer.on_checkpoint(&mut RunHandle::new(self.progress(), holder));
        }
    }

    /// Notes what came of the generation that was wanted, and says what ends the run, if anything.
    pub fn record(
        &mut self,
        run: &Run<'_>,
        summary: &GenerationStats,
        observer: &mut dyn Observer,
    ) -> Option<StopReason> {
        self.generation = self.next;
        self.evaluations += summary.evaluations;
        self.effort += summary.effort;
        self.restarts += u32::from(self.source == GenerationKind::Restart);
        // The first complete generation replaces the unfilled board, however bad it is.
        if summary.best < self.best_fitness || self.generation == 0 {
            self.best_fitness = summary.best;
            self.best.copy_from_slice(&summary.best_board);
        }
        let told = self.report(run, summary, observer);
        let reason = self.stop_reason(run, told);
        let bred_from = std::mem::replace(&mut self.source, GenerationKind::Parents);
        if self.staleness.note(summary.best, bred_from) {
            self.source = GenerationKind::Restart;
        }
        self.next = self.next.saturating_add(1);
        reason
    }

    /// Generations that are wanted whatever comes of them, short of a solution: neither a restart
    /// nor the bound on generations falls between them.
    fn lookahead(&self, run: &Run<'_>) -> u32 {
        let left = match run.config.max_generations {
            0 => LAST_GENERATION,
            most => most.saturating_sub(self.counted_generations(run)),
        };
        left.min(LAST_GENERATION - self.next).min(self.staleness.patience()).max(1)
    }

    /// Why the run ends after a generation on which its observer said `told`.
    fn stop_reason(&self, run: &Run<'_>, told: ControlFlow<()>) -> Option<StopReason> {
        let config = run.config;
        let reached = |bound: u64, value: u64| bound > 0 && value >= bound;
        if self.best_fitness == 0 {
            Some(StopReason::Solved)
        } else if told.is_break() {
            Some(StopReason::Observer)
        } else if let Some(early) = self.stopped_early(run) {
            Some(early)
        } else if reached(config.max_work, self.evaluations + self.effort.moves) {
            Some(StopReason::Work)
        } else if self.generation == LAST_GENERATION
            || reached(config.max_generations.into(), self.counted_generations(run).into())
        {
            Some(StopReason::Generations)
        } else {
            None
        }
    }

    /// Generations that the budget counts.
    fn counted_generations(&self, run: &Run<'_>) -> u32 {
        self.generation - run.config.restart_rule.uncounted(self.restarts)
    }

    fn report(
        &self,
        run: &Run<'_>,
        summary: &GenerationStats,
        observer: &mut dyn Observer,
    ) -> ControlFlow<()> {
        observer.on_generation(&GenerationReport {
            generation: self.generation,
            restart: self.restarts,
            best: summary.best,
            best_so_far: self.best_fitness,
            sum: summary.sum,
            population: run.config.population.into(),
            worst: summary.worst,
            // An estimate may err upwards; what it estimates cannot.
            distinct: summary.distinct().map(|boards| boards.min(run.config.population.into())),
            evaluations: self.evaluations,
            moves: self.effort.moves,
            times: summary.times,
            elapsed: self.elapsed(),
            best_board: &self.best,
            board: &summary.best_board,
            islands: &summary.islands,
        })
    }

    /// Ends the run, interrupted before any engine went on with it.
    ///
    /// # Errors
    /// As [`finish`](Self::finish).
    pub fn end_interrupted(
        self,
        run: &Run<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, RunError> {
        let reason = StopReason::Interrupted;
        if let Some(from) = run.resume_from {
            self.offer_checkpoint(PopulationSource::Snapshot(&from.state), observer, Some(reason));
        }
        self.finish(run, reason, None)
    }

    /// Ends the run.
    ///
    /// # Errors
    /// [`RunError::Unverified`] when a board that was scored 0 is no solution.
    pub fn finish(
        self,
        run: &Run<'_>,
        stop_reason: StopReason,
        fault: Option<&EvaluatorError>,
    ) -> Result<Outcome, RunError> {
        let puzzle = &run.space.puzzle;
        let elapsed = self.elapsed();
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
            elapsed,
            making: self.making,
            fault: fault.cloned(),
        })
    }
}

/// Tells of the first fault of a run, once: it may be there from the beginning, and engines that take turns
/// may each have one.
fn warn(engine: &dyn Engine, observer: &mut dyn Observer, warned: &mut bool) {
    if let (false, Some((fault, consequence))) = (*warned, engine.status().warning) {
        *warned = true;
        observer.on_warning(&format!("{fault}; {consequence}"));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::board::{Geometry, SearchSpace};
    use crate::ga::operator_names::RestartRule;
    use crate::ga::{Config, Preset};

    #[test]
    fn a_run_ends_with_the_last_generation_that_draws_can_name() {
        let space = SearchSpace::blank(Geometry::new(2, 2).unwrap());
        let config = Config { max_generations: 0, ..Config::of(Preset::Boxes, &space) };
        let interrupted = AtomicBool::new(false);
        let run = Run::new(&space, &config, 1, &interrupted);
        let summary =
            GenerationStats { best: 3, best_board: vec![1; 16], ..GenerationStats::default() };
        let mut evolution = RunState { next: LAST_GENERATION - 1, ..RunState::new(&run) };
        assert_eq!(evolution.lookahead(&run), 1);
        assert_eq!(evolution.record(&run, &summary, &mut ()), None);
        assert_eq!(evolution.next().0, LAST_GENERATION);
        assert_eq!(evolution.lookahead(&run), 1);
        assert_eq!(evolution.record(&run, &summary, &mut ()), Some(StopReason::Generations));
        let outcome = evolution.finish(&run, StopReason::Generations, None).unwrap();
        assert_eq!(outcome.generations, LAST_GENERATION);
    }

    #[test]
    fn restarts_are_generations_unless_the_best_was_to_stay() {
        let space = SearchSpace::blank(Geometry::new(2, 2).unwrap());
        let interrupted = AtomicBool::new(false);
        for (restart_rule, counted) in
            [(RestartRule::NoBetterBest, 9), (RestartRule::UnchangedBest, 7)]
        {
            let own = Config::of(Preset::Boxes, &space);
            let config = Config { restart_rule, max_generations: 20, restart_after: 0, ..own };
            let run = Run::new(&space, &config, 1, &interrupted);
            let evolution =
                RunState { generation: 9, next: 10, restarts: 2, ..RunState::new(&run) };
            assert_eq!(evolution.counted_generations(&run), counted);
            assert_eq!(evolution.lookahead(&run), 20 - counted);
        }
    }
}
