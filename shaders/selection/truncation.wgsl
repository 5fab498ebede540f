// A pool of the best and of some at random. On the CPU: src/core/ga/selection/truncation.rs

#choose task
#choose plan
#include "random/draws.wgsl"
#choose pair

fn member(place: u32) -> u32 {
    if (place < task.pool_best) {
        return planned(ORDER + place);
    }
    draws(PLAN, place - task.pool_best);
    return below(task.population);
}

fn parents(slot: u32) -> vec2<u32> {
    let both = places(slot);
    let first = member(both.x);
    let second = member(both.y);
    return vec2<u32>(first, second);
}
