//! Breeding: the operators of a run turn a population into children.

mod whole_generation;

#[cfg(test)]
mod tests;

use std::cell::Cell;
use std::ops::{Range, RangeFrom};
use std::sync::Arc;

use rayon::prelude::*;

use super::crossover::{CrossoverOperator, cross_at_rate};
use super::encoding::{BoardCheck, EncodingOperator};
use super::generation_operators::GenerationFamilies;
use super::local_search::{Effort, LocalSearchOperator, StopCheck};
use super::mutation::AdaptiveMutation;
use super::offspring_batch::{OffspringBatch, first_sibling};
use super::operator::BuildContext;
use super::replacement::ReplacementOperator;
use super::restart::RestartElites;
use super::selection::{MatingPreference, Pairing, Selection, SelectionOperator};
use super::{
    Config, ConfigError, CustomOperators, GenerationKind, GenerationOperators, Individuals,
};
use crate::board::{Geometry, SearchSpace};
use crate::random::{BlockCache, GenerationRng, Probability, StreamStage, WordBudget};

/// The most slots of a task: as many as have their random words computed side by side. Each task first checks whether
/// the run was interrupted.
const TASK_LEN: usize = BlockCache::ROW;
/// The most bytes of the boards of a batch: they stay in the first level of the cache.
const BATCH_BYTES: usize = 1 << 14;
/// The moves of local search that a task should have: a fraction of a millisecond.
const TASK_MOVES: u64 = 1 << 14;
/// The fewest moves of a task, because it takes microseconds to wake a thread.
const LEAST_MOVES: u64 = 1 << 9;
/// A child without local search takes about as long as this many moves.
const CHILD_MOVES: u64 = 8;
/// Tasks for each thread, so that no thread waits long for the last task.
const TASKS_A_THREAD: usize = 4;

/// Working memory of a thread.
struct Scratch {
    /// Working memory of the operators, which use it in turn.
    words: Vec<u32>,
    ahead: BlockCache,
}

impl Scratch {
    fn new() -> Box<Self> {
        Box::new(Self { words: Vec::new(), ahead: BlockCache::none() })
    }
}

thread_local! {
    // A task takes the memory while it runs. If a custom operator waits, the thread may begin another task, which then
    // allocates new memory.
    static SCRATCH: Cell<Option<Box<Scratch>>> = const { Cell::new(None) };
}

/// The steps by which children are bred from a population.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum BreedingStep {
    /// They are crossed.
    Cross,
    /// They are mutated.
    Mutate,
    /// They go through local search.
    Improve,
    /// They are complete.
    Done,
}

/// The steps of a task.
#[derive(Clone, Copy)]
struct TaskSteps<'p> {
    /// The parents of its children, if they are selected.
    parents: Option<&'p [[u32; 2]]>,
    from: BreedingStep,
    until: BreedingStep,
    /// Interrupts it.
    stop: StopCheck<'p>,
}

/// One operator of each family.
pub struct Breeder {
    geometry: Geometry,
    encoding: Box<dyn EncodingOperator>,
    selection: Box<dyn SelectionOperator>,
    mate: MatingPreference,
    crossover: Box<dyn CrossoverOperator>,
    crossover_rate: Probability,
    mutation: AdaptiveMutation,
    local_search: Box<dyn LocalSearchOperator>,
    replacement: Box<dyn ReplacementOperator>,
    restart: RestartElites,
    /// Operators that take whole generations, the families that they have, and the check of their children.
    generation: Option<(Arc<dyn GenerationOperators>, GenerationFamilies, BoardCheck)>,
    /// The random words that nearly every child draws, by stage.
    drawn: Vec<WordBudget>,
    population: usize,
    /// Children of a generation that is not a restart.
    offspring: usize,
}

