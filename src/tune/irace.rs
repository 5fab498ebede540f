//! Iterated racing: candidates are sampled, raced, and sampled anew around those that are left, until
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

use std::cell::{Cell, RefCell};

use super::race::{CandidateResult, RaceCourse, RaceTrial, Rules, TrialResult, race};
use super::sampling::{SPREAD, Sampler};
use super::space::{Candidate, ParameterSpace};

/// Candidates of an iteration at most: each is compared with all others, and a budget may be anything.
const MOST_CANDIDATES: u64 = 10_000;

/// What may be spent. At least one of both is bounded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TuneBudget {
    /// Trials.
    pub runs: Option<u64>,
    /// Work of all trials.
    pub work: Option<u64>,
}

/// What iterated racing is given.
pub struct Iterations<'a> {
    /// The parameters.
    pub space: &'a ParameterSpace,
    /// How races are run; the survivors follow from the number of parameters.
    pub rules: Rules,
    /// What may be spent.
    pub budget: TuneBudget,
    /// What a trial may take, as long as nothing is known of any.
    pub most_work: u64,
    /// The seed of all samples.
    pub seed: u64,
    /// The default configuration.
    pub default: Candidate,
    /// Whether a candidate can be run at all.
    pub possible: &'a dyn Fn(&Candidate) -> bool,
}

/// What an iteration came to.
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
    /// Blocks that the best has run on.
    pub blocks: usize,
    /// Those that were left, the best first.
    pub elites: Vec<CandidateResult>,
}

/// What was spent so far.
#[derive(Clone, Copy, Debug, Default)]
struct BudgetSpent {
    budget: TuneBudget,
    most_work: u64,
    runs: u64,
    work: u64,
}

impl BudgetSpent {
    /// Trials that can still be paid, by the work that they took in the mean so far.
    fn left(&self) -> u64 {
        let runs = self.budget.runs.map(|runs| runs.saturating_sub(self.runs));
        let each = if self.runs == 0 { self.most_work } else { self.work.div_ceil(self.runs) };
        let work = self.budget.work.map(|work| work.saturating_sub(self.work) / each.max(1));
        runs.into_iter().chain(work).min().unwrap_or(0)
    }
}

impl Iterations<'_> {
    /// Iterations and elites that so many parameters ask for.
    pub fn count(parameters: usize) -> usize {
        2 + parameters.max(1).ilog2() as usize
    }

    /// Races until the budget is spent; `told` is called after each iteration.
    ///
    /// # Errors
    /// What keeps trials from being run.
    pub fn run<E>(
        &self,
        course: &mut RaceCourse<'_, E>,
        told: &mut dyn FnMut(&Iteration),
    ) -> Result<Vec<Iteration>, E> {
        let (budget, most_work) = (self.budget, self.most_work);
        let mut purse = BudgetSpent { budget, most_work, ..BudgetSpent::default() };
        let planned = Self::count(self.space.dimensions.len()) as u64;
        let rules = Rules { survivors: planned as usize, ..self.rules };
        let (mut spread, mut next) = (SPREAD, 1);
        let mut elites: Vec<CandidateResult> = Vec::new();
        let mut all: Vec<Iteration> = Vec::new();
        for number in 1.. {
            // What the planned iterations leave is spent on more of the kind of the last.
            let share = purse.left() / (planned + 1).saturating_sub(number).max(1);
            let each = (rules.first_test + number.min(5) as usize) as u64;
            let wanted = (share / each).min(MOST_CANDIDATES) as usize;
            let sampler = Sampler {
                space: self.space,
                seed: self.seed,
                iteration: number as u32,
                spread,
                loyalty: (number - 1).min(planned - 1) as f64 / planned as f64,
                possible: self.possible,
            };
            let mut known: Vec<Candidate> =
                elites.iter().map(|one| one.candidate.clone()).collect();
            let parents = known.clone();
            let mut new = Vec::new();
            if number == 1 {
                known.push(self.default.clone());
                new.push(self.default.clone());
            }
            let count = wanted.saturating_sub(new.len());
            new.extend(sampler.sample(count, &parents, &known));
            let entered = elites.len() + new.len();
            if entered < 2 || (number > 1 && new.is_empty()) {
                break;
            }
            let fresh = new.len();
            let standings = new.into_iter().map(|candidate| {
                next += 1;
                CandidateResult { number: next - 1, candidate, costs: Vec::new() }
            });
            let entrants = elites.iter().cloned().chain(standings).collect();
            let (runs, work) = (purse.runs, purse.work);
            let survivors = self.race(entrants, rules, share, &mut purse, course)?;
            if purse.runs == runs {
                // Not even the first blocks could be paid.
                break;
            }
            elites = survivors;
            elites.truncate(rules.survivors);
            let iteration = Iteration {
                number: number as u32,
                candidates: entered,
                new: fresh,
                runs: purse.runs - runs,
                work: purse.work - work,
                blocks: elites.first().map_or(0, |best| best.costs.len()),
                elites: elites.clone(),
            };
            told(&iteration);
            all.push(iteration);
            spread *= (1.0 / fresh.max(1) as f64).powf(1.0 / self.space.dimensions.len() as f64);
        }
        Ok(all)
    }

    /// One race, within a share of the budget.
    fn race<E>(
        &self,
        entrants: Vec<CandidateResult>,
        rules: Rules,
        share: u64,
        purse: &mut BudgetSpent,
        course: &mut RaceCourse<'_, E>,
    ) -> Result<Vec<CandidateResult>, E> {
        let (purse, spent) = (RefCell::new(purse), Cell::new(0_u64));
        let mut affords = |trials: usize| {
            let left = purse.borrow().left().min(share.saturating_sub(spent.get()));
            trials as u64 <= left
        };
        let mut counted = |trials: &[RaceTrial]| -> Result<Vec<TrialResult>, E> {
            let ran = course(trials)?;
            let mut purse = purse.borrow_mut();
            purse.runs += ran.len() as u64;
            purse.work = ran.iter().fold(purse.work, |work, one| work.saturating_add(one.work));
            spent.set(spent.get() + ran.len() as u64);
            Ok(ran)
        };
        race(entrants, rules, &mut affords, &mut counted)
    }
}
