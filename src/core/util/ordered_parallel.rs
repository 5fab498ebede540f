//! An ordered parallel map: several workers take items from a stream, and results are taken in the order of
//! the items or as they are completed.
//!
//! One thread reads items, each worker is a thread, and the caller's thread takes
//! results. No more than `window` items are between the first and the last of these: a list of a
//! million lines takes the memory of a few, and an item that is read from a pipe is worked on at once.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, Scope};

use super::threads::{ThreadError, spawn_scoped};

/// The order in which results are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultOrder {
    /// The order of the items.
    InOrder,
    /// The order in which they are completed.
    AsCompleted,
}

/// Where a worker receives items, and submits their results in whatever order.
pub struct WorkerHandle<T, R> {
    items: Arc<Mutex<Receiver<(u64, T)>>>,
    /// Whether no more results will be taken.
    is_cancelled: Arc<AtomicBool>,
    /// Results with the numbers of their items; nothing says that a worker panicked.
    results: Sender<Option<(u64, R)>>,
}

impl<T, R> WorkerHandle<T, R> {
    /// The next item and its number, once there is one; nothing when there are no more or none will be taken.
    pub fn recv(&self) -> Option<(u64, T)> {
        let item = self.items.lock().ok()?.recv().ok();
        item.filter(|_| !self.is_cancelled.load(Ordering::Relaxed))
    }

    /// The next item if there is one already.
    pub fn try_recv(&self) -> Option<(u64, T)> {
        // A worker that has the lock waits for the next item, or is taking it.
        let item = self.items.try_lock().ok()?.try_recv().ok();
        item.filter(|_| !self.is_cancelled.load(Ordering::Relaxed))
    }

    /// Submits the result of an item; false when no more results will be taken.
    pub fn submit(&self, number: u64, result: R) -> bool {
        self.results.send(Some((number, result))).is_ok()
    }

    /// Has `work` done on one item after the other.
    pub fn map(&self, mut work: impl FnMut(T) -> R) {
        while let Some((number, item)) = self.recv() {
            if !self.submit(number, work(item)) {
                return;
            }
        }
    }
}

impl<T, R> Clone for WorkerHandle<T, R> {
    fn clone(&self) -> Self {
        let (items, is_cancelled) = (self.items.clone(), self.is_cancelled.clone());
        Self { items, is_cancelled, results: self.results.clone() }
    }
}

impl<T, R> Drop for WorkerHandle<T, R> {
    fn drop(&mut self) {
        if thread::panicking() {
            let _ = self.results.send(None);
        }
    }
}

/// The results of items, until there are no more or a worker panics. When this is dropped, the workers end
/// after the items that they have.
pub struct OrderedResults<R> {
    results: Receiver<Option<(u64, R)>>,
    order: ResultOrder,
    early: BTreeMap<u64, R>,
    wanted: u64,
    /// Lets the next item be read.
    permit: Sender<()>,
    /// Whether a result was taken for which no permit was given yet.
    is_taken: bool,
    is_cancelled: Arc<AtomicBool>,
}

impl<R> OrderedResults<R> {
    /// The number of the item whose result was taken last.
    pub fn last_number(&self) -> u64 {
        self.wanted.saturating_sub(1)
    }
}

impl<R> Iterator for OrderedResults<R> {
    type Item = R;

    fn next(&mut self) -> Option<R> {
        if std::mem::take(&mut self.is_taken) {
            // The reader may have ended, in which case no thread waits for permits.
            let _ = self.permit.send(());
        }
        loop {
            if let Some(result) = self.early.remove(&self.wanted) {
                self.wanted += 1;
                self.is_taken = true;
                return Some(result);
            }
            let (number, result) = self.results.recv().ok()??;
            if self.order == ResultOrder::AsCompleted {
                self.wanted = number;
            }
            self.early.insert(number, result);
        }
    }
}

impl<R> Drop for OrderedResults<R> {
    fn drop(&mut self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
    }
}

/// Where items enter, one for each permit.
pub struct ItemReader<T> {
    permits: Receiver<()>,
    queue: Sender<(u64, T)>,
}

impl<T> ItemReader<T> {
    /// Numbers the items and passes them on, as long as there are any and results are wanted.
    pub fn read(self, mut items: impl Iterator<Item = T>) {
        for number in 0.. {
            let Ok(()) = self.permits.recv() else { return };
            let Some(next) = items.next() else { return };
            if self.queue.send((number, next)).is_err() {
                return;
            }
        }
    }
}

