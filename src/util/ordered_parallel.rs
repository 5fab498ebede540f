//! An ordered parallel map: several workers take items from a stream, and results are taken in the order of
//! the items or as they are completed.
//!
//! One thread reads items, each worker has a thread of its own, and the caller's thread takes
//! results. No more than `window` items are between the first and the last of these: a list of a
//! million lines takes the memory of a few, and what is read from a pipe is worked on at once.

use std::collections::{BTreeMap, VecDeque};
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// The order in which results are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultOrder {
    /// That of the items.
    InOrder,
    /// That in which they are completed.
    AsCompleted,
}

/// Where a worker receives items, and submits their results in whatever order.
pub(crate) struct WorkerHandle<'a, T, R> {
    items: &'a WorkQueue<(u64, T)>,
    results: PanicGuard<(u64, R)>,
}

impl<T, R> WorkerHandle<'_, T, R> {
    /// The next item and its number, once there is one; nothing when none is wanted any more.
    pub fn recv(&self) -> Option<(u64, T)> {
        self.items.pop()
    }

    /// The same if there is one already.
    pub fn try_recv(&self) -> Option<(u64, T)> {
        self.items.try_pop()
    }

    /// Submits the result of an item; false when no result is wanted any more.
    pub fn submit(&self, number: u64, result: R) -> bool {
        self.results.0.send(Some((number, result))).is_ok()
    }
}

/// Hands `items` to whichever of the `workers` is free, and their results to `take` in the order
/// that is wanted, until there is none left or `take` breaks. `window` items, at least one, are
/// under way at most.
///
/// # Panics
/// When a worker or the iterator does.
pub(crate) fn parallel_map<T, R, W>(
    items: impl Iterator<Item = T> + Send,
    workers: Vec<W>,
    window: usize,
    order: ResultOrder,
    take: impl FnMut(R) -> ControlFlow<()>,
) where
    T: Send,
    R: Send,
    W: FnMut(T) -> R + Send,
{
    let workers = workers.into_iter().map(|mut work| {
        move |handle: &WorkerHandle<'_, T, R>| {
            while let Some((number, item)) = handle.recv() {
                if !handle.submit(number, work(item)) {
                    return;
                }
            }
        }
    });
    parallel_workers(items, workers.collect(), window, order, take);
}

/// The same for workers that have several items under way.
///
/// # Panics
/// When a worker or the iterator does.
pub(crate) fn parallel_workers<T, R, W>(
    items: impl Iterator<Item = T> + Send,
    workers: Vec<W>,
    window: usize,
    order: ResultOrder,
    mut take: impl FnMut(R) -> ControlFlow<()>,
) where
    T: Send,
    R: Send,
    W: FnOnce(&WorkerHandle<'_, T, R>) + Send,
{
    let (permit, permits) = channel::<()>();
    let (result, results) = channel::<Option<(u64, R)>>();
    let queue = &WorkQueue::new();
    for _ in 0..window.max(1) {
        // The other end is held until the feeder ends.
        let _ = permit.send(());
    }
    thread::scope(|scope| {
        scope.spawn(move || feed(items, &permits, queue));
        for worker in workers {
            let handle = WorkerHandle { items: queue, results: PanicGuard(result.clone()) };
            scope.spawn(move || worker(&handle));
        }
        drop(result);
        let mut early = BTreeMap::new();
        let mut wanted = 0;
        for message in results {
            // A worker is gone, and with it a result: no more can be taken in order.
            let Some((number, result)) = message else { break };
            if order == ResultOrder::AsCompleted {
                wanted = number;
            }
            early.insert(number, result);
            while let Some(result) = early.remove(&wanted) {
                wanted += 1;
                if take(result).is_break() {
                    queue.cancel();
                    return;
                }
                // The feeder may have ended, in which case nobody waits for permits.
                let _ = permit.send(());
            }
        }
        drop(permit);
    });
}

/// Numbers the items and passes one on for each permit, as long as there are any.
fn feed<T>(
    mut items: impl Iterator<Item = T>,
    permits: &Receiver<()>,
    queue: &WorkQueue<(u64, T)>,
) {
    let queue = CloseGuard(queue);
    for number in 0.. {
        if permits.recv().is_err() {
            return;
        }
        let Some(item) = items.next() else { return };
        queue.0.push((number, item));
    }
}

/// Closes a queue also where the iterator panics.
struct CloseGuard<'a, T>(&'a WorkQueue<T>);

