// The next population: in each slot the child that was inserted there, or the old individual. One
// thread a place. On the CPU: `population.copy` in src/core/ga/replacement/keep_distance.rs

#choose task
#choose threads
#include "replacement/keep_distance/waiting.wgsl"

@compute @workgroup_size(COUNTERS)
fn move_in(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    take_task(group.z);
    let place = (group.x + group.y * workgroups.x) * COUNTERS + thread;
    if (place >= task.population) {
        return;
    }
    let slot = planned(ORDER + place);
    let taker = planned(TAKERS + place);
    if (taker > 0u) {
        let child = waiting(taker - 1u);
        set_new_fitness(slot, planned(child));
        for (var word = 0u; word < BOARD_WORDS; word++) {
            set_new_word(slot, word, planned(child + 1u + word));
        }
    } else {
        set_new_fitness(slot, old_fitness(slot));
        for (var word = 0u; word < BOARD_WORDS; word++) {
            set_new_word(slot, word, old_word(slot, word));
        }
    }
}
