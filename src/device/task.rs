//! What one dispatch has to do, and with what. The twin is `shaders/task.wgsl`.

use bytemuck::{Pod, Zeroable};

use super::keep;
use crate::evolve::Config;
use crate::evolve::selection::{Neighbourhood, Selection, pool};
use crate::random::{Seed, SlotPermutation};

/// Bytes from one task to the next in their buffer: what every adapter aligns to.
pub(super) const TASK_STRIDE: u64 = 256;

/// The words of a task.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Task {
    /// The seed, low word first.
    pub key: [u32; 2],
    pub generation: u32,
    pub island: u32,
    /// Individuals of the island, and the slots of it that this dispatch is about.
    pub population: u32,
    pub first: u32,
    pub count: u32,
    /// Members of the pool of parents: the best, and all of them.
    pub pool_best: u32,
    pub pool: u32,
    /// The permutation of slots: its length, bits of its halves, and turns.
    pub shuffle_len: u32,
    pub shuffle_low_bits: u32,
    pub shuffle_high_bits: u32,
    pub shuffle_turns: u32,
    /// Individuals that travel, and the island from which they come.
    pub migrants: u32,
    pub origin: u32,
    /// Slots in a row of a torus.
    pub torus_width: u32,
    /// Slots among which the place of a child is drawn, or 0 where each stands at its own.
    pub places: u32,
    /// Keys begin at a multiple of four words.
    pub unused: [u32; 3],
    /// Two words a turn.
    pub shuffle_keys: [[u32; 2]; 8],
}

/// Bytes of a task.
pub(super) const TASK_BYTES: u64 = size_of::<Task>() as u64;

impl Task {
    /// Adds what is drawn once a generation: the pool's size and the permutation of slots.
    pub(super) fn draw_plan(&mut self, config: &Config, seed: &Seed) {
        let neighbourhood = Neighbourhood::new(config.topology, config.radius, self.population);
        self.torus_width = neighbourhood.width();
        let all = keep::offspring(config, self.population) == self.population;
        self.places = if all { 0 } else { self.population };
        let shuffled = match config.selection {
            Selection::Truncation => {
                let [best, random] = pool(config, self.population);
                (self.pool_best, self.pool) = (best as u32, (best + random) as u32);
                self.pool
            }
            Selection::Universal => 2 * self.population,
            _ => return,
        };
        let (shape, keys) = SlotPermutation::new(shuffled, seed).parts();
        [self.shuffle_len, self.shuffle_low_bits, self.shuffle_high_bits, self.shuffle_turns] =
            shape;
        self.shuffle_keys = keys;
    }
}
