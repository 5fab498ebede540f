//! Iterated racing: candidates are sampled, raced, and sampled again around the survivors, until
//! the budget is spent.
//!
//! M. López-Ibáñez, J. Dubois-Lacoste, L. Pérez Cáceres, M. Birattari and T. Stützle, *The irace
//! package: iterated racing for automatic algorithm configuration*, Operations Research Perspectives 3
//! (2016), 43-58. With d parameters there are 2 + log2 d iterations and as many elites, rounded down.
//! An iteration has an even share of what is left of the budget, and as many candidates as that pays
//! first_test + min(5, iteration) trials each.
//!
//! Here the first candidate of all is the default configuration, so that what is found has raced it,
//! and a name is its parent's by a probability that rises evenly, without memory of earlier parents.
//!
//! A number is drawn from a normal distribution around its parent's, cut off at the ends of its range,
//! whose spread shrinks from one iteration to the next: with n new candidates and d parameters by a
//! factor of n^(1/d), so that as many fill a d-dimensional box as before. A name is its parent's with a
//! probability that rises with the iterations, else any. Where the parent has no value, any is drawn.

use super::race::{CandidateResult, RaceTrial, Rules, RunTrials, TrialResult, race};
use super::space::{Candidate, Domain, ParameterSpace};
use crate::random::{Draws, GenerationRng, StreamStage};
use crate::statistics::{normal, normal_quantile};

/// Candidates of an iteration at most: each is compared with all others, and a budget may be anything.
const MOST_CANDIDATES: u64 = 10_000;
/// The spread at the beginning, as a share of each range.
const SPREAD: f64 = 0.5;
/// Draws for each candidate until one is possible and new.
const ATTEMPTS: u32 = 100;

/// The budget of a tuning. At least one of both is bounded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TuneBudget {
    /// Trials.
    pub runs: Option<u64>,
    /// Work of all trials.
    pub work: Option<u64>,
}

/// The settings of iterated racing.
pub struct Iterations<'a> {
    /// The parameters.
    pub space: &'a ParameterSpace,
    /// How races are run; the survivors follow from the number of parameters.
    pub rules: Rules,
    /// The budget.
    pub budget: TuneBudget,
    /// The most work of a trial, which counts until the first trials are done.
    pub most_work: u64,
    /// The seed of all samples.
    pub seed: u64,
    /// The default configuration.
    pub default: Candidate,
    /// Whether a candidate can be run at all.
    pub possible: &'a dyn Fn(&Candidate) -> bool,
}

/// The result of an iteration.
#[derive(Clone, Debug, PartialEq)]
pub struct Iteration {
    /// Its number, from 1.
    pub number: u32,
    /// Candidates that raced.
    pub candidates: usize,
    /// Those that were new.
    pub new: usize,
    /// Trials that were run.
    pub runs: u64,
    /// Work of these.
    pub work: u64,
    /// Those that were left, the best first.
    pub elites: Vec<CandidateResult>,
}

/// The part of the budget that is spent.
#[derive(Clone, Copy, Debug, Default)]
struct Spent {
    runs: u64,
    /// Those that had work: presolve alone may solve a puzzle.
    worked: u64,
    work: u64,
}

