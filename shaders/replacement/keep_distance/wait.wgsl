// Children leave the first slots of the next population, where other individuals may be placed, and
// wait in order of fitness: one thread a child.
// On the CPU: the second ranking of src/core/ga/replacement/keep_distance.rs

#choose task
#choose threads
#choose block
#include "replacement/keep_distance/waiting.wgsl"

// Whether the child in a slot comes before a child of this fitness; of equals the lower slot does.
fn comes_before(slot: u32, child: u32, fitness: u32) -> u32 {
    // Slots without a child hold ones, which come after all children.
    let there = new_fitness(min(slot, task.population - 1u));
    let is_before = there < fitness || (there == fitness && slot < child);
    return select(0u, 1u, is_before && slot < task.population);
}

@compute @workgroup_size(COUNTERS)
fn wait(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    take_task(group.z);
    let at = (group.x + group.y * workgroups.x) * COUNTERS + thread;
    if (at >= task.count) {
        return;
    }
    let child = task.first + at;
    let fitness = new_fitness(child);
    if (fitness >= BINS) {
        // It was not scored, and gets no slot in which statistics would find it.
        atomicMax(&block[block_at(UNWRITTEN)], ~child);
    }
    // Four slots a turn, because software drivers allow few turns.
    var rank = 0u;
    for (var four = 0u; four < MOST_FOURS; four++) {
        let slot = 4u * four;
        if (slot >= task.population) {
            break;
        }
        rank += comes_before(slot, child, fitness) + comes_before(slot + 1u, child, fitness);
        rank += comes_before(slot + 2u, child, fitness) + comes_before(slot + 3u, child, fitness);
    }
    set_planned(waiting(rank), fitness);
    for (var word = 0u; word < BOARD_WORDS; word++) {
        set_planned(waiting(rank) + 1u + word, new_word(child, word));
    }
}
