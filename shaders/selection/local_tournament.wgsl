// Binary tournament among neighbours. On the CPU: src/core/ga/selection/local_tournament.rs

#choose task
#include "random/draws.wgsl"
#choose topology

fn winner(slot: u32) -> u32 {
    let first = neighbour(slot);
    let second = neighbour(slot);
    return select(first, second, old_fitness(second) < old_fitness(first));
}

fn parents(slot: u32) -> vec2<u32> {
    draws(SELECT, slot);
    var place = slot;
    if (task.places > 0u) {
        place = below(task.places);
    }
    let first = winner(place);
    let second = winner(place);
    return vec2<u32>(first, second);
}