impl Breeder {
    /// Builds the operators that `config` names for a puzzle; those of `own` replace them.
    ///
    /// # Errors
    /// [`ConfigError`] when an operator cannot work with the others.
    pub fn new(
        space: &SearchSpace,
        config: &Config,
        own: &CustomOperators,
    ) -> Result<Self, ConfigError> {
        let groups = config.encoding.groups(space);
        let context = BuildContext::new(space, config, &groups);
        let replacement = config.replacement.build_or_custom(&own.replacement, &context)?;
        let offspring = replacement.offspring(config.population);
        let context = BuildContext { offspring, ..context };
        let encoding = config.encoding.build_or_custom(&own.encoding, &context)?;
        let selection = config.selection.build_or_custom(&own.selection, &context)?;
        let crossover = config.crossover.build_or_custom(&own.crossover, &context)?;
        let mutation = AdaptiveMutation::new(&own.mutation, &context)?;
        let local_search = config.local_search.build_or_custom(&own.local_search, &context)?;
        // A custom operator may report any count.
        let (children, slots) = (crossover.children_per_couple(), selection.slots_per_couple());
        for (operator, count, what, most) in [
            (replacement.name(), offspring, "children a generation", config.population),
            (crossover.name(), children, "children a couple", u32::MAX),
            (selection.name(), slots, "slots with the same parents", u32::MAX),
        ] {
            if !(1..=most).contains(&count) {
                let text = format!("{operator} has {count} {what}, but must have 1 to {most}");
                return Err(ConfigError::Unfit(text));
            }
        }
        let is_paired = config.selection == Selection::Truncation
            && config.pairing != Pairing::Random
            && own.selection.is_none();
        if is_paired && !slots.is_multiple_of(children) {
            return Err(ConfigError::Unfit(format!(
                "a couple has {slots} children, but crossover {} makes {children} at a time: set children to a multiple \
                 of {children}",
                crossover.name()
            )));
        }
        let drawn = [
            WordBudget::each(StreamStage::Select, selection.words()),
            WordBudget {
                stage: StreamStage::Cross,
                words: crossover.words(),
                sharing: crossover.children_per_couple(),
            },
            WordBudget::each(StreamStage::Mutate, mutation.words()),
        ];
        let generation = own.generation.as_ref().map(|operators| {
            let families = GenerationFamilies::of(&**operators)?;
            Ok((Arc::clone(operators), families, BoardCheck::new(config.encoding, space)))
        });
        Ok(Self {
            geometry: space.geometry(),
            encoding,
            selection,
            mate: config.mate,
            crossover,
            crossover_rate: Probability::new(config.crossover_rate),
            mutation,
            local_search,
            replacement,
            restart: RestartElites::new(&context),
            generation: generation.transpose()?,
            drawn: drawn.into_iter().filter(|drawn| drawn.words > 0).collect(),
            population: config.population as usize,
            offspring: offspring as usize,
        })
    }

    /// Returns about how many moves the local search of a child may take.
    pub fn moves_a_child(&self) -> u64 {
        self.local_search.moves_a_child()
    }

    /// Returns the number of blocks of four random words that a child draws. Blocks that several children share are
    /// divided among them.
    pub fn blocks_a_child(&self) -> f64 {
        let (children_per_couple, slots_per_couple) =
            (self.crossover.children_per_couple(), self.selection.slots_per_couple());
        let each = |drawn: &WordBudget| {
            let sharing = match drawn.stage {
                StreamStage::Select => u64::from(children_per_couple) * u64::from(slots_per_couple),
                _ => drawn.sharing.into(),
            };
            drawn.blocks() as f64 / sharing as f64
        };
        self.drawn.iter().map(each).sum()
    }

    /// Returns the number of children of a generation.
    pub fn offspring_count(&self, source: GenerationKind) -> usize {
        match source {
            GenerationKind::Initialiser | GenerationKind::Restart => self.population,
            GenerationKind::Parents => self.offspring,
        }
    }

    /// Reads the fitness of the whole population, before a generation is bred.
    pub fn prepare(
        &mut self,
        population: &Individuals,
        source: GenerationKind,
        seed: &GenerationRng,
    ) {
        if source == GenerationKind::Parents {
            self.selection.begin_generation(&population.fitness, seed);
        }
    }

