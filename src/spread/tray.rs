//! Items that wait for whoever is free, in order; what a worker gives back comes before all others.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Where one puts items down and several take them.
pub struct Tray<T> {
    state: Mutex<State<T>>,
    /// There is another item, or nothing to wait for any more.
    more: Condvar,
    /// There is nothing to wait for any more.
    over: Condvar,
}

struct State<T> {
    items: VecDeque<T>,
    /// Nobody puts any more down.
    is_closed: bool,
    /// Nobody wants any more.
    is_broken: bool,
    /// Those who take items, and may give some back.
    workers: usize,
    /// Those of them who wait, and have none.
    idle: usize,
}

impl<T> State<T> {
    /// Whether nothing comes any more: whoever has an item may give it back.
    fn is_over(&self) -> bool {
        self.is_broken || (self.is_closed && self.items.is_empty() && self.idle == self.workers)
    }
}

impl<T> Tray<T> {
    /// An empty one for so many workers.
    pub fn new(workers: usize) -> Self {
        let (is_closed, is_broken, idle) = (false, false, 0);
        let state = State { items: VecDeque::new(), is_closed, is_broken, workers, idle };
        Self { state: Mutex::new(state), more: Condvar::new(), over: Condvar::new() }
    }

    /// Puts an item down.
    pub fn put(&self, item: T) {
        self.state().items.push_back(item);
        self.more.notify_one();
    }

    /// Puts an item down that comes before all others.
    pub fn give_back(&self, item: T) {
        self.state().items.push_front(item);
        self.more.notify_one();
    }

    /// Says that nothing is put down any more.
    pub fn close(&self) {
        self.end(|state| state.is_closed = true);
    }

    /// Says that nothing is wanted any more.
    pub fn break_off(&self) {
        self.end(|state| state.is_broken = true);
    }

    /// Says that a worker takes no more items, and gives none back.
    pub fn leave(&self) {
        self.end(|state| state.workers -= 1);
    }

    /// Workers who wait for an item.
    pub fn idle(&self) -> usize {
        self.state().idle
    }

    /// The first item if there is one already.
    pub fn look(&self) -> Option<T> {
        let mut state = self.state();
        if state.is_broken { None } else { state.items.pop_front() }
    }

    /// The first item, once there is one; nothing when none can come any more.
    pub fn wait(&self) -> Option<T> {
        let mut state = self.state();
        state.idle += 1;
        while state.items.is_empty() && !state.is_over() {
            state = self.more.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        self.until(state, |state| if state.is_broken { None } else { state.items.pop_front() })
    }

    /// Wants nothing for a while; true when nothing can come any more.
    pub fn rest(&self, time: Duration) -> bool {
        let mut state = self.state();
        state.idle += 1;
        let tired = |state: &mut State<T>| !state.is_over();
        let waited = self.over.wait_timeout_while(state, time, tired);
        state = waited.unwrap_or_else(PoisonError::into_inner).0;
        self.until(state, |state| state.is_over())
    }

    /// Ends a wait. What is over is over for all, however many wait from now on.
    fn until<R>(
        &self,
        mut state: MutexGuard<'_, State<T>>,
        take: impl FnOnce(&mut State<T>) -> R,
    ) -> R {
        if state.is_over() {
            state.is_broken = true;
            self.notify_all();
        }
        let taken = take(&mut state);
        state.idle -= 1;
        taken
    }

    /// A change after which there may be nothing to wait for.
    fn end(&self, change: impl FnOnce(&mut State<T>)) {
        change(&mut self.state());
        self.notify_all();
    }

    fn notify_all(&self) {
        self.more.notify_all();
        self.over.notify_all();
    }

    /// Whoever panicked with the lock held had changed all or nothing.
    fn state(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::thread;

    use super::*;

    #[test]
    fn what_is_given_back_comes_first_and_whoever_waits_gets_it() {
        let tray = Tray::new(2);
        for item in 0..3 {
            tray.put(item);
        }
        assert_eq!((tray.wait(), tray.look()), (Some(0), Some(1)));
        tray.give_back(0);
        assert_eq!((tray.look(), tray.look(), tray.look()), (Some(0), Some(2), None));
        tray.close();
        let (found, finds) = channel();
        thread::scope(|scope| {
            scope.spawn(|| (0..2).for_each(|_| found.send(tray.wait()).unwrap()));
            while tray.idle() == 0 {
                thread::yield_now();
            }
            tray.give_back(7);
            assert_eq!(finds.recv(), Ok(Some(7)));
            // It does not end before the other one has nothing to give back.
            assert!(finds.try_recv().is_err());
            assert_eq!(tray.wait(), None);
            assert_eq!(finds.recv(), Ok(None));
        });
        assert_eq!((tray.wait(), tray.look(), tray.idle()), (None, None, 0));
    }

    #[test]
    fn who_rests_keeps_nobody_from_ending() {
        let tray: Tray<u32> = Tray::new(2);
        assert!(!tray.rest(Duration::ZERO));
        tray.close();
        thread::scope(|scope| {
            let resting = scope.spawn(|| tray.rest(Duration::from_secs(600)));
            assert_eq!(tray.wait(), None);
            assert!(resting.join().unwrap());
        });
        assert!(tray.rest(Duration::from_secs(600)));
    }

    #[test]
    fn who_leaves_is_not_waited_for_and_what_is_broken_off_ends() {
        let tray = Tray::new(3);
        tray.put(1);
        tray.close();
        assert_eq!(tray.look(), Some(1));
        thread::scope(|scope| {
            let waiting = [scope.spawn(|| tray.wait()), scope.spawn(|| tray.wait())];
            tray.leave();
            assert_eq!(waiting.map(|one| one.join().unwrap()), [None, None]);
        });
        let tray = Tray::new(1);
        tray.put(1);
        tray.break_off();
        assert_eq!((tray.look(), tray.wait()), (None, None));
    }
}
