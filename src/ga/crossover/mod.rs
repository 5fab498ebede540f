//! Crossover: how a child is put together from two parents.

mod mask;
mod with_rate;

use super::ConfigError;
use super::offspring_batch::{OffspringBatch, first_sibling};
use super::operator::{BuildContext, family, type_name};
use crate::random::{Draws, StreamStage};

pub use agreement::Inherit;
use mask::{CellMask, UnitMask};
pub(crate) use with_rate::CrossoverWithRate;

family! {
    /// How a child is put together from two parents.
    pub enum Crossover: CrossoverOperator {
        /// Each band, or each stack, comes from the parent in which it is better.
        BandOrStack = "band-or-stack" => band_or_stack::BandOrStack,
        /// The units before a random cut come from the first parent, the others from the second.
        OnePoint = "one-point" => one_point::OnePoint,
        /// A random set of units comes from the second parent, the others from the first.
        Subset = "subset" => subset::Subset,
        /// One random unit comes from the second parent, all else from the first.
        OneUnit = "one-unit" => one_unit::OneUnit,
        /// Two children: the parents after they exchanged one random row.
        RowExchange = "row-exchange" => row_exchange::RowExchange,
        /// Two children by partially matched crossover in each unit.
        Pmx = "pmx" => pmx::Pmx,
        /// Each cell comes from either parent with one half.
        Uniform = "uniform" => uniform::Uniform,
        /// Rows, or columns, up to a random cut come from the first parent, the others from the second.
        LineCut = "line-cut" => line_cut::LineCut,
        /// What both parents hold is kept; other cells come from either, or are redrawn.
        Agreement = "agreement" => agreement::Agreement,
        /// The child is a copy of the first parent.
        None = "none" => none::NoCrossover,
    }
}

/// Puts children together.
///
/// A child is a function of its parents and its draws, and of nothing else: children are bred in
/// any order, on any thread. What the encoding promises (fixed cells, permuted units) has to be
/// kept: a child may hold what either parent holds, or what [`BuildContext`] allows.
pub trait CrossoverOperator: copies::Duplicate + Send + Sync {
    /// Overwrites `child` with parts of the parents; all are packed boards of `stride` bytes, a
    /// byte a cell in row-major order, full, with zeros as padding.
    fn cross(&self, parents: [&[u8]; 2], child: &mut [u8], draws: &mut Draws);

    /// Overwrites the children of a batch, each as [`cross`](Self::cross) does. Nobody needs to write another:
    /// it is here to be compiled for every operator by itself, or to cross several couples side by side.
    fn cross_batch(&self, batch: OffspringBatch<'_>, children: &mut [u8]) {
        cross_each(self, batch, children);
    }

    /// Children that one couple has by one set of draws, at least 1. They stand in neighbouring
    /// slots; all but the first are those of the parents in the other order.
    fn children_per_couple(&self) -> u32 {
        1
    }

    /// Words that nearly every child draws, or none: those are computed side by side.
    fn words(&self) -> u32 {
        1
    }

    /// Name in reports.
    fn name(&self) -> &str {
        type_name::<Self>()
    }

    /// Prepares a custom operator for the puzzle and configuration, before the run.
    ///
    /// # Errors
    /// Why it cannot work there.
    fn prepare(&mut self, context: &BuildContext) -> Result<(), ConfigError> {
        let _ = context;
        Ok(())
    }
}

/// Overwrites the children of a batch one by one.
#[inline(always)]
fn cross_each<T: CrossoverOperator + ?Sized>(
    crossover: &T,
    batch: OffspringBatch<'_>,
    children: &mut [u8],
) {
    let (children_per_couple, draws) =
        (crossover.children_per_couple(), batch.seed.of(StreamStage::Cross));
    for (at, (slot, child)) in batch.slots(children).enumerate() {
        let mut draws = match children_per_couple {
            1 => draws.draws(slot),
            _ => draws.family_draws(first_sibling(slot, children_per_couple)),
        };
        crossover.cross(batch.couple(at), child, &mut draws);
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
