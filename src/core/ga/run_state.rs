//! The state of a run: its counters, its next generation, and the reason to stop.
//!
//! An engine for one run carries out the generations that the state asks for ([`ActiveRun`](super::ActiveRun)). A batch
//! engine has a state for each run and asks them in turn. Both use the decisions below, so that a run is the same alone
//! and in a batch.

use std::ops::ControlFlow;
use std::time::Duration;

use super::checkpoint::LAST_GENERATION;
use super::engine::GenerationStats;
use super::state::IslandVisitor;
use super::{
    GenerationKind, GenerationReport, Observer, Outcome, Run, RunCounters, RunError, RunHandle,
    StopReason,
};
use crate::board::verify;
use crate::fitness::EvaluatorError;
use crate::util::clock::Instant;

/// The state of a run. Each method takes the run itself as an argument.
#[doc(hidden)]
#[derive(Debug)]
pub struct RunState {
    /// None while the clock is stopped.
    start: Option<Instant>,
    /// The counters after the last complete generation. `elapsed` is the time before `start`.
    counters: RunCounters,
}

impl RunState {
    /// Starts a run, or resumes it from its checkpoint.
    ///
    /// # Errors
    /// [`StateError::Progress`](super::StateError::Progress) when its counters cannot be those of this run.
    pub fn start_or_resume(run: &Run<'_>) -> Result<Self, RunError> {
        let Some(from) = run.resume_from else { return Ok(Self::new(run)) };
        from.progress.check(run.space)?;
        Ok(Self { start: Some(Instant::now()), counters: from.progress.clone() })
    }

    fn new(run: &Run<'_>) -> Self {
        Self { start: Some(Instant::now()), counters: RunCounters::start(run.space) }
    }

    /// Returns the counters between two generations.
    pub fn progress(&self) -> RunCounters {
        RunCounters { elapsed: self.elapsed(), ..self.counters.clone() }
    }

    /// The wall time of the run, without the time between a stop and a resumption.
    fn elapsed(&self) -> Duration {
        self.counters.elapsed + self.since_start()
    }

    fn since_start(&self) -> Duration {
        self.start.map_or(Duration::ZERO, |start| start.elapsed())
    }

    /// Stops the clock of the run until [`start_clock`](Self::start_clock).
    pub fn stop_clock(&mut self) {
        self.counters.elapsed = self.elapsed();
        self.start = None;
    }

    /// Lets the time count again.
    pub fn start_clock(&mut self) {
        self.start.get_or_insert_with(Instant::now);
    }

    /// Records that the engine is ready: the time since the start was spent on creating it.
    pub fn engine_ready(&mut self) {
        self.counters.making += self.since_start();
    }

    /// Returns the fitness of the best board so far.
    pub(super) fn best_fitness(&self) -> u16 {
        self.counters.best_fitness
    }

    /// Returns the number of the next generation, and the origin of its children.
    pub fn next(&self) -> (u32, GenerationKind) {
        let RunCounters { generation, source, .. } = self.counters;
        let is_first = source == GenerationKind::Initialiser;
        (if is_first { 0 } else { generation.saturating_add(1) }, source)
    }

    /// Returns the reason to abandon a generation in progress, if there is one.
    pub fn stopped_early(&self, run: &Run<'_>) -> Option<StopReason> {
        run.stopped_early(|| self.elapsed())
    }

    /// Returns the reason why a resumed run is already over, if its budget was spent before the checkpoint.
    pub fn budget_spent(&self, run: &Run<'_>) -> Option<StopReason> {
        run.resume_from.and_then(|_| self.stop_reason(run, ControlFlow::Continue(())))
    }

    /// Calls the observer with a checkpoint, if it wants one.
    pub fn offer_checkpoint(
        &self,
        islands: &mut IslandVisitor<'_>,
        observer: &mut dyn Observer,
        ending: Option<StopReason>,
    ) {
        // Before the first generation there is no population to resume from.
        let has_population = self.counters.source != GenerationKind::Initialiser;
        if has_population && observer.wants_checkpoint(self.counters.generation, ending) {
            observer.on_checkpoint(&mut RunHandle { progress: self.progress(), islands });
        }
    }

    /// Records the next generation, which is now complete, and returns the reason to stop, if any.
    pub fn record(
        &mut self,
        run: &Run<'_>,
        summary: &GenerationStats,
        observer: &mut dyn Observer,
    ) -> Option<StopReason> {
        let (generation, source) = self.next();
        let counters = &mut self.counters;
        counters.generation = generation;
        counters.evaluations += summary.evaluations;
        counters.effort += summary.effort;
        counters.restarts += u32::from(source == GenerationKind::Restart);
        // The first complete generation replaces the unfilled board, however bad it is.
        if summary.best < counters.best_fitness || generation == 0 {
            counters.best_fitness = summary.best;
            counters.best.copy_from_slice(&summary.best_board);
        }
        let observed = self.report(run, summary, observer);
        let reason = self.stop_reason(run, observed);
        self.counters.source = match self.counters.restarts_after(summary.best, run.config) {
            true => GenerationKind::Restart,
            false => GenerationKind::Parents,
        };
        reason
    }

