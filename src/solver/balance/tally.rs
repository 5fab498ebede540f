//! What the cores have done, counted generation by generation.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use super::Done;
use crate::ga::{GenerationReport, Observer, Run, RunHandle, StopReason};

/// Work and generations of several runs that go on side by side.
#[derive(Debug, Default)]
pub struct Tally {
    work: AtomicU64,
    generations: AtomicU32,
}

impl Tally {
    /// What has been done so far.
    pub fn done(&self) -> Done {
        let (work, generations) = (&self.work, &self.generations);
        Done {
            work: work.load(Ordering::Relaxed),
            generations: generations.load(Ordering::Relaxed),
        }
    }

    /// Whoever watches a run, and counts what it does from here on.
    pub fn counted<'a>(
        &'a self,
        run: &Run<'_>,
        observer: &'a mut (dyn Observer + Send),
    ) -> impl Observer + Send + 'a {
        let before = run.from.map_or(0, |from| from.progress.work());
        Counted { tally: self, before, observer }
    }
}

/// Tells whoever watches a run all, and counts.
struct Counted<'a> {
    tally: &'a Tally,
    /// Work of the run that is counted.
    before: u64,
    observer: &'a mut (dyn Observer + Send),
}

impl Observer for Counted<'_> {
    fn generation(&mut self, report: &GenerationReport<'_>) -> ControlFlow<()> {
        let work = report.evaluations + report.moves;
        self.tally.work.fetch_add(work.saturating_sub(self.before), Ordering::Relaxed);
        self.tally.generations.fetch_add(1, Ordering::Relaxed);
        self.before = work;
        self.observer.generation(report)
    }

    fn warning(&mut self, message: &str) {
        self.observer.warning(message);
    }

    fn wants_checkpoint(&mut self, generation: u32, ending: Option<StopReason>) -> bool {
        self.observer.wants_checkpoint(generation, ending)
    }

    fn checkpoint(&mut self, standing: &mut RunHandle<'_>) {
        self.observer.checkpoint(standing);
    }

    fn wants_distinct(&self) -> bool {
        self.observer.wants_distinct()
    }

    fn wants_boards(&self) -> bool {
        self.observer.wants_boards()
    }
}
