//! A race: candidates are run on one block (an instance and a seed) after the other, and those that
//! are worse than the best are dropped, by Friedman's test over the blocks and then Conover's test of each against the
//! best. Only the ranks within each block count.
//!
//! M. Birattari, T. Stützle, L. Paquete and K. Varrentrapp, *A racing algorithm for configuring
//! metaheuristics*, GECCO 2002, 11-18. Candidates from an earlier race have run on more blocks than new ones.
//! They are not dropped before the others have caught up, so that many good runs outweigh a few bad ones (the
//! elitist variant of López-Ibáñez et al. 2016).

use crate::statistics::Friedman;

use super::space::Candidate;

/// How a race is run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules {
    /// The level of the tests.
    pub level: f64,
    /// Blocks before the first test.
    pub first_test: usize,
    /// The race ends when this many candidates are left.
    pub survivors: usize,
}

/// A candidate and what it has cost so far.
#[derive(Clone, Debug, PartialEq)]
pub struct CandidateResult {
    /// Its number, from 1 in the order in which candidates were made.
    pub number: usize,
    /// The configuration.
    pub candidate: Candidate,
    /// Its cost on each block, from the first.
    pub costs: Vec<f64>,
}

/// A candidate to be run on a block.
#[derive(Clone, Debug, PartialEq)]
pub struct RaceTrial {
    /// Its number.
    pub number: usize,
    /// The configuration.
    pub candidate: Candidate,
    /// The block, from 0.
    pub block: usize,
}

/// The result of a trial.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrialResult {
    /// Its cost.
    pub cost: f64,
    /// The work that it took.
    pub work: u64,
}

/// The mean of the costs of trials or runs.
pub(super) fn mean(costs: &[f64]) -> f64 {
    costs.iter().sum::<f64>() / costs.len() as f64
}

/// Runs trials, several at a time, and returns their results `R` in the same order.
pub(super) type RunTrials<'c, R, E> = dyn FnMut(&[RaceTrial]) -> Result<R, E> + 'c;

/// Races `entrants` as long as `run_trials` can pay for their trials; it returns nothing where it cannot. Returns the
/// survivors, the best first.
///
/// # Errors
/// The error of `run_trials`.
pub(super) fn race<E>(
    entrants: Vec<CandidateResult>,
    rules: Rules,
    run_trials: &mut RunTrials<'_, Option<Vec<TrialResult>>, E>,
) -> Result<Vec<CandidateResult>, E> {
    let mut alive = entrants;
    let before: Vec<usize> = alive.iter().map(|one| one.costs.len()).collect();
    let ahead = before.iter().copied().max().unwrap_or(0);
    // Each race has a block on which no candidate has run.
    let least = rules.first_test.max(ahead + 1);
    let mut blocks = rules.first_test.max(1);
    loop {
        let trials: Vec<RaceTrial> = alive.iter().flat_map(|one| lacking(one, blocks)).collect();
        let Some(ran) = run_trials(&trials)? else { break };
        for (trial, ran) in trials.iter().zip(ran) {
            let of = alive.iter_mut().find(|one| one.number == trial.number);
            of.into_iter().for_each(|one| one.costs.push(ran.cost));
        }
        let mut worse = worse(&alive, blocks, rules.level).into_iter();
        // A candidate that has run on more blocks waits for the others.
        alive.retain(|one| !worse.next().unwrap_or(false) || one.costs.len() > blocks);
        if alive.len() <= rules.survivors && blocks >= least {
            break;
        }
        blocks += 1;
    }
    // The budget ended before these had caught up.
    let caught_up = alive.iter().any(|one| one.costs.len() >= ahead);
    alive.retain(|one| !caught_up || one.costs.len() >= ahead);
    Ok(ranked(alive))
}

/// The trials that a candidate lacks to have run on this many blocks.
fn lacking(one: &CandidateResult, blocks: usize) -> impl Iterator<Item = RaceTrial> + '_ {
    let CandidateResult { number, candidate, costs } = one;
    let trial = |block| RaceTrial { number: *number, candidate: candidate.clone(), block };
    (costs.len()..blocks).map(trial)
}

/// Whether each candidate is worse than the best over the first blocks.
fn worse(alive: &[CandidateResult], blocks: usize, level: f64) -> Vec<bool> {
    let friedman = Friedman::of(&by_block(alive, blocks));
    let Some(friedman) = friedman.filter(|friedman| friedman.test().p < level) else {
        return vec![false; alive.len()];
    };
    let ranks = friedman.mean_ranks();
    let best = (0..ranks.len()).min_by(|a, b| ranks[*a].total_cmp(&ranks[*b])).unwrap_or(0);
    (0..ranks.len()).map(|one| friedman.pair(best, one) < level).collect()
}

/// The costs of all candidates on each of the first blocks.
fn by_block(alive: &[CandidateResult], blocks: usize) -> Vec<Vec<f64>> {
    (0..blocks).map(|block| alive.iter().map(|one| one.costs[block]).collect()).collect()
}

/// The best first, by mean rank over the blocks that all have run on; ties by the sum of the costs, then by number.
fn ranked(alive: Vec<CandidateResult>) -> Vec<CandidateResult> {
    let blocks = alive.iter().map(|one| one.costs.len()).min().unwrap_or(0);
    let friedman = Friedman::of(&by_block(&alive, blocks));
    let ranks = friedman.map_or_else(|| vec![0.0; alive.len()], |friedman| friedman.mean_ranks());
    let total = |one: &CandidateResult| one.costs[..blocks].iter().sum::<f64>();
    let mut ranked: Vec<(f64, CandidateResult)> = ranks.into_iter().zip(alive).collect();
    ranked.sort_by(|(rank, one), (other_rank, other)| {
        let by_rank = rank.total_cmp(other_rank).then(total(one).total_cmp(&total(other)));
        by_rank.then(one.number.cmp(&other.number))
    });
    ranked.into_iter().map(|(_, one)| one).collect()
}
