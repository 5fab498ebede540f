//! Whoever watches a run of an experiment.

use std::ops::ControlFlow;

use crate::experiment::Checkpoints;
use crate::experiment::fitness_samples::Collector;
use crate::ga::{GenerationReport, Observer, RunHandle, StopReason};
use crate::store::RunCheckpointer;

/// The series of a run, the run's number, and who saves it.
#[derive(Debug)]
pub struct ExperimentObserver<'a> {
    pub number: usize,
    pub collector: Collector,
    pub checkpointer: Option<RunCheckpointer<'a, Checkpoints<'a>>>,
}

impl Observer for ExperimentObserver<'_> {
    fn on_generation(&mut self, report: &GenerationReport<'_>) -> ControlFlow<()> {
        self.collector.on_generation(report)
    }

    fn wants_checkpoint(&mut self, generation: u32, ending: Option<StopReason>) -> bool {
        self.checkpointer.as_mut().is_some_and(|run| run.wants(generation, ending))
    }

    fn on_checkpoint(&mut self, view: &mut RunHandle<'_>) {
        if let Some(run) = &mut self.checkpointer {
            // What fails is told by the checkpoints.
            run.save(view, Some(self.collector.course()));
        }
    }
}
