// What kernels read and write, by its place: words of the puzzle's tables, of the plan and of the
// block, and the individuals of the population that is bred from (old) and of the next (new).

#choose task
#choose shape

fn table(at: u32) -> u32 {
    return tables[at];
}

fn planned(at: u32) -> u32 {
    return plan[at];
}

fn set_planned(at: u32, value: u32) {
    plan[at] = value;
}

// Where a word of the block is: its words are atomic.
fn block_at(at: u32) -> u32 {
    return at;
}

// A word of the board in a slot.
fn old_word(slot: u32, at: u32) -> u32 {
    return old_boards[slot * BOARD_WORDS + at];
}

fn old_fitness(slot: u32) -> u32 {
    return old_fitnesses[slot];
}

fn new_word(slot: u32, at: u32) -> u32 {
    return boards[slot * BOARD_WORDS + at];
}

fn set_new_word(slot: u32, at: u32, value: u32) {
    boards[slot * BOARD_WORDS + at] = value;
}

fn new_fitness(slot: u32) -> u32 {
    return fitnesses[slot];
}

fn set_new_fitness(slot: u32, fitness: u32) {
    fitnesses[slot] = fitness;
}
