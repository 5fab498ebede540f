//! Agreement crossover: the child keeps the values on which its parents agree.
//!
//! A cell that holds the same value in both parents keeps it. Where they differ, a cell is redrawn
//! from its candidates with probability `redraw_rate`, and is else taken from either parent with
//! probability one half: each cell by itself, or with `inherit` a row, a column or a box as a whole. Values are not
//! relabelled, since the givens fix their meaning.
//!
//! Parents 1 2 3 4 and 1 4 3 2 agree on the first and the third cell; without redrawing the child
//! is one of 1 2 3 4, 1 2 3 2, 1 4 3 4 and 1 4 3 2.
//!
//! A word decides for 32 units of inheritance; then each cell that differs takes a word, and one
//! more if it is redrawn, unless `redraw_rate` is 0.
//!
//! Sources: uniform crossover (Syswerda 1989), which keeps common values; values without relabelling,
//! as in Goudet & Hao's memetic search for Latin squares, 2021.

use super::{BuildContext, ConfigError, CrossoverOperator, FromContext, Inherit, copy_board};
use crate::board::MAX_SIDE;
use crate::ga::encoding::Candidates;
use crate::random::{Draws, Probability};

/// Words of coins for the most units.
const WORDS: usize = MAX_SIDE * MAX_SIDE / 32;

/// Values that the parents have in common stay.
#[derive(Clone, Debug)]
pub struct Agreement {
    cells: Candidates,
    /// For each free cell, the number of the coin that decides for it: that of its unit, or its own.
    units: Vec<u16>,
    /// Words of coins.
    words: usize,
    redraw: Option<Probability>,
}

impl FromContext for Agreement {
    fn build(context: &BuildContext) -> Result<Self, ConfigError> {
        context.require_cells("crossover agreement")?;
        let (config, geometry) = (context.config, context.space.geometry());
        let cells = Candidates::build(context)?;
        let unit = |(place, cell): (usize, &usize)| match config.inherit {
            Inherit::Cells => place as u16,
            Inherit::Rows => geometry.row_of(*cell) as u16,
            Inherit::Columns => geometry.col_of(*cell) as u16,
            Inherit::Boxes => geometry.box_of(*cell) as u16,
        };
        let units: Vec<u16> = cells.free.iter().enumerate().map(unit).collect();
        let coins = if config.inherit == Inherit::Cells { units.len() } else { geometry.side() };
        let rate = config.redraw_rate;
        let words = coins.div_ceil(32);
        Ok(Self { cells, units, words, redraw: (rate > 0.0).then(|| Probability::new(rate)) })
    }
}

impl CrossoverOperator for Agreement {
    #[inline]
    fn cross(&self, [first, second]: [&[u8]; 2], child: &mut [u8], draws: &mut Draws) {
        copy_board(first, child);
        let mut coins = [0u32; WORDS];
        coins[..self.words].fill_with(|| draws.word());
        for (cell, unit) in self.cells.free.iter().zip(&self.units) {
            if first[*cell] == second[*cell] {
                continue;
            }
            if self.redraw.is_some_and(|rate| draws.bernoulli(rate)) {
                self.cells.redraw(*cell, child, draws);
            } else if coins[usize::from(unit / 32)] >> (unit % 32) & 1 == 1 {
                child[*cell] = second[*cell];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;
    use crate::board::{Geometry, Presolve, Puzzle, SearchSpace, UnitKind, presolve};
    use crate::ga::encoding::Encoding;
    use crate::ga::{Config, Preset};
    use crate::random::{GenerationRng, StreamStage};

    /// Two random boards and their children.
    fn family(
        space: &SearchSpace,
        inherit: Inherit,
        redraw_rate: f64,
        seed: u64,
    ) -> ([Vec<u8>; 2], Vec<Vec<u8>>) {
        let encoding = Encoding::Candidates;
        let config =
            Config { encoding, inherit, redraw_rate, ..Config::of(Preset::Memetic, space) };
        let context = BuildContext::new(space, &config, &[]);
        let cells = encoding.build(&context).unwrap();
        let agreement = Agreement::build(&context).unwrap();
        let seed = GenerationRng::new(seed, 0);
        let parents = [0, 1].map(|slot| {
            let mut board = space.fixed.clone();
            cells.initialise(&mut board, &mut seed.draws(StreamStage::Initialise, slot));
            board
        });
        let child = |slot| {
            let mut child = vec![0; space.fixed.len()];
            let mut draws = seed.draws(StreamStage::Cross, slot);
            agreement.cross([&parents[0], &parents[1]], &mut child, &mut draws);
            child
        };
        let children = (0..20).map(child).collect();
        (parents, children)
    }

    fn space(rows: usize, cols: usize) -> SearchSpace {
        let mut puzzle = Puzzle::blank(Geometry::new(rows, cols).unwrap());
        puzzle.givens[0] = 1;
        presolve(&puzzle, Presolve::Singles).unwrap()
    }

    proptest! {
        #[test]
        fn values_on_which_parents_agree_are_kept(
            rows in 2usize..=6, cols in 2usize..=6, seed: u64, redraw_rate in 0.0f64..=1.0,
            inherit in select(Inherit::ALL),
        ) {
            let space = space(rows, cols);
            for redraw_rate in [0.0, redraw_rate] {
                let ([first, second], children) = family(&space, inherit, redraw_rate, seed);
                for child in children {
                    for cell in 0..child.len() {
                        let of_parents = [first[cell], second[cell]];
                        let redrawn = redraw_rate > 0.0 && first[cell] != second[cell];
                        prop_assert!(of_parents.contains(&child[cell])
                            || redrawn && space.allows(cell, child[cell]));
                    }
                }
            }
        }

        #[test]
        fn units_are_inherited_as_a_whole(
            rows in 2usize..=6, cols in 2usize..=6, seed: u64,
            (inherit, kind) in select(&[
                (Inherit::Rows, UnitKind::Row),
                (Inherit::Columns, UnitKind::Column),
                (Inherit::Boxes, UnitKind::Box),
            ][..]),
        ) {
            let space = space(rows, cols);
            let geometry = space.geometry();
            let ([first, second], children) = family(&space, inherit, 0.0, seed);
            for child in children {
                for unit in geometry.units_of(kind) {
                    let like = |parent: &[u8]| {
                        geometry.unit_cells(unit).all(|cell| child[cell] == parent[cell])
                    };
                    prop_assert!(like(&first) || like(&second));
                }
            }
        }
    }

    #[test]
    fn each_parent_gives_one_half_and_every_candidate_is_redrawn() {
        let space = space(3, 3);
        let ([first, second], children) = family(&space, Inherit::Cells, 0.0, 1);
        let differ: Vec<usize> = (0..81).filter(|cell| first[*cell] != second[*cell]).collect();
        let of_second =
            |child: &Vec<u8>| differ.iter().filter(|c| child[**c] == second[**c]).count();
        let share = children.iter().map(of_second).sum::<usize>() as f64
            / (differ.len() * children.len()) as f64;
        assert!((0.45..0.55).contains(&share), "{share}");
        let (_, children) = family(&space, Inherit::Cells, 1.0, 1);
        let differing = |child: &Vec<u8>| {
            differ.iter().filter(|c| ![first[**c], second[**c]].contains(&child[**c])).count()
        };
        assert!(children.iter().all(|child| differing(child) > 0));
    }
}
