//! What one dispatch has to do, and with what: the words of a task, and all buffers.

use std::mem::offset_of;

use bytemuck::{Pod, Zeroable};

use super::keep;
use crate::evolve::Config;
use crate::evolve::selection::{Neighbourhood, Selection, pool};
use crate::gpu::{Access, Binding, constants, declare};
use crate::random::{Seed, SlotPermutation};

/// Bytes from one task to the next in their buffer: what every adapter aligns to.
pub(super) const TASK_STRIDE: u64 = 256;
/// Turns of the permutation of slots at most.
const MOST_TURNS: usize = 8;

/// Declares the words of a task in Rust and in WGSL.
macro_rules! task {
    ($( $(#[doc = $doc:literal])* $name:ident: $rust:ty = $wgsl:literal, )*) => {
        /// The words of a task.
        #[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
        #[repr(C)]
        pub(super) struct TaskWords { $( $(#[doc = $doc])* pub $name: $rust, )* }

        /// The same for kernels.
        const STRUCT: &str = concat!(
            "struct Task {\n",
            $( $( "    //", $doc, "\n", )* "    ", stringify!($name), ": ", $wgsl, ",\n", )*
            "}\n"
        );
    };
}

task! {
    /// The seed, low word first.
    key: [u32; 2] = "vec2<u32>",
    generation: u32 = "u32",
    island: u32 = "u32",
    /// Individuals of the island, and the slots of it that this dispatch is about.
    population: u32 = "u32",
    first: u32 = "u32",
    count: u32 = "u32",
    /// Members of the pool of parents: the best, and all of them.
    pool_best: u32 = "u32",
    pool: u32 = "u32",
    /// The permutation of slots: its length, bits of its halves, and turns.
    shuffle_len: u32 = "u32",
    shuffle_low_bits: u32 = "u32",
    shuffle_high_bits: u32 = "u32",
    shuffle_turns: u32 = "u32",
    /// Individuals that travel, and the island from which they come.
    migrants: u32 = "u32",
    origin: u32 = "u32",
    /// Slots in a row of a torus.
    torus_width: u32 = "u32",
    /// Slots among which the place of a child is drawn, or 0 where each stands at its own.
    places: u32 = "u32",
    /// Keys begin at a multiple of four words.
    unused_x: u32 = "u32",
    unused_y: u32 = "u32",
    unused_z: u32 = "u32",
    /// Two words a turn, and two turns a vector.
    shuffle_keys: [[u32; 2]; MOST_TURNS] = "array<vec4<u32>, MOST_TURNS / 2u>",
}

// WGSL aligns vectors of four words so, and Rust knows nothing of it.
const _: () = assert!(offset_of!(TaskWords, shuffle_keys).is_multiple_of(16));

/// Bytes of a task.
pub(super) const TASK_BYTES: u64 = size_of::<TaskWords>() as u64;

/// The buffers of all kernels.
pub(super) const BINDINGS: [Binding; 9] = [
    Binding {
        about: "What this dispatch has to do.",
        name: "task",
        kind: "Task",
        access: Access::Moving(TASK_BYTES),
    },
    Binding {
        about: "What depends on the puzzle: src/device/tables.rs",
        name: "tables",
        kind: "array<u32>",
        access: Access::Read,
    },
    Binding {
        about: "The population that is bred from.",
        name: "old_boards",
        kind: "array<u32>",
        access: Access::Read,
    },
    Binding {
        about: "Its fitness.",
        name: "old_fitness",
        kind: "array<u32>",
        access: Access::Read,
    },
    Binding {
        about: "The next population.",
        name: "boards",
        kind: "array<u32>",
        access: Access::Write,
    },
    Binding {
        about: "Its fitness, in which every word is ones beforehand.",
        name: "fitnesses",
        kind: "array<u32>",
        access: Access::Write,
    },
    Binding {
        about: "What the host is told of a generation: src/device/statistics.rs",
        name: "block",
        kind: "array<atomic<u32>>",
        access: Access::Write,
    },
    Binding {
        about: "Slots in order of fitness (src/device/plan.rs), then searches or waiting children.",
        name: "plan",
        kind: "array<u32>",
        access: Access::Write,
    },
    Binding {
        about: "Individuals on their way to another island: the fitness of each, then its board.",
        name: "travellers",
        kind: "array<u32>",
        access: Access::Write,
    },
];

/// How kernels read a word of the tables.
const TABLE: &str = "fn table(at: u32) -> u32 {\n    return tables[at];\n}\n";

/// The task and the buffers for kernels.
pub(super) fn declarations() -> String {
    let turns = constants("Turns of a permutation at most.", &[("MOST_TURNS", MOST_TURNS)]);
    [turns, STRUCT.to_owned(), declare(&BINDINGS), TABLE.to_owned()].concat()
}

/// The number of the plan's buffer, for a kernel that declares it otherwise.
pub(super) fn plan_binding() -> usize {
    BINDINGS.iter().take_while(|binding| binding.name != "plan").count()
}

impl TaskWords {
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