    /// Counts boards that came from outside, of which this is the best. Returns the reason to stop, if it is a solution.
    pub(super) fn count_injected(
        &mut self,
        boards: usize,
        fitness: u16,
        board: &[u8],
    ) -> Option<StopReason> {
        let counters = &mut self.counters;
        counters.evaluations += boards as u64;
        if fitness < counters.best_fitness {
            counters.best_fitness = fitness;
            counters.best.copy_from_slice(board);
        }
        (fitness == 0).then_some(StopReason::Solved)
    }

    /// The number of generations that are needed unless one of them solves the puzzle: neither a restart nor the limit of
    /// generations comes before their end.
    pub(super) fn lookahead(&self, run: &Run<'_>) -> u32 {
        let (counters, config) = (&self.counters, run.config);
        let left = match config.max_generations {
            0 => LAST_GENERATION,
            most => most.saturating_sub(counters.counted_generations(config)),
        };
        left.min(LAST_GENERATION - self.next().0).min(counters.patience(config)).max(1)
    }

    /// The reason to stop after a generation, if any, given the return value of the observer.
    pub(super) fn stop_reason(
        &self,
        run: &Run<'_>,
        observed: ControlFlow<()>,
    ) -> Option<StopReason> {
        let (counters, config) = (&self.counters, run.config);
        let reached = |bound: u64, value: u64| bound > 0 && value >= bound;
        if counters.best_fitness == 0 {
            Some(StopReason::Solved)
        } else if observed.is_break() {
            Some(StopReason::Observer)
        } else if let Some(early) = self.stopped_early(run) {
            Some(early)
        } else if reached(config.max_work, counters.work()) {
            Some(StopReason::Work)
        } else if counters.generation == LAST_GENERATION
            || reached(config.max_generations.into(), counters.counted_generations(config).into())
        {
            Some(StopReason::Generations)
        } else {
            None
        }
    }

    fn report(
        &self,
        run: &Run<'_>,
        summary: &GenerationStats,
        observer: &mut dyn Observer,
    ) -> ControlFlow<()> {
        let counters = &self.counters;
        observer.on_generation(&GenerationReport {
            generation: counters.generation,
            restart: counters.restarts,
            best: summary.best,
            best_so_far: counters.best_fitness,
            sum: summary.sum,
            population: run.config.population.into(),
            worst: summary.worst,
            // The estimate may exceed the population, the number of distinct boards cannot.
            distinct: summary.distinct().map(|boards| boards.min(run.config.population.into())),
            evaluations: counters.evaluations,
            moves: counters.effort.moves,
            times: summary.times,
            elapsed: self.elapsed(),
            best_board: &counters.best,
            board: &summary.best_board,
            islands: &summary.islands,
        })
    }

    /// Returns what the run has come to, if it ends for this reason.
    ///
    /// # Errors
    /// [`RunError::Unverified`] when a board that was scored 0 is no solution.
    pub fn outcome(
        &self,
        run: &Run<'_>,
        stop_reason: StopReason,
        fault: Option<&EvaluatorError>,
    ) -> Result<Outcome, RunError> {
        let puzzle = &run.space.puzzle;
        let elapsed = self.elapsed();
        let RunCounters { best, best_fitness: fitness, effort, .. } = &self.counters;
        let (mut board, fitness) = (best.clone(), *fitness);
        board.truncate(puzzle.geometry.cells());
        if fitness == 0 {
            verify(puzzle, &board).map_err(RunError::Unverified)?;
        }
        Ok(Outcome {
            stop_reason,
            board,
            fitness,
            generations: self.counters.generation,
            restarts: self.counters.restarts,
            evaluations: self.counters.evaluations,
            moves: effort.moves,
            steps: effort.steps,
            elapsed,
            making: self.counters.making,
            fault: fault.cloned(),
        })
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
        let mut state = RunState::new(&run);
        state.counters.source = GenerationKind::Parents;
        state.counters.generation = LAST_GENERATION - 2;
        assert_eq!(state.lookahead(&run), 1);
        assert_eq!(state.record(&run, &summary, &mut ()), None);
        assert_eq!(state.next().0, LAST_GENERATION);
        assert_eq!(state.lookahead(&run), 1);
        assert_eq!(state.record(&run, &summary, &mut ()), Some(StopReason::Generations));
        let outcome = state.outcome(&run, StopReason::Generations, None).unwrap();
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
            let mut state = RunState::new(&run);
            state.counters.source = GenerationKind::Parents;
            (state.counters.generation, state.counters.restarts) = (9, 2);
            assert_eq!(state.counters.counted_generations(&config), counted);
            assert_eq!(state.lookahead(&run), 20 - counted);
        }
    }
}
