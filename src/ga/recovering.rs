//! What becomes of a run whose device fails: it is replayed on the host engine, or ends.
//!
//! A run is the same on both engines, so that nothing of the device's state is needed: the host
//! engine does all generations again from the seed, or from the state with which the device began,
//! and goes on after them. Nobody is told of
//! these generations twice. Unless it was asked for, a replay that would take more than a minute
//! is not made: after the first second it is estimated from the generations that it has done.

use std::time::Instant;

use super::{
    CpuEngine, Engine, GenerationKind, GenerationRequest, GenerationStats, PopulationSnapshot,
    Replay, Run, RunError,
};
use crate::fitness::{EvaluatorError, Pipeline};

/// An engine that has the host behind it.
pub struct Recovering<'a, E> {
    run: &'a Run<'a>,
    /// The engine, until it fails.
    engine: Option<E>,
    /// What the host scores with, until it is needed.
    spare: Option<&'a mut Pipeline>,
    host: Option<CpuEngine<'a>>,
    replay: Replay,
    fault: Option<EvaluatorError>,
    /// Whether that was told where it came about.
    told: bool,
    /// What it began with, and the generation after that.
    begun: Option<PopulationSnapshot>,
    first: Option<u32>,
    /// The generation after the last summary.
    next: u32,
    /// Generations that restarted since then.
    restarts: Vec<u32>,
}

impl<'a, E: Engine> Recovering<'a, E> {
    /// `engine`, if it could be made, and behind it the host with `spare`.
    ///
    /// # Errors
    /// Those of the engine, but for a device that fails.
    pub fn new(
        run: &'a Run<'a>,
        engine: Result<E, RunError>,
        spare: &'a mut Pipeline,
        replay: Replay,
    ) -> Result<Self, RunError> {
        let (engine, fault) = match engine {
            Ok(engine) => (Some(engine), None),
            // What does not fit is to be told, not to be done elsewhere.
            Err(RunError::Evaluator(fault)) if !matches!(fault, EvaluatorError::OutOfMemory(_)) => {
                (None, Some(fault))
            }
            Err(error) => return Err(error),
        };
        let (spare, host) = (Some(spare), None);
        let (begun, first, restarts) = (None, None, Vec::new());
        let told = false;
        Ok(Self { run, engine, spare, host, replay, fault, told, begun, first, next: 0, restarts })
    }

    /// Behind an engine that failed with `fault` in the middle of the run, after these `restarts`, as was told:
    /// the host with `spare`.
    pub(crate) fn after(
        run: &'a Run<'a>,
        fault: EvaluatorError,
        restarts: Vec<u32>,
        spare: &'a mut Pipeline,
        replay: Replay,
    ) -> Self {
        let (spare, fault) = (Some(spare), Some(fault));
        let (engine, host) = (None, None);
        let begun = run.from.map(|from| from.state.clone());
        let first = Some(run.from.map_or(0, |from| from.progress.generation + 1));
        let told = true;
        Self { run, engine, spare, host, replay, fault, told, begun, first, next: 0, restarts }
    }

    /// Does the generations before `next` again on the host; false when `stop` said so in between.
    fn catch_up(
        &mut self,
        fault: EvaluatorError,
        next: u32,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<bool, RunError> {
        self.engine = None;
        self.fault = Some(fault.clone());
        let lost = || RunError::Lost(fault.clone());
        if self.replay == Replay::Never {
            return Err(lost());
        }
        let pipeline = self.spare.take().ok_or_else(lost)?;
        let mut host = CpuEngine::new(self.run, pipeline)?;
        if let Some(begun) = &self.begun {
            host.import(begun)?;
        }
        let first = self.first.unwrap_or(next);
        let start = Instant::now();
        for generation in first..next {
            let advanced = host.step(&GenerationRequest {
                generation,
                source: match generation {
                    0 => GenerationKind::Initialiser,
                    _ if self.restarts.contains(&generation) => GenerationKind::Restart,
                    _ => GenerationKind::Parents,
                },
                generations: 1,
                distinct_every: 0,
                below: 0,
                stop: &|| stop() || self.replay.is_over(start.elapsed()),
            })?;
            if !advanced && stop() {
                return Ok(false);
            }
            let (done, all) = (generation + 1 - first, next - first);
            if !advanced || self.replay.will_be_over(start.elapsed(), done, all) {
                return Err(lost());
            }
        }
        self.host = Some(host);
        Ok(true)
    }

    /// Carries out what is wanted on whatever there is.
    fn go_on(&mut self, wanted: &GenerationRequest<'_>) -> Result<bool, RunError> {
        if let Some(host) = &mut self.host {
            return host.step(wanted);
        }
        let fault = match (&mut self.engine, &self.fault) {
            (Some(engine), _) => match engine.step(wanted) {
                Err(RunError::Evaluator(fault)) => fault,
                advanced => return advanced,
            },
            (None, Some(fault)) => fault.clone(),
            (None, None) => unreachable!("an engine goes with a fault"),
        };
        Ok(self.catch_up(fault, wanted.generation, wanted.stop)? && self.go_on(wanted)?)
    }
}

impl<E: Engine> Engine for Recovering<'_, E> {
    fn step(&mut self, wanted: &GenerationRequest<'_>) -> Result<bool, RunError> {
        self.first.get_or_insert(wanted.generation);
        if wanted.source == GenerationKind::Restart {
            self.restarts.push(wanted.generation);
        }
        let advanced = self.go_on(wanted)?;
        if advanced {
            self.next = wanted.generation + self.summaries().len() as u32;
        }
        Ok(advanced)
    }

    fn summaries(&self) -> &[GenerationStats] {
        match (&self.host, &self.engine) {
            (Some(host), _) => host.summaries(),
            (None, Some(engine)) => engine.summaries(),
            (None, None) => &[],
        }
    }

    fn export(&mut self) -> Result<PopulationSnapshot, RunError> {
        if let Some(engine) = &mut self.engine {
            match engine.export() {
                Err(RunError::Evaluator(fault)) => self.catch_up(fault, self.next, &|| false)?,
                exported => return exported,
            };
        }
        match (&mut self.host, &self.fault) {
            (Some(host), _) => host.export(),
            (None, Some(fault)) => Err(RunError::Lost(fault.clone())),
            (None, None) => unreachable!("an engine goes with a fault"),
        }
    }

    fn for_each_island(&mut self, take: &mut dyn FnMut(&[u8], &[u16])) -> Result<(), RunError> {
        if let Some(host) = &mut self.host {
            return host.for_each_island(take);
        }
        let islands = self.export()?.islands;
        islands.iter().for_each(|island| take(&island.boards, &island.fitness));
        Ok(())
    }

    fn import(&mut self, state: &PopulationSnapshot) -> Result<(), RunError> {
        (self.begun, self.first) = (Some(state.clone()), None);
        self.restarts.clear();
        if let Some(host) = &mut self.host {
            return host.import(state);
        }
        match self.engine.as_mut().map(|engine| engine.import(state)) {
            // The host will, as soon as a generation is wanted.
            Some(Err(RunError::Evaluator(fault))) => {
                (self.engine, self.fault) = (None, Some(fault));
                Ok(())
            }
            imported => imported.unwrap_or(Ok(())),
        }
    }

    fn fault(&self) -> Option<&EvaluatorError> {
        self.fault.as_ref().filter(|_| !self.told)
    }

    fn given_up(&self) -> Option<&EvaluatorError> {
        self.fault.as_ref()
    }

    fn consequence(&self) -> &'static str {
        "the run was replayed on the host engine, and goes on there"
    }
}

#[cfg(test)]
mod tests;
