//! A rank that holds some of the islands of a run: it does what is wanted, passes wishes on to the
//! ranks below it, and adds what they tell to what it tells itself.

use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use super::post::Sorted;
use super::tree::{above, below};
use super::{Failure, Post, PostedStrait, Told, Want, What, Wish};
use crate::fitness::EvaluatorError;
use crate::ga::{
    Engine, EngineError, GenerationKind, GenerationRequest, GenerationStats, LocalIslands, Run,
    RunError,
};
use crate::ranks::Letter;

/// A rank with its islands.
pub struct Member<'a, E> {
    post: &'a Post<'a>,
    channel: &'a PostedStrait<'a>,
    /// Ranks that have islands.
    size: usize,
    /// Bytes of the boards of its own islands.
    bytes: usize,
    /// Numbers of its own islands.
    islands: Range<usize>,
    engine: Result<E, RunError>,
}

impl<'a, E: Engine> Member<'a, E> {
    /// A rank among `size` that have islands, with an engine for its [part](Run::part) of a run. If
    /// the engine could not be made, the first wish fails.
    pub fn new(
        run: &Run<'_>,
        post: &'a Post<'a>,
        channel: &'a PostedStrait<'a>,
        size: usize,
        engine: Result<E, RunError>,
    ) -> Self {
        let islands = run.part.map_or(0..usize::MAX, |part| part.islands.clone());
        let individuals = LocalIslands::of(run).map_or(0, |held| held.population()) as usize;
        let bytes = individuals * run.space.geometry().stride();
        Self { post, channel, size, bytes, islands, engine }
    }

    /// A rank that cannot begin, and says why. Ranks below it wait until the run is over.
    pub fn refusing(post: &'a Post<'a>, channel: &'a PostedStrait<'a>, why: String) -> Self {
        let refused = RunError::Engine(EngineError::new(io::Error::other(why)));
        Self { post, channel, size: 1, bytes: 0, islands: 0..0, engine: Err(refused) }
    }

    /// The post.
    pub(super) fn post(&self) -> &'a Post<'a> {
        self.post
    }

    /// Ranks that have islands.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// Has a wish done here and below; `stop` says that it should be called off.
    pub(super) fn carry_out(&mut self, wish: Wish, stop: &(dyn Fn() -> bool + Sync)) -> Told {
        let post = self.post;
        let ranks = post.ranks();
        for rank in below(ranks.rank(), self.size) {
            ranks.send(rank, Letter::Wish(wish.clone()));
        }
        let number = wish.number;
        let what = self.work(wish, &|| stop() || post.is_called_off(number));
        if matches!(what, What::CalledOff | What::Failed(_)) {
            self.post.call_off(number);
        }
        let mut told = Told { wish: number, what, faults: self.faults() };
        for rank in below(ranks.rank(), self.size) {
            let wanted = |sorted: &mut Sorted| {
                let at = sorted
                    .told
                    .iter()
                    .position(|(from, told)| *from == rank && told.wish == number)?;
                sorted.told.remove(at)
            };
            // Every rank answers; rank 0 may call the wish off meanwhile.
            let call_off = || {
                if stop() {
                    self.post.call_off(number);
                }
                false
            };
            match self.post.wait(call_off, wanted) {
                Some((_, below)) => told.append(below),
                None => told.what = What::CalledOff,
            }
        }
        told
    }

    /// Does a wish with the own islands.
    fn work(&mut self, wish: Wish, stop: &(dyn Fn() -> bool + Sync)) -> What {
        let place = self.post.ranks().place();
        let engine = match &mut self.engine {
            Ok(engine) => engine,
            Err(RunError::Interrupted) => return What::CalledOff,
            Err(error) => return What::Failed(Failure::of(place, error)),
        };
        let done = match wish.want {
            Want::Advance { generation, source, generations, distinct_every, below } => {
                let wanted = GenerationRequest {
                    generation,
                    source,
                    generations,
                    distinct_every,
                    below,
                    stop,
                };
                step(engine, &wanted).and_then(|done| {
                    // The engine begins anew before what is kept for it outgrows its islands.
                    if done.is_some() && self.channel.kept() > self.bytes {
                        let state = engine.export()?;
                        engine.import(&state)?;
                        self.channel.forget();
                    }
                    Ok(done.map_or(What::CalledOff, What::Advanced))
                })
            }
            Want::Export => engine.export().map(|state| What::Exported(state.islands)),
            Want::Import(mut state) => {
                let there = state.islands.len();
                state.islands.truncate(self.islands.end);
                state.islands.drain(..self.islands.start.min(there));
                self.channel.forget();
                engine.import(&state).map(|()| What::Imported)
            }
        };
        done.unwrap_or_else(|error| What::Failed(Failure::of(place, &error)))
    }

    /// The faults of what it works with.
    fn faults(&self) -> [Option<EvaluatorError>; 2] {
        let place = self.post.ranks().place();
        let here = |fault: &EvaluatorError| EvaluatorError::Elsewhere {
            place,
            fault: Box::new(fault.clone()),
        };
        let Ok(engine) = &self.engine else { return [None, None] };
        [engine.fault().map(here), engine.given_up().map(here)]
    }
}

/// Carries out all generations that are wanted, whatever comes of the first ones; nothing when they
/// should be abandoned.
fn step(
    engine: &mut impl Engine,
    wanted: &GenerationRequest<'_>,
) -> Result<Option<Vec<GenerationStats>>, RunError> {
    let all_boards = wanted.below == u16::MAX;
    let mut below = wanted.below;
    let mut summaries: Vec<GenerationStats> = Vec::new();
    while let Some(left) = wanted.generations.checked_sub(summaries.len() as u32)
        && left > 0
    {
        let done = summaries.len() as u32;
        let source = if done == 0 { wanted.source } else { GenerationKind::Parents };
        let generation = wanted.generation + done;
        let next = GenerationRequest { generation, source, generations: left, below, ..*wanted };
        if (wanted.stop)() || !engine.step(&next)? {
            return Ok(None);
        }
        for summary in engine.summaries() {
            let mut summary = summary.clone();
            if summary.best >= below {
                summary.best_board.clear();
            } else if !all_boards {
                below = summary.best;
            }
            summaries.push(summary);
        }
    }
    Ok(Some(summaries))
}

/// Does on another rank than 0 what is wanted of the islands of a run, until it is over.
pub fn follow<E: Engine>(member: &mut Member<'_, E>, run: u32, interrupted: &AtomicBool) {
    let post = member.post;
    let next = || {
        post.wait(
            || false,
            |sorted| {
                let at = sorted.wishes.iter().position(|wish| wish.run == run);
                match at {
                    Some(at) => Some(sorted.wishes.remove(at)),
                    None => (sorted.over >= run).then_some(None),
                }
            },
        )
    };
    while let Some(Some(wish)) = next() {
        let told = member.carry_out(wish, &|| interrupted.load(Ordering::Relaxed));
        let ranks = post.ranks();
        ranks.send(above(ranks.rank()), Letter::Told(told));
    }
    post.forget(run);
}
