//! Some values of some units are put back in random order: by default two values of one unit.
//!
//! With probability `mutation_rate` a unit is drawn uniformly, and two of its blanks; a coin
//! decides whether they exchange their values, so that nothing changes with probability one half. A unit with fewer than
//! two blanks stays as it is. After presolve so does a pair of which one may not hold the other's
//! value.
//!
//! With `changed_units` above 1 as many units are drawn, and with `shuffle` as many of their blanks, whose values are put
//! in random order, the identity included. Columns of nine and `changed_units=2` keep seven columns, which document 000
//! calls R_c.
//!
//! Source: document 000 of the project, its second approach, in which the unit is a column. The
//! original writes into the parent; here the child is a copy.

use super::{BuildContext, ConfigError, FromContext, MutationOperator};
use crate::board::MAX_SIDE;
use crate::ga::encoding::PermutationGroup;
use crate::random::{Draws, Probability};

/// Values that are shuffled in a unit by default.
const PAIR: usize = 2;

/// Some values in random order.
#[derive(Clone, Debug)]
pub struct Reshuffle {
    rate: Probability,
    groups: Vec<PermutationGroup>,
    /// Units that are changed, at most as many as there are.
    changed: usize,
    /// Blanks of each that are drawn.
    shuffled: usize,
}

impl FromContext for Reshuffle {
    fn build(context: &BuildContext) -> Result<Self, ConfigError> {
        context.require_permutation("mutation reshuffle")?;
        let config = context.config;
        let shuffled = if config.shuffle == 0 { PAIR } else { config.shuffle as usize };
        if config.changed_units > 1 || shuffled != PAIR {
            context.require_units("mutation reshuffle with changed_units or shuffle")?;
        }
        if shuffled < PAIR {
            let text = "shuffle=1 changes nothing: mutation reshuffle needs 2 or more (0 means 2)";
            return Err(ConfigError::Unfit(text.to_owned()));
        }
        Ok(Self {
            rate: Probability::new(config.mutation_rate),
            groups: context.groups.to_vec(),
            changed: (config.changed_units as usize).min(context.groups.len()),
            shuffled,
        })
    }
}

impl MutationOperator for Reshuffle {
    #[inline(always)]
    fn mutate(&self, child: &mut [u8], draws: &mut Draws) {
        if !draws.bernoulli(self.rate) {
            return;
        }
        if (self.changed, self.shuffled) != (1, PAIR) {
            return self.shuffle(child, draws);
        }
        let group = &self.groups[draws.below(self.groups.len() as u32) as usize];
        if group.blanks.len() < PAIR {
            return;
        }
        let (i, j) = draws.two_distinct(group.blanks.len() as u32);
        group.exchange_if(draws.coin(), i as usize, j as usize, child);
    }

    fn words(&self) -> u32 {
        let words = 1 + 2 * (self.changed * self.shuffled) as u32;
        if self.rate == Probability::ALWAYS { words } else { 1 }
    }
}

impl Reshuffle {
    /// Shuffles any number of units, and of their blanks.
    fn shuffle(&self, child: &mut [u8], draws: &mut Draws) {
        let units = draw_distinct(self.groups.len(), self.changed, draws);
        for unit in &units[..self.changed] {
            let group = &self.groups[usize::from(*unit)];
            let count = self.shuffled.min(group.blanks.len());
            let blanks = draw_distinct(group.blanks.len(), count, draws);
            for last in (1..count).rev() {
                let other = draws.below(last as u32 + 1) as usize;
                let [i, j] = [last, other].map(|place| usize::from(blanks[place]));
                group.exchange_if(other != last, i, j, child);
            }
        }
    }
}

/// Draws `count` different numbers below `bound`: the first places of a Fisher & Yates shuffle.
fn draw_distinct(bound: usize, count: usize, draws: &mut Draws) -> [u8; MAX_SIDE] {
    let mut numbers = std::array::from_fn(|number| number as u8);
    for place in 0..count {
        numbers.swap(place, place + draws.below((bound - place) as u32) as usize);
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Presolve, SearchSpace, presolve};
    use crate::format::shipped;
    use crate::ga::{Config, Preset};
    use crate::random::{GenerationRng, StreamStage};

    #[test]
    fn several_units_or_blanks_need_an_encoding_with_units() {
        let space = SearchSpace::blank("3x3".parse().unwrap());
        let built = |preset, changed_units, shuffle| {
            let config = Config { changed_units, shuffle, ..Config::of(preset, &space) };
            let groups = config.encoding.groups(&space);
            Reshuffle::build(&BuildContext::new(&space, &config, &groups)).is_ok()
        };
        // A board is one group, of which two blanks can be drawn.
        assert!(built(Preset::Permutation, 1, 0) && built(Preset::Permutation, 1, 2));
        assert!(!built(Preset::Permutation, 2, 0) && !built(Preset::Permutation, 1, 3));
        assert!(built(Preset::Columns, 2, 3));
        assert!(!built(Preset::Columns, 1, 1));
    }

    #[test]
    fn as_many_units_and_blanks_change_as_the_configuration_says() {
        let space = presolve(&shipped::puzzle("ai-escargot"), Presolve::None).unwrap();
        for (changed_units, shuffle) in [(1, 3), (2, 0), (9, 9), (64, 4096)] {
            let preset = Config::of(Preset::Columns, &space);
            let config = Config { changed_units, shuffle, ..preset };
            let groups = config.encoding.groups(&space);
            let context = BuildContext::new(&space, &config, &groups);
            let encoding = config.encoding.build(&context).unwrap();
            let mutation = Reshuffle::build(&context).unwrap();
            let seed = GenerationRng::new(3, 0);
            let mut board = vec![0; space.geometry().stride()];
            encoding.initialise(&mut board, &mut seed.draws(StreamStage::Initialise, 0));
            let (mut units, mut cells) = (0, 0);
            for slot in 0..2_000 {
                let mut child = board.clone();
                mutation.mutate(&mut child, &mut seed.draws(StreamStage::Mutate, slot));
                let moved = |group: &PermutationGroup| {
                    group.blanks.iter().filter(|cell| child[**cell] != board[**cell]).count()
                };
                units = units.max(groups.iter().filter(|group| moved(group) > 0).count());
                cells = cells.max(groups.iter().map(moved).max().unwrap());
            }
            let most = groups.iter().map(|group| group.blanks.len()).max().unwrap();
            assert_eq!(units, (changed_units as usize).min(9), "{changed_units} {shuffle}");
            assert_eq!(cells, (shuffle as usize).max(2).min(most), "{changed_units} {shuffle}");
        }
    }
}