    /// Overwrites `boards` with the children of `slots`, in parallel. Returns the effort of local search, or `None` if
    /// `stop` interrupted it.
    pub fn breed(
        &self,
        population: &Individuals,
        source: GenerationKind,
        seed: &GenerationRng,
        slots: Range<usize>,
        boards: &mut [u8],
        stop: StopCheck<'_>,
    ) -> Option<Effort> {
        match source {
            GenerationKind::Initialiser | GenerationKind::Restart => {
                self.each_task(slots, boards, stop, |slots, boards| {
                    for (child, slot) in boards.chunks_exact_mut(self.geometry.stride()).zip(slots)
                    {
                        let mut draws = seed.draws(StreamStage::Initialise, slot as u32);
                        self.encoding.initialise(child, &mut draws);
                    }
                    Some(Effort::default())
                })
            }
            GenerationKind::Parents => {
                let (from, until) = (BreedingStep::Cross, BreedingStep::Done);
                let steps = TaskSteps { parents: None, from, until, stop };
                self.breed_steps(population, seed, slots, boards, steps)
            }
        }
    }

    /// Carries out some steps of the children of `slots`, in parallel.
    fn breed_steps(
        &self,
        population: &Individuals,
        seed: &GenerationRng,
        slots: Range<usize>,
        boards: &mut [u8],
        steps: TaskSteps<'_>,
    ) -> Option<Effort> {
        let first = slots.start;
        self.each_task(slots, boards, steps.stop, |slots, boards| {
            let mut scratch = SCRATCH.take().unwrap_or_else(Scratch::new);
            let words = scratch.words.len().max(self.scratch_len());
            scratch.words.resize(words, 0);
            let parents = steps.parents.map(|parents| &parents[slots.start - first..]);
            let steps = TaskSteps { parents, ..steps };
            let at = slots.start as u32;
            let bred = self.breed_task(population, seed, at, boards, steps, &mut scratch);
            SCRATCH.set(Some(scratch));
            bred
        })
    }

    /// Calls `work` with the first slot and the boards of each task, in parallel, unless `stop` interrupts it.
    fn each_task(
        &self,
        slots: Range<usize>,
        boards: &mut [u8],
        stop: StopCheck<'_>,
        work: impl Fn(RangeFrom<usize>, &mut [u8]) -> Option<Effort> + Sync,
    ) -> Option<Effort> {
        let stride = self.geometry.stride();
        let task_len = self.task_len(slots.len());
        let task = |(task, boards): (usize, &mut [u8])| match stop() {
            true => None,
            false => work(slots.start + task * task_len.., boards),
        };
        match rayon::current_num_threads() {
            // It takes a noticeable share of the time to divide a small population.
            1 => boards.chunks_mut(task_len * stride).enumerate().map(task).sum(),
            _ => boards.par_chunks_mut(task_len * stride).enumerate().map(task).sum(),
        }
    }

    /// The number of children of a task, if `children` are bred.
    fn task_len(&self, children: usize) -> usize {
        let tasks = match rayon::current_num_threads() {
            // No thread waits for another.
            1 => 1,
            threads => TASKS_A_THREAD * threads,
        };
        let child = CHILD_MOVES + self.local_search.moves_a_child();
        let [least, most] =
            [LEAST_MOVES, TASK_MOVES].map(|moves| ((moves / child) as usize).clamp(1, TASK_LEN));
        children.div_ceil(tasks).clamp(least, most)
    }

    /// Words of working memory that the operators need.
    fn scratch_len(&self) -> usize {
        let mutation = self.mutation.scratch_len().div_ceil(size_of::<u32>());
        self.local_search.scratch_len().max(mutation)
    }

