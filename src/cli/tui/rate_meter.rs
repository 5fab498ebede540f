//! What a run does in a second, of late.

use std::time::{Duration, Instant};

use super::view_model::Rates;
use crate::ga::GenerationReport;

/// Time that rates are taken over.
const SPAN: Duration = Duration::from_millis(500);

/// Counts at a time.
#[derive(Clone, Copy, Debug)]
struct RateSample {
    at: Instant,
    generations: u64,
    children: u64,
    moves: u64,
}

/// Measures rates.
#[derive(Debug)]
pub struct RateMeter {
    began: Instant,
    /// The last generation.
    last: RateSample,
    /// Where the rates are counted from.
    from: RateSample,
    pulse: Rates,
}

impl RateMeter {
    /// A run begins now.
    pub fn new() -> Self {
        let began = Instant::now();
        let mark = RateSample { at: began, generations: 0, children: 0, moves: 0 };
        Self { began, last: mark, from: mark, pulse: Rates::default() }
    }

    /// A generation is complete.
    pub fn note(&mut self, report: &GenerationReport<'_>) {
        self.last = RateSample {
            at: Instant::now(),
            generations: u64::from(report.generation) + 1,
            children: report.evaluations,
            moves: report.moves,
        };
        let span = self.last.at - self.from.at;
        // At first the span is short, so that there are rates at all.
        if span >= SPAN || self.from.at == self.began {
            let from = self.from;
            let rate = |last: u64, from: u64| (last - from) as f64 / span.as_secs_f64().max(1e-9);
            self.pulse.generations = rate(self.last.generations, from.generations);
            self.pulse.children = rate(self.last.children, from.children);
            self.pulse.moves = rate(self.last.moves, from.moves);
            if span >= SPAN {
                self.from = self.last;
            }
        }
    }

    /// What is known; the time of a run that is over stands still.
    pub fn pulse(&self, is_over: bool) -> Rates {
        let now = if is_over { self.last.at } else { Instant::now() };
        Rates { elapsed: now - self.began, ..self.pulse }
    }
}
