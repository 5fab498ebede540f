//! A child takes its slot unless its fitness is higher than that of the individual there.
//!
//! Equal fitness replaces, so that the population drifts over plateaus. A slot of fitness 6 takes
//! a child of 6 or less and keeps its individual against one of 7.
//!
//! Source: the replacement of cellular genetic algorithms (Alba & Dorronsoro, *Cellular Genetic
//! Algorithms*, 2008), with ties to the child.

use rayon::prelude::*;

use super::{Individuals, ReplacementOperator};

/// Slots of a task.
const TASK_LEN: usize = 1 << 12;

/// The better of the two stays, ties to the child.
#[derive(Clone, Debug, Default)]
pub struct KeepIfNotWorse;

impl ReplacementOperator for KeepIfNotWorse {
    fn replace(&mut self, population: &mut Individuals, children: &mut Individuals) {
        let stride = population.boards.geometry().stride();
        let slots = population
            .boards
            .bytes_mut()
            .par_chunks_mut(TASK_LEN * stride)
            .zip(population.fitness.par_chunks_mut(TASK_LEN))
            .zip(children.boards.bytes().par_chunks(TASK_LEN * stride))
            .zip(children.fitness.par_chunks(TASK_LEN));
        slots.for_each(|(((boards, fitness), new_boards), new_fitness)| {
            for (slot, new) in new_fitness.iter().enumerate() {
                if *new <= fitness[slot] {
                    let board = slot * stride..(slot + 1) * stride;
                    boards[board.clone()].copy_from_slice(&new_boards[board]);
                    fitness[slot] = *new;
                }
            }
        });
    }
}
