//! How fast generations follow each other: as they come, so many a second, or one at a key.
//!
//! Whoever is told of a generation waits here before the next. A run is the same at any pace; its
//! time goes on meanwhile.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::util::interrupt::INTERRUPT;

/// Speeds that keys go through, in generations a second.
const SPEEDS: [f64; 8] = [0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0];
/// How long a wait goes on until it is looked whether the user wants the end.
const LOOK: Duration = Duration::from_millis(20);

/// How fast, and whether at all.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Speed {
    /// Generations a second at most; none for as fast as they come.
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

    /// Time from one generation to the next at least.
    pub fn interval(&self) -> Duration {
        self.most.map_or(Duration::ZERO, |most| Duration::from_secs_f64(1.0 / most))
    }

    /// As it is told.
    pub fn text(&self) -> String {
        self.most.map_or_else(|| "full".to_owned(), |most| format!("at most {most}/s"))
    }
}

/// The pace of a run, which keys change from elsewhere.
#[derive(Debug)]
pub struct Throttle {
    state: Mutex<ThrottleState>,
    changed: Condvar,
}

#[derive(Debug)]
struct ThrottleState {
    speed: Speed,
    /// Generations that may go on although it is paused.
    steps: u32,
    /// When the last generation was let go.
    last: Instant,
}

impl Throttle {
    /// At most so many generations a second, or as they come.
    pub fn new(most: Option<f64>) -> Self {
        let speed = Speed { most, paused: false };
        let state = ThrottleState { speed, steps: 0, last: Instant::now() };
        Self { state: Mutex::new(state), changed: Condvar::new() }
    }

    /// Waits until the next generation may begin, or until everything is to end.
    pub fn wait(&self) {
        let mut state = self.state();
        loop {
            let due = state.speed.interval().saturating_sub(state.last.elapsed());
            if INTERRUPT.asked() || (!state.speed.paused && due.is_zero()) {
                break;
            }
            if state.steps > 0 {
                state.steps -= 1;
                break;
            }
            let wait = if state.speed.paused { LOOK } else { due.min(LOOK) };
            let waited = self.changed.wait_timeout(state, wait);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        state.last = Instant::now();
    }

    /// How fast it is to be.
    pub fn speed(&self) -> Speed {
        self.state().speed
    }

    /// Makes it another.
    pub fn change(&self, change: impl FnOnce(&mut Speed)) {
        change(&mut self.state().speed);
        self.changed.notify_all();
    }

    /// Lets one generation go, and pauses.
    pub fn step(&self) {
        let mut state = self.state();
        // The first key that asks for a step only pauses.
        state.steps += u32::from(state.speed.paused);
        state.speed.paused = true;
        drop(state);
        self.changed.notify_all();
    }

    fn state(&self) -> MutexGuard<'_, ThrottleState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
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
        assert_eq!(speed.text(), "at most 0.5/s");
    }

    #[test]
    fn a_paused_run_goes_step_by_step() {
        let pace = Throttle::new(None);
        pace.wait();
        pace.step();
        assert!(pace.speed().paused);
        pace.step();
        pace.step();
        // Two were let go, and a third is once it goes on.
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
