// Individuals that come to an island, one thread each. On the CPU: `Migration::arrival` of
// src/core/ga/islands.rs

#choose task
#choose shape
#choose threads
#include "random/draws.wgsl"

@compute @workgroup_size(COUNTERS)
fn immigrate(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    take_task(group.z);
    let migrant = group.x * COUNTERS + thread;
    if (migrant >= task.migrants) {
        return;
    }
    draws(MIGRATE, WHOLE_POPULATION);
    let apart = task.population / task.migrants;
    let slot = (below(task.population) + migrant * apart) % task.population;
    let place = (task.origin * task.migrants + migrant) * (BOARD_WORDS + 1u);
    if (migrants[place] > new_fitness(slot)) {
        return;
    }
    set_new_fitness(slot, migrants[place]);
    for (var at = 0u; at < BOARD_WORDS; at++) {
        set_new_word(slot, at, migrants[place + 1u + at]);
    }
}
