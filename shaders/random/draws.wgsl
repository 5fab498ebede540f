// The draws of one slot in one stage of one generation. On the CPU: src/core/random/draws/mod.rs

#choose task
#choose stages
#include "random/philox.wgsl"

var<private> draw_counter: vec4<u32>;
var<private> draw_words: vec4<u32>;
var<private> draws_left: u32;

// Begins the draws of `slot` for `stage`.
fn draws(stage: u32, slot: u32) {
    draw_counter = vec4<u32>(slot, task.generation, stage << 24u, task.island);
    draws_left = 0u;
}

fn word() -> u32 {
    if (draws_left == 0u) {
        draw_words = philox(draw_counter, task.key);
        draw_counter.z++;
        draws_left = 4u;
    }
    let drawn = draw_words.x;
    draw_words = draw_words.yzwx;
    draws_left--;
    return drawn;
}

fn below(bound: u32) -> u32 {
    return multiply_wide(word(), bound).x;
}

// Whether an event happens whose probability is `rate` in units of 2^-31.
fn chance(rate: u32) -> bool {
    return (word() >> 1u) < rate;
}

fn coin() -> bool {
    return (word() >> 31u) == 1u;
}

// Two different numbers below `bound`, in random order.
fn pair_below(bound: u32) -> vec2<u32> {
    let first = below(bound);
    let second = below(bound - 1u);
    return vec2<u32>(first, second + select(0u, 1u, second >= first));
}
