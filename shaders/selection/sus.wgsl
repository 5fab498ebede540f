// One spin a generation. On the CPU: src/core/ga/selection/stochastic_universal.rs

#choose task
#choose plan
#include "random/draws.wgsl"
#include "random/permutation.wgsl"
#include "selection/pointers.wgsl"

fn parents(slot: u32) -> vec2<u32> {
    draws(SELECT, WHOLE_POPULATION);
    let offset = spin();
    let pointers = 2u * task.population;
    let first = pointed(shuffled(2u * slot), pointers, offset);
    let second = pointed(shuffled(2u * slot + 1u), pointers, offset);
    return vec2<u32>(planned(ORDER + first), planned(ORDER + second));
}