    /// Overwrites `boards` with the children of the slots from `first` on; returns as [`breed`](Self::breed).
    fn breed_task(
        &self,
        population: &Individuals,
        seed: &GenerationRng,
        first: u32,
        boards: &mut [u8],
        steps: TaskSteps<'_>,
        scratch: &mut Scratch,
    ) -> Option<Effort> {
        let Scratch { words: scratch, ahead } = scratch;
        let TaskSteps { parents: selected, from, until, stop } = steps;
        let stride = self.geometry.stride();
        let children = boards.len() / stride;
        // All parents are selected before the first child is bred, so that waits for memory overlap.
        let mut parents = [[0; 2]; TASK_LEN];
        let parents = &mut parents[..children];
        ahead.compute(seed, &self.drawn, first, children);
        let seed = &seed.with_cache(ahead);
        match selected {
            Some(selected) => parents.copy_from_slice(&selected[..children]),
            None => self.select_parents(first, population, seed, parents),
        }
        let len = (BATCH_BYTES / stride).max(1);
        let batches = (first..).step_by(len).zip(parents.chunks(len));
        batches
            .zip(boards.chunks_mut(len * stride))
            .map(|((first, parents), children)| {
                let boards = population.boards.bytes();
                let batch = OffspringBatch { boards, stride, parents, first, seed };
                if from <= BreedingStep::Cross {
                    cross_at_rate(&*self.crossover, self.crossover_rate, batch, children);
                }
                let mut effort = Effort::default();
                if from <= BreedingStep::Mutate && until > BreedingStep::Mutate {
                    let bytes = bytemuck::cast_slice_mut(scratch);
                    let fitness = &population.fitness;
                    effort += self.mutation.mutate_batch(batch, children, fitness, bytes);
                }
                if until > BreedingStep::Improve {
                    effort += self.local_search.improve_batch(batch, children, scratch, stop)?;
                }
                Some(effort)
            })
            .sum()
    }

    /// Selects the parents of the slots from `first` on. All siblings but the first have them in the other order.
    fn select_parents(
        &self,
        first: u32,
        population: &Individuals,
        seed: &GenerationRng,
        parents: &mut [[u32; 2]],
    ) {
        let (slots_per_couple, children_per_couple) =
            (self.selection.slots_per_couple(), self.crossover.children_per_couple());
        if self.mate == MatingPreference::Any && (slots_per_couple == 1 || children_per_couple == 1)
        {
            let sharing = slots_per_couple * children_per_couple;
            if sharing == 1 {
                self.selection.select_batch((first, 1), &population.fitness, seed, parents);
                return self.selection.to_slots(parents);
            }
            // Slots that share parents use the selection of the first of these slots.
            let begun = first % sharing;
            let (mut drawn, slots) = ([[0; 2]; TASK_LEN], begun as usize + parents.len());
            let drawn = &mut drawn[..slots.div_ceil(sharing as usize)];
            self.selection.select_batch((first - begun, sharing), &population.fitness, seed, drawn);
            self.selection.to_slots(drawn);
            let head = ((sharing - begun) as usize).min(parents.len());
            let (head, rest) = parents.split_at_mut(head);
            let families = std::iter::once(head).chain(rest.chunks_mut(sharing as usize));
            families.zip(&*drawn).for_each(|(parents, couple)| parents.fill(*couple));
            if children_per_couple > 1 {
                parents.iter_mut().for_each(|couple| couple.reverse());
                let first_of_all = (children_per_couple - begun) % children_per_couple;
                let firsts = parents.iter_mut().skip(first_of_all as usize);
                firsts.step_by(children_per_couple as usize).for_each(|couple| couple.reverse());
            }
            return;
        }
        let mut last = (u32::MAX, [0; 2]);
        for (parents, slot) in parents.iter_mut().zip(first..) {
            let family = first_sibling(slot, children_per_couple);
            if family / slots_per_couple != last.0 {
                let drawn = self.mate.parents(&*self.selection, family, population, seed);
                last = (family / slots_per_couple, drawn);
            }
            *parents = last.1;
            if slot != family {
                parents.reverse();
            }
        }
        self.selection.to_slots(parents);
    }

    /// Replaces individuals of the population by children. New boards of a restart always replace them.
    pub fn replace(
        &mut self,
        population: &mut Individuals,
        children: &mut Individuals,
        source: GenerationKind,
    ) {
        match source {
            GenerationKind::Initialiser => std::mem::swap(population, children),
            GenerationKind::Restart => self.restart.replace(population, children),
            GenerationKind::Parents => self.replacement.replace(population, children),
        }
    }
}
