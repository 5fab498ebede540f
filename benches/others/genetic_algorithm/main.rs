//! Document 001's genetic algorithm with the crate genetic_algorithm: boxes are permuted, crossover takes whole boxes.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use genetic_algorithm::strategy::evolve::prelude::*;

const EASY_03: &[u8] =
    b"802003510060091003701000894608004021000258060920310400000402780005089000200007100";
const POPULATION: usize = 1_000;
const GENERATIONS: usize = 200;

/// Boards scored, in the run that counts them.
static SCORED: AtomicU64 = AtomicU64::new(0);

#[derive(Clone, Debug)]
struct Duplicates {
    counts: bool,
    givens: Vec<u8>,
    /// The blanks, box by box, in the order of the genes.
    blanks: Vec<usize>,
}

impl Fitness for Duplicates {
    type Genotype = MultiUniqueGenotype<u8>;

    fn calculate_for_chromosome(
        &mut self,
        chromosome: &FitnessChromosome<Self>,
        _: &FitnessGenotype<Self>,
    ) -> Option<FitnessValue> {
        if self.counts {
            SCORED.fetch_add(1, Ordering::Relaxed);
        }
        let mut board = [0; 81];
        board.copy_from_slice(&self.givens);
        for (cell, value) in self.blanks.iter().zip(&chromosome.genes) {
            board[*cell] = *value;
        }
        // A box has no duplicates.
        let (mut rows, mut columns) = ([0u16; 9], [0u16; 9]);
        for (cell, value) in board.iter().enumerate() {
            rows[cell / 9] |= 1 << value;
            columns[cell % 9] |= 1 << value;
        }
        let distinct: u32 = rows.iter().chain(&columns).map(|set| set.count_ones()).sum();
        Some(162 - distinct as isize)
    }
}

fn main() {
    let givens: Vec<u8> = EASY_03.iter().map(|byte| byte - b'0').collect();
    let (mut blanks, mut missing) = (Vec::new(), Vec::new());
    for number in 0..9 {
        let cells = (0..81).filter(|cell| cell / 27 * 3 + cell % 9 / 3 == number);
        let is_missing = |value: &u8| cells.clone().all(|cell| givens[cell] != *value);
        missing.push((1..=9).filter(is_missing).collect::<Vec<u8>>());
        blanks.extend(cells.clone().filter(|cell| givens[*cell] == 0));
    }
    let (mut solved, mut seconds, mut rates) = (0, Vec::new(), Vec::new());
    let mut a_generation = 0.0;
    // The first run is not timed.
    for run in 0..6u64 {
        let (counts, seed) = (run == 0, run.saturating_sub(1));
        let genotype = MultiUniqueGenotype::builder().with_allele_lists(missing.clone()).build();
        let start = Instant::now();
        let evolve = Evolve::builder()
            .with_genotype(genotype.expect("lists of alleles"))
            .with_select(SelectTournament::new(0.5, 0.02, 3))
            .with_crossover(CrossoverMultiPoint::new(0.9, 1.0, 4, false))
            .with_mutate(MutateSingleGene::new(0.25))
            .with_fitness(Duplicates { counts, givens: givens.clone(), blanks: blanks.clone() })
            .with_fitness_ordering(FitnessOrdering::Minimize)
            .with_target_population_size(POPULATION)
            .with_target_fitness_score(0)
            .with_max_generations(GENERATIONS)
            .with_par_fitness(true)
            .with_rng_seed_from_u64(seed)
            .call()
            .expect("a valid strategy");
        let time = start.elapsed().as_secs_f64();
        let best = evolve.best_genes_and_fitness_score().map(|(_, fitness)| fitness);
        let generation = evolve.state.current_generation();
        if counts {
            a_generation = SCORED.load(Ordering::Relaxed) as f64 / generation.max(1) as f64;
            continue;
        }
        println!("seed {seed}: fitness {best:?}, generation {generation}, {time:.4} s");
        solved += u32::from(best == Some(0));
        seconds.push(time);
        rates.push(generation as f64 * a_generation / time);
    }
    seconds.sort_by(f64::total_cmp);
    rates.sort_by(f64::total_cmp);
    println!(
        "solved {solved} of 5; medians {:.4} s, {:.0} children a second",
        seconds[2], rates[2]
    );
}
