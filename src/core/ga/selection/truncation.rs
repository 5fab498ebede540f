//! Truncation with a random share: the best of the population and some of all become parents.
//!
//! The pool holds the best `best_share` of the population (or the best `pool`) and `random_share`
//! as many drawn from the whole population with replacement; both counts are rounded up. Of equals the
//! lower slot counts as the better. With pairing `couples` the pool is shuffled, couple i is the i-th with the
//! i-th from the end; with `neighbours` couple i is the next two in the order of the pool, in which
//! the best come first; each couple has `children` children in consecutive slots. With `random`
//! both parents are drawn for each child, or for each two siblings. For the children of couples to
//! fill the population exactly, `(best_share + random_share) / 2 * children` must be 1; surplus
//! children are not bred.
//!
//! Population 8, shares 0.25 and 0.25, 4 children: the pool holds the 2 best and 2 at random, and
//! its two couples have 4 children each.
//!
//! Sources: documents 000, 001, 002 and 004 of the project; truncation selection (Mühlenbein &
//! Schlierkamp-Voosen 1993).

use super::{BuildContext, ConfigError, FromContext, Pairing, RankOrder, SelectionOperator};
use crate::ga::Config;
use crate::random::{GenerationRng, SlotPermutation, StreamStage, below};

/// A pool of the best and of some at random.
#[derive(Clone, Debug)]
pub struct Truncation {
    best: usize,
    random: usize,
    children: u32,
    pairing: Pairing,
    pool: Vec<u32>,
    shuffled: SlotPermutation,
    ranking: RankOrder,
}

impl FromContext for Truncation {
    fn build(context: &BuildContext) -> Result<Self, ConfigError> {
        let config = context.config;
        if config.pairing != Pairing::Random {
            check_shares(config)?;
        }
        let [best, random] = pool(config, config.population);
        if best + random == 0 {
            return Err(ConfigError::Unfit(
                "best_share and random_share are both 0, so there are no parents".into(),
            ));
        }
        let (children, pairing) = (config.children, config.pairing);
        let (pool, shuffled) = (Vec::with_capacity(best + random), SlotPermutation::default());
        Ok(Self { best, random, children, pairing, pool, shuffled, ranking: context.rank_order() })
    }
}

/// Refuses couples whose children do not fill the population exactly.
fn check_shares(config: &Config) -> Result<(), ConfigError> {
    let Config { best_share, random_share, children, pool, pairing, .. } = config;
    if *pool > 0 {
        return Err(ConfigError::Unfit(format!(
            "with pool set, pairing {pairing} cannot fill the population: use pairing=random, or best_share instead of pool"
        )));
    }
    let filled = (best_share + random_share) / 2.0 * f64::from(*children);
    if (filled - 1.0).abs() > 1e-9 {
        return Err(ConfigError::Unfit(format!(
            "(best_share + random_share) / 2 * children must be 1, so that the children fill the population, but ({best_share} + {random_share}) / 2 * {children} is {filled}"
        )));
    }
    Ok(())
}

/// Returns the numbers of members of the pool of a population: the best, and those at random.
pub fn pool(config: &Config, population: u32) -> [usize; 2] {
    let best = match config.pool {
        0 => share(config.best_share, population),
        count => count.min(population) as usize,
    };
    [best, share(config.random_share, population)]
}

/// A share of the population, rounded up.
fn share(of: f64, population: u32) -> usize {
    // 0.1 * 1,000 is a little above 100 in binary: without the tolerance it would become 101.
    (of * f64::from(population) - 1e-6).ceil() as usize
}

impl Truncation {
    /// Adds the random members to the pool.
    fn draw_pool(&mut self, population: u32, seed: &GenerationRng) {
        // Blocks of words that are computed side by side.
        const ROW: usize = 16;
        let draws = seed.stage(StreamStage::Plan);
        for first in (0..self.random).step_by(ROW) {
            let members: [u32; ROW] = std::array::from_fn(|k| (first + k) as u32);
            let mut blocks = [[0; 4]; ROW];
            draws.blocks_of(&members, 0, &mut blocks);
            let drawn = blocks.iter().map(|[word, ..]| below(*word, population));
            self.pool.extend(drawn.take(self.random - first));
        }
    }
}

impl SelectionOperator for Truncation {
    fn begin_generation(&mut self, fitness: &[u16], seed: &GenerationRng) {
        self.ranking.rank(fitness);
        self.pool.clear();
        self.pool.extend_from_slice(&self.ranking.slots[..self.best]);
        self.draw_pool(fitness.len() as u32, seed);
        if self.pairing == Pairing::Couples {
            self.shuffled.redraw(self.pool.len() as u32, seed);
        }
    }

