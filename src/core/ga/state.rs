//! The state between two generations: individuals and their fitness.
//!
//! The CPU works with [`Individuals`]. A [`PopulationSnapshot`] is the whole state of an engine between two
//! generations as plain data, from which any other engine can continue.

use bytemuck::allocation::try_zeroed_vec;
use serde::{Deserialize, Serialize};

use super::{RunError, StateError};
use crate::board::{Geometry, Population, PopulationError};
use crate::fitness::UNWRITTEN;

/// Where children come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum GenerationKind {
    /// New boards: the first generation.
    #[default]
    Initialiser,
    /// New boards in place of a population that is given up.
    Restart,
    /// Two parents each.
    Parents,
}

/// The state of an engine between two generations.
///
/// Any state that an operator keeps for longer than a generation belongs here. The number of the generation,
/// the best board so far and all counts belong to the run, not to the engine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PopulationSnapshot {
    /// The population, island by island.
    pub islands: Vec<IslandSnapshot>,
}

/// The individuals of an island.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IslandSnapshot {
    /// Packed boards, [`stride`](Geometry::stride) bytes each.
    pub boards: Vec<u8>,
    /// Their fitness, one per slot.
    pub fitness: Vec<u16>,
}

/// Takes the islands of a population one after the other: the packed boards of an island, and the fitness of each.
#[doc(hidden)]
pub type IslandSink<'a> = &'a mut dyn FnMut(&[u8], &[u16]);

/// Hands out the islands of a population.
pub(crate) type IslandVisitor<'a> = dyn FnMut(IslandSink<'_>) -> Result<(), RunError> + 'a;

impl PopulationSnapshot {
    /// Copies the islands that `visit` hands out.
    pub(crate) fn collect(visit: &mut IslandVisitor<'_>) -> Result<Self, RunError> {
        let mut islands = Vec::new();
        visit(&mut |boards, fitness| {
            let (boards, fitness) = (boards.to_vec(), fitness.to_vec());
            islands.push(IslandSnapshot { boards, fitness });
        })?;
        Ok(Self { islands })
    }

    /// Hands out the islands as an engine does; there is no error.
    #[doc(hidden)]
    pub fn for_each_island(&self, take: IslandSink<'_>) -> Result<(), RunError> {
        self.islands.iter().for_each(|island| take(&island.boards, &island.fitness));
        Ok(())
    }

    /// Checks that the state belongs to a run whose islands have these sizes and whose boards have the values
    /// of `fixed` where that is not blank.
    ///
    /// # Errors
    /// [`StateError`] names the first island or individual that does not fit.
    pub fn check(
        &self,
        geometry: Geometry,
        fixed: &[u8],
        islands: impl Iterator<Item = usize>,
    ) -> Result<(), StateError> {
        let expected: Vec<usize> = islands.collect();
        let found: Vec<usize> = self.islands.iter().map(|island| island.fitness.len()).collect();
        let stride = geometry.stride();
        let is_whole =
            |island: &IslandSnapshot| island.boards.len() == stride * island.fitness.len();
        if found != expected || !self.islands.iter().all(is_whole) {
            return Err(StateError::Islands { found, expected });
        }
        let fits = |board: &[u8]| is_board(geometry, fixed, board);
        for (number, island) in self.islands.iter().enumerate() {
            let individuals = island.boards.chunks_exact(stride).zip(&island.fitness);
            for (slot, (board, fitness)) in individuals.enumerate() {
                if *fitness > geometry.worst_fitness() || !fits(board) {
                    return Err(StateError::Individual { island: number, slot });
                }
            }
        }
        Ok(())
    }
}

/// Whether a packed board is full and holds the values of `fixed` where that is not blank.
pub(super) fn is_board(geometry: Geometry, fixed: &[u8], board: &[u8]) -> bool {
    if board.len() != geometry.stride() {
        return false;
    }
    let (cells, padding) = board.split_at(geometry.cells());
    let is_value = |value: u8| (1..=geometry.side()).contains(&usize::from(value));
    let mut cells = cells.iter().zip(fixed);
    padding.iter().all(|byte| *byte == 0)
        && cells.all(|(value, fixed)| is_value(*value) && [0, *value].contains(fixed))
}

/// Boards and the fitness of each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Individuals {
    /// Packed boards.
    pub boards: Population,
    /// Their fitness, one per slot.
    pub fitness: Vec<u16>,
}

impl Individuals {
    /// Creates `count` blank boards that are not scored yet.
    ///
    /// # Errors
    /// [`PopulationError`] when there is too little memory.
    pub fn new(geometry: Geometry, count: usize) -> Result<Self, PopulationError> {
        let boards = Population::new(geometry, count)?;
        let too_large = |()| PopulationError { count, geometry, bytes: 2 * count };
        let mut fitness = try_zeroed_vec(count).map_err(too_large)?;
        fitness.fill(UNWRITTEN);
        Ok(Self { boards, fitness })
    }

    /// Overwrites the individual in slot `to` with the one in slot `from` of `others`.
    pub fn copy(&mut self, to: usize, others: &Self, from: usize) {
        let stride = self.boards.geometry().stride();
        let board = &mut self.boards.bytes_mut()[to * stride..(to + 1) * stride];
        board.copy_from_slice(others.boards.board(from));
        self.fitness[to] = others.fitness[from];
    }

    /// Returns the slot of the lowest fitness; ties go to the lower slot.
    pub fn best_slot(&self) -> usize {
        let best = self.fitness.iter().min();
        self.fitness.iter().position(|fitness| Some(fitness) == best).unwrap_or(0)
    }

    /// Copies the individuals to plain data.
    pub(super) fn snapshot(&self) -> IslandSnapshot {
        IslandSnapshot { boards: self.boards.bytes().to_vec(), fitness: self.fitness.clone() }
    }

    /// Replaces all individuals by those of `state`, which has as many.
    pub(super) fn restore(&mut self, state: &IslandSnapshot) {
        self.boards.bytes_mut().copy_from_slice(&state.boards);
        self.fitness.copy_from_slice(&state.fitness);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state() -> PopulationSnapshot {
        let boards = [1u8, 2, 3, 4].repeat(8);
        PopulationSnapshot { islands: vec![IslandSnapshot { boards, fitness: vec![48, 7] }] }
    }

    #[test]
    fn a_state_of_another_run_is_refused() {
        let geometry = Geometry::new(2, 2).unwrap();
        let mut fixed = vec![0; 16];
        fixed[1] = 2;
        let check = |state: &PopulationSnapshot| state.check(geometry, &fixed, [2].into_iter());
        assert_eq!(check(&state()), Ok(()));
        let (found, expected) = (vec![2], vec![1, 1]);
        let others = state().check(geometry, &fixed, expected.clone().into_iter());
        assert_eq!(others, Err(StateError::Islands { found, expected }));
        type Spoil = fn(&mut IslandSnapshot);
        let spoilt: [Spoil; 4] = [
            |island| island.boards[16] = 0,
            |island| island.boards[31] = 5,
            |island| island.boards[17] = 3,
            |island| island.fitness[1] = 49,
        ];
        for spoil in spoilt {
            let mut state = state();
            spoil(&mut state.islands[0]);
            assert_eq!(check(&state), Err(StateError::Individual { island: 0, slot: 1 }));
        }
        let mut state = state();
        state.islands[0].boards.pop();
        assert!(matches!(check(&state), Err(StateError::Islands { .. })));
    }

    #[test]
    fn it_comes_back_from_text() {
        let text = toml::to_string(&state()).unwrap();
        assert_eq!(toml::from_str::<PopulationSnapshot>(&text).unwrap(), state());
    }
}
