//! Several backends as one: runs are divided among them.
//!
//! A run is the same on each of them, so that it does not matter which one does it. Each worker of a
//! [`Pool`](super::Pool) has one of them to itself or shares it with others; a worker by itself has
//! the first.
//!
//! ```
//! use evodoku::Backend;
//!
//! let both = Backend::several(Backend::cpu(), [Backend::cpu()]);
//! assert_eq!(both.parts().len(), 2);
//! ```

use std::slice;

use super::backend::Site;
use super::{Backend, BackendInfo};

impl Backend {
    /// Several as one: the first, and those beside it, which should be of its kind.
    pub fn several(first: Self, others: impl IntoIterator<Item = Self>) -> Self {
        let mut all = first.into_parts();
        all.extend(others.into_iter().flat_map(Self::into_parts));
        match all.len() {
            1 => all.swap_remove(0),
            _ => Self::at(Site::Several(all)),
        }
    }

    /// The backends that runs are divided among: itself, if it is not several.
    pub fn parts(&self) -> &[Self] {
        match &self.site {
            Site::Several(parts) => parts,
            _ => slice::from_ref(self),
        }
    }

    /// The one that a worker with this number has.
    pub fn part(&self, worker: usize) -> &Self {
        let parts = self.parts();
        &parts[worker % parts.len()]
    }

    fn into_parts(self) -> Vec<Self> {
        match self.site {
            Site::Several(parts) => parts,
            _ => vec![self],
        }
    }

    /// The same change to each of several.
    pub(super) fn each(mut self, change: impl Fn(Self) -> Self) -> Self {
        if let Site::Several(parts) = self.site {
            self.site = Site::Several(parts.into_iter().map(change).collect());
        }
        self
    }
}

impl BackendInfo {
    /// All in order, with a comma between adapters; what drivers they have in common is said once.
    pub(super) fn of_all(parts: &[Backend], threads: usize) -> Self {
        let all: Vec<Self> = parts.iter().map(|part| part.info(threads)).collect();
        let joined = |names: Vec<&str>| (!names.is_empty()).then(|| names.join(", "));
        let adapters = all.iter().filter_map(|info| info.adapter.as_deref()).collect();
        let mut drivers: Vec<&str> = all.iter().filter_map(|info| info.driver.as_deref()).collect();
        drivers.dedup();
        let backend = all.first().map_or("cpu", |info| info.backend);
        Self { backend, adapter: joined(adapters), driver: joined(drivers), threads }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::ops::ControlFlow;
    use std::sync::atomic::AtomicBool;
    use std::sync::{Arc, Condvar, Mutex};
    use std::time::Duration;

    use super::*;
    use crate::board::{Presolve, presolve};
    use crate::fitness::CpuEvaluator;
    use crate::format;
    use crate::ga::{Config, Preset, Run, RunJob};
    use crate::solver::{Errand, Pool};
    use crate::spread::Delivery;

    /// Who was asked for something that scores.
    #[derive(Default)]
    struct Asked(Mutex<Vec<&'static str>>, Condvar);

    /// Scores on the CPU, once somebody else was asked to as well, for which it waits a while.
    fn named(name: &'static str, asked: &Arc<Asked>) -> Backend {
        let asked = asked.clone();
        Backend::own(name, move |geometry| {
            let Asked(names, more) = &*asked;
            let mut names = names.lock().unwrap();
            names.push(name);
            more.notify_all();
            let long = Duration::from_secs(20);
            drop(more.wait_timeout_while(names, long, |names| names.len() < 2).unwrap());
            Box::new(CpuEvaluator::new(geometry, None))
        })
    }

    #[test]
    fn several_are_named_in_order_and_one_stays_what_it_is() {
        let asked = Arc::default();
        let three = Backend::several(named("a", &asked), [named("b", &asked), named("a", &asked)]);
        assert_eq!(three.info(2).adapter.as_deref(), Some("a, b, a"));
        let four = Backend::several(Backend::cpu(), [three]);
        assert_eq!(four.parts().len(), 4);
        assert_eq!(four.part(6).info(1).adapter.as_deref(), Some("b"));
        assert_eq!(Backend::several(Backend::cpu(), []).info(1), Backend::cpu().info(1));
    }

    #[test]
    fn runs_that_are_divided_are_the_same_as_on_one() {
        let puzzle = format::load("003-6x6", None).unwrap().puzzle;
        let space = Arc::new(presolve(&puzzle, Presolve::None).unwrap());
        let config =
            Config { population: 40, max_generations: 6, ..Config::of(Preset::Boxes, &space) };
        let (config, interrupted) = (Arc::new(config), AtomicBool::new(false));
        let asked = Arc::<Asked>::default();
        let both = Backend::several(named("a", &asked), [named("b", &asked)]);
        let mut pool = Pool::new(&both, 2, 2).unwrap();
        let jobs = (0..40).map(|seed| {
            Errand::Run(RunJob {
                space: space.clone(),
                config: config.clone(),
                seed,
                from: None,
                watcher: (),
            })
        });
        let finish = |job: RunJob<()>, outcome: Result<_, _>| (job.seed, outcome);
        let mut found = BTreeMap::new();
        pool.run_together(jobs, 40, Delivery::AsDone, &interrupted, finish, |(seed, outcome)| {
            found.insert(seed, outcome.unwrap().board);
            ControlFlow::Continue(())
        });
        let alone = Backend::cpu();
        let mut worker = crate::solver::Worker::new(&alone, 1).unwrap();
        let expected: BTreeMap<u64, Vec<u8>> = (0..40)
            .map(|seed| {
                let run = Run::new(&space, &config, seed, &interrupted);
                (seed, worker.evolve(&run, &mut ()).unwrap().board)
            })
            .collect();
        assert_eq!(found, expected);
        let mut asked = asked.0.lock().unwrap().clone();
        asked.sort_unstable();
        assert_eq!(asked, ["a", "b"]);
    }
}
