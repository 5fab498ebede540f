//! A run and its engine, which carries out generations until something ends the run.

use super::cpu_engine::CpuEngine;
use super::engine::{Engine, GenerationRequest};
use super::state::IslandSink;
use super::{
    Checkpoint, GenerationStats, Observer, Outcome, PopulationSnapshot, Run, RunCounters, RunError,
    RunState, StateError, StopReason,
};
use crate::fitness::{EvaluatorError, Pipeline, fitness};

impl<'a> Run<'a> {
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

    /// Runs on the engine that `engine` creates. No engine is created if presolve has filled all cells.
    ///
    /// # Errors
    /// As [`execute`](Self::execute).
    #[doc(hidden)]
    pub fn execute_on<'e, E: Into<Box<dyn Engine + 'e>>>(
        &self,
        engine: impl FnOnce() -> Result<E, RunError>,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, RunError>
    where
        'a: 'e,
    {
        ActiveRun::start(*self, engine, observer)?.complete(observer)
    }
}

/// A run that has started.
#[doc(hidden)]
pub struct ActiveRun<'a> {
    run: Run<'a>,
    state: RunState,
    /// None where none was needed.
    engine: Option<Box<dyn Engine + 'a>>,
    ending: Option<StopReason>,
    /// The fault that ended the run, if one did.
    lost: Option<EvaluatorError>,
    /// Whether the observer knows of the first fault.
    warned: bool,
    /// Whether the engine has carried out generations after the last one of the run.
    overran: bool,
}

