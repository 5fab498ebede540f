//! Which engine goes on with a run: the one that takes the least time a generation.
//!
//! A run is the same on every engine, so that nothing but time decides. Each engine is tried on the
//! first generations, and the fastest goes on. What is fastest changes: a search takes longer as the
//! population gets better, other programs come and go. So the others are tried again from time to
//! time, and sooner when the engine at work has become slower; trials take about a twentieth of the
//! time. An engine that goes on is left only for one that is faster by a fifth, so that two alike
//! do not take turns.
//!
//! An engine whose device failed, and that the CPU stands in for, is chosen no more.
//!
//! The first leg of each trial is not measured: pipelines are compiled and the population is handed
//! over then. There is no clock in here: who asks says what time it is.
//!
//! Engines that take 9, 4 and 5 ms a generation: all are tried for 64 generations or 100 ms, whichever
//! ends first, and number 1 goes on.

mod automatic;
#[cfg(test)]
mod tests;
mod working;

pub use automatic::Automatic;
pub use working::first_working;

use std::time::Duration;

use crate::ga::Leg;

/// A trial measures for so long, but not more generations than [`MOST_TRIED`].
const TRIED: Duration = Duration::from_millis(100);
const MOST_TRIED: u32 = 64;
/// Generations of a leg of a trial: a device can submit several at once.
const LEG: u32 = 16;
/// The engine that goes on is measured anew this often.
const WINDOW: Duration = Duration::from_secs(1);
/// The next trial comes after so many times the time that the last one took,
const REST: u32 = 20;
/// or so many, if a generation takes [`SLOWER`] times as long as it did then.
const SHORT_REST: u32 = 5;
const SLOWER: f64 = 1.5;
/// The share of the time of a generation that another engine may take at most to be taken.
const FASTER: f64 = 0.8;

/// Chooses among the engines of a run, whose numbers begin with 0.
#[derive(Clone, Debug)]
pub struct Choice {
    /// Seconds a generation, as they were measured last.
    seconds: Vec<f64>,
    /// Those that have not failed.
    candidates: Vec<usize>,
    /// The engine that goes on, once all were tried.
    taken: Option<usize>,
    phase: Phase,
}

#[derive(Clone, Debug)]
enum Phase {
    Trial(Trial),
    Rest(Rest),
}

/// Engines are tried one after the other.
#[derive(Clone, Debug)]
struct Trial {
    began: Duration,
    /// Those that are not measured yet, the one at work last.
    left: Vec<usize>,
    /// Whether the one at work had its first leg.
    is_warm: bool,
    measured: Option<Stretch>,
}

/// An engine goes on.
#[derive(Clone, Debug)]
struct Rest {
    began: Duration,
    /// What the trial before it took.
    trial: Duration,
    /// Seconds a generation after that trial.
    expected: f64,
    measured: Stretch,
}

/// Generations since some time.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    began: Duration,
    first: u32,
}

impl Stretch {
    /// Seconds a generation, if `long` have passed, or so many generations were done.
    fn seconds(self, now: Duration, next: u32, long: Duration, most: u32) -> Option<f64> {
        let (time, done) = (now.saturating_sub(self.began), next.saturating_sub(self.first));
        let is_enough = done > 0 && (time >= long || done >= most);
        is_enough.then(|| time.as_secs_f64() / f64::from(done))
    }
}

impl Choice {
    /// A choice among so many engines, all of which are tried at first.
    pub fn new(engines: usize) -> Self {
        let seconds = vec![f64::INFINITY; engines];
        let candidates: Vec<usize> = (0..engines).collect();
        let phase = Phase::Trial(Trial::of(candidates.clone(), Duration::ZERO));
        Self { seconds, candidates, taken: None, phase }
    }

    /// Engines that have not failed.
    pub fn candidates(&self) -> &[usize] {
        &self.candidates
    }

