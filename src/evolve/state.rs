//! The state of a run: individuals and their fitness.

use crate::board::{Geometry, Population, PopulationError};
use crate::score::UNWRITTEN;

/// Boards and the fitness of each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Individuals {
    /// Packed boards.
    pub boards: Population,
    /// Their fitness, one a slot.
    pub fitness: Vec<u16>,
}

impl Individuals {
    /// `count` blank boards, not scored yet.
    ///
    /// # Errors
    /// [`PopulationError::Memory`] when there is no room.
    pub fn new(geometry: Geometry, count: usize) -> Result<Self, PopulationError> {
        let boards = Population::new(geometry, count)?;
        let mut fitness = Vec::new();
        fitness.try_reserve_exact(count).map_err(|_| PopulationError::Memory {
            count,
            geometry,
            bytes: 2 * count,
        })?;
        fitness.resize(count, UNWRITTEN);
        Ok(Self { boards, fitness })
    }

    /// Overwrites the individual in slot `to` with the one in slot `from` of `others`.
    pub fn copy(&mut self, to: usize, others: &Self, from: usize) {
        let stride = self.boards.geometry().stride();
        let board = &mut self.boards.bytes_mut()[to * stride..(to + 1) * stride];
        board.copy_from_slice(others.boards.board(from));
        self.fitness[to] = others.fitness[from];
    }

    /// The lowest fitness.
    pub fn best(&self) -> u16 {
        self.fitness.iter().copied().min().unwrap_or(UNWRITTEN)
    }

    /// The slot of the lowest fitness; ties go to the lower slot.
    pub fn best_slot(&self) -> usize {
        let best = self.fitness.iter().min();
        self.fitness.iter().position(|fitness| Some(fitness) == best).unwrap_or(0)
    }
}
