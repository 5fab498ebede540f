//! Partially matched crossover (PMX) in each unit.
//!
//! The blanks of a unit hold a permutation of its missing values. Each unit draws its own
//! two cut points. Between them the child takes the second parent's values; outside it keeps the
//! first parent's value, unless the second's segment holds it already: then it takes the value
//! that the first parent has where the second has that one, as often as needed.
//!
//! First 9 8 4|5 6 7|1 3 2, second 8 7 1|2 3 9|5 4 6: the segment 2 3 9 comes from the second.
//! The first's 9 becomes 7 (where the second has 9 the first has 7), its 3 becomes 6, its 2
//! becomes 5: 7 8 4|2 3 9|1 6 5.
//!
//! # Why sequential exchanges are enough
//!
//! The definition follows a chain of values for each cell outside of the segment. The code makes one exchange for each
//! cell of the segment instead: it finds the value that the second parent has there in the child, and exchanges the two.
//! Five cells, first 1 2 3 4 5, second 2 3 5 1 4, segment of the first two cells:
//!
//! ```text
//! definition                               exchanges
//! cells 0, 1   the segment: 2 3            start                     1 2 3 4 5
//! cell 2       3 is in it, so 2 (cell 1);  cell 0 takes 2 (cell 1)   2 1 3 4 5
//!              2 is in it, so 1 (cell 0)   cell 1 takes 3 (cell 2)   2 3 1 4 5
//! cells 3, 4   4 and 5 stay
//! child        2 3 1 4 5                                             2 3 1 4 5
//! ```
//!
//! By induction over the segment's cells: after some of them, every other cell holds the value at the end of its
//! chain, where a chain goes on only through the cells done so far. The next cell `c` of the segment adds one link, from
//! its second parent's value `s` to its first parent's. The chain that ended in `s` (there is one: `s` is in no cell done
//! before, as the second parent has it once) now goes on to the end of the chain of `c`, which is what the child holds
//! at `c`. All other chains stay. That is an exchange of `s` and the value at `c`; if `c` holds `s` already, nothing
//! changes. A unit stays a permutation because every step is an exchange.
//!
//! Units with fewer than two blanks are copied from the first parent, and so is a unit that would
//! break a candidate after presolve. Both children of a couple are kept.
//!
//! Source: Goldberg & Lingle, *Alleles, loci, and the traveling salesman problem*, 1985; document
//! 004 of the project.

mod simd;

use super::super::ConfigError;
use super::super::encoding::PermutationGroup;
use super::super::offspring_batch::OffspringBatch;
use super::super::operator::{BuildContext, FromContext};
use super::{CrossoverOperator, cross_each};
use crate::board::MAX_SIDE;
use crate::random::Draws;

/// Partially matched permutations.
#[derive(Clone, Debug)]
pub struct Pmx {
    /// The units with at least two blanks.
    units: Vec<UnitPmx>,
    /// Whether couples are crossed side by side.
    in_lanes: bool,
}

/// The cell of each value. As long as a power of two, so that no value is beyond it.
struct PositionTable([u16; PLACES]);

const PLACES: usize = (MAX_SIDE + 1).next_power_of_two();

impl Default for PositionTable {
    fn default() -> Self {
        Self([0; PLACES])
    }
}

impl PositionTable {
    #[inline(always)]
    fn of(&mut self, value: u8) -> &mut u16 {
        &mut self.0[usize::from(value) % PLACES]
    }
}

/// A unit that is matched.
#[derive(Clone, Debug)]
struct UnitPmx {
    group: PermutationGroup,
    /// Whether some blank may not hold some value of the others.
    restricted: bool,
    /// For each blank and value from 1 on, whether it may hold it, as all ones or none; of boards that are crossed
    /// side by side.
    allowed: Vec<[u8; simd::MOST]>,
}

impl FromContext for Pmx {
    fn build(context: &BuildContext) -> Result<Self, ConfigError> {
        context.require_units("crossover pmx")?;
        let groups = context.groups.iter().filter(|group| group.blanks.len() >= 2);
        let in_lanes = context.space.geometry().side() <= simd::MOST;
        Ok(Self { units: groups.cloned().map(UnitPmx::new).collect(), in_lanes })
    }
}

impl CrossoverOperator for Pmx {
    #[inline(always)]
    fn cross(&self, [first, second]: [&[u8]; 2], child: &mut [u8], draws: &mut Draws) {
        child.copy_from_slice(first);
        let mut places = PositionTable::default();
        for unit in &self.units {
            let cuts = unit.cuts(draws);
            unit.cross([first, second], child, cuts, &mut places);
        }
    }

    fn cross_batch(&self, batch: OffspringBatch<'_>, children: &mut [u8]) {
        match self.in_lanes {
            true => simd::cross(self, batch, children),
            false => cross_each(self, batch, children),
        }
    }