impl<'a> ActiveRun<'a> {
    /// Starts a run, or resumes it from its checkpoint, on the engine that `engine` creates.
    ///
    /// # Errors
    /// [`RunError`] when the run cannot start.
    pub fn start<E: Into<Box<dyn Engine + 'a>>>(
        run: Run<'a>,
        engine: impl FnOnce() -> Result<E, RunError>,
        observer: &mut dyn Observer,
    ) -> Result<Self, RunError> {
        run.config.check()?;
        let state = RunState::start_or_resume(&run)?;
        let mut active = Self::without_engine(run, state);
        if run.space.free.is_empty() {
            active.ending = Some(StopReason::Presolved);
            return Ok(active);
        }
        let mut engine = match engine() {
            Err(RunError::Interrupted) => {
                active.ending = Some(StopReason::Interrupted);
                if let Some(from) = run.resume_from {
                    let islands = &mut |take: IslandSink<'_>| from.state.for_each_island(take);
                    active.state.offer_checkpoint(islands, observer, active.ending);
                }
                return Ok(active);
            }
            created => created?.into(),
        };
        if let Some(from) = run.resume_from {
            engine.restore(&from.state)?;
        }
        active.engine = Some(engine);
        active.state.engine_ready();
        active.ending = active.state.budget_spent(&run);
        Ok(active)
    }

    /// A run whose `state` comes from elsewhere, on an engine that goes on from there.
    pub fn with_state(
        run: Run<'a>,
        state: RunState,
        engine: impl Into<Box<dyn Engine + 'a>>,
    ) -> Self {
        let ending = state.budget_spent(&run);
        Self { engine: Some(engine.into()), ending, ..Self::without_engine(run, state) }
    }

    fn without_engine(run: Run<'a>, state: RunState) -> Self {
        let (warned, overran) = (false, false);
        Self { run, state, engine: None, ending: None, lost: None, warned, overran }
    }

    /// Carries out generations until something ends the run.
    ///
    /// # Errors
    /// [`RunError`] when the run cannot continue.
    pub fn complete(mut self, observer: &mut dyn Observer) -> Result<Outcome, RunError> {
        while self.ending().is_none() {
            self.step(u32::MAX, observer)?;
        }
        self.outcome()
    }

    /// The reason why the run has ended, if it has.
    pub fn ending(&self) -> Option<StopReason> {
        self.ending
    }

    /// Carries out at most `most` generations, as many as the engine does at a time.
    ///
    /// # Errors
    /// [`RunError`] when the run cannot continue.
    pub fn step(&mut self, most: u32, observer: &mut dyn Observer) -> Result<(), RunError> {
        if self.ending.is_none() {
            self.ending = match self.generations(most, observer) {
                Err(RunError::Lost(fault)) => {
                    self.lost = Some(fault);
                    Some(StopReason::Lost)
                }
                stepped => stepped?,
            };
        }
        Ok(())
    }

    /// Carries out generations, and returns the reason to stop, if any.
    fn generations(
        &mut self,
        most: u32,
        observer: &mut dyn Observer,
    ) -> Result<Option<StopReason>, RunError> {
        let Self { run, state, engine: Some(engine), warned, overran, .. } = self else {
            return Ok(Some(StopReason::Interrupted));
        };
        let (generation, source) = state.next();
        let wants_all = observer.wants_boards() || generation == 0;
        let advanced = engine.step(&GenerationRequest {
            generation,
            source,
            generations: state.lookahead(run).min(most),
            distinct_every: if observer.wants_distinct() { run.config.distinct_every } else { 0 },
            below: if wants_all { u16::MAX } else { state.best_fitness() },
            stop: &|| state.stopped_early(run).is_some(),
        })?;
        warn(&**engine, observer, warned);
        if !advanced {
            let reason = state.stopped_early(run).unwrap_or(StopReason::Interrupted);
            let islands = &mut |take: IslandSink<'_>| engine.for_each_island(take);
            state.offer_checkpoint(islands, observer, Some(reason));
            return Ok(Some(reason));
        }
        let (mut ending, mut left) = (None, engine.summaries());
        if left.is_empty() {
            return Ok(None);
        }
        while let [summary, later @ ..] = left {
            (ending, left) = (state.record(run, summary, observer), later);
            // Complete generations are counted even if an interrupt or the time limit came before their end.
            if ending.is_some_and(|reason| !reason.is_early()) {
                break;
            }
        }
        // If the engine has carried out more generations than the run counts, its population is not that of the run.
        *overran = !left.is_empty();
        if !*overran {
            let islands = &mut |take: IslandSink<'_>| engine.for_each_island(take);
            state.offer_checkpoint(islands, observer, ending);
            warn(&**engine, observer, warned);
        }
        Ok(ending)
    }

    /// The run itself.
    pub fn run(&self) -> &Run<'a> {
        &self.run
    }

    /// The counters after the last complete generation.
    pub fn counters(&self) -> RunCounters {
        self.state.progress()
    }

    /// The statistics of the last complete generation, if there is one.
    pub fn last_generation(&self) -> Option<&GenerationStats> {
        self.engine.as_ref().and_then(|engine| engine.summaries().last())
    }

    /// Stops the clock of the run until the next step.
    pub fn stop_clock(&mut self) {
        self.state.stop_clock();
    }

    /// Lets a run continue that was interrupted, from its last complete generation. One that was interrupted while its engine
    /// was created has ended.
    pub fn continue_interrupted(&mut self) {
        self.state.start_clock();
        let continues = self.engine.is_some();
        self.ending = self.ending.filter(|reason| !continues || *reason != StopReason::Interrupted);
    }

    /// The engine, if it has the population of the last complete generation.
    ///
    /// # Errors
    /// [`StateError::Overrun`] when it has gone beyond it.
    fn engine(&mut self) -> Result<Option<&mut (dyn Engine + 'a)>, RunError> {
        if self.overran {
            return Err(StateError::Overrun.into());
        }
        let has_begun = self.next_generation() > 0;
        Ok(self.engine.as_deref_mut().filter(|_| has_begun))
    }

    /// The number of the next generation.
    pub fn next_generation(&self) -> u32 {
        self.state.next().0
    }

    /// Hands out the population after the last complete generation, if there is one: see
    /// [`Engine::for_each_island`].
    ///
    /// # Errors
    /// The error of the engine.
    pub fn for_each_island(&mut self, take: IslandSink<'_>) -> Result<(), RunError> {
        self.engine()?.map_or(Ok(()), |engine| engine.for_each_island(take))
    }

    /// Whether the engine waits for the work of its device.
    pub fn waits(&self) -> bool {
        self.engine.as_ref().is_none_or(|engine| engine.waits())
    }

    /// Copies the fitness of all individuals after the last complete generation; `None` before the first, and as
    /// [`Engine::fitness`].
    ///
    /// # Errors
    /// The error of the engine.
    pub fn fitness(&mut self) -> Result<Option<Vec<u16>>, RunError> {
        self.engine()?.map_or(Ok(None), |engine| engine.fitness())
    }

    /// Copies the state of the run after its last complete generation. Where presolve has filled all cells there is no
    /// population.
    ///
    /// # Errors
    /// The error of the engine.
    pub fn checkpoint(&mut self) -> Result<Checkpoint, RunError> {
        let state = PopulationSnapshot::collect(&mut |take| self.for_each_island(take))?;
        Ok(Checkpoint { progress: self.counters(), state })
    }

    /// Replaces the individuals of the highest fitness by these packed boards, which count as evaluations. Of equal
    /// individuals those of the highest slots are replaced. Boards beyond the size of the population are left out.
    ///
    /// # Errors
    /// [`StateError`](super::StateError) when a board does not belong to the puzzle; errors of the engine.
    pub fn inject(&mut self, boards: &[u8]) -> Result<(), RunError> {
        let geometry = self.run.space.geometry();
        let boards: Vec<&[u8]> = boards.chunks(geometry.stride()).collect();
        let Some(engine) = self.engine()?.filter(|_| !boards.is_empty()) else {
            return Ok(());
        };
        let mut state = engine.snapshot()?;
        let slots = |(island, individuals): (usize, &super::IslandSnapshot)| {
            let fitness = individuals.fitness.iter().enumerate();
            fitness.map(move |(slot, fitness)| (*fitness, island, slot)).collect::<Vec<_>>()
        };
        let mut worst: Vec<_> = state.islands.iter().enumerate().flat_map(slots).collect();
        worst.sort_unstable();
        let scored: Vec<u16> = boards.iter().map(|board| fitness(geometry, board)).collect();
        for ((board, scored), (_, island, slot)) in
            boards.iter().zip(&scored).zip(worst.into_iter().rev())
        {
            let island = &mut state.islands[island];
            let from = slot * geometry.stride();
            island.boards[from..from + geometry.stride()].copy_from_slice(board);
            island.fitness[slot] = *scored;
        }
        engine.restore(&state)?;
        let best = scored.iter().zip(&boards).min_by_key(|(fitness, _)| **fitness);
        if let Some((best, board)) = best {
            self.ending = self.state.count_injected(boards.len(), *best, board).or(self.ending);
        }
        Ok(())
    }

    /// Returns what the run has come to so far.
    ///
    /// # Errors
    /// [`RunError::Unverified`] when a board that was scored 0 is no solution.
    pub fn outcome(&self) -> Result<Outcome, RunError> {
        let engine = self.engine.as_deref();
        let fault = engine.and_then(|engine| engine.status().degraded_by);
        // A run that has not ended was left by its owner.
        let reason = self.ending.unwrap_or(StopReason::Observer);
        self.state.outcome(&self.run, reason, self.lost.as_ref().or(fault))
    }
}

/// Reports the first fault of a run, once. An engine may have a fault from the start, and engines that take turns may
/// each have one.
fn warn(engine: &dyn Engine, observer: &mut dyn Observer, warned: &mut bool) {
    if let (false, Some((fault, consequence))) = (*warned, engine.status().warning) {
        *warned = true;
        observer.on_warning(&format!("{fault}; {consequence}"));
    }
}
