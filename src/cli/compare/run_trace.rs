//! What is told of a run, and the first thing in which two runs differ.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use indicatif::HumanCount;

use crate::board::SearchSpace;
use crate::ga::{Config, GenerationReport, Observer, Outcome, RunError};
use crate::run::{Executor, RunJob, SolveError};

/// What is told of a generation as numbers.
const FIGURES: [&str; 8] =
    ["restarts", "best", "best so far", "worst", "sum", "distinct", "evaluations", "moves"];

/// What is told of a generation, times aside.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Generation {
    number: u32,
    figures: [Option<u64>; FIGURES.len()],
    best_board: Vec<u8>,
}

impl Generation {
    /// The first thing in which two differ.
    fn difference(&self, device: &Self) -> Option<String> {
        let pairs = FIGURES.iter().zip(self.figures.iter().zip(&device.figures));
        for (name, (host, device)) in pairs {
            if host != device {
                return Some(format!("{name} {}", differ(shown(*host), shown(*device))));
            }
        }
        (self.best_board != device.best_board).then(|| "the best boards differ".to_owned())
    }
}

fn shown(figure: Option<u64>) -> String {
    figure.map_or_else(|| "unknown".to_owned(), |figure| HumanCount(figure).to_string())
}

fn differ(host: impl ToString, device: impl ToString) -> String {
    format!("is {} on the host, {} on the device", host.to_string(), device.to_string())
}

/// A run, and all that was told of it.
pub(super) struct RunTrace {
    pub generations: Vec<Generation>,
    pub outcome: Outcome,
}

#[derive(Default)]
struct Recorder(Vec<Generation>);

impl Observer for Recorder {
    fn on_generation(&mut self, report: &GenerationReport<'_>) -> ControlFlow<()> {
        self.0.push(Generation {
            number: report.generation,
            figures: [
                Some(report.restart.into()),
                Some(report.best.into()),
                Some(report.best_so_far.into()),
                Some(report.worst.into()),
                Some(report.sum),
                report.distinct,
                Some(report.evaluations),
                Some(report.moves),
            ],
            best_board: report.best_board.to_vec(),
        });
        ControlFlow::Continue(())
    }

    fn wants_distinct(&self) -> bool {
        true
    }
}

impl RunTrace {
    /// A run as an executor carries it out.
    ///
    /// # Errors
    /// When it cannot start or continue, and when the engine failed on the way.
    pub fn of(
        (space, config): (&Arc<SearchSpace>, &Arc<Config>),
        seed: u64,
        executor: &mut Executor<'_>,
        interrupted: &AtomicBool,
    ) -> Result<Self, SolveError> {
        let mut recorder = Recorder::default();
        let observer: &mut (dyn Observer + Send) = &mut recorder;
        let job = RunJob::new(space.clone(), config.clone(), seed, observer);
        let outcome = executor.run(job, interrupted)?;
        match outcome.fault {
            // The run that was to be compared did not take place.
            Some(fault) => Err(RunError::Lost(fault).into()),
            None => Ok(Self { generations: recorder.0, outcome }),
        }
    }

    /// The first thing in which two runs differ.
    pub fn difference(&self, device: &Self) -> Option<String> {
        first_difference(&self.generations, &device.generations)
            .or_else(|| ends_differ(&self.outcome, &device.outcome))
    }

    /// Boards scored in the time that was not the making of the engine.
    pub fn children_per_second(&self) -> f64 {
        let evolving = self.outcome.elapsed.saturating_sub(self.outcome.making);
        self.outcome.evaluations as f64 / evolving.as_secs_f64().max(1e-9)
    }
}

fn first_difference(host: &[Generation], device: &[Generation]) -> Option<String> {
    for (host, device) in host.iter().zip(device) {
        if let Some(difference) = host.difference(device) {
            return Some(format!("generation {}: {difference}", host.number));
        }
    }
    let (host, device) = (host.len(), device.len());
    (host != device).then(|| format!("the number of generations {}", differ(host, device)))
}

fn ends_differ(host: &Outcome, device: &Outcome) -> Option<String> {
    let at_the_end = |what: &str, host: String, device: String| {
        (host != device).then(|| format!("at the end: {what} {}", differ(host, device)))
    };
    let steps = |outcome: &Outcome| HumanCount(outcome.steps).to_string();
    at_the_end("the reason", host.stop_reason.to_string(), device.stop_reason.to_string())
        .or_else(|| at_the_end("steps", steps(host), steps(device)))
        .or_else(|| {
            (host.board != device.board).then(|| "at the end: the boards differ".to_owned())
        })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::ga::StopReason;

    fn generation(number: u32) -> Generation {
        Generation { number, figures: [Some(7_000); FIGURES.len()], best_board: vec![1, 2, 3] }
    }

    #[test]
    fn the_first_difference_is_told() {
        let host = [0, 1, 2].map(generation);
        assert_eq!(first_difference(&host, &host), None);
        let told = |device: &[Generation]| first_difference(&host, device).unwrap_or_default();
        for (place, name) in FIGURES.iter().enumerate() {
            let mut device = host.clone();
            device[1].figures[place] = Some(7_001);
            device[2].figures[0] = None;
            device[1].best_board[2] = 4;
            let expected =
                format!("generation 1: {name} is 7,000 on the host, 7,001 on the device");
            assert_eq!(told(&device), expected);
        }
        let mut device = host.clone();
        device[2].best_board[0] = 9;
        assert_eq!(told(&device), "generation 2: the best boards differ");
        let expected = "the number of generations is 3 on the host, 2 on the device";
        assert_eq!(told(&host[..2]), expected);
    }

    #[test]
    fn what_differs_at_the_end_alone_is_told() {
        let host = Outcome {
            stop_reason: StopReason::Generations,
            board: vec![1, 2, 3],
            fitness: 4,
            generations: 2,
            restarts: 0,
            evaluations: 60,
            moves: 0,
            steps: 7_000,
            elapsed: Duration::from_secs(3),
            making: Duration::from_secs(1),
            fault: None,
        };
        let witness = |outcome: &Outcome| RunTrace {
            generations: [0, 1].map(generation).to_vec(),
            outcome: outcome.clone(),
        };
        let difference = |device: &Outcome| witness(&host).difference(&witness(device));
        let elsewhere = Outcome { elapsed: Duration::ZERO, making: Duration::ZERO, ..host.clone() };
        assert_eq!(difference(&elsewhere), None, "times are no difference");
        let stop_reason = StopReason::Work;
        for (device, expected) in [
            (
                Outcome { stop_reason, steps: 1, ..host.clone() },
                "at the end: the reason is generations on the host, work on the device",
            ),
            (
                Outcome { steps: 7_001, board: vec![1, 2, 4], ..host.clone() },
                "at the end: steps is 7,000 on the host, 7,001 on the device",
            ),
            (Outcome { board: vec![1, 2, 4], ..host.clone() }, "at the end: the boards differ"),
        ] {
            assert_eq!(difference(&device).as_deref(), Some(expected));
        }
        assert_eq!(witness(&host).children_per_second(), 30.0);
    }
}