    fn children_per_couple(&self) -> u32 {
        simd::SIBLINGS
    }

    fn words(&self) -> u32 {
        2 * self.units.len() as u32
    }
}

impl UnitPmx {
    fn new(group: PermutationGroup) -> Self {
        let restricted = group.candidates.iter().any(|set| *set != group.candidates[0]);
        let of_value = |set: &u64| {
            std::array::from_fn(|value| if set >> value & 1 == 1 { u8::MAX } else { 0 })
        };
        let allowed = group.candidates.iter().map(of_value).collect();
        Self { group, restricted, allowed }
    }

    /// Two different cut points, the lower first.
    #[inline(always)]
    fn cuts(&self, draws: &mut Draws) -> [u32; 2] {
        let (one, other) = draws.two_distinct(self.group.blanks.len() as u32 + 1);
        [one.min(other), one.max(other)]
    }

    /// Makes the blanks of `child`, which are the first parent's, the matched permutation, with the second
    /// parent's values from the first cut up to the second, unless a candidate forbids it.
    ///
    /// Each value of the segment is exchanged to its place: what has to leave goes where the value
    /// came from, and on from there if a later exchange needs that place too. These are the steps
    /// from value to value of the definition, without a search for each cell.
    ///
    /// `places` may say anything of any value.
    #[inline(always)]
    fn cross(
        &self,
        [first, second]: [&[u8]; 2],
        child: &mut [u8],
        cuts: [u32; 2],
        places: &mut PositionTable,
    ) {
        let PermutationGroup { blanks, candidates } = &self.group;
        for cell in blanks {
            *places.of(first[*cell]) = *cell as u16;
        }
        for cell in &blanks[cuts[0] as usize..cuts[1] as usize] {
            let (leaves, comes) = (child[*cell], second[*cell]);
            let from = *places.of(comes);
            child[usize::from(from)] = leaves;
            *places.of(leaves) = from;
            child[*cell] = comes;
        }
        let allowed =
            || blanks.iter().zip(candidates).all(|(cell, set)| set >> (child[*cell] - 1) & 1 == 1);
        if self.restricted && !allowed() {
            blanks.iter().for_each(|cell| child[*cell] = first[*cell]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn child<const N: usize>(first: [u8; N], second: [u8; N], cuts: [u32; 2]) -> [u8; N] {
        let unit = PermutationGroup { blanks: (0..N).collect(), candidates: vec![0x1FF; N] };
        let mut child = first;
        UnitPmx::new(unit).cross(
            [&first, &second],
            &mut child,
            cuts,
            &mut PositionTable::default(),
        );
        child
    }

    #[test]
    fn the_textbook_example() {
        // Eiben & Smith 2015, section 4.5.1, figures 4.9 to 4.11: the segment 4 5 6 7.
        let segment_from = [1, 2, 3, 4, 5, 6, 7, 8, 9];
        let rest_from = [9, 3, 7, 8, 2, 6, 5, 1, 4];
        assert_eq!(child(rest_from, segment_from, [3, 7]), [9, 3, 2, 4, 5, 6, 7, 1, 8]);
    }

    #[test]
    fn the_example_of_the_module() {
        let (first, second) = ([9, 8, 4, 5, 6, 7, 1, 3, 2], [8, 7, 1, 2, 3, 9, 5, 4, 6]);
        assert_eq!(child(first, second, [3, 6]), [7, 8, 4, 2, 3, 9, 1, 6, 5]);
        assert_eq!(child(first, second, [0, 9]), second);
        let (first, second) = ([1, 2, 3, 4, 5], [2, 3, 5, 1, 4]);
        assert_eq!(child(first, second, [0, 1]), [2, 1, 3, 4, 5]);
        assert_eq!(child(first, second, [0, 2]), [2, 3, 1, 4, 5]);
    }

    #[test]
    fn what_a_candidate_forbids_is_copied_from_the_first_parent() {
        let unit = PermutationGroup { blanks: vec![0, 1], candidates: vec![0b01, 0b11] };
        let mut child = [1, 2];
        UnitPmx::new(unit).cross(
            [&[1, 2], &[2, 1]],
            &mut child,
            [0, 2],
            &mut PositionTable::default(),
        );
        assert_eq!(child, [1, 2]);
    }

    #[test]
    fn what_candidates_allow_is_the_matched_permutation() {
        let unit =
            PermutationGroup { blanks: vec![0, 1, 2], candidates: vec![0b111, 0b111, 0b110] };
        let mut child = [1, 2, 3];
        let parents: [&[u8]; 2] = [&[1, 2, 3], &[2, 1, 3]];
        UnitPmx::new(unit).cross(parents, &mut child, [0, 2], &mut PositionTable::default());
        assert_eq!(child, [2, 1, 3]);
    }
}
