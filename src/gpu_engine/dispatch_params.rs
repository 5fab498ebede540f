//! The parameters of a dispatch: the words of a task, and the bindings of kernels.

use std::mem::offset_of;

use bytemuck::{Pod, Zeroable};

use super::distance_replacement;
use crate::ga::Config;
use crate::ga::selection::{Selection, local_tournament::Neighbourhood, truncation::pool};
use crate::gpu::{Access, Binding, constants, declare};
use crate::random::{GenerationRng, SlotPermutation};

/// Bytes from one task to the next in their buffer: a multiple of the alignment of every adapter.
pub(super) const TASK_STRIDE: u64 = size_of::<DispatchParams>() as u64;
/// Most rounds of the permutation of slots.
const MOST_TURNS: usize = 8;

/// Declares the words of a task in Rust and in WGSL.
macro_rules! task {
    ($( $(#[doc = $doc:literal])* $name:ident: $rust:ty = $wgsl:literal, )*) => {
        /// The words of a task.
        #[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
        #[repr(C)]
        pub(super) struct TaskParams { $( $(#[doc = $doc])* pub $name: $rust, )* }

        /// The WGSL of these words.
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
    /// Individuals of the island, and the slots of it that this dispatch works on.
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
    /// Individuals that migrate, and the place of the immigrants among all migrants.
    migrants: u32 = "u32",
    origin: u32 = "u32",
    /// Slots in a row of a torus.
    torus_width: u32 = "u32",
    /// Slots among which the place of a child is drawn, or 0 if each child has its own.
    places: u32 = "u32",
    /// The island's first slot among all of the buffer, and the word at which the fitness of all
    /// begins.
    first_slot: u32 = "u32",
    fitness: u32 = "u32",
    /// The first words of its tables, its plan and its block.
    tables: u32 = "u32",
    plan: u32 = "u32",
    block: u32 = "u32",
    /// The place of the emigrants among all migrants.
    destination: u32 = "u32",
    /// The place of its first child among those that are searched at a time.
    searcher: u32 = "u32",
}

/// A task, and the keys that few kernels read.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub(super) struct DispatchParams {
    pub task: TaskParams,
    /// Keys of the permutation of slots.
    shuffle_keys: [[u32; 2]; MOST_TURNS],
    unused: [u32; 24],
}

/// The WGSL of these: two words a turn, and two turns a vector.
const RECORD: &str = "struct Record {
    task: Task,
    shuffle_keys: array<vec4<u32>, MOST_TURNS / 2u>,
    unused: array<vec4<u32>, 6>,
}
";

// The alignment of vectors of four words in WGSL, which Rust does not know.
const _: () =
    assert!(offset_of!(DispatchParams, shuffle_keys).is_multiple_of(16) && TASK_STRIDE == 256);

/// The buffers of all kernels.
pub(super) const BINDINGS: [Binding; 7] = [
    // The task of each workgroup, by its third dimension.
    Binding { name: "tasks", kind: "array<Record>", access: Access::Moving(TASK_STRIDE) },
    // The tables of puzzles: src/gpu_engine/puzzle_tables.rs
    Binding { name: "tables", kind: "array<u32>", access: Access::Read },
    // Parents: boards, then fitness.
    Binding { name: "old_population", kind: "array<u32>", access: Access::Read },
    // The next population, whose fitness is ones in every word before it is written.
    Binding { name: "new_population", kind: "array<u32>", access: Access::Write },
    // The statistics of a generation: src/gpu_engine/statistics.rs
    Binding { name: "block", kind: "array<atomic<u32>>", access: Access::Write },
    // Slots in order of fitness (src/gpu_engine/ranking_layout.rs), then searches or waiting children.
    Binding { name: "plan", kind: "array<u32>", access: Access::Write },
    // Individuals that migrate: the fitness of each, then its board.
    Binding { name: "migrants", kind: "array<u32>", access: Access::Write },
];

/// The declarations of task and buffers in WGSL, and the functions that access them.
pub(super) fn declarations() -> String {
    let turns = constants(&[("MOST_TURNS", MOST_TURNS)]);
    let places = "#include \"board/places.wgsl\"\n".to_owned();
    [turns, STRUCT.to_owned(), RECORD.to_owned(), declare(&BINDINGS), places].concat()
}

/// The binding number of the plan, for kernels that declare it in another way.
pub(super) fn plan_binding() -> usize {
    BINDINGS.iter().take_while(|binding| binding.name != "plan").count()
}

impl DispatchParams {
    /// A task without draws.
    pub(super) fn of(task: TaskParams) -> Self {
        Self { task, ..Self::default() }
    }

    /// Adds the draws of a generation: the size of the pool and the permutation of slots.
    pub(super) fn draw_plan(&mut self, config: &Config, seed: &GenerationRng) {
        let task = &mut self.task;
        let population = task.population;
        task.torus_width = Neighbourhood::new(config.topology, config.radius, population).width;
        let all = distance_replacement::offspring(config, population) == population;
        task.places = if all { 0 } else { population };
        let shuffled = match config.selection {
            Selection::Truncation => {
                let [best, random] = pool(config, population);
                (task.pool_best, task.pool) = (best as u32, (best + random) as u32);
                task.pool
            }
            Selection::Universal => 2 * population,
            _ => return,
        };
        let (shape, keys) = SlotPermutation::new(shuffled, seed).parts();
        [task.shuffle_len, task.shuffle_low_bits, task.shuffle_high_bits, task.shuffle_turns] =
            shape;
        self.shuffle_keys = keys;
    }
}
