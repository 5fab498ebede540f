//! The engine of rank 0: all islands, of which it holds some itself.

use std::time::{Duration, Instant};

use super::{Member, Told, Want, What, Wish};
use crate::fitness::EvaluatorError;
use crate::ga::{
    Engine, GenerationRequest, GenerationStats, PopulationSnapshot, RunError, StateError,
};
use crate::ranks::Letter;

/// Generations of a wish take about so long, if each takes less.
const LONG: Duration = Duration::from_millis(20);

/// How many generations are wanted at a time at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Batch {
    /// As many as take some 20 ms.
    Timed,
    /// So many.
    Of(u32),
}

/// An engine whose islands are shared among ranks; rank 0 has it.
pub struct Archipelago<'a, E: Engine> {
    member: Member<'a, E>,
    /// The number of the run, and that of the last wish.
    run: u32,
    wish: &'a mut u64,
    batch: Batch,
    /// Generations that take about as long as they should.
    fitting: u32,
    summaries: Vec<GenerationStats>,
    /// Whether some ranks may be ahead of others, because a generation was abandoned.
    is_torn: bool,
    faults: [Option<EvaluatorError>; 2],
}

impl<'a, E: Engine> Archipelago<'a, E> {
    /// An engine for a run that the other ranks have been told of; `wish` is the number of the last
    /// wish of the run before it.
    pub fn new(member: Member<'a, E>, run: u32, wish: &'a mut u64, batch: Batch) -> Self {
        let (summaries, faults) = (Vec::new(), [None, None]);
        Self { member, run, wish, batch, fitting: 1, summaries, is_torn: false, faults }
    }

    /// Has something done by all.
    fn carry_out(
        &mut self,
        want: Want,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<What, RunError> {
        *self.wish += 1;
        let wish = Wish { run: self.run, number: *self.wish, want };
        let Told { what, faults, .. } = self.member.carry_out(wish, stop);
        for (fault, later) in self.faults.iter_mut().zip(faults) {
            *fault = fault.take().or(later);
        }
        match what {
            What::Failed(failure) => Err(failure.into()),
            what => Ok(what),
        }
    }

    /// Notes how long generations took.
    fn pace(&mut self, generations: u32, elapsed: Duration) {
        let each = elapsed.as_secs_f64() / f64::from(generations);
        let fitting = (LONG.as_secs_f64() / each.max(1e-9)) as u32;
        self.fitting = fitting.clamp(1, generations.saturating_mul(2));
    }
}

impl<E: Engine> Engine for Archipelago<'_, E> {
    fn step(&mut self, wanted: &GenerationRequest<'_>) -> Result<bool, RunError> {
        let GenerationRequest { generation, source, distinct_every, below, stop, .. } = *wanted;
        let most = match self.batch {
            Batch::Timed => self.fitting,
            Batch::Of(most) => most.max(1),
        };
        let generations = wanted.generations.min(most);
        let start = Instant::now();
        let want = Want::Advance { generation, source, generations, distinct_every, below };
        let What::Advanced(summaries) = self.carry_out(want, stop)? else {
            self.is_torn = true;
            return Ok(false);
        };
        self.summaries = summaries;
        self.pace(generations, start.elapsed());
        Ok(true)
    }

    fn summaries(&self) -> &[GenerationStats] {
        &self.summaries
    }

    fn export(&mut self) -> Result<PopulationSnapshot, RunError> {
        if self.is_torn {
            return Err(StateError::Abandoned.into());
        }
        let what = self.carry_out(Want::Export, &|| false)?;
        let islands = if let What::Exported(islands) = what { islands } else { Vec::new() };
        Ok(PopulationSnapshot { islands })
    }

    fn import(&mut self, state: &PopulationSnapshot) -> Result<(), RunError> {
        self.carry_out(Want::Import(state.clone()), &|| false)?;
        self.is_torn = false;
        Ok(())
    }

    fn fault(&self) -> Option<&EvaluatorError> {
        self.faults[0].as_ref()
    }

    fn consequence(&self) -> &'static str {
        "it goes on with its islands, on its CPU where it must"
    }

    fn given_up(&self) -> Option<&EvaluatorError> {
        self.faults[1].as_ref()
    }
}

impl<E: Engine> Drop for Archipelago<'_, E> {
    fn drop(&mut self) {
        let (post, run) = (self.member.post(), self.run);
        for rank in 1..self.member.size() {
            post.ranks().send(rank, Letter::Over { run });
        }
        post.forget(run);
    }
}