impl Iterations<'_> {
    /// Trials that can still be paid, by the work that they took in the mean so far.
    fn left(&self, spent: Spent) -> u64 {
        let runs = self.budget.runs.map(|runs| runs.saturating_sub(spent.runs));
        let each = spent.work.div_ceil(spent.worked.max(1));
        let each = if spent.worked == 0 { self.most_work } else { each };
        let work = self.budget.work.map(|work| work.saturating_sub(spent.work) / each.max(1));
        runs.into_iter().chain(work).min().unwrap_or(0)
    }

    /// Races until the budget is spent; `ended` is called after each iteration.
    ///
    /// # Errors
    /// The error of `run_trials`.
    pub fn run<E>(
        &self,
        run_trials: &mut RunTrials<'_, Vec<TrialResult>, E>,
        ended: &dyn Fn(&Iteration),
    ) -> Result<Vec<Iteration>, E> {
        let mut spent = Spent::default();
        let planned = 2 + u64::from(self.space.dimensions.len().max(1).ilog2());
        let rules = Rules { survivors: planned as usize, ..self.rules };
        let (mut spread, mut next) = (SPREAD, 1);
        let mut elites: Vec<CandidateResult> = Vec::new();
        let mut all: Vec<Iteration> = Vec::new();
        for number in 1.. {
            // The rest of the budget after the planned iterations is spent on more iterations like the last.
            let share = self.left(spent) / (planned + 1).saturating_sub(number).max(1);
            let each = (rules.first_test + number.min(5) as usize) as u64;
            let wanted = (share / each).min(MOST_CANDIDATES) as usize;
            let loyalty = (number - 1).min(planned - 1) as f64 / planned as f64;
            let sampler = Sampler { of: self, iteration: number as u32, spread, loyalty };
            let parents: Vec<Candidate> = elites.iter().map(|one| one.candidate.clone()).collect();
            let mut new = if number == 1 { vec![self.default.clone()] } else { Vec::new() };
            sampler.extend(&mut new, wanted, &parents);
            let (added, entered) = (new.len(), elites.len() + new.len());
            if entered < 2 || (number > 1 && added == 0) {
                break;
            }
            let untried =
                |(candidate, number)| CandidateResult { number, candidate, costs: Vec::new() };
            let results = new.into_iter().zip(next..).map(untried);
            let entrants = elites.iter().cloned().chain(results).collect();
            next += added;
            let before = spent;
            let mut paid = |trials: &[RaceTrial]| {
                let left = share.saturating_sub(spent.runs - before.runs);
                if trials.len() as u64 > self.left(spent).min(left) {
                    return Ok(None);
                }
                let ran = run_trials(trials)?;
                spent.runs += ran.len() as u64;
                spent.worked += ran.iter().filter(|one| one.work > 0).count() as u64;
                spent.work = ran.iter().fold(spent.work, |work, one| work.saturating_add(one.work));
                Ok(Some(ran))
            };
            let survivors = race(entrants, rules, &mut paid)?;
            if spent.runs == before.runs {
                // Not even the first blocks could be paid.
                break;
            }
            elites = survivors;
            elites.truncate(rules.survivors);
            let iteration = Iteration {
                number: number as u32,
                candidates: entered,
                new: added,
                runs: spent.runs - before.runs,
                work: spent.work - before.work,
                elites: elites.clone(),
            };
            ended(&iteration);
            all.push(iteration);
            spread *= (1.0 / added.max(1) as f64).powf(1.0 / self.space.dimensions.len() as f64);
        }
        Ok(all)
    }
}

/// Draws the candidates of an iteration.
struct Sampler<'a> {
    of: &'a Iterations<'a>,
    /// The number of the iteration; each has a separate random stream.
    iteration: u32,
    /// The spread of numbers, as a share of their ranges.
    spread: f64,
    /// How often a name is its parent's.
    loyalty: f64,
}

