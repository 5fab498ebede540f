// One exchange of any pair. On the CPU: src/core/ga/mutation/pair_exchange.rs

#choose task
#choose tables
#choose parameters
#include "random/draws.wgsl"
#include "board/child.wgsl"

fn mutate(slot: u32) {
    draws(MUTATE, slot);
    let pairs = table(MUTATION_PAIR_COUNT);
    if (pairs == 0u || !chance(MUTATION_RATE)) {
        return;
    }
    let pair = table(MUTATION_PAIRS + below(pairs));
    exchange(pair & 0xFFFFu, pair >> 16u);
}
