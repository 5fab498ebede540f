//! Some values of some units are taken out and put back in random order: two of one, unless more are asked for.
//!
//! With probability `mutation_rate` a unit is drawn uniformly, and two of its blanks; a coin
//! decides whether they exchange, so that with one half nothing changes. A unit with fewer than
//! two blanks is left as it is. After presolve so is a pair of which one may not hold the other's
//! value.
//!
//! `changed_units` are drawn instead of one, and `shuffle` of their blanks instead of two, in random order,
//! the identity included. Columns of nine and `changed_units=2` keep seven columns, which is what document 000
//! calls R_c.
//!
//! Source: document 000 of the project, its second approach, in which the unit is a column. The
//! original writes into the parent; here the child is a copy.

use super::super::ConfigError;
use super::super::encoding::PermutationGroup;
use super::super::operator::{BuildContext, FromContext};
use super::MutationOperator;
use crate::board::MAX_SIDE;
use crate::random::{Draws, Probability};

/// Values that are taken out of a unit where nothing else is asked for.
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
            let told = "shuffle=1 changes nothing: mutation reshuffle takes 2 or more, or 0 for 2";
            return Err(ConfigError::Unfit(told.to_owned()));
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
        if self.rate == Probability::ALWAYS {
            1 + 2 * (self.changed * self.shuffled) as u32
        } else {
            1
        }
    }
}

impl Reshuffle {
    /// Any number of units, and of their blanks.
    fn shuffle(&self, child: &mut [u8], draws: &mut Draws) {
        let mut numbers = [0; MAX_SIDE];
        for unit in first_of(&mut numbers, self.groups.len(), self.changed, draws) {
            let group = &self.groups[usize::from(*unit)];
            let mut numbers = [0; MAX_SIDE];
            let blanks = first_of(&mut numbers, group.blanks.len(), self.shuffled, draws);
            for last in (1..blanks.len()).rev() {
                let other = draws.below(last as u32 + 1) as usize;
                if other != last {
                    group.exchange(blanks[last].into(), blanks[other].into(), child);
                }
            }
        }
    }
}

/// Some different numbers below `bound`: the first places of a Fisher & Yates shuffle.
fn first_of<'a>(
    numbers: &'a mut [u8; MAX_SIDE],
    bound: usize,
    count: usize,
    draws: &mut Draws,
) -> &'a [u8] {
    let numbers = &mut numbers[..bound];
    for (number, slot) in (0..).zip(numbers.iter_mut()) {
        *slot = number;
    }
    let count = count.min(bound);
    for place in 0..count {
        numbers.swap(place, place + draws.below((bound - place) as u32) as usize);
    }
    &numbers[..count]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Presolve, SearchSpace, presolve};
    use crate::format;
    use crate::ga::{Config, Preset};
    use crate::random::{GenerationRng, StreamStage};

    #[test]
    fn what_wants_units_is_refused_without_them() {
        let space = SearchSpace::blank("3x3".parse().unwrap());
        let built = |preset, changed_units, shuffle| {
            let config = Config { changed_units, shuffle, ..Config::of(preset, &space) };
            let groups = config.encoding.groups(&space);
            Reshuffle::build(&BuildContext::new(&space, &config, &groups)).is_ok()
        };
        // Those of a board are one group, of which two blanks can be drawn.
        assert!(built(Preset::Permutation, 1, 0) && built(Preset::Permutation, 1, 2));
        assert!(!built(Preset::Permutation, 2, 0) && !built(Preset::Permutation, 1, 3));
        assert!(built(Preset::Columns, 2, 3));
        assert!(!built(Preset::Columns, 1, 1));
    }

    #[test]
    fn as_many_units_and_blanks_change_as_are_asked_for() {
        let text = format::shipped().find(|puzzle| puzzle.name == "ai-escargot").unwrap().text;
        let puzzle = format::read(text, "ai-escargot", None).unwrap().puzzle;
        let space = presolve(&puzzle, Presolve::None).unwrap();
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
