//! What becomes of a run whose device fails: it is replayed on the host engine, or ends.
//!
//! A run is the same on both engines, so that nothing of the device's state is needed: the host
//! engine does all generations again from the seed, and goes on after them. Nobody is told of
//! these generations twice. Unless it was asked for, a replay that would take more than a minute
//! is not made: after the first second it is estimated from the generations that it has done.

use std::time::{Duration, Instant};

use super::{Engine, HostEngine, Run, RunError, Source, Summary, Wanted};
use crate::named::named;
use crate::score::{EvaluatorError, Pipeline};

named! {
    /// Whether a run whose device failed is done again on the host.
    pub enum Replay {
        /// If that takes less than a minute by estimate.
        Short = "short",
        /// However long it takes.
        Always = "always",
        /// The run ends.
        Never = "never",
    }
}

/// The longest replay that is not asked for.
const LONGEST: Duration = Duration::from_secs(60);
/// A replay that takes less is not estimated.
const ESTIMATED: Duration = Duration::from_secs(1);

/// An engine that has the host behind it.
pub struct Recovering<'a, E> {
    run: &'a Run<'a>,
    /// The engine, until it fails.
    engine: Option<E>,
    /// What the host scores with, until it is needed.
    spare: Option<&'a mut Pipeline>,
    host: Option<HostEngine<'a>>,
    replay: Replay,
    fault: Option<EvaluatorError>,
    /// Generations that restarted.
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
        Ok(Self { run, engine, spare, host, replay, fault, restarts: Vec::new() })
    }

    /// Behind an engine that failed with `fault` in the middle of the run, after these `restarts`:
    /// the host with `spare`.
    pub(crate) fn after(
        run: &'a Run<'a>,
        fault: EvaluatorError,
        restarts: Vec<u32>,
        spare: &'a mut Pipeline,
        replay: Replay,
    ) -> Self {
        let (spare, fault) = (Some(spare), Some(fault));
        Self { run, engine: None, spare, host: None, replay, fault, restarts }
    }

    /// Catches up with the run on the host, and carries out what is wanted.
    fn recover(&mut self, fault: EvaluatorError, wanted: &Wanted<'_>) -> Result<bool, RunError> {
        self.engine = None;
        self.fault = Some(fault.clone());
        let lost = || RunError::Lost(fault.clone());
        if self.replay == Replay::Never {
            return Err(lost());
        }
        let pipeline = self.spare.take().ok_or_else(lost)?;
        let mut host = HostEngine::new(self.run, pipeline)?;
        let start = Instant::now();
        let is_too_long = |estimate: Duration| self.replay == Replay::Short && estimate > LONGEST;
        for generation in 0..wanted.generation {
            let advanced = host.advance(&Wanted {
                generation,
                source: match generation {
                    0 => Source::Initialiser,
                    _ if self.restarts.contains(&generation) => Source::Restart,
                    _ => Source::Parents,
                },
                generations: 1,
                distinct_every: 0,
                stop: &|| (wanted.stop)() || is_too_long(start.elapsed()),
            })?;
            if !advanced && (wanted.stop)() {
                return Ok(false);
            }
            let (elapsed, done) = (start.elapsed(), generation + 1);
            let estimate = elapsed / done * wanted.generation;
            if !advanced || (elapsed > ESTIMATED && is_too_long(estimate)) {
                return Err(lost());
            }
        }
        let advanced = host.advance(wanted);
        self.host = Some(host);
        advanced
    }
}

impl<E: Engine> Engine for Recovering<'_, E> {
    fn advance(&mut self, wanted: &Wanted<'_>) -> Result<bool, RunError> {
        if wanted.source == Source::Restart {
            self.restarts.push(wanted.generation);
        }
        if let Some(host) = &mut self.host {
            return host.advance(wanted);
        }
        let advanced = match (&mut self.engine, &self.fault) {
            (Some(engine), _) => engine.advance(wanted),
            (None, Some(fault)) => Err(RunError::Evaluator(fault.clone())),
            (None, None) => unreachable!("an engine goes with a fault"),
        };
        match advanced {
            Err(RunError::Evaluator(fault)) => self.recover(fault, wanted),
            advanced => advanced,
        }
    }

    fn summaries(&self) -> &[Summary] {
        match (&self.host, &self.engine) {
            (Some(host), _) => host.summaries(),
            (None, Some(engine)) => engine.summaries(),
            (None, None) => &[],
        }
    }

    fn fault(&self) -> Option<&EvaluatorError> {
        self.fault.as_ref()
    }

    fn consequence(&self) -> &'static str {
        "the run was replayed on the host engine, and goes on there"
    }
}
