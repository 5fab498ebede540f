//! How many runs of a list a GPU carries out beside the CPU: as many as get the most done in a second.
//!
//! A run is the same wherever it is carried out, so that nothing but time decides. The cores go on in
//! any case. The GPU is tried with no run, then with a few, then with twice as many each time, as long
//! as it gets more done with them; the number goes on with which both together did the most work, none
//! if the GPU adds next to nothing. What counts is both together because a GPU that has its memory and
//! its power from the CPU may cost the cores more than it brings. What is best changes, so that the
//! numbers around the one that was taken are tried again from time to time.
//!
//! There is no clock in here: who asks says what time it is.
//!
//! Cores that do 100 units a second, beside a GPU that does 2 a run but no more than 300: of 32, 64, 128,
//! 256 runs the last go on, with which both do 400.

mod part;
mod tally;
#[cfg(test)]
mod tests;

pub use part::{Beside, Part};
#[cfg(feature = "gpu")]
pub use part::{FEWEST_CHILDREN, fewest_runs};
pub use tally::Tally;

use std::time::Duration;

/// A trial of a number of runs measures for so long,
const TRIED: Duration = Duration::from_millis(250);
/// and for so many generations of the GPU and of the cores,
const GENERATIONS: [u32; 2] = [2, 16];
/// but no longer than this.
const LONGEST: Duration = Duration::from_secs(20);
/// The next trial comes after so many times the time that the last one took.
const REST: u32 = 20;
/// What a GPU does with twice as many runs, as a share of what it did, if still more are tried.
const GROWN: f64 = 1.1;
/// What both do as a share of what the cores do alone, if the GPU is to go on.
const WORTH: f64 = 1.02;
/// What both do with the number that was taken before as a share of the most, if it is to stay.
const LIKE: f64 = 0.9;

/// What has been done since some time: work, and generations of whatever run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// Boards scored and moves priced.
    pub work: u64,
    /// Generations; on a GPU those of all its runs are one.
    pub generations: u32,
}

/// What a GPU is to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quota {
    /// To keep its runs, and to go on with none for a while.
    Pause,
    /// To go on with so many runs at most, and to leave the others to the cores.
    Runs(usize),
}

/// Balances runs between a GPU and the cores.
#[derive(Clone, Debug)]
pub struct Balance {
    /// Numbers of runs that are tried, none first.
    levels: Vec<usize>,
    /// Work a second of the GPU and of the cores, as measured last at each level.
    rates: Vec<[f64; 2]>,
    /// The level that goes on, once there is one.
    taken: Option<usize>,
    phase: Phase,
}

#[derive(Clone, Debug)]
enum Phase {
    Trial(Trial),
    Rest { began: Duration, time: Duration },
}

/// Levels are tried one after the other.
#[derive(Clone, Debug)]
struct Trial {
    began: Duration,
    /// Those that were measured.
    tried: Vec<usize>,
    /// Those that are left, the one at work last.
    left: Vec<usize>,
    /// Whether it ends at a level where the GPU does little more than at the one before.
    climbs: bool,
    /// Whether the level at work had its first generation, which is not measured.
    is_warm: bool,
    measured: Option<Stretch>,
}

/// What was done up to some time.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    began: Duration,
    done: [Done; 2],
}

impl Stretch {
    /// Work a second of the GPU, which goes on or not, and of the cores, if it was measured for long enough.
    fn rates(self, now: Duration, done: [Done; 2], goes_on: bool) -> Option<[f64; 2]> {
        let time = now.saturating_sub(self.began);
        let since = [0, 1].map(|who| Done {
            work: done[who].work.saturating_sub(self.done[who].work),
            generations: done[who].generations.saturating_sub(self.done[who].generations),
        });
        let enough = |who: usize| since[who].generations >= GENERATIONS[who];
        let is_enough = time >= TRIED && (enough(0) || !goes_on) && enough(1);
        (is_enough || time >= LONGEST)
            .then(|| since.map(|done| done.work as f64 / time.as_secs_f64()))
    }
}

