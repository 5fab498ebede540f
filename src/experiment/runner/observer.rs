//! Whoever watches a run of an experiment.

use std::ops::ControlFlow;

use crate::experiment::fitness_samples::Collector;
use crate::experiment::seat::Seat;
use crate::ga::{GenerationReport, Observer, RunHandle, StopReason};

/// The series of a run, the run's number, and whoever keeps it.
#[derive(Debug)]
pub struct ExperimentObserver<'a> {
    pub number: usize,
    pub collector: Collector,
    pub seat: Option<Seat<'a>>,
}

impl Observer for ExperimentObserver<'_> {
    fn generation(&mut self, report: &GenerationReport<'_>) -> ControlFlow<()> {
        self.collector.generation(report)
    }

    fn wants_checkpoint(&mut self, generation: u32, ending: Option<StopReason>) -> bool {
        self.seat.as_mut().is_some_and(|seat| seat.wants(generation, ending))
    }

    fn checkpoint(&mut self, view: &mut RunHandle<'_>) {
        if let Some(seat) = &mut self.seat {
            seat.keep(view, self.collector.course());
        }
    }
}
