//! Eviction search on the device: its memory, and what it reads of a puzzle.

mod memory;
mod tables;

pub(super) use memory::{EvictionMemory, least_round};
pub(super) use tables::tables;
