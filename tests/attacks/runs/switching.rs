//! Engines that take turns in one run: between two generations one exports its state and the next one
//! imports it, which changes nothing about the run.

use evodoku::ga::{Engine, EngineStatus, GenerationRequest, GenerationStats};
use evodoku::ga::{PopulationSnapshot, RunError};

/// Engines of one run. Given a generation, `next` says which carries it out, and how many at most.
pub struct Switching<'a, F> {
    pub engines: Vec<Box<dyn Engine + 'a>>,
    pub next: F,
    pub current: usize,
}

impl<F: FnMut(u32) -> (usize, u32) + Send> Engine for Switching<'_, F> {
    fn step(&mut self, wanted: &GenerationRequest<'_>) -> Result<bool, RunError> {
        let (engine, generations) = (self.next)(wanted.generation);
        // Before the first generation there is nothing to hand over.
        if engine != self.current && wanted.generation > 0 {
            let state = self.snapshot()?;
            self.engines[engine].restore(&state)?;
        }
        self.current = engine;
        let generations = wanted.generations.min(generations);
        self.engines[engine].step(&GenerationRequest { generations, ..*wanted })
    }

    fn summaries(&self) -> &[GenerationStats] {
        self.engines[self.current].summaries()
    }

    fn for_each_island(&mut self, take: &mut dyn FnMut(&[u8], &[u16])) -> Result<(), RunError> {
        self.engines[self.current].for_each_island(take)
    }

    fn restore(&mut self, state: &PopulationSnapshot) -> Result<(), RunError> {
        self.engines[self.current].restore(state)
    }

    fn status(&self) -> EngineStatus<'_> {
        self.engines[self.current].status()
    }
}
