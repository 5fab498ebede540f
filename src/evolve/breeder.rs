//! Breeding: the operators of a run, and what becomes of a slot.

use std::ops::Range;

use rayon::prelude::*;

use super::crossover::CrossoverOperator;
use super::encoding::EncodingOperator;
use super::improvement::{Effort, ImprovementOperator};
use super::mutation::BestOf;
use super::operator::Setting;
use super::replacement::ReplacementOperator;
use super::restart::Carry;
use super::selection::{Mate, SelectionOperator};
use super::{Config, ConfigError, Individuals};
use crate::board::{Geometry, SearchSpace};
use crate::random::{Seed, Stage};

/// Slots that one task breeds, and after which it looks whether the run was ended.
const TASK_LEN: usize = 64;

/// Where children come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// New boards: the first generation.
    Initialiser,
    /// New boards in place of a population that is given up.
    Restart,
    /// Two parents each.
    Parents,
}

/// One operator of each family.
pub struct Breeder {
    geometry: Geometry,
    encoding: Box<dyn EncodingOperator>,
    selection: Box<dyn SelectionOperator>,
    mate: Mate,
    crossover: Box<dyn CrossoverOperator>,
    /// Children that a couple has by one set of draws.
    siblings: u32,
    mutation: BestOf,
    improvement: Box<dyn ImprovementOperator>,
    replacement: Box<dyn ReplacementOperator>,
    restart: Carry,
    population: usize,
    /// Children of a generation that parents have.
    offspring: usize,
}

impl Breeder {
    /// The operators that `config` names, made for the puzzle.
    ///
    /// # Errors
    /// [`ConfigError`] when one of them cannot work in this setting.
    pub fn new(space: &SearchSpace, config: &Config) -> Result<Self, ConfigError> {
        let groups = config.encoding.groups(space);
        let setting = Setting { space, config, groups: &groups };
        Ok(Self {
            geometry: space.geometry(),
            encoding: config.encoding.build(&setting)?,
            selection: config.selection.build(&setting)?,
            mate: Mate::of(&setting)?,
            crossover: config.crossover.build(&setting)?,
            siblings: config.crossover.siblings(),
            mutation: BestOf::new(
                config.mutation.build(&setting)?,
                config.mutants,
                space.geometry(),
            ),
            improvement: config.improvement.build(&setting)?,
            replacement: config.replacement.build(&setting)?,
            restart: Carry::new(&setting),
            population: config.population as usize,
            offspring: config.replacement.offspring(config) as usize,
        })
    }

    /// Children that a generation has.
    pub fn offspring_count(&self, source: Source) -> usize {
        match source {
            Source::Initialiser | Source::Restart => self.population,
            Source::Parents => self.offspring,
        }
    }

    /// Looks at the whole population before a generation is bred.
    pub fn plan(&mut self, population: &Individuals, source: Source, seed: &Seed) {
        if source == Source::Parents {
            self.selection.plan(&population.fitness, seed);
        }
    }

    /// Overwrites `boards` with the children of `slots`, in parallel; returns what improvement
    /// cost, or nothing when `stop` said so in between.
    pub fn breed(
        &self,
        population: &Individuals,
        source: Source,
        seed: &Seed,
        slots: Range<usize>,
        boards: &mut [u8],
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Effort> {
        let stride = self.geometry.stride();
        boards
            .par_chunks_mut(TASK_LEN * stride)
            .enumerate()
            .map_init(
                || vec![0; self.improvement.scratch_len().max(self.mutation.scratch_len())],
                |scratch, (task, boards)| {
                    if stop() {
                        return None;
                    }
                    let first = slots.start + task * TASK_LEN;
                    let count = boards.len() / stride;
                    // Parents are found together, so that waits for memory overlap.
                    let mut parents = [[0; 2]; TASK_LEN];
                    if source == Source::Parents {
                        self.parents(first as u32, population, seed, &mut parents[..count]);
                    }
                    let children = boards.chunks_exact_mut(stride).zip(first..).zip(parents);
                    Some(
                        children
                            .map(|((child, slot), parents)| match source {
                                Source::Initialiser | Source::Restart => {
                                    self.initialise(slot, seed, child)
                                }
                                Source::Parents => {
                                    let parents =
                                        parents.map(|slot| population.boards.board(slot as usize));
                                    self.offspring(slot as u32, parents, seed, child, scratch)
                                }
                            })
                            .sum(),
                    )
                },
            )
            .sum()
    }

    fn initialise(&self, slot: usize, seed: &Seed, child: &mut [u8]) -> Effort {
        self.encoding.initialise(child, &mut seed.draws(Stage::Initialise, slot as u32));
        Effort::default()
    }

    /// The first slot of those whose children share parents and draws.
    fn family(&self, slot: u32) -> u32 {
        slot - slot % self.siblings
    }

    /// The parents of the slots from `first` on; the second of two siblings has them in reverse.
    fn parents(&self, first: u32, population: &Individuals, seed: &Seed, parents: &mut [[u32; 2]]) {
        for (parents, slot) in parents.iter_mut().zip(first..) {
            let family = self.family(slot);
            *parents = self.mate.parents(&*self.selection, family, population, seed);
            if slot != family {
                parents.reverse();
            }
        }
        self.selection.resolve(parents);
    }

    /// The child of `slot`: with its parents, a pure function of the population, the seed and the
    /// slot.
    fn offspring(
        &self,
        slot: u32,
        parents: [&[u8]; 2],
        seed: &Seed,
        child: &mut [u8],
        scratch: &mut [u8],
    ) -> Effort {
        self.crossover.cross(parents, child, &mut seed.draws(Stage::Cross, self.family(slot)));
        let mut effort = self.mutation.mutate(child, scratch, &mut seed.draws(Stage::Mutate, slot));
        effort += self.improvement.improve(child, scratch, &mut seed.draws(Stage::Improve, slot));
        effort
    }

    /// Decides who survives; new boards always do.
    pub fn replace(
        &mut self,
        population: &mut Individuals,
        children: &mut Individuals,
        source: Source,
    ) {
        match source {
            Source::Initialiser => std::mem::swap(population, children),
            Source::Restart => self.restart.replace(population, children),
            Source::Parents => self.replacement.replace(population, children),
        }
    }
}