impl<T> Drop for CloseGuard<'_, T> {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// Tells whoever waits for results that a worker panicked.
pub(super) struct PanicGuard<R>(pub(super) Sender<Option<R>>);

impl<R> Drop for PanicGuard<R> {
    fn drop(&mut self) {
        if thread::panicking() {
            let _ = self.0.send(None);
        }
    }
}

/// Items that wait for a worker, in order.
struct WorkQueue<T> {
    state: Mutex<QueueState<T>>,
    changed: Condvar,
}

struct QueueState<T> {
    items: VecDeque<T>,
    is_closed: bool,
}

impl<T> WorkQueue<T> {
    fn new() -> Self {
        let state = QueueState { items: VecDeque::new(), is_closed: false };
        Self { state: Mutex::new(state), changed: Condvar::new() }
    }

    /// Adds an item, unless the queue was cancelled.
    fn push(&self, item: T) {
        let mut state = self.lock();
        if !state.is_closed {
            state.items.push_back(item);
            self.changed.notify_one();
        }
    }

    /// Says that no more items come.
    fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_all();
    }

    /// Says that no more items are wanted, and drops those that wait.
    fn cancel(&self) {
        self.lock().items.clear();
        self.close();
    }

    /// The first item if there is one already.
    fn try_pop(&self) -> Option<T> {
        self.lock().items.pop_front()
    }

    /// The first item, once there is one; nothing when none comes any more.
    fn pop(&self) -> Option<T> {
        let waits = |state: &mut QueueState<T>| state.items.is_empty() && !state.is_closed;
        let state = self.changed.wait_while(self.lock(), waits);
        state.unwrap_or_else(PoisonError::into_inner).items.pop_front()
    }

    /// Whoever panicked with the lock held had changed all or nothing.
    fn lock(&self) -> MutexGuard<'_, QueueState<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use super::*;

    #[test]
    fn an_endless_stream_is_taken_until_it_is_enough() {
        let workers: Vec<_> = (0..3).map(|_| |number: u64| number * number).collect();
        let mut squares = Vec::new();
        parallel_map(1.., workers, 8, ResultOrder::InOrder, |square| {
            squares.push(square);
            if squares.len() < 5 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        assert_eq!(squares, [1, 4, 9, 16, 25]);
    }

    fn squares(items: u64, workers: usize, window: usize) -> Vec<u64> {
        let workers: Vec<_> = (0..workers)
            .map(|_| {
                |number: u64| {
                    // The first ones take longest.
                    thread::sleep(Duration::from_micros(500 / (number + 1)));
                    number * number
                }
            })
            .collect();
        let mut taken = Vec::new();
        parallel_map(0..items, workers, window, ResultOrder::InOrder, |square| {
            taken.push(square);
            ControlFlow::Continue(())
        });
        taken
    }

    #[test]
    fn results_come_in_order_whatever_the_number_of_workers() {
        let expected: Vec<u64> = (0..300).map(|number| number * number).collect();
        for (workers, window) in [(1, 1), (1, 5), (2, 3), (7, 2), (7, 50)] {
            assert_eq!(squares(300, workers, window), expected, "{workers} {window}");
        }
        assert_eq!(squares(0, 3, 3), [0; 0]);
    }

    #[test]
    fn results_as_they_are_done_do_not_wait_for_a_slow_first() {
        let worker = |number: u64| {
            thread::sleep(Duration::from_millis(if number == 0 { 200 } else { 1 }));
            number
        };
        let mut taken = Vec::new();
        parallel_map(0..5, vec![worker; 2], 8, ResultOrder::AsCompleted, |number| {
            taken.push(number);
            ControlFlow::Continue(())
        });
        assert_eq!(taken.last(), Some(&0));
        taken.sort_unstable();
        assert_eq!(taken, [0, 1, 2, 3, 4]);
    }

    #[test]
    fn no_more_than_the_window_is_read_ahead() {
        let read = AtomicUsize::new(0);
        let items = (0..1_000).inspect(|_| {
            read.fetch_add(1, Ordering::SeqCst);
        });
        let mut taken = 0;
        parallel_map(items, vec![|number: i32| number; 3], 4, ResultOrder::InOrder, |_| {
            assert!(read.load(Ordering::SeqCst) <= taken + 4);
            taken += 1;
            ControlFlow::Continue(())
        });
        assert_eq!(taken, 1_000);
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_panic_is_passed_on() {
        let worker = |number: i32| assert!(number < 10, "{number}");
        parallel_map(0..1_000, vec![worker; 2], 4, ResultOrder::InOrder, ControlFlow::Continue);
    }
}
