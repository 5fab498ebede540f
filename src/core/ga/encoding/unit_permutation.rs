//! Each unit of one kind (box, row or column) is a permutation of its missing values.
//!
//! Such units never hold duplicates, so that fitness counts the other two kinds. The blanks of each unit
//! are visited in the order of a random permutation, and each is given a random candidate
//! that no blank of the unit holds yet; where there is none, an augmenting path frees one
//! ([`Matching`](crate::board::matching::Matching)). Without presolve every missing value is a candidate
//! and the unit is a uniform permutation.
//!
//! A box that lacks 2, 5 and 7 in cells a, b and c becomes a=5, b=2, c=7, say; with candidates
//! a={2,5}, b={5}, c={2,7} and the order a, c, b: a=5, c=2, and for b the path a=2, c=7, b=5.
//!
//! Sources: documents 000 (columns), 001 (boxes), 003 and 004 (rows) of the project; Sato & Inoue
//! 2010 (boxes).

use super::{BuildContext, ConfigError, EncodingOperator, FromContext, PermutationGroup};
use crate::board::MAX_SIDE;
use crate::board::matching::{Matching, value_at};
use crate::random::Draws;

/// Permutations of each unit's missing values.
#[derive(Clone, Debug)]
pub struct UnitPermutation {
    fixed: Vec<u8>,
    units: Vec<PermutationGroup>,
}

impl FromContext for UnitPermutation {
    fn build(context: &BuildContext) -> Result<Self, ConfigError> {
        Ok(Self { fixed: context.space.fixed.clone(), units: context.groups.to_vec() })
    }
}

impl EncodingOperator for UnitPermutation {
    fn initialise(&self, board: &mut [u8], draws: &mut Draws) {
        board.copy_from_slice(&self.fixed);
        for unit in &self.units {
            fill(unit, board, draws);
        }
    }
}

fn fill(unit: &PermutationGroup, board: &mut [u8], draws: &mut Draws) {
    let blanks = unit.blanks.len();
    let mut order: [u8; MAX_SIDE] = std::array::from_fn(|blank| blank as u8);
    draws.shuffle(&mut order[..blanks]);
    let mut matching = Matching::new(&unit.candidates);
    for blank in order[..blanks].iter().map(|blank| usize::from(*blank)) {
        let free = matching.free_candidates(blank);
        if free == 0 {
            // Presolve has shown that a matching exists, so a path does.
            let found = matching.augment(blank);
            debug_assert!(found);
        } else {
            matching.assign(blank, value_at(free, draws.below(free.count_ones())));
        }
    }
    for (blank, cell) in unit.blanks.iter().enumerate() {
        board[*cell] = matching.values[blank];
    }
}
