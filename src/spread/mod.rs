//! A stream of items worked on by several workers, the results taken in the order of the items or
//! as they are done.
//!
//! One thread reads items, each worker has a thread of its own, and the caller's thread takes
//! results. No more than `window` items are between the first and the last of these: a list of a
//! million lines takes the memory of a few, and what is read from a pipe is worked on at once.
//! A worker may give back an item that it began; whoever is free goes on with it.

#[cfg(feature = "cli")]
mod ahead;
mod tray;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

#[cfg(feature = "cli")]
pub(crate) use self::ahead::ahead;
use self::tray::Tray;

/// The order in which results are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// That of the items.
    InOrder,
    /// That in which they are done.
    AsDone,
}

/// Where a worker gets items, and hands in what came of them in whatever order.
pub(crate) struct Desk<'a, T, R> {
    jobs: &'a Tray<(u64, T)>,
    results: Alarm<(u64, R)>,
}

impl<T, R> Desk<'_, T, R> {
    /// The next item and its number, once there is one; nothing when none is wanted any more.
    pub fn wait(&self) -> Option<(u64, T)> {
        self.jobs.wait()
    }

    /// The same if there is one already.
    pub fn look(&self) -> Option<(u64, T)> {
        self.jobs.look()
    }

    /// Takes no item for a while, and has none; true when none is left for anybody.
    pub fn rest(&self, time: Duration) -> bool {
        self.jobs.rest(time)
    }

    /// Workers who have nothing to do.
    pub fn idle(&self) -> usize {
        self.jobs.idle()
    }

    /// Gives an item back that is not done, or not wholly: another worker gets it.
    pub fn give_back(&self, number: u64, item: T) {
        self.jobs.give_back((number, item));
    }

    /// Hands in what came of an item; false when nobody wants any more.
    pub fn hand_in(&self, number: u64, result: R) -> bool {
        self.results.0.send(Some((number, result))).is_ok()
    }
}

impl<T, R> Drop for Desk<'_, T, R> {
    fn drop(&mut self) {
        self.jobs.leave();
    }
}

/// Hands `items` to whichever of the `workers` is free, and their results to `take` in the order
/// that is wanted, until there is none left or `take` breaks. `window` items, at least one, are
/// under way at most.
///
/// # Panics
/// When a worker or the iterator does.
pub(crate) fn spread<T, R, W>(
    items: impl Iterator<Item = T> + Send,
    workers: Vec<W>,
    window: usize,
    delivery: Delivery,
    take: impl FnMut(R) -> ControlFlow<()>,
) where
    T: Send,
    R: Send,
    W: FnMut(T) -> R + Send,
{
    let workers = workers.into_iter().map(|mut work| {
        move |desk: &Desk<'_, T, R>| {
            while let Some((number, item)) = desk.wait() {
                if !desk.hand_in(number, work(item)) {
                    return;
                }
            }
        }
    });
    spread_at_desks(items, workers.collect(), window, delivery, take);
}

/// The same for workers that have several items under way.
///
/// # Panics
/// When a worker or the iterator does.
pub(crate) fn spread_at_desks<T, R, W>(
    items: impl Iterator<Item = T> + Send,
    workers: Vec<W>,
    window: usize,
    delivery: Delivery,
    mut take: impl FnMut(R) -> ControlFlow<()>,
) where
    T: Send,
    R: Send,
    W: FnOnce(&Desk<'_, T, R>) + Send,
{
    let (permit, permits) = channel::<()>();
    let (result, results) = channel::<Option<(u64, R)>>();
    let jobs = &Tray::new(workers.len());
    for _ in 0..window.max(1) {
        // The other end is held until the feeder ends.
        let _ = permit.send(());
    }
    thread::scope(|scope| {
        scope.spawn(move || feed(items, &permits, jobs));
        for worker in workers {
            let desk = Desk { jobs, results: Alarm(result.clone()) };
            scope.spawn(move || worker(&desk));
        }
        drop(result);
        let mut early = BTreeMap::new();
        let mut wanted = 0;
        for message in results {
            // A worker is gone, and with it a result: no more can be taken in order.
            let Some((number, result)) = message else { break };
            if delivery == Delivery::AsDone {
                wanted = number;
            }
            early.insert(number, result);
            while let Some(result) = early.remove(&wanted) {
                wanted += 1;
                if take(result).is_break() {
                    jobs.break_off();
                    return;
                }
                // The feeder may have ended, in which case nobody waits for permits.
                let _ = permit.send(());
            }
        }
        drop(permit);
    });
}

/// Numbers the items and passes one on for each permit, as long as anybody gives any.
fn feed<T>(mut items: impl Iterator<Item = T>, permits: &Receiver<()>, jobs: &Tray<(u64, T)>) {
    let jobs = Closing(jobs);
    for number in 0.. {
        if permits.recv().is_err() {
            return;
        }
        let Some(item) = items.next() else { return };
        jobs.0.put((number, item));
    }
}

/// Closes a tray also where the iterator panics.
struct Closing<'a, T>(&'a Tray<T>);

impl<T> Drop for Closing<'_, T> {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// Tells whoever waits for results that a worker panicked.
struct Alarm<R>(Sender<Option<R>>);

impl<R> Drop for Alarm<R> {
    fn drop(&mut self) {
        if thread::panicking() {
            let _ = self.0.send(None);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn an_endless_stream_is_taken_until_it_is_enough() {
        let workers: Vec<_> = (0..3).map(|_| |number: u64| number * number).collect();
        let mut squares = Vec::new();
        spread(1.., workers, 8, Delivery::InOrder, |square| {
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
        spread(0..items, workers, window, Delivery::InOrder, |square| {
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
        spread(0..5, vec![worker; 2], 8, Delivery::AsDone, |number| {
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
        spread(items, vec![|number: i32| number; 3], 4, Delivery::InOrder, |_| {
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
        spread(0..1_000, vec![worker; 2], 4, Delivery::InOrder, ControlFlow::Continue);
    }
}
