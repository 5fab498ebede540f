//! Random draws that depend on nothing but the seed, the generation, the slot and the stage.
//!
//! No generator is carried along: whoever breeds slot 17 of generation 5 asks for the draws of
//! that slot, generation and stage, on whatever thread or device. So a run is the same on any
//! number of threads, with any chunk size, on the CPU and on the GPU.
//!
//! [`Draws`] are a generator for [`rand`] as well, so that its distributions serve own operators:
//!
//! ```
//! use evodoku::random::{Seed, StreamStage};
//! use rand::RngExt;
//! use rand::distr::{Distribution, Uniform};
//! use rand::seq::SliceRandom;
//!
//! let mut draws = Seed::new(1, 0).draws(StreamStage::Cross, 17);
//! let cut = draws.random_range(1..9);
//! let share = Uniform::new(0.25, 0.75)?.sample(&mut draws);
//! let mut units = [0, 1, 2];
//! SliceRandom::shuffle(&mut units[..], &mut draws);
//! assert!((1..9).contains(&cut) && (0.25..0.75).contains(&share));
//! # Ok::<(), rand::distr::uniform::Error>(())
//! ```

mod draws;
mod permutation;
pub mod philox;
mod probability;
mod rand_compat;
mod rng;

pub use draws::{
    BatchWords, BlockCache, Draws, GenerationRng, StageDraws, StreamStage, WHOLE_POPULATION,
    WordBudget, below,
};
pub use permutation::SlotPermutation;
pub use probability::Probability;
pub use rng::Philox;