    /// Never chooses an engine again, which has failed; false if it was left out already, or is the last.
    pub fn leave_out(&mut self, engine: usize, now: Duration) -> bool {
        if self.candidates.len() < 2 || !self.candidates.contains(&engine) {
            return false;
        }
        self.candidates.retain(|other| *other != engine);
        if let Phase::Trial(trial) = &mut self.phase {
            trial.leave_out(engine);
        }
        if self.taken == Some(engine) {
            self.taken = None;
            self.phase = Phase::Trial(Trial::of(self.candidates.clone(), now));
        }
        true
    }

    /// The engine that goes on, once all were tried.
    pub fn taken(&self) -> Option<usize> {
        self.taken
    }

    /// Seconds a generation of each engine, as they were measured last.
    pub fn seconds(&self) -> &[f64] {
        &self.seconds
    }

    /// Who carries out generation `next`, and how many at a time, when it is `now`.
    pub fn leg(&mut self, now: Duration, next: u32) -> Leg {
        if let [engine] = *self.candidates {
            return Leg { engine, generations: u32::MAX };
        }
        if let Phase::Rest(rest) = &mut self.phase {
            let engine = self.taken.unwrap_or(0);
            if rest.is_over(now, next, &mut self.seconds[engine]) {
                let mut others = self.candidates.clone();
                others.retain(|other| *other != engine);
                self.phase = Phase::Trial(Trial::of(others, now));
            } else {
                return Leg { engine, generations: u32::MAX };
            }
        }
        if let Phase::Trial(trial) = &mut self.phase {
            if let Some(leg) = trial.leg(now, next, &mut self.seconds) {
                return leg;
            }
            let trial = now.saturating_sub(trial.began);
            let engine = self.fastest();
            self.taken = Some(engine);
            self.phase = Phase::Rest(Rest {
                began: now,
                trial,
                expected: self.seconds[engine],
                measured: Stretch { began: now, first: next },
            });
        }
        Leg { engine: self.taken.unwrap_or(0), generations: u32::MAX }
    }

    /// The engine to go on with after a trial; the lower number among equals.
    fn fastest(&self) -> usize {
        let by_time = |a: &usize, b: &usize| self.seconds[*a].total_cmp(&self.seconds[*b]);
        let fastest = self.candidates.iter().copied().min_by(by_time).unwrap_or(0);
        match self.taken {
            Some(taken) if self.seconds[fastest] >= FASTER * self.seconds[taken] => taken,
            _ => fastest,
        }
    }
}

impl Trial {
    fn of(mut engines: Vec<usize>, began: Duration) -> Self {
        engines.reverse();
        Self { began, left: engines, is_warm: false, measured: None }
    }

    /// Tries an engine no more.
    fn leave_out(&mut self, engine: usize) {
        if self.left.last() == Some(&engine) {
            (self.is_warm, self.measured) = (false, None);
        }
        self.left.retain(|other| *other != engine);
    }

    /// The next leg, or none when all are measured.
    fn leg(&mut self, now: Duration, next: u32, seconds: &mut [f64]) -> Option<Leg> {
        if let (Some(engine), Some(stretch)) = (self.left.last(), self.measured)
            && let Some(measured) = stretch.seconds(now, next, TRIED, MOST_TRIED)
        {
            seconds[*engine] = measured;
            self.left.pop();
            (self.is_warm, self.measured) = (false, None);
        }
        let engine = *self.left.last()?;
        if !self.is_warm {
            self.is_warm = true;
            return Some(Leg { engine, generations: 1 });
        }
        self.measured.get_or_insert(Stretch { began: now, first: next });
        Some(Leg { engine, generations: LEG })
    }
}

impl Rest {
    /// Whether it is time for a trial; notes in `seconds` what a generation takes now.
    fn is_over(&mut self, now: Duration, next: u32, seconds: &mut f64) -> bool {
        let Some(measured) = self.measured.seconds(now, next, WINDOW, u32::MAX) else {
            return false;
        };
        *seconds = measured;
        self.measured = Stretch { began: now, first: next };
        let rest = if measured > SLOWER * self.expected { SHORT_REST } else { REST };
        now.saturating_sub(self.began) >= self.trial * rest
    }
}
