//! Restarts: when a population is given up, and what is carried over.

use super::operator::BuildContext;
use super::operator_names::RestartRule;
use super::selection::RankOrder;
use super::{Config, GenerationKind, Individuals};

impl RestartRule {
    /// Of `restarts` generations that restarted, those that the budget does not count.
    pub fn uncounted(self, restarts: u32) -> u32 {
        match self {
            Self::NoBetterBest => 0,
            Self::UnchangedBest => restarts,
        }
    }
}

/// How long a population has not changed for the better.
#[derive(Clone, Debug)]
pub struct StagnationCounter {
    rule: RestartRule,
    after: u32,
    /// By `no-better-best` the best since the last restart, else that of the last generation.
    best: u16,
    /// Generations in a row that brought nothing.
    stale: u32,
}

impl StagnationCounter {
    /// Nothing has been seen yet.
    pub fn new(config: &Config) -> Self {
        Self { rule: config.restart_rule, after: config.restart_after, best: u16::MAX, stale: 0 }
    }

    /// The same, with what was seen: the best that the next is compared with, and for how many
    /// generations there was nothing new.
    pub fn seen(self, best: u16, stale: u32) -> Self {
        Self { best, stale, ..self }
    }

    /// What the next best is compared with.
    pub fn compared(&self) -> u16 {
        self.best
    }

    /// Generations in a row that brought nothing.
    pub fn stale(&self) -> u32 {
        self.stale
    }

    /// Notes the best of a generation, and says whether the next should be a restart.
    pub fn note(&mut self, best: u16, source: GenerationKind) -> bool {
        let changed = match self.rule {
            RestartRule::NoBetterBest => {
                if source == GenerationKind::Restart {
                    self.best = u16::MAX;
                }
                best < self.best
            }
            // What a restart draws is no iteration: the window goes on with its children.
            RestartRule::UnchangedBest if source == GenerationKind::Restart => return false,
            RestartRule::UnchangedBest => best != self.best,
        };
        if changed {
            self.best = best;
            self.stale = 0;
        } else {
            self.stale += 1;
        }
        self.after > 0 && self.stale >= self.after
    }

    /// Generations before which no restart can be due.
    pub fn patience(&self) -> u32 {
        if self.after > 0 { self.after.saturating_sub(self.stale) } else { u32::MAX }
    }
}

/// The best individuals that a restart carries over.
#[derive(Clone, Debug)]
pub struct RestartElites {
    elites: usize,
    ranking: RankOrder,
}

impl RestartElites {
    /// As many as the configuration says.
    pub fn new(context: &BuildContext) -> Self {
        let config = context.config;
        let elites = config.restart_elites.min(config.population);
        let ranked = if elites > 0 { config.population } else { 0 };
        Self {
            elites: elites as usize,
            ranking: RankOrder::new(ranked, context.space.geometry().worst_fitness()),
        }
    }

    /// Makes the new boards the population, in whose first slots the best of the old stand.
    pub fn replace(&mut self, population: &mut Individuals, children: &mut Individuals) {
        std::mem::swap(population, children);
        if self.elites > 0 {
            self.ranking.rank(&children.fitness);
            for (slot, elite) in self.ranking.slots()[..self.elites].iter().enumerate() {
                population.copy(slot, children, *elite as usize);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ga::{Preset, presets};

    fn notes(rule: RestartRule, after: u32, bests: &[u16]) -> Vec<bool> {
        let own = presets::config(Preset::Memetic);
        let config = Config { restart_rule: rule, restart_after: after, ..own };
        let mut staleness = StagnationCounter::new(&config);
        let mut source = GenerationKind::Initialiser;
        let mut restarts = Vec::new();
        for best in bests {
            let restart = staleness.note(*best, source);
            source = if restart { GenerationKind::Restart } else { GenerationKind::Parents };
            restarts.push(restart);
        }
        restarts
    }

    #[test]
    fn no_better_best_waits_since_the_last_improvement() {
        let restarts = notes(RestartRule::NoBetterBest, 2, &[9, 9, 8, 9, 8, 30, 31, 29, 29, 29]);
        let at: Vec<usize> = (0..10).filter(|generation| restarts[*generation]).collect();
        // Generation 5 is the restart: 30 is its first best, 29 the next, and then nothing.
        assert_eq!(at, [4, 9]);
    }

    #[test]
    fn unchanged_best_compares_with_each_generation_before() {
        let restarts = notes(RestartRule::UnchangedBest, 3, &[9, 8, 9, 9, 9, 9, 40, 8, 9, 9]);
        let at: Vec<usize> = (0..10).filter(|generation| restarts[*generation]).collect();
        assert_eq!(at, [5]);
    }

    #[test]
    fn what_a_restart_draws_is_no_iteration_of_an_unchanged_best() {
        let restarts = notes(RestartRule::UnchangedBest, 3, &[9; 8]);
        let at: Vec<usize> = (0..8).filter(|generation| restarts[*generation]).collect();
        // Its children go on with the window, which is full with the same best once more.
        assert_eq!(at, [3, 5, 7]);
        assert_eq!(RestartRule::UnchangedBest.uncounted(2), 2);
        assert_eq!(RestartRule::NoBetterBest.uncounted(2), 0);
    }

    #[test]
    fn patience_is_how_long_no_restart_is_due() {
        let staleness = |after| {
            let own = presets::config(Preset::Boxes);
            StagnationCounter::new(&Config { restart_after: after, ..own })
        };
        assert_eq!(staleness(0).seen(9, 7).patience(), u32::MAX);
        assert_eq!(staleness(5).seen(9, 0).patience(), 5);
        assert_eq!(staleness(5).seen(9, 4).patience(), 1);
        assert_eq!(staleness(5).seen(9, 6).patience(), 0);
    }
}
