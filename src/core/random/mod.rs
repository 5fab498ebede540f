//! Random draws that depend only on the seed, the generation, the slot and the stage.
//!
//! No generator has state that one child passes to the next: breeding slot 17 of generation 5 uses the draws of
//! that slot, generation and stage, on any thread or device. A run is therefore the same on any
//! number of threads, with any chunk size, on the CPU and on the GPU.
//!
//! [`Draws`] also implement the traits of [`rand`], so that custom operators can use its distributions:
//!
//! ```
//! use evodoku::random::{GenerationRng, StreamStage};
//! use rand::RngExt;
//! use rand::distr::{Distribution, Uniform};
//! use rand::seq::SliceRandom;
//!
//! let mut draws = GenerationRng::new(1, 0).draws(StreamStage::Cross, 17);
//! let cut = draws.random_range(1..9);
//! let share = Uniform::new(0.25, 0.75)?.sample(&mut draws);
//! let mut units = [0, 1, 2];
//! SliceRandom::shuffle(&mut units[..], &mut draws);
//! assert!((1..9).contains(&cut) && (0.25..0.75).contains(&share));
//! # Ok::<(), rand::distr::uniform::Error>(())
//! ```

#[doc(hidden)]
pub mod draws;
mod permutation;
#[doc(hidden)]
pub mod philox;

pub(crate) use draws::{BatchWords, BlockCache, StageDraws, WordBudget, below};
pub use draws::{Draws, GenerationRng, Probability, StreamStage, WHOLE_POPULATION};
pub use permutation::SlotPermutation;
