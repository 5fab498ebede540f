// Access to the buffers of kernels: words of the puzzle's tables, of the plan and of the
// block, and the individuals of the population that is bred from (old) and of the next (new).
//
// Several runs may share buffers; the task of a workgroup states where its run begins.

#choose task
#choose shape

// The task of this workgroup, and its number among those of the dispatch.
var<private> task: Task;
var<private> task_number: u32;

fn take_task(number: u32) {
    task_number = number;
    task = tasks[number].task;
}

fn table(at: u32) -> u32 {
    return tables[task.tables + at];
}

fn planned(at: u32) -> u32 {
    return plan[task.plan + at];
}

fn set_planned(at: u32, value: u32) {
    plan[task.plan + at] = value;
}

// The place of a word of the block, whose words are atomic.
fn block_at(at: u32) -> u32 {
    return task.block + at;
}

fn individual_word(slot: u32, at: u32) -> u32 {
    return (task.first_slot + slot) * BOARD_WORDS + at;
}

// Fitness comes after all boards.
fn individual_fitness(slot: u32) -> u32 {
    return task.fitness + task.first_slot + slot;
}

// A word of the board in a slot.
fn old_word(slot: u32, at: u32) -> u32 {
    return old_population[individual_word(slot, at)];
}

fn old_fitness(slot: u32) -> u32 {
    return old_population[individual_fitness(slot)];
}

fn new_word(slot: u32, at: u32) -> u32 {
    return new_population[individual_word(slot, at)];
}

fn set_new_word(slot: u32, at: u32, value: u32) {
    new_population[individual_word(slot, at)] = value;
}

fn new_fitness(slot: u32) -> u32 {
    return new_population[individual_fitness(slot)];
}

fn set_new_fitness(slot: u32, fitness: u32) {
    new_population[individual_fitness(slot)] = fitness;
}