impl Sampler<'_> {
    /// Adds candidates until `new` has `wanted` of them, or no other is found. They differ from each other and from
    /// their `parents`, around which they are drawn if there are any. The best parents come first.
    fn extend(&self, new: &mut Vec<Candidate>, wanted: usize, parents: &[Candidate]) {
        let seed = GenerationRng::new(self.of.seed, self.iteration);
        for number in 0..wanted.saturating_sub(new.len()) as u32 {
            let mut drawn = (0..ATTEMPTS).map(|attempt| {
                let mut draws = seed.draws(StreamStage::Plan, number * ATTEMPTS + attempt);
                self.draw(parents, &mut draws)
            });
            let is_new = |one: &Candidate| !parents.contains(one) && !new.contains(one);
            new.extend(drawn.find(|one| is_new(one) && (self.of.possible)(one)));
        }
    }

    fn draw(&self, parents: &[Candidate], draws: &mut Draws) -> Candidate {
        if parents.is_empty() {
            return self.of.space.candidate(draws, |_, domain, draws| domain.at(unit(draws)));
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
        self.of.space.candidate(draws, |dimension, domain, draws| {
            match (parent.values.get(dimension).copied().flatten(), domain) {
                (None, _) => domain.at(unit(draws)),
                (Some(value), Domain::Names(_)) => {
                    let (loyal, any) = (unit(draws) < self.loyalty, unit(draws));
                    if loyal { value } else { domain.at(any) }
                }
                (Some(value), _) => domain.at(self.near(domain.share(value), draws)),
            }
        })
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
                    domain: Domain::Range { from: 1.0, to: 1_000.0, log: true, whole: true },
                    when,
                },
                Dimension {
                    name: "share",
                    domain: Domain::Range { from: 0.0, to: 1.0, log: false, whole: false },
                    when: Vec::new(),
                },
            ],
        }
    }

    /// Up to so many candidates around a parent, if there is one.
    fn sample(
        space: &ParameterSpace,
        (seed, spread): (u64, f64),
        possible: &dyn Fn(&Candidate) -> bool,
        wanted: usize,
        parents: &[Candidate],
    ) -> Vec<Candidate> {
        let rules = Rules { level: 0.05, first_test: 5, survivors: 1 };
        let (budget, default) = (TuneBudget::default(), Candidate::default());
        let of = &Iterations { space, rules, budget, most_work: 1, seed, default, possible };
        let mut new = Vec::new();
        Sampler { of, iteration: 2, spread, loyalty: 0.9 }.extend(&mut new, wanted, parents);
        new
    }

    #[test]
    fn a_parameter_exists_only_where_its_condition_holds() {
        let space = space();
        let any = sample(&space, (1, SPREAD), &|_| true, 200, &[]);
        assert_eq!(any.len(), 200);
        let with = any.iter().filter(|one| one.values[0] == Some(1.0)).count();
        assert!((60..140).contains(&with), "{with}");
        for one in &any {
            assert_eq!(one.values[1].is_some(), one.values[0] == Some(1.0));
            assert!(one.values[2].is_some());
        }
    }

    #[test]
    fn children_are_near_their_parents_within_the_range_and_new() {
        let space = space();
        let parent = Candidate { values: vec![Some(1.0), Some(1_000.0), Some(0.5)] };
        let is_possible = |one: &Candidate| one.values[2] != Some(0.5);
        let children = sample(&space, (1, 0.05), &is_possible, 100, from_ref(&parent));
        let mut near = 0;
        for (place, one) in children.iter().enumerate() {
            assert!(!children[..place].contains(one));
            let Some(share) = one.values[2] else { panic!("{one:?}") };
            assert!((0.2..0.8).contains(&share), "{share}");
            near += usize::from((0.4..0.6).contains(&share));
            if let Some(size) = one.values[1] {
                assert!((200.0..=1_000.0).contains(&size), "{size}");
            }
        }
        assert!(near > 85, "{near}");
    }

    #[test]
    fn runs_that_are_free_do_not_let_others_exceed_the_budget_of_work() {
        const EACH: u64 = 1_000;
        let (space, mut spent) = (space(), 0);
        let of = Iterations {
            space: &space,
            rules: Rules { level: 0.05, first_test: 5, survivors: 1 },
            budget: TuneBudget { runs: None, work: Some(300 * EACH) },
            most_work: EACH,
            seed: 1,
            default: Candidate::default(),
            possible: &|_| true,
        };
        // Presolve alone solves the puzzles of the first blocks.
        let mut run = |trials: &[RaceTrial]| -> Result<Vec<TrialResult>, ()> {
            let of_block = |trial: &RaceTrial| {
                let work = if trial.block % 9 < 8 { 0 } else { EACH };
                TrialResult { cost: work as f64, work }
            };
            let results: Vec<TrialResult> = trials.iter().map(of_block).collect();
            spent += results.iter().map(|result| result.work).sum::<u64>();
            Ok(results)
        };
        of.run(&mut run, &|_| ()).unwrap();
        assert!((EACH..=300 * EACH).contains(&spent), "{spent}");
    }

    #[test]
    fn what_is_used_up_ends_and_draws_depend_on_the_seed_alone() {
        let space = space();
        let few = ParameterSpace { dimensions: space.dimensions[..1].to_vec() };
        assert_eq!(sample(&few, (1, SPREAD), &|_| true, 9, &[]).len(), 2);
        assert_eq!(sample(&few, (1, SPREAD), &|_| false, 9, &[]).len(), 0);
        let drawn = |seed| sample(&space, (seed, SPREAD), &|_| true, 5, &[]);
        assert_eq!(drawn(7), drawn(7));
        assert_ne!(drawn(7), drawn(8));
    }
}