    /// Returns numbers of members of the pool, before couples are shuffled.
    #[inline(always)]
    fn select(&self, slot: u32, _: &[u16], seed: &GenerationRng) -> [u32; 2] {
        let pool = self.pool.len() as u32;
        // Computed only where it is used: a division takes as long as the rest.
        let couple = || slot / self.children;
        match self.pairing {
            Pairing::Couples => [couple(), pool - 1 - couple()],
            // The last of an odd pool is its own neighbour.
            Pairing::Neighbours => [2 * couple(), (2 * couple() + 1).min(pool - 1)],
            Pairing::Random => {
                let mut draws = seed.draws(StreamStage::Select, slot);
                [draws.below(pool), draws.below(pool)]
            }
        }
    }

    fn slots_per_couple(&self) -> u32 {
        if self.pairing == Pairing::Random { 1 } else { self.children }
    }

    fn words(&self) -> u32 {
        if self.pairing == Pairing::Random { 2 } else { 0 }
    }

    fn to_slots(&self, parents: &mut [[u32; 2]]) {
        if self.pairing == Pairing::Couples {
            self.shuffled.apply(parents.as_flattened_mut());
        }
        for parent in parents.as_flattened_mut() {
            *parent = self.pool[*parent as usize];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::SearchSpace;
    use crate::ga::Preset;

    fn truncation(population: u32, shares: (f64, f64), children: u32) -> Truncation {
        Truncation {
            best: share(shares.0, population),
            random: share(shares.1, population),
            children,
            pairing: Pairing::Couples,
            pool: Vec::new(),
            shuffled: SlotPermutation::default(),
            ranking: RankOrder::new(population, 48),
        }
    }

    #[test]
    fn couples_that_do_not_fill_the_population_are_refused() {
        let space = SearchSpace::blank("3x3".parse().unwrap());
        let own = Config::of(Preset::Boxes, &space);
        let error = |pool, best_share, pairing| {
            let config = Config { pool, best_share, pairing, ..own.clone() };
            let groups = config.encoding.groups(&space);
            let built = Truncation::build(&BuildContext::new(&space, &config, &groups));
            built.err().map_or_else(String::new, |error| error.to_string())
        };
        assert_eq!(error(0, own.best_share, Pairing::Couples), "");
        assert!(error(10, own.best_share, Pairing::Couples).contains("with pool set"));
        assert!(error(0, own.best_share / 2.0, Pairing::Couples).contains("must be 1"));
        assert_eq!(error(10, own.best_share / 2.0, Pairing::Random), "");
    }

    #[test]
    fn the_best_are_taken_and_ties_go_to_the_lower_slot() {
        let mut selection = truncation(8, (0.5, 0.0), 4);
        selection.begin_generation(&[5, 1, 7, 5, 0, 5, 9, 5], &GenerationRng::new(1, 0));
        assert_eq!(selection.pool, [4, 1, 0, 3]);
    }

    #[test]
    fn each_couple_has_its_children_and_every_member_is_in_one_couple() {
        for pairing in [Pairing::Couples, Pairing::Neighbours] {
            let mut selection = Truncation { pairing, ..truncation(16, (0.25, 0.25), 4) };
            let fitness: Vec<u16> = (0..16).collect();
            let seed = GenerationRng::new(1, 0);
            selection.begin_generation(&fitness, &seed);
            let couples: Vec<_> =
                (0..16).map(|slot| selection.parents(slot, &fitness, &seed)).collect();
            let alike = |couple: &[[u32; 2]]| couple.iter().all(|child| *child == couple[0]);
            assert!(couples.chunks(4).all(alike));
            let mut members: Vec<u32> = couples.iter().step_by(4).flatten().copied().collect();
            let mut pool = selection.pool.clone();
            members.sort();
            pool.sort();
            assert_eq!(members, pool);
        }
    }

    #[test]
    fn neighbours_are_next_to_each_other_in_rank() {
        let pairing = Pairing::Neighbours;
        let mut selection = Truncation { pairing, ..truncation(8, (0.5, 0.0), 4) };
        let fitness = [5, 1, 7, 4, 0, 3, 9, 8];
        selection.begin_generation(&fitness, &GenerationRng::new(1, 0));
        assert_eq!(selection.parents(0, &fitness, &GenerationRng::new(1, 0)), [4, 1]);
        assert_eq!(selection.parents(7, &fitness, &GenerationRng::new(1, 0)), [5, 3]);
    }

    #[test]
    fn any_population_of_two_or_more_is_filled() {
        for population in 2..200 {
            for (shares, children) in [((0.25, 0.25), 4), ((0.1, 0.1), 10), ((0.3, 0.1), 5)] {
                for pairing in Pairing::ALL {
                    let mut selection = truncation(population, shares, children);
                    selection.pairing = *pairing;
                    let seed = GenerationRng::new(2, population);
                    let fitness: Vec<u16> =
                        (0..population).map(|slot| (slot % 49) as u16).collect();
                    selection.begin_generation(&fitness, &seed);
                    for slot in 0..population {
                        let parents = selection.parents(slot, &fitness, &seed);
                        assert!(parents.iter().all(|parent| *parent < population));
                    }
                }
            }
        }
    }
}
