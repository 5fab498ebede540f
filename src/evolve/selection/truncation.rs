//! Truncation with a random share: the best of the population and some of all become parents.
//!
//! The pool holds the best `best_share` of the population and `random_share` as many drawn from
//! the whole population with replacement; both counts are rounded up. Ties go to the lower slot.
//! With pairing `couples` the pool is shuffled, couple i is the i-th with the i-th from the end,
//! and each couple has `children` children in consecutive slots; with `random` each child draws
//! both parents. So that the children just fill the population,
//! `(best_share + random_share) / 2 * children` must be 1; surplus children are not bred.
//!
//! Population 8, shares 0.25 and 0.25, 4 children: the pool holds the 2 best and 2 at random, and
//! its two couples have 4 children each.
//!
//! Source: document 001 of the project.

use super::super::ConfigError;
use super::super::operator::{Build, Setting};
use super::{Pairing, SelectionOperator};
use crate::random::{Seed, SlotPermutation, Stage};

/// A pool of the best and of some at random.
#[derive(Clone, Debug)]
pub struct Truncation {
    best: usize,
    random: usize,
    children: u32,
    pairing: Pairing,
    pool: Vec<u32>,
    shuffled: SlotPermutation,
    /// Individuals of each fitness.
    histogram: Vec<u32>,
}

impl Build for Truncation {
    fn build(setting: &Setting) -> Result<Self, ConfigError> {
        let config = setting.config;
        let (best, random) = (config.best_share, config.random_share);
        let filled = (best + random) / 2.0 * f64::from(config.children);
        if (filled - 1.0).abs() > 1e-9 {
            return Err(ConfigError::Unfit(format!(
                "half of best_share plus random_share, times children, must be 1 so that the children fill the population, but ({best} + {random}) / 2 * {} is {filled}",
                config.children
            )));
        }
        let (best, random) = (share(best, config.population), share(random, config.population));
        Ok(Self {
            best,
            random,
            children: config.children,
            pairing: config.pairing,
            pool: Vec::with_capacity(best + random),
            shuffled: SlotPermutation::new(1, &Seed::new(0, 0)),
            histogram: vec![0; usize::from(setting.space.geometry().worst_fitness()) + 1],
        })
    }
}

/// A share of the population, rounded up.
fn share(of: f64, population: u32) -> usize {
    // 0.1 * 1,000 is a little above 100 in binary: the slack keeps it from becoming 101.
    (of * f64::from(population) - 1e-6).ceil() as usize
}

impl Truncation {
    /// Puts the best into the pool, in the order of their slots.
    fn take_best(&mut self, fitness: &[u16]) {
        self.histogram.fill(0);
        for value in fitness {
            self.histogram[usize::from(*value)] += 1;
        }
        let mut left = self.best;
        let mut last = 0;
        while last + 1 < self.histogram.len() && (self.histogram[last] as usize) < left {
            left -= self.histogram[last] as usize;
            last += 1;
        }
        for (slot, value) in fitness.iter().enumerate() {
            let value = usize::from(*value);
            let tied = value == last && left > 0;
            if value < last || tied {
                self.pool.push(slot as u32);
                left -= usize::from(tied);
            }
        }
    }
}

impl SelectionOperator for Truncation {
    fn plan(&mut self, fitness: &[u16], seed: &Seed) {
        self.pool.clear();
        self.take_best(fitness);
        for place in 0..self.random as u32 {
            self.pool.push(seed.draws(Stage::Plan, place).below(fitness.len() as u32));
        }
        self.shuffled = SlotPermutation::new(self.pool.len() as u32, seed);
    }

    fn parents(&self, slot: u32, _: &[u16], seed: &Seed) -> [u32; 2] {
        let pool = self.pool.len() as u32;
        let places = match self.pairing {
            Pairing::Couples => {
                let couple = slot / self.children;
                [self.shuffled.at(couple), self.shuffled.at(pool - 1 - couple)]
            }
            Pairing::Random => {
                let mut draws = seed.draws(Stage::Select, slot);
                [draws.below(pool), draws.below(pool)]
            }
        };
        places.map(|place| self.pool[place as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn truncation(population: u32, shares: (f64, f64), children: u32) -> Truncation {
        Truncation {
            best: share(shares.0, population),
            random: share(shares.1, population),
            children,
            pairing: Pairing::Couples,
            pool: Vec::new(),
            shuffled: SlotPermutation::new(1, &Seed::new(0, 0)),
            histogram: vec![0; 49],
        }
    }

    #[test]
    fn the_best_are_taken_and_ties_go_to_the_lower_slot() {
        let mut selection = truncation(8, (0.5, 0.0), 4);
        selection.plan(&[5, 1, 7, 5, 0, 5, 9, 5], &Seed::new(1, 0));
        assert_eq!(selection.pool, [0, 1, 3, 4]);
    }

    #[test]
    fn each_couple_has_its_children_and_every_parent_serves_once() {
        let mut selection = truncation(16, (0.25, 0.25), 4);
        let fitness: Vec<u16> = (0..16).collect();
        let seed = Seed::new(1, 0);
        selection.plan(&fitness, &seed);
        let couples: Vec<_> =
            (0..16).map(|slot| selection.parents(slot, &fitness, &seed)).collect();
        assert!(couples.chunks(4).all(|couple| couple.iter().all(|child| *child == couple[0])));
        let mut served: Vec<u32> = couples.iter().step_by(4).flatten().copied().collect();
        let mut pool = selection.pool.clone();
        served.sort();
        pool.sort();
        assert_eq!(served, pool);
    }

    #[test]
    fn any_population_of_two_or_more_is_filled() {
        for population in 2..200 {
            for (shares, children) in [((0.25, 0.25), 4), ((0.1, 0.1), 10), ((0.3, 0.1), 5)] {
                let mut selection = truncation(population, shares, children);
                let seed = Seed::new(2, population);
                let fitness: Vec<u16> = (0..population).map(|slot| (slot % 49) as u16).collect();
                selection.plan(&fitness, &seed);
                for slot in 0..population {
                    let parents = selection.parents(slot, &fitness, &seed);
                    assert!(parents.iter().all(|parent| *parent < population));
                }
            }
        }
    }
}
