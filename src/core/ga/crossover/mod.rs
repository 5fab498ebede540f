//! Crossover: how a child is put together from two parents.

mod mask;

use super::ConfigError;
use super::offspring_batch::{OffspringBatch, copy_board, first_sibling};
use super::operator::{BuildContext, FromContext, common_methods, family};
use crate::random::{Draws, Probability, StreamStage};

pub use super::operator_names::{Crossover, Inherit};
use mask::CellMasks;
use one_unit::RowExchange;

super::operator_names::crossovers!();

/// Puts children together.
///
/// A child is a function of its parents and its draws alone: children are bred in
/// any order, on any thread. The promises of the encoding (fixed cells, permuted units) have to be
/// kept: a cell of a child may hold the value of either parent, or a value that [`BuildContext`] allows.
pub trait CrossoverOperator: copies::Duplicate + Send + Sync {
    /// Overwrites `child` with parts of the parents; all are packed boards of `stride` bytes, a
    /// byte a cell in row-major order, full, with zeros as padding.
    fn cross(&self, parents: [&[u8]; 2], child: &mut [u8], draws: &mut Draws);

    /// Overwrites the children of a batch, each as [`cross`](Self::cross) does. The default is enough: it is compiled for
    /// every operator by itself. An operator that crosses several couples side by side writes its own.
    fn cross_batch(&self, batch: OffspringBatch<'_>, children: &mut [u8]) {
        self.cross_each(batch, children);
    }

    /// Overwrites the children of a batch one by one.
    #[inline(always)]
    fn cross_each(&self, batch: OffspringBatch<'_>, children: &mut [u8]) {
        let children_per_couple = self.children_per_couple();
        let draws = batch.seed.stage(StreamStage::Cross);
        for (at, (slot, child)) in batch.slots(children).enumerate() {
            let mut draws = match children_per_couple {
                1 => draws.draws(slot),
                _ => draws.family_draws(first_sibling(slot, children_per_couple)),
            };
            self.cross(batch.couple(at), child, &mut draws);
        }
    }

    /// Returns the number of children that one couple has by one set of draws, at least 1. They are in consecutive
    /// slots; all but the first are crossed from the parents in the other order.
    fn children_per_couple(&self) -> u32 {
        1
    }

    /// Returns the number of words that nearly every child draws: these are computed side by side.
    fn words(&self) -> u32 {
        1
    }

    common_methods!();
}

/// Overwrites the children of a batch, packed boards one after the other. The children of a couple are crossed with
/// probability `rate`; otherwise each is a copy of its first parent.
///
/// The children of a couple share the draw. If the rate is 1 nothing is drawn.
///
/// Source: the crossover probability of Holland 1975; Sato & Inoue 2010 cross with 0.3.
pub(crate) fn cross_at_rate(
    crossover: &dyn CrossoverOperator,
    rate: Probability,
    batch: OffspringBatch<'_>,
    children: &mut [u8],
) {
    if rate == Probability::ALWAYS {
        return crossover.cross_batch(batch, children);
    }
    let draws = batch.seed.stage(StreamStage::Cross);
    for (at, (slot, child)) in batch.slots(children).enumerate() {
        let parents = batch.couple(at);
        let family = first_sibling(slot, crossover.children_per_couple());
        if batch.seed.draws(StreamStage::Couple, family).bernoulli(rate) {
            crossover.cross(parents, child, &mut draws.family_draws(family));
        } else {
            copy_board(parents[0], child);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Geometry, Presolve, Puzzle, presolve};
    use crate::ga::encoding::Encoding;
    use crate::ga::{Config, Preset, presets};
    use crate::random::GenerationRng;

    #[test]
    fn units_come_whole_and_as_many_as_each_crossover_says() {
        let geometry = Geometry::new(3, 3).unwrap();
        let space = presolve(&Puzzle::blank(geometry), Presolve::None).unwrap();
        let [first, second] = [1, 2].map(|value| vec![value; geometry.stride()]);
        for encoding in [Encoding::Rows, Encoding::Columns, Encoding::Boxes] {
            let groups = encoding.groups(&space);
            let config = Config { encoding, ..presets::config(Preset::Boxes) };
            let context = BuildContext::new(&space, &config, &groups);
            for crossover in [Crossover::OnePoint, Crossover::Subset, Crossover::OneUnit] {
                let operator = crossover.build(&context).unwrap();
                let mut seen = [0; 10];
                for slot in 0..500 {
                    let mut child = vec![0; geometry.stride()];
                    let mut draws = GenerationRng::new(1, 0).draws(StreamStage::Cross, slot);
                    operator.cross([&first, &second], &mut child, &mut draws);
                    let of_second = groups.iter().map(|unit| {
                        let value = child[unit.blanks[0]];
                        assert!(unit.blanks.iter().all(|cell| child[*cell] == value));
                        value == 2
                    });
                    let of_second: Vec<bool> = of_second.collect();
                    assert!(crossover != Crossover::OnePoint || of_second.is_sorted());
                    seen[of_second.iter().filter(|second| **second).count()] += 1;
                }
                let all = if crossover == Crossover::OneUnit { 1..2 } else { 1..9 };
                let are_seen = |count: usize| (seen[count] > 30) == all.contains(&count);
                assert!((0..10).all(are_seen), "{crossover} of {encoding}: {seen:?}");
            }
        }
    }
}
