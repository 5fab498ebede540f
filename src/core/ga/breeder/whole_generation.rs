//! Breeding by operators that take whole generations.
//!
//! They do their part for all children at once. Steps of the configuration that come before are done for all children too,
//! those that come after as ever, chunk by chunk:
//!
//! ```text
//! own crossover:  select all | cross all     | mutate, improve, score chunk by chunk
//! own mutation:   select all | cross all     | mutate all | improve, score chunk by chunk
//! own selection:  select all | cross, mutate, improve, score chunk by chunk
//! ```

use rayon::prelude::*;

use super::{BoardCheck, Breeder, BreedingStep, Effort, Range, StopCheck, TASK_LEN, TaskSteps};
use crate::ga::{GenerationOperators, GenerationPlace, Individuals, RunError};
use crate::random::GenerationRng;

/// What operators that take whole generations have left to do.
pub struct PreparedGeneration {
    /// The parents of each child.
    parents: Vec<[u32; 2]>,
    /// The next step.
    next: BreedingStep,
}

impl Breeder {
    /// Has the operators that take whole generations do their part for all children, if there are any. `children` has room
    /// for the boards of a generation.
    ///
    /// # Errors
    /// [`RunError::Operator`] when one of them fails, or makes a board that does not belong to the run.
    pub fn prepare_generation(
        &self,
        at: GenerationPlace,
        population: &Individuals,
        seed: &GenerationRng,
        children: &mut [u8],
    ) -> Result<Option<PreparedGeneration>, RunError> {
        let Some((operators, families, check)) = &self.generation else { return Ok(None) };
        let children = &mut children[..self.offspring * self.geometry.stride()];
        let mut parents = vec![[0; 2]; self.offspring];
        if families.selects {
            let selected = operators.select(at, &population.fitness, &mut parents);
            let checked = selected.and_then(|()| self.check_parents(&parents));
            checked.map_err(|error| failed(&**operators, "selection", error))?;
        } else {
            parents.par_chunks_mut(TASK_LEN).enumerate().for_each(|(task, parents)| {
                self.select_parents((task * TASK_LEN) as u32, population, seed, parents);
            });
        }
        let mut next = BreedingStep::Cross;
        if families.crosses {
            let crossed = operators.cross(at, population.boards.bytes(), &parents, children);
            let checked = crossed.and_then(|()| self.check_children(check, children));
            checked.map_err(|error| failed(&**operators, "crossover", error))?;
            next = BreedingStep::Mutate;
        }
        if families.mutates {
            if next == BreedingStep::Cross {
                let (parents, until) = (Some(&parents[..]), BreedingStep::Mutate);
                let steps = TaskSteps { parents, from: next, until, stop: &|| false };
                self.breed_steps(population, seed, 0..self.offspring, children, steps);
            }
            let mutated = operators.mutate(at, children);
            let checked = mutated.and_then(|()| self.check_children(check, children));
            checked.map_err(|error| failed(&**operators, "mutation", error))?;
            next = BreedingStep::Improve;
        }
        Ok(Some(PreparedGeneration { parents, next }))
    }

    /// Continues with the children of `slots`, in parallel, where the operators that take whole generations have done their
    /// part. Returns as [`breed`](Self::breed).
    pub fn complete_generation(
        &self,
        population: &Individuals,
        seed: &GenerationRng,
        slots: Range<usize>,
        boards: &mut [u8],
        prepared: &PreparedGeneration,
        stop: StopCheck<'_>,
    ) -> Option<Effort> {
        let parents = Some(&prepared.parents[slots.clone()]);
        let (from, until) = (prepared.next, BreedingStep::Done);
        let steps = TaskSteps { parents, from, until, stop };
        self.breed_steps(population, seed, slots, boards, steps)
    }

    fn check_parents(&self, parents: &[[u32; 2]]) -> Result<(), String> {
        let is_outside =
            |couple: &[u32; 2]| couple.iter().any(|slot| *slot as usize >= self.population);
        match parents.iter().position(is_outside) {
            Some(child) => Err(format!(
                "a parent of child {child} is not one of the {} individuals",
                self.population
            )),
            None => Ok(()),
        }
    }

    fn check_children(&self, check: &BoardCheck, children: &[u8]) -> Result<(), String> {
        let boards = children.par_chunks_exact(self.geometry.stride()).enumerate();
        let wrong = boards.find_map_first(|(child, board)| {
            let error = check.check(&board[..self.geometry.cells()]).err()?;
            Some(format!("child {child}: {error}"))
        });
        wrong.map_or(Ok(()), Err)
    }
}

/// The error of the operator of a family.
fn failed(operators: &dyn GenerationOperators, family: &str, error: String) -> RunError {
    let names = operators.names();
    let name = names.iter().find(|name| name.family == family);
    let name = name.map_or_else(|| family.to_owned(), ToString::to_string);
    RunError::Operator(format!("{name}: {error}"))
}
