//! The kinds of boards that evaluators are measured and compared on.

use std::fmt;

use rayon::prelude::*;

use super::BenchError;
use super::scoring::pass;
use crate::board::{Population, SearchSpace};
use crate::fitness::CpuEvaluator;
use crate::ga::breeder::Breeder;
use crate::ga::{Config, CustomOperators, GenerationKind, Individuals, Preset};
use crate::generate::complete_board;
use crate::random::{GenerationRng, StreamStage};
use crate::util::interrupt::Interrupt;

/// Generations that evolved boards have behind them.
const GENERATIONS: u32 = 3;

/// What a population consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardKind {
    /// Bytes of any value.
    Bytes,
    /// Boards that keep the givens and hold every missing value of a box once.
    Legal,
    /// Legal boards after a few generations.
    Evolved,
    /// Complete boards without duplicates, whatever the givens.
    Solved,
}

impl BoardKind {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::Bytes, Self::Legal, Self::Evolved, Self::Solved];

    /// How legal and evolved boards are bred.
    pub fn config(space: &SearchSpace) -> Config {
        Config::of(Preset::Boxes, space)
    }

    /// Overwrites `population` with boards of this kind, or with some when the user wants to stop.
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
    ) -> Result<(), BenchError> {
        let seed0 = GenerationRng::new(seed, 0);
        match self {
            Self::Bytes => each_board(population, interrupt, |slot, board| {
                let mut draws = seed0.draws(StreamStage::Initialise, slot);
                board.iter_mut().for_each(|byte| *byte = draws.word() as u8);
            }),
            Self::Solved => each_board(population, interrupt, |slot, board| {
                complete_board(
                    space.geometry(),
                    board,
                    &mut seed0.draws(StreamStage::Initialise, slot),
                );
            }),
            Self::Legal => breed(space, config, &[seed0], population, interrupt)?,
            Self::Evolved => {
                let seeds: Vec<GenerationRng> = (0..=GENERATIONS)
                    .map(|generation| GenerationRng::new(seed, generation))
                    .collect();
                breed(space, config, &seeds, population, interrupt)?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for BoardKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bytes => "random bytes",
            Self::Legal => "random legal",
            Self::Evolved => "evolved",
            Self::Solved => "solved",
        })
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

/// Initialises a population, and breeds a generation for each further seed.
fn breed(
    space: &SearchSpace,
    config: &Config,
    seeds: &[GenerationRng],
    population: &mut Population,
    interrupt: &Interrupt,
) -> Result<(), BenchError> {
    let geometry = space.geometry();
    let mut breeder = Breeder::new(space, config, CustomOperators::none())?;
    let mut cpu = CpuEvaluator::new(geometry, None);
    let mut source = GenerationKind::Initialiser;
    let mut current = Individuals::new(geometry, population.len())?;
    for seed in seeds {
        breeder.prepare(&current, source, seed);
        let slots = 0..population.len();
        let _: Option<_> =
            breeder.breed(&current, source, seed, slots, population.bytes_mut(), &|| {
                interrupt.is_requested()
            });
        if pass(&mut cpu, population.bytes(), &mut current.fitness, interrupt)?.is_none() {
            return Ok(());
        }
        std::mem::swap(&mut current.boards, population);
        source = GenerationKind::Parents;
    }
    std::mem::swap(&mut current.boards, population);
    Ok(())
}
