//! The speed of a run that is watched: as fast as possible, so many generations per second, or one at a key.
//!
//! An observer waits here after a generation. The speed does not change the run, except that its clock
//! advances meanwhile.

use std::fmt;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use crate::util::interrupt::INTERRUPT;
use crate::util::lock;

/// The speeds that keys select, in generations per second.
const SPEEDS: [f64; 8] = [0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0];
/// The time between two looks at the interrupt and at the speed.
const LOOK: Duration = Duration::from_millis(20);

/// A speed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Speed {
    /// The most generations per second; none is no limit.
    pub most: Option<f64>,
    pub paused: bool,
}

impl Speed {
    pub fn faster(&mut self) {
        self.most = self.most.and_then(|most| SPEEDS.into_iter().find(|speed| *speed > most));
    }

    pub fn slower(&mut self) {
        let most = self.most.unwrap_or(f64::INFINITY);
        let below = SPEEDS.into_iter().rev().find(|speed| *speed < most);
        self.most = below.or(self.most);
    }

    /// The least time from one generation to the next.
    pub fn interval(&self) -> Duration {
        self.most.map_or(Duration::ZERO, |most| Duration::from_secs_f64(1.0 / most))
    }
}

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.most {
            Some(most) => write!(f, "at most {most}/s"),
            None => f.write_str("full"),
        }
    }
}

/// Slows a run down; keys change its speed from another thread.
#[derive(Debug)]
pub struct Throttle(Mutex<ThrottleState>);

#[derive(Debug)]
struct ThrottleState {
    speed: Speed,
    /// Generations that may follow although the run is paused.
    steps: u32,
    /// The end of the last wait.
    last: Instant,
}

impl Throttle {
    /// At most so many generations per second, or no limit.
    pub fn new(most: Option<f64>) -> Self {
        let speed = Speed { most, paused: false };
        Self(Mutex::new(ThrottleState { speed, steps: 0, last: Instant::now() }))
    }

    /// Waits until the next generation may begin, or until an interrupt.
    pub fn wait(&self) {
        loop {
            let mut state = lock(&self.0);
            let due = state.speed.interval().saturating_sub(state.last.elapsed());
            let is_due = INTERRUPT.is_requested() || (!state.speed.paused && due.is_zero());
            if is_due || state.steps > 0 {
                state.steps -= u32::from(!is_due);
                state.last = Instant::now();
                return;
            }
            let wait = if state.speed.paused { LOOK } else { due.min(LOOK) };
            drop(state);
            thread::sleep(wait);
        }
    }

    /// The speed.
    pub fn speed(&self) -> Speed {
        lock(&self.0).speed
    }

    /// Changes the speed.
    pub fn change(&self, change: impl FnOnce(&mut Speed)) {
        change(&mut lock(&self.0).speed);
    }

    /// Lets one generation follow, and pauses.
    pub fn step(&self) {
        let mut state = lock(&self.0);
        // The first step of a running run only pauses it.
        state.steps += u32::from(state.speed.paused);
        state.speed.paused = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_go_through_the_speeds_and_beyond() {
        let mut speed = Speed { most: Some(30.0), paused: false };
        let mut seen = Vec::new();
        for _ in 0..4 {
            speed.faster();
            seen.push(speed.most);
        }
        assert_eq!(seen, [Some(50.0), Some(100.0), None, None]);
        (0..20).for_each(|_| speed.slower());
        assert_eq!(speed.most, Some(0.5));
        assert_eq!(speed.to_string(), "at most 0.5/s");
    }

    #[test]
    fn a_paused_run_goes_step_by_step() {
        let pace = Throttle::new(None);
        pace.wait();
        pace.step();
        assert!(pace.speed().paused);
        pace.step();
        pace.step();
        // Two may follow, and a third when it is no longer paused.
        pace.wait();
        pace.wait();
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| pace.wait());
            std::thread::sleep(Duration::from_millis(50));
            assert!(!waiting.is_finished());
            pace.change(|speed| speed.paused = false);
            waiting.join().unwrap();
        });
    }
}
