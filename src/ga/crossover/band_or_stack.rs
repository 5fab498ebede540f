//! Building-block crossover: bands or stacks from the parent in which they are better.
//!
//! A coin chooses bands (rows of boxes) or stacks (columns of boxes). Each band comes from the
//! parent whose rows in that band hold more distinct values between them, each stack from the
//! parent whose columns do; a tie is decided by a coin of its own. Boxes are never cut.
//!
//! Rows 1 to 3 hold 9, 8 and 7 distinct values in the first parent and 8, 8 and 9 in the second:
//! 24 against 25, so that the first band comes from the second parent.
//!
//! Source: Sato & Inoue, *Solving Sudoku with genetic operations that preserve building blocks*,
//! CIG 2010. There two parents have two children, one by bands and one by stacks; here each child
//! is one of the two by a coin.

use fearless_simd::{Level, dispatch};

use super::super::ConfigError;
use super::super::encoding::Encoding;
use super::super::offspring_batch::copy_board;
use super::super::operator::{BuildContext, FromContext};
use super::CrossoverOperator;
use crate::board::{Geometry, MAX_SIDE};
use crate::random::Draws;

/// Bands by their rows, or stacks by their columns.
#[derive(Clone, Debug)]
pub struct BandOrStack {
    geometry: Geometry,
}

impl FromContext for BandOrStack {
    fn build(context: &BuildContext) -> Result<Self, ConfigError> {
        let fits = matches!(
            context.config.encoding,
            Encoding::Boxes | Encoding::Cells | Encoding::Candidates
        );
        context.require(fits, "crossover band-or-stack", "encoding boxes, cells or candidates")?;
        Ok(Self { geometry: context.space.geometry() })
    }
}

impl CrossoverOperator for BandOrStack {
    #[inline]
    fn cross(&self, parents: [&[u8]; 2], child: &mut [u8], draws: &mut Draws) {
        copy_board(parents[0], child);
        let bands = draws.coin();
        // Vector levels have an instruction that counts bits.
        dispatch!(Level::new(), _simd => match bands {
            true => self.cross_bands(parents, child, draws),
            false => self.cross_stacks(parents, child, draws),
        });
    }
}

impl BandOrStack {
    #[inline(always)]
    fn cross_bands(&self, [first, second]: [&[u8]; 2], child: &mut [u8], draws: &mut Draws) {
        let side = self.geometry.side();
        let len = self.geometry.box_rows() * side;
        for band in 0..self.geometry.bands() {
            let cells = band * len..(band + 1) * len;
            let distinct = |board: &[u8]| -> u32 {
                board[cells.clone()].chunks_exact(side).map(distinct_values).sum()
            };
            if takes_second(distinct(first), distinct(second), draws) {
                child[cells.clone()].copy_from_slice(&second[cells]);
            }
        }
    }

    #[inline(always)]
    fn cross_stacks(&self, [first, second]: [&[u8]; 2], child: &mut [u8], draws: &mut Draws) {
        let (side, width) = (self.geometry.side(), self.geometry.box_cols());
        let of_first = self.distinct_in_columns(first);
        let of_second = self.distinct_in_columns(second);
        for stack in 0..self.geometry.stacks() {
            let columns = stack * width..(stack + 1) * width;
            let distinct = |of: &[u32]| of[columns.clone()].iter().sum();
            if takes_second(distinct(&of_first), distinct(&of_second), draws) {
                for row in 0..side {
                    let cells = row * side + columns.start..row * side + columns.end;
                    child[cells.clone()].copy_from_slice(&second[cells]);
                }
            }
        }
    }

    /// Distinct values in each column.
    #[inline(always)]
    fn distinct_in_columns(&self, board: &[u8]) -> [u32; MAX_SIDE] {
        let side = self.geometry.side();
        let mut sets = [0u64; MAX_SIDE];
        for row in board[..self.geometry.cells()].chunks_exact(side) {
            for (set, value) in sets.iter_mut().zip(row) {
                *set |= bit_of(*value);
            }
        }
        let mut distinct = [0; MAX_SIDE];
        for (distinct, set) in distinct.iter_mut().zip(&sets[..side]) {
            *distinct = set.count_ones();
        }
        distinct
    }
}

#[inline(always)]
fn takes_second(of_first: u32, of_second: u32, draws: &mut Draws) -> bool {
    if of_first == of_second { draws.coin() } else { of_second > of_first }
}

#[inline(always)]
fn distinct_values(cells: &[u8]) -> u32 {
    cells.iter().fold(0u64, |set, value| set | bit_of(*value)).count_ones()
}

/// The boards of a population are full: every value is one.
#[inline(always)]
fn bit_of(value: u8) -> u64 {
    1u64.wrapping_shl(u32::from(value).wrapping_sub(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{GenerationRng, StreamStage};

    /// Rows and columns of the first are solved where the second's are not, and the reverse.
    #[test]
    fn the_better_band_or_stack_is_taken() {
        let crossover = BandOrStack { geometry: Geometry::new(2, 2).unwrap() };
        let solved = [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1];
        let mut parents = [solved, solved];
        parents[0][0..8].copy_from_slice(&[1, 2, 1, 2, 3, 4, 3, 4]); // band 1 repeats
        parents[1][8..16].copy_from_slice(&[2, 2, 4, 4, 4, 3, 2, 1]); // band 2 repeats
        let mut by_bands = 0;
        for slot in 0..100 {
            let mut child = [0; 16];
            let mut draws = GenerationRng::new(1, 0).draws(StreamStage::Cross, slot);
            crossover.cross([&parents[0], &parents[1]], &mut child, &mut draws);
            by_bands += u32::from(child == solved);
        }
        assert!((35..65).contains(&by_bands), "{by_bands}");
    }
}
