//! The host engine: breeds on the threads of the current rayon pool, scores on any evaluator.
//!
//! It is the truth that other engines are compared with.

use super::breeder::Breeder;
use super::diversity::distinct;
use super::engine::{Engine, Summary, Wanted};
use super::improvement::Effort;
use super::{Individuals, Run, RunError};
use crate::random::Seed;
use crate::score::{EvaluatorError, Pipeline};

/// A population in host memory.
pub struct HostEngine<'a> {
    pipeline: &'a mut Pipeline,
    seed: u64,
    breeder: Breeder,
    population: Individuals,
    children: Individuals,
    summary: Summary,
}

impl<'a> HostEngine<'a> {
    /// An engine for `run`, whose boards `pipeline` scores.
    ///
    /// # Errors
    /// [`RunError`] when the configuration cannot be used or memory does not suffice.
    pub fn new(run: &Run<'_>, pipeline: &'a mut Pipeline) -> Result<Self, RunError> {
        let count = run.config.population;
        run.check_memory()?;
        let geometry = run.space.geometry();
        Ok(Self {
            pipeline,
            seed: run.seed,
            breeder: Breeder::new(run.space, run.config)?,
            population: Individuals::new(geometry, count as usize)?,
            children: Individuals::new(geometry, count as usize)?,
            summary: Summary::default(),
        })
    }
}

impl Engine for HostEngine<'_> {
    fn advance(&mut self, wanted: &Wanted<'_>) -> Result<bool, RunError> {
        let Self { pipeline, breeder, population, children, summary, .. } = self;
        let source = wanted.source;
        let seed = Seed::new(self.seed, wanted.generation);
        breeder.plan(population, source, &seed);
        let mut effort = Effort::default();
        let offspring = breeder.offspring_count(source);
        let filled = pipeline.fill(
            &mut children.boards,
            &mut children.fitness[..offspring],
            |slots, boards| {
                let bred = breeder.breed(population, source, &seed, slots, boards, wanted.stop);
                effort += bred.unwrap_or_default();
                bred.is_some()
            },
        )?;
        let Some(times) = filled else { return Ok(false) };
        breeder.replace(population, children, source);

        let best = population.best_slot();
        let fitness = &population.fitness;
        summary.best = fitness[best];
        summary.best_board.clear();
        summary.best_board.extend_from_slice(population.boards.board(best));
        summary.worst = fitness.iter().copied().max().unwrap_or(u16::MAX);
        summary.sum = fitness.iter().map(|fitness| u64::from(*fitness)).sum();
        let due = wanted.wants_distinct(wanted.generation);
        summary.distinct = due.then(|| distinct(&population.boards));
        summary.evaluations = offspring as u64;
        summary.effort = effort;
        summary.times = times;
        Ok(true)
    }

    fn summaries(&self) -> &[Summary] {
        std::slice::from_ref(&self.summary)
    }

    fn fault(&self) -> Option<&EvaluatorError> {
        self.pipeline.fault()
    }

    fn given_up(&self) -> Option<&EvaluatorError> {
        self.pipeline.given_up()
    }

    fn consequence(&self) -> &'static str {
        match self.pipeline.given_up() {
            Some(_) => "scoring goes on on the CPU",
            None => "its boards were scored again, and go to the CPU after a third fault",
        }
    }
}
