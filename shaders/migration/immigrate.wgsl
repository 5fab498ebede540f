// Individuals that come to an island, one thread each. On the CPU: `Migration::arrival` of
// src/core/ga/islands.rs

#choose task
#choose shape
#choose threads
#include "random/draws.wgsl"

@compute @workgroup_size(COUNTERS)
fn immigrate(@builtin(global_invocation_id) thread: vec3<u32>) {
    take_task(thread.z);
    if (thread.x >= task.migrants) {
        return;
    }
    draws(MIGRATE, WHOLE_POPULATION);
    let apart = task.population / task.migrants;
    let slot = (below(task.population) + thread.x * apart) % task.population;
    let place = (task.origin * task.migrants + thread.x) * (BOARD_WORDS + 1u);
    if (migrants[place] > new_fitness(slot)) {
        return;
    }
    set_new_fitness(slot, migrants[place]);
    for (var at = 0u; at < BOARD_WORDS; at++) {
        set_new_word(slot, at, migrants[place + 1u + at]);
    }
}
