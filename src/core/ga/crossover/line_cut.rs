//! Line-cut crossover: the rows, or the columns, up to a cut come from one parent.
//!
//! A coin chooses rows or columns, and a cut `c` is drawn uniformly from `1..=n-1`: the first `c`
//! lines come from the first parent, the others from the second. Each part keeps its lines as local search
//! left them; new conflicts are only across the cut, in columns (or rows) and in the boxes that it
//! divides.
//!
//! On a 9x9 board with rows and c = 4 the child holds rows 1 to 4 of the first parent and rows 5 to 9
//! of the second.
//!
//! Source: one-point crossover on boards of two dimensions, cut along either: Cohoon & Paris,
//! *Genetic placement*, 1987, which exchanges regions of a plane.

use super::{BuildContext, ConfigError, CrossoverOperator, FromContext};
use crate::random::Draws;

/// Lines up to a cut.
#[derive(Clone, Debug)]
pub struct LineCut {
    side: usize,
}

impl FromContext for LineCut {
    fn build(context: &BuildContext) -> Result<Self, ConfigError> {
        context.require_cells("crossover line-cut")?;
        Ok(Self { side: context.space.geometry().side() })
    }
}

impl CrossoverOperator for LineCut {
    #[inline(always)]
    fn cross(&self, [first, second]: [&[u8]; 2], child: &mut [u8], draws: &mut Draws) {
        let rows = draws.coin();
        let cut = 1 + draws.below(self.side as u32 - 1) as usize;
        child.copy_from_slice(second);
        if rows {
            let upper = cut * self.side;
            child[..upper].copy_from_slice(&first[..upper]);
        } else {
            let lines = child.chunks_exact_mut(self.side).zip(first.chunks_exact(self.side));
            lines.take(self.side).for_each(|(child, first)| {
                child[..cut].copy_from_slice(&first[..cut]);
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{GenerationRng, StreamStage};

    #[test]
    fn lines_before_the_cut_are_the_first_parents() {
        let (side, cells) = (6, 36);
        let [first, second] = [[1; 36], [2; 36]];
        let (mut by_rows, mut cuts) = (0, [0; 6]);
        for slot in 0..600 {
            let mut child = [0; 36];
            let mut draws = GenerationRng::new(1, 0).draws(StreamStage::Cross, slot);
            LineCut { side }.cross([&first, &second], &mut child, &mut draws);
            let of_first = |line: usize, rows: bool| {
                let cell = |k| if rows { line * side + k } else { k * side + line };
                (0..side).all(|k| child[cell(k)] == 1)
            };
            let rows = of_first(0, true);
            assert_ne!(rows, of_first(0, false));
            by_rows += usize::from(rows);
            let cut = (0..side).take_while(|line| of_first(*line, rows)).count();
            assert_eq!(child.iter().filter(|value| **value == 2).count(), cells - cut * side);
            cuts[cut] += 1;
        }
        assert!((200..400).contains(&by_rows), "{by_rows}");
        assert!(cuts[0] == 0 && cuts[1..].iter().all(|count| *count > 60), "{cuts:?}");
    }
}
