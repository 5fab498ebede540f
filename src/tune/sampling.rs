//! Sampling: candidates from anywhere in the space, and around others.
//!
//! A number is drawn from a normal distribution around its parent's, cut off at the ends of its range,
//! whose spread shrinks from one iteration to the next: with n new candidates and d parameters by a
//! factor of n^(1/d), so that as many fill a d-dimensional box as before. A name is its parent's with a
//! probability that rises with the iterations, else any. Where the parent has no value, any is drawn.

use super::space::{Candidate, DimensionValue, Domain, ParameterSpace};
use crate::random::{Draws, GenerationRng, StreamStage};
use crate::statistics::{normal, normal_quantile};

/// The spread at the beginning, as a share of each range.
pub(super) const SPREAD: f64 = 0.5;
/// Draws for each candidate until one is possible and new.
const ATTEMPTS: u32 = 100;

/// Draws the candidates of an iteration.
pub(super) struct Sampler<'a> {
    pub space: &'a ParameterSpace,
    pub seed: u64,
    /// The number of the iteration, which has draws of its own.
    pub iteration: u32,
    /// The spread of numbers, as a share of their ranges.
    pub spread: f64,
    /// How often a name is its parent's.
    pub loyalty: f64,
    /// Whether a candidate can be run at all.
    pub possible: &'a dyn Fn(&Candidate) -> bool,
}

impl Sampler<'_> {
    /// Up to so many candidates that differ from each other and from those that are `known`; around
    /// `parents`, the best of which come first, if there are any.
    pub fn sample(
        &self,
        count: usize,
        parents: &[Candidate],
        known: &[Candidate],
    ) -> Vec<Candidate> {
        let mut new: Vec<Candidate> = Vec::new();
        for number in 0..count as u32 {
            let mut drawn = (0..ATTEMPTS).map(|attempt| {
                let slot = number * ATTEMPTS + attempt;
                let mut draws =
                    GenerationRng::new(self.seed, self.iteration).draws(StreamStage::Plan, slot);
                self.draw(parents, &mut draws)
            });
            let is_new = |one: &Candidate| !known.contains(one) && !new.contains(one);
            let found = drawn.find(|one| is_new(one) && (self.possible)(one));
            new.extend(found);
        }
        new
    }

    fn draw(&self, parents: &[Candidate], draws: &mut Draws) -> Candidate {
        if parents.is_empty() {
            return self.space.candidate(draws, |_, domain, draws| domain.at(unit(draws)));
        }
        // By rank: of three, the best with 3 of 6, the next with 2.
        let ranks = parents.len() * (parents.len() + 1) / 2;
        let mut ticket = draws.below(ranks as u32) as usize;
        let mut place = 0;
        while ticket >= parents.len() - place {
            ticket -= parents.len() - place;
            place += 1;
        }
        let parent = &parents[place];
        self.space.candidate(draws, |dimension, domain, draws| {
            match (parent.values.get(dimension).copied().flatten(), domain) {
                (None, _) => domain.at(unit(draws)),
                (Some(value), Domain::Names(_)) => self.name(value, domain, draws),
                (Some(value), _) => domain.at(self.near(domain.share(value), draws)),
            }
        })
    }

    fn name(&self, parents: DimensionValue, domain: &Domain, draws: &mut Draws) -> DimensionValue {
        let (loyal, any) = (unit(draws) < self.loyalty, unit(draws));
        if loyal { parents } else { domain.at(any) }
    }

    /// A share near to another.
    fn near(&self, share: f64, draws: &mut Draws) -> f64 {
        let (low, high) = (normal(-share / self.spread), normal((1.0 - share) / self.spread));
        let drawn = normal_quantile(low + unit(draws) * (high - low));
        // Far out in a tail nothing is left of the digits.
        if drawn.is_finite() { (share + drawn * self.spread).clamp(0.0, 1.0) } else { share }
    }
}

/// A number from 0 to below 1, of 53 bits.
fn unit(draws: &mut Draws) -> f64 {
    let word = u64::from(draws.word()) << 32 | u64::from(draws.word());
    (word >> 11) as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use std::slice::from_ref;

    use super::super::space::{Condition, Dimension};
    use super::*;

    fn space() -> ParameterSpace {
        let names =
            |names: &[&str]| Domain::Names(names.iter().map(|it| (*it).to_owned()).collect());
        let when = vec![Condition { dimension: 0, values: vec!["b".to_owned()] }];
        ParameterSpace {
            dimensions: vec![
                Dimension { name: "kind", domain: names(&["a", "b"]), when: Vec::new() },
                Dimension {
                    name: "size",
                    domain: Domain::Whole { from: 1, to: 1_000, log: true },
                    when,
                },
                Dimension {
                    name: "share",
                    domain: Domain::Real { from: 0.0, to: 1.0, log: false },
                    when: Vec::new(),
                },
            ],
        }
    }

    fn sampler<'a>(
        space: &'a ParameterSpace,
        spread: f64,
        possible: &'a dyn Fn(&Candidate) -> bool,
    ) -> Sampler<'a> {
        Sampler { space, seed: 1, iteration: 2, spread, loyalty: 0.9, possible }
    }

    #[test]
    fn a_parameter_exists_only_where_its_condition_holds() {
        let space = space();
        let any = sampler(&space, SPREAD, &|_| true).sample(200, &[], &[]);
        assert_eq!(any.len(), 200);
        let with = any.iter().filter(|one| one.values[0] == Some(DimensionValue::Name(1))).count();
        assert!((60..140).contains(&with), "{with}");
        for one in &any {
            assert_eq!(one.values[1].is_some(), one.values[0] == Some(DimensionValue::Name(1)));
            assert!(one.values[2].is_some());
        }
    }

    #[test]
    fn children_are_near_their_parents_within_the_range_and_new() {
        let space = space();
        let parent = Candidate {
            values: vec![
                Some(DimensionValue::Name(1)),
                Some(DimensionValue::Whole(1_000)),
                Some(DimensionValue::Real(0.5)),
            ],
        };
        let is_possible = |one: &Candidate| one.values[2] != Some(DimensionValue::Real(0.5));
        let children =
            sampler(&space, 0.05, &is_possible).sample(100, from_ref(&parent), from_ref(&parent));
        let mut near = 0;
        for (place, one) in children.iter().enumerate() {
            assert!(!children[..place].contains(one));
            let Some(DimensionValue::Real(share)) = one.values[2] else { panic!("{one:?}") };
            assert!((0.2..0.8).contains(&share), "{share}");
            near += usize::from((0.4..0.6).contains(&share));
            if let Some(DimensionValue::Whole(size)) = one.values[1] {
                assert!((200..=1_000).contains(&size), "{size}");
            }
        }
        assert!(near > 85, "{near}");
    }

    #[test]
    fn what_is_used_up_ends_and_draws_depend_on_the_seed_alone() {
        let space = space();
        let few = ParameterSpace { dimensions: space.dimensions[..1].to_vec() };
        assert_eq!(sampler(&few, SPREAD, &|_| true).sample(9, &[], &[]).len(), 2);
        assert_eq!(sampler(&few, SPREAD, &|_| false).sample(9, &[], &[]).len(), 0);
        let drawn =
            |seed| Sampler { seed, ..sampler(&space, SPREAD, &|_| true) }.sample(5, &[], &[]);
        assert_eq!(drawn(7), drawn(7));
        assert_ne!(drawn(7), drawn(8));
    }
}
