// Individuals that leave an island, one thread each. On the CPU: `Migration::emigrant` of
// src/core/ga/islands.rs

#choose task
#choose shape
#choose threads
#include "random/draws.wgsl"

@compute @workgroup_size(COUNTERS)
fn emigrate(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    take_task(group.z);
    let migrant = group.x * COUNTERS + thread;
    if (migrant >= task.migrants) {
        return;
    }
    draws(MIGRATE, migrant);
    let first = below(task.population);
    let second = below(task.population);
    let slot = select(first, second, new_fitness(second) < new_fitness(first));
    let place = (task.destination * task.migrants + migrant) * (BOARD_WORDS + 1u);
    migrants[place] = new_fitness(slot);
    for (var at = 0u; at < BOARD_WORDS; at++) {
        migrants[place + 1u + at] = new_word(slot, at);
    }
}