/// The ways between one reader of items, any number of workers, each with a clone of the handle, and their
/// results. `window` items, at least one, are under way at most.
pub fn ordered_queue<T, R>(
    window: usize,
    order: ResultOrder,
) -> (ItemReader<T>, WorkerHandle<T, R>, OrderedResults<R>) {
    let (permit, permits) = channel();
    let (item, queue) = channel();
    let (result, results) = channel();
    let (items, is_cancelled) = (Arc::new(Mutex::new(queue)), Arc::new(AtomicBool::new(false)));
    for _ in 0..window.max(1) {
        // The other end is held until the reader ends.
        let _ = permit.send(());
    }
    let (early, wanted, is_taken) = (BTreeMap::new(), 0, false);
    let handle = WorkerHandle { items, is_cancelled: is_cancelled.clone(), results: result };
    let results = OrderedResults { results, order, early, wanted, permit, is_taken, is_cancelled };
    (ItemReader { permits, queue: item }, handle, results)
}

/// An iterator over what `work` makes of `items` on so many `threads`, at least one, in the order of the items.
/// `window` items, at least one, are under way at most.
///
/// When a thread panics the iterator ends, and the scope passes the panic on.
///
/// # Errors
/// When the system does not start two threads. Where it starts some, these do the work.
pub fn parallel_map<'scope, T: Send + 'scope, R: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    items: impl Iterator<Item = T> + Send + 'scope,
    threads: usize,
    window: usize,
    work: impl Fn(T) -> R + Copy + Send + 'scope,
) -> Result<OrderedResults<R>, ThreadError> {
    let (reader, handle, results) = ordered_queue(window, ResultOrder::InOrder);
    spawn_scoped(scope, "reader", move || reader.read(items))?;
    for started in 0..threads.max(1) {
        let handle = handle.clone();
        match spawn_scoped(scope, "worker", move || handle.map(work)) {
            Err(error) if started == 0 => return Err(error),
            Err(_) => break,
            Ok(_) => {}
        }
    }
    Ok(results)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;
    use std::time::{Duration, Instant};

    use super::*;

    /// The first ones take longest.
    fn square(number: u64) -> u64 {
        thread::sleep(Duration::from_micros(500 / (number + 1)));
        number * number
    }

    #[test]
    fn results_come_in_order_whatever_the_number_of_threads() {
        let squares = |items: u64, threads: usize, window: usize| -> Vec<u64> {
            thread::scope(|scope| {
                parallel_map(scope, 0..items, threads, window, square).unwrap().collect()
            })
        };
        let expected: Vec<u64> = (0..300).map(|number| number * number).collect();
        for (threads, window) in [(0, 0), (1, 5), (2, 3), (7, 2), (7, 50)] {
            assert_eq!(squares(300, threads, window), expected, "{threads} {window}");
        }
        assert_eq!(squares(0, 3, 3), [0; 0]);
    }

    #[test]
    fn results_as_they_are_completed_do_not_wait_for_a_slow_first() {
        let count = AtomicUsize::new(0);
        // The first takes until all others were taken, or else two minutes.
        let work = |number: u64| {
            let begun = Instant::now();
            let waits =
                || count.load(Ordering::SeqCst) < 4 && begun.elapsed() < Duration::from_secs(120);
            while number == 0 && waits() {
                thread::sleep(Duration::from_millis(1));
            }
            number
        };
        let (reader, handle, results) = ordered_queue(8, ResultOrder::AsCompleted);
        let mut taken: Vec<u64> = thread::scope(|scope| {
            scope.spawn(move || reader.read(0..5));
            let other = handle.clone();
            scope.spawn(move || handle.map(work));
            scope.spawn(move || other.map(work));
            let counted = results.inspect(|_| {
                count.fetch_add(1, Ordering::SeqCst);
            });
            counted.collect()
        });
        assert_eq!(taken.last(), Some(&0));
        taken.sort_unstable();
        assert_eq!(taken, [0, 1, 2, 3, 4]);
    }

    #[test]
    fn an_endless_stream_is_taken_until_it_is_enough_and_no_more_than_the_window_is_read_ahead() {
        let read = AtomicUsize::new(0);
        let items = (0..).inspect(|_| {
            read.fetch_add(1, Ordering::SeqCst);
        });
        thread::scope(|scope| {
            let results = parallel_map(scope, items, 3, 4, square).unwrap();
            for (taken, result) in results.take(200).enumerate() {
                assert!(read.load(Ordering::SeqCst) <= taken + 4);
                assert_eq!(result, (taken * taken) as u64);
            }
        });
    }

    #[test]
    fn an_item_that_comes_late_is_worked_on_at_once() {
        let (send, items) = channel();
        thread::scope(|scope| {
            let mut squares = parallel_map(scope, items.into_iter(), 3, 4, square).unwrap();
            for number in 0..20 {
                send.send(number).unwrap();
                assert_eq!(squares.next(), Some(number * number));
            }
            drop(send);
            assert_eq!(squares.next(), None);
        });
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_panic_is_passed_on() {
        let work = |number: i32| assert!(number < 10, "{number}");
        thread::scope(|scope| {
            assert!(parallel_map(scope, 0..1_000, 2, 4, work).unwrap().count() < 1_000)
        });
    }
}