impl Balance {
    /// A balance that tries no runs, `fewest`, and twice as many each time up to `most`.
    pub fn new(fewest: usize, most: usize) -> Self {
        let mut levels = vec![0];
        let mut runs = fewest.max(1);
        while runs < most {
            levels.push(runs);
            runs = runs.saturating_mul(2);
        }
        levels.push(most.max(1));
        let rates = vec![[0.0; 2]; levels.len()];
        let phase = Phase::Trial(Trial::of((0..levels.len()).collect(), true, Duration::ZERO));
        Self { levels, rates, taken: None, phase }
    }

    /// The number of runs that goes on, and the work a second of the GPU and of the cores then, once
    /// that is known.
    pub fn taken(&self) -> Option<(usize, [f64; 2])> {
        self.taken.map(|level| (self.levels[level], self.rates[level]))
    }

    /// What a GPU is to do when it is `now` and this has been done by it and by the cores.
    pub fn quota(&mut self, now: Duration, done: [Done; 2]) -> Quota {
        if let Phase::Rest { began, time } = self.phase
            && now.saturating_sub(began) >= time
        {
            self.phase = Phase::Trial(self.next_trial(now));
        }
        if let Phase::Trial(trial) = &mut self.phase {
            if let Some(level) = trial.level(now, done, &mut self.rates) {
                return match self.levels[level] {
                    0 => Quota::Pause,
                    runs => Quota::Runs(runs),
                };
            }
            let (time, tried) =
                (now.saturating_sub(trial.began) * REST, std::mem::take(&mut trial.tried));
            self.taken = Some(self.best(&tried));
            self.phase = Phase::Rest { began: now, time };
        }
        Quota::Runs(self.taken().map_or(0, |(runs, _)| runs))
    }

    /// No runs and those around the number that was taken; all where that was none.
    fn next_trial(&self, now: Duration) -> Trial {
        match self.taken {
            Some(taken @ 1..) => {
                let last = self.levels.len() - 1;
                let around = taken.saturating_sub(1).max(1)..=(taken + 1).min(last);
                Trial::of(std::iter::once(0).chain(around).collect(), false, now)
            }
            _ => Trial::of((0..self.levels.len()).collect(), true, now),
        }
    }

    /// The level to go on with, of those that were tried.
    fn best(&self, tried: &[usize]) -> usize {
        let total = |level: usize| self.rates[level].iter().sum::<f64>();
        // Of several alike the fewest.
        let by_total = |a: &usize, b: &usize| total(*a).total_cmp(&total(*b));
        let most = tried.iter().rev().copied().max_by(by_total).unwrap_or(0);
        match self.taken {
            _ if total(most) < WORTH * total(0) => 0,
            Some(taken @ 1..) if tried.contains(&taken) && total(taken) >= LIKE * total(most) => {
                taken
            }
            _ => most,
        }
    }
}

impl Trial {
    fn of(mut levels: Vec<usize>, climbs: bool, began: Duration) -> Self {
        levels.reverse();
        Self { began, tried: Vec::new(), left: levels, climbs, is_warm: false, measured: None }
    }

    /// The level to be measured, or none when that is done.
    fn level(&mut self, now: Duration, done: [Done; 2], rates: &mut [[f64; 2]]) -> Option<usize> {
        if let (Some(&level), Some(stretch)) = (self.left.last(), self.measured)
            && let Some(measured) = stretch.rates(now, done, level > 0)
        {
            rates[level] = measured;
            let before = self.tried.last().copied().filter(|before| *before > 0);
            let full = before.is_some_and(|before| measured[0] < GROWN * rates[before][0]);
            self.tried.push(level);
            self.left.pop();
            (self.is_warm, self.measured) = (false, None);
            if self.climbs && full {
                self.left.clear();
            }
        }
        let level = *self.left.last()?;
        if self.is_warm {
            self.measured.get_or_insert(Stretch { began: now, done });
        }
        self.is_warm = true;
        Some(level)
    }
}
