//! Restarts: when a new population replaces the old one, and which individuals survive.

use super::operator::BuildContext;
use super::operator_names::RestartRule;
use super::selection::RankOrder;
use super::{Config, GenerationKind, Individuals, RunCounters};

impl RunCounters {
    /// Records the best fitness of a generation; returns whether the next one should restart.
    pub(super) fn restarts_after(&mut self, best: u16, config: &Config) -> bool {
        let restarted = self.source == GenerationKind::Restart;
        let changed = match config.restart_rule {
            RestartRule::NoBetterBest => {
                if restarted {
                    self.compared = u16::MAX;
                }
                best < self.compared
            }
            // A generation that restarts is no iteration: its children continue the window.
            RestartRule::UnchangedBest if restarted => return false,
            RestartRule::UnchangedBest => best != self.compared,
        };
        if changed {
            self.compared = best;
            self.stale = 0;
        } else {
            self.stale += 1;
        }
        config.restart_after > 0 && self.stale >= config.restart_after
    }

    /// The number of generations in which no restart can be due.
    pub(super) fn patience(&self, config: &Config) -> u32 {
        match config.restart_after {
            0 => u32::MAX,
            after => after.saturating_sub(self.stale),
        }
    }

    /// The number of generations that the budget counts.
    pub(super) fn counted_generations(&self, config: &Config) -> u32 {
        match config.restart_rule {
            RestartRule::NoBetterBest => self.generation,
            RestartRule::UnchangedBest => self.generation - self.restarts,
        }
    }
}

/// The best individuals, which survive a restart.
#[derive(Clone, Debug)]
pub struct RestartElites {
    elites: usize,
    ranking: RankOrder,
}

impl RestartElites {
    /// As many individuals as the configuration says.
    pub fn new(context: &BuildContext) -> Self {
        let config = context.config;
        let elites = config.restart_elites.min(config.population);
        let ranked = if elites > 0 { config.population } else { 0 };
        Self {
            elites: elites as usize,
            ranking: RankOrder::new(ranked, context.space.geometry().worst_fitness()),
        }
    }

    /// Replaces the population by the new boards. The best of the old individuals take the first slots. A new board
    /// that is a solution keeps its slot, and the run ends.
    pub fn replace(&mut self, population: &mut Individuals, children: &mut Individuals) {
        std::mem::swap(population, children);
        if self.elites > 0 {
            self.ranking.rank(&children.fitness);
            for (slot, elite) in self.ranking.slots[..self.elites].iter().enumerate() {
                if population.fitness[slot] > 0 {
                    population.copy(slot, children, *elite as usize);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Geometry, SearchSpace};
    use crate::ga::{Preset, presets};

    fn counters() -> RunCounters {
        RunCounters::start(&SearchSpace::blank(Geometry::new(2, 2).unwrap()))
    }

    fn notes(rule: RestartRule, after: u32, bests: &[u16]) -> Vec<bool> {
        let own = presets::config(Preset::Memetic);
        let config = Config { restart_rule: rule, restart_after: after, ..own };
        let mut counters = counters();
        let mut restarts = Vec::new();
        for best in bests {
            let restart = counters.restarts_after(*best, &config);
            counters.source =
                if restart { GenerationKind::Restart } else { GenerationKind::Parents };
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
    }

    #[test]
    fn patience_is_how_long_no_restart_is_due() {
        let patience = |restart_after, stale| {
            let config = Config { restart_after, ..presets::config(Preset::Boxes) };
            RunCounters { stale, ..counters() }.patience(&config)
        };
        assert_eq!(patience(0, 7), u32::MAX);
        assert_eq!(patience(5, 0), 5);
        assert_eq!(patience(5, 4), 1);
        assert_eq!(patience(5, 6), 0);
    }
}
