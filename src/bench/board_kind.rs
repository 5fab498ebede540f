//! The kinds of boards on which evaluators are measured and compared.

use anyhow::Result;
use rayon::prelude::*;

use super::workload::pass;
use crate::board::{Population, SearchSpace};
use crate::fitness::CpuEvaluator;
use crate::ga::breeder::Breeder;
use crate::ga::{Config, CustomOperators, GenerationKind, Individuals, Preset};
use crate::generate::complete_board;
use crate::random::{GenerationRng, StreamStage};
use crate::util::interrupt::Interrupt;
use crate::util::named_enum::named;

/// Generations by which boards evolve.
const GENERATIONS: u32 = 3;

named! {
    /// The kind of the boards of a population.
    pub enum BoardKind {
        /// Bytes of any value.
        Bytes = "random bytes",
        /// Boards that keep the givens and hold every missing value of a box once.
        Legal = "random legal",
        /// Legal boards after a few generations.
        Evolved = "evolved",
        /// Complete boards without duplicates, whatever the givens.
        Solved = "solved",
    }
}

impl BoardKind {
    /// The configuration by which legal and evolved boards are bred.
    pub fn config(space: &SearchSpace) -> Config {
        Config::of(Preset::Boxes, space)
    }

    /// Overwrites `population` with boards of this kind, or a part of it after an interrupt.
    ///
    /// # Errors
    /// When there is no memory for a second population to breed from.
    pub fn draw(
        self,
        space: &SearchSpace,
        config: &Config,
        seed: u64,
        population: &mut Population,
        interrupt: &Interrupt,
    ) -> Result<()> {
        let rng = GenerationRng::new(seed, 0);
        let draws = |slot| rng.draws(StreamStage::Initialise, slot);
        match self {
            Self::Bytes => each_board(population, interrupt, |slot, board| {
                let mut draws = draws(slot);
                board.iter_mut().for_each(|byte| *byte = draws.word() as u8);
            }),
            Self::Solved => each_board(population, interrupt, |slot, board| {
                complete_board(space.geometry(), board, &mut draws(slot));
            }),
            Self::Legal => breed(space, config, seed, 0, population, interrupt)?,
            Self::Evolved => breed(space, config, seed, GENERATIONS, population, interrupt)?,
        }
        Ok(())
    }
}

/// Overwrites every board, its padding with zeros.
fn each_board(
    population: &mut Population,
    interrupt: &Interrupt,
    write: impl Fn(u32, &mut [u8]) + Sync,
) {
    let geometry = population.geometry();
    let boards = population.bytes_mut().par_chunks_exact_mut(geometry.stride());
    boards.enumerate().for_each(|(slot, board)| {
        if !interrupt.is_requested() {
            write(slot as u32, &mut board[..geometry.cells()]);
        }
    });
}

/// Initialises a population, and breeds so many generations.
fn breed(
    space: &SearchSpace,
    config: &Config,
    seed: u64,
    generations: u32,
    population: &mut Population,
    interrupt: &Interrupt,
) -> Result<()> {
    let geometry = space.geometry();
    let mut breeder = Breeder::new(space, config, CustomOperators::none())?;
    let mut cpu = CpuEvaluator::new(geometry, None);
    let mut source = GenerationKind::Initialiser;
    let mut current = Individuals::new(geometry, population.len())?;
    for generation in 0..=generations {
        let rng = GenerationRng::new(seed, generation);
        breeder.prepare(&current, source, &rng);
        let (slots, boards) = (0..population.len(), population.bytes_mut());
        let _: Option<_> =
            breeder.breed(&current, source, &rng, slots, boards, &|| interrupt.is_requested());
        if pass(&mut cpu, population.bytes(), &mut current.fitness, interrupt)?.is_none() {
            return Ok(());
        }
        std::mem::swap(&mut current.boards, population);
        source = GenerationKind::Parents;
    }
    std::mem::swap(&mut current.boards, population);
    Ok(())
}
