// A spin for each parent. On the CPU: `StochasticUniversalPerParent` of src/core/ga/selection/stochastic_universal.rs

#choose task
#choose plan
#include "random/draws.wgsl"
#include "selection/pointers.wgsl"

fn parent() -> u32 {
    let offset = spin();
    let pointer = below(task.population);
    return planned(ORDER + pointed(pointer, task.population, offset));
}

fn parents(slot: u32) -> vec2<u32> {
    draws(SELECT, slot);
    let first = parent();
    let second = parent();
    return vec2<u32>(first, second);
}
