//! Items that several threads work on before they are taken, in order: what feeds a GPU would otherwise be
//! made ready by the one thread that reads.

use std::collections::BTreeMap;
use std::iter::{Enumerate, Fuse};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::Scope;

use super::ordered_parallel::PanicGuard;

/// Items that are read or worked on, or wait to be taken, for each thread.
const WINDOW: usize = 4;

/// What came of items, in their order.
pub(crate) struct OrderedMap<R> {
    results: Receiver<Option<(u64, R)>>,
    permit: Sender<()>,
    early: BTreeMap<u64, R>,
    wanted: u64,
}

/// Items with a permit for each.
struct SharedInput<I> {
    items: Enumerate<Fuse<I>>,
    permits: Receiver<()>,
}

impl<I: Iterator> SharedInput<I> {
    /// The next item and its number; nothing when there is none, or none is wanted any more.
    fn next(&mut self) -> Option<(u64, I::Item)> {
        self.permits.recv().ok()?;
        self.items.next().map(|(number, item)| (number as u64, item))
    }
}

/// Has `work` done on each of the `items` by the next free of some `threads`, at least one; they end with the
/// items, or soon after the iterator was dropped. When one of them panics the iterator ends, and the scope
/// passes the panic on.
pub(crate) fn parallel_map_iter<'scope, T, R>(
    scope: &'scope Scope<'scope, '_>,
    items: impl Iterator<Item = T> + Send + 'scope,
    threads: usize,
    work: impl Fn(T) -> R + Copy + Send + 'scope,
) -> OrderedMap<R>
where
    R: Send + 'scope,
{
    let threads = threads.max(1);
    let (permit, permits) = channel();
    let (result, results) = channel();
    for _ in 0..WINDOW * threads {
        // The other end is held until no thread is left.
        let _ = permit.send(());
    }
    let source = SharedInput { items: items.fuse().enumerate(), permits };
    let source = Arc::new(Mutex::new(source));
    for _ in 0..threads {
        let (source, result) = (source.clone(), PanicGuard(result.clone()));
        scope.spawn(move || {
            loop {
                // Whoever panicked while it held the lock has told so.
                let next = source.lock().ok().and_then(|mut source| source.next());
                let Some((number, item)) = next else { return };
                if result.0.send(Some((number, work(item)))).is_err() {
                    return;
                }
            }
        });
    }
    OrderedMap { results, permit, early: BTreeMap::new(), wanted: 0 }
}

impl<R> Iterator for OrderedMap<R> {
    type Item = R;

    fn next(&mut self) -> Option<R> {
        loop {
            if let Some(result) = self.early.remove(&self.wanted) {
                self.wanted += 1;
                // Nobody is left to read more where the items have ended.
                let _ = self.permit.send(());
                return Some(result);
            }
            let (number, result) = self.results.recv().ok()??;
            self.early.insert(number, result);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;
    use std::time::Duration;

    use super::*;

    /// The first ones take longest.
    fn square(number: u64) -> u64 {
        thread::sleep(Duration::from_micros(500 / (number + 1)));
        number * number
    }

    #[test]
    fn results_come_in_the_order_of_the_items_from_any_number_of_threads() {
        let expected: Vec<u64> = (0..300).map(|number| number * number).collect();
        for threads in [0, 1, 2, 7] {
            let found: Vec<u64> =
                thread::scope(|scope| parallel_map_iter(scope, 0..300, threads, square).collect());
            assert_eq!(found, expected, "{threads}");
        }
        thread::scope(|scope| assert_eq!(parallel_map_iter(scope, 0..0, 3, square).next(), None));
    }

    #[test]
    fn an_endless_stream_is_taken_until_it_is_enough() {
        let read = AtomicUsize::new(0);
        let items = (0..).inspect(|_| {
            read.fetch_add(1, Ordering::SeqCst);
        });
        let found: Vec<u64> =
            thread::scope(|scope| parallel_map_iter(scope, items, 2, square).take(5).collect());
        assert_eq!(found, [0, 1, 4, 9, 16]);
        assert!(read.load(Ordering::SeqCst) <= 5 + 2 * WINDOW);
    }

    #[test]
    fn what_comes_slowly_is_worked_on_at_once() {
        let (send, items) = channel();
        thread::scope(|scope| {
            let mut squares = parallel_map_iter(scope, items.into_iter(), 3, square);
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
        thread::scope(|scope| assert!(parallel_map_iter(scope, 0..1_000, 2, work).count() < 1_000));
    }
}
