// Individuals that leave an island, one thread each. On the CPU: `Migration::emigrant` of
// src/core/ga/islands.rs

#choose task
#choose shape
#choose threads
#include "random/draws.wgsl"

@compute @workgroup_size(COUNTERS)
fn emigrate(@builtin(global_invocation_id) thread: vec3<u32>) {
    take_task(thread.z);
    if (thread.x >= task.migrants) {
        return;
    }
    draws(MIGRATE, thread.x);
    let first = below(task.population);
    let second = below(task.population);
    let slot = select(first, second, new_fitness(second) < new_fitness(first));
    let place = (task.destination * task.migrants + thread.x) * (BOARD_WORDS + 1u);
    migrants[place] = new_fitness(slot);
    for (var at = 0u; at < BOARD_WORDS; at++) {
        migrants[place + 1u + at] = new_word(slot, at);
    }
}
