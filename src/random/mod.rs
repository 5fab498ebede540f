//! Random draws that depend on nothing but the seed, the generation, the slot and the stage.
//!
//! No generator is carried along: whoever breeds slot 17 of generation 5 asks for the draws of
//! that slot, generation and stage, on whatever thread or device. So a run is the same on any
//! number of threads, with any chunk size, on the CPU and on the GPU.
//!
//! [`Draws`] are a generator for [`rand`] as well, so that its distributions serve own operators.

mod draws;
mod permutation;
pub mod philox;
mod probability;
mod stream;

pub use draws::{Draws, FirstBlocks, Seed, Stage, WHOLE_POPULATION};
pub use permutation::SlotPermutation;
pub use probability::Probability;
pub use stream::Philox;
