// What one dispatch has to do, and with what. Twin: src/device/task.rs

struct Task {
    // The seed, low word first.
    key: vec2<u32>,
    generation: u32,
    island: u32,
    // Individuals of the island, and the slots of it that this dispatch is about.
    population: u32,
    first: u32,
    count: u32,
    // Members of the pool of parents: the best, and all of them.
    pool_best: u32,
    pool: u32,
    // The permutation of slots: its length, bits of its halves, and turns.
    shuffle_len: u32,
    shuffle_low_bits: u32,
    shuffle_high_bits: u32,
    shuffle_turns: u32,
    // Individuals that travel, and the island from which they come.
    migrants: u32,
    origin: u32,
    // Slots in a row of a torus.
    torus_width: u32,
    // Slots among which the place of a child is drawn, or 0 where each stands at its own.
    places: u32,
    // Two words a turn.
    shuffle_keys: array<vec4<u32>, 4>,
}

@group(0) @binding(0) var<uniform> task: Task;
// What depends on the puzzle: src/device/tables.rs
@group(0) @binding(1) var<storage, read> tables: array<u32>;
// The population that is bred from.
@group(0) @binding(2) var<storage, read> old_boards: array<u32>;
@group(0) @binding(3) var<storage, read> old_fitness: array<u32>;
// The next one, in whose fitness every word is ones beforehand.
@group(0) @binding(4) var<storage, read_write> boards: array<u32>;
@group(0) @binding(5) var<storage, read_write> fitnesses: array<u32>;
// What the host is told of a generation: src/device/statistics.rs
@group(0) @binding(6) var<storage, read_write> block: array<atomic<u32>>;
// Slots in order of fitness, and what that takes: src/device/plan.rs
@group(0) @binding(7) var<storage, read_write> plan: array<u32>;
// Individuals on their way from island to island: the fitness of each, then its board.
@group(0) @binding(8) var<storage, read_write> travellers: array<u32>;
