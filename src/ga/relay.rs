//! Engines that take turns in one run, which is the same run whoever carries a generation out.
//!
//! Between two generations an engine exports its state, and the next one imports it. Who is next is
//! asked before each leg. Two engines, ten generations each: engine `generation / 10 % 2`, for
//! `10 - generation % 10` generations.

use super::{Engine, GenerationRequest, GenerationStats, PopulationSnapshot, RunError};
use crate::fitness::EvaluatorError;

/// Who goes on with a run, and how far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leg {
    /// The number of the engine, from 0.
    pub engine: usize,
    /// Generations that it carries out at a time at most, at least 1.
    pub generations: u32,
}

/// What is known when it is asked who goes on.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'t> {
    /// The number of the next generation.
    pub generation: u32,
    /// The summaries of those before it that were carried out last.
    pub last: &'t [GenerationStats],
    /// Engines that do their work in another way than they should from now on, by their numbers: one of them
    /// may have failed while it handed its state over.
    pub given_up: &'t [usize],
}

/// Engines of one run, of which `next` chooses one.
pub struct Relay<'a, F> {
    engines: Vec<Box<dyn Engine + 'a>>,
    next: F,
    /// The number of the engine that carried out the last generation.
    current: usize,
    /// The numbers of those that have given up.
    given_up: Vec<usize>,
}

impl<'a, F: FnMut(&Turn<'_>) -> Leg> Relay<'a, F> {
    /// A relay of `first`, whose number is 0, and `others`, all made for the same run. Where `next`
    /// gives a number beyond them, the last goes on.
    pub fn new(first: Box<dyn Engine + 'a>, others: Vec<Box<dyn Engine + 'a>>, next: F) -> Self {
        let engines = std::iter::once(first).chain(others).collect();
        Self { engines, next, current: 0, given_up: Vec::new() }
    }

    fn engine(&self) -> &dyn Engine {
        &*self.engines[self.current]
    }
}

impl<F: FnMut(&Turn<'_>) -> Leg> Engine for Relay<'_, F> {
    fn step(&mut self, wanted: &GenerationRequest<'_>) -> Result<bool, RunError> {
        // An engine that carried nothing out has a summary of nothing.
        let last = match wanted.generation {
            0 => &[],
            _ => self.engines[self.current].summaries(),
        };
        let engines = self.engines.iter().enumerate();
        let given_up = engines.filter(|(_, engine)| engine.given_up().is_some());
        self.given_up.clear();
        self.given_up.extend(given_up.map(|(number, _)| number));
        let (generation, given_up) = (wanted.generation, &self.given_up);
        let leg = (self.next)(&Turn { generation, last, given_up });
        let engine = leg.engine.min(self.engines.len() - 1);
        // Before the first generation there is nothing to hand over.
        if engine != self.current && wanted.generation > 0 {
            let state = self.export()?;
            self.engines[engine].import(&state)?;
        }
        self.current = engine;
        let generations = wanted.generations.min(leg.generations).max(1);
        self.engines[engine].step(&GenerationRequest { generations, ..*wanted })
    }

    fn summaries(&self) -> &[GenerationStats] {
        self.engine().summaries()
    }

    fn export(&mut self) -> Result<PopulationSnapshot, RunError> {
        self.engines[self.current].export()
    }

    fn for_each_island(&mut self, take: &mut dyn FnMut(&[u8], &[u16])) -> Result<(), RunError> {
        self.engines[self.current].for_each_island(take)
    }

    fn import(&mut self, state: &PopulationSnapshot) -> Result<(), RunError> {
        self.engines[self.current].import(state)
    }

    fn fault(&self) -> Option<&EvaluatorError> {
        self.engine().fault()
    }

    fn consequence(&self) -> &'static str {
        self.engine().consequence()
    }

    fn given_up(&self) -> Option<&EvaluatorError> {
        self.engine().given_up()
    }
}

#[cfg(test)]
mod tests;
