// A random permutation of slots. On the CPU: src/core/random/permutation.rs

#choose task

// Fewer than half of the numbers are no slots, so that as many steps in a row miss with probability 2^-256;
// where there are few numbers a cycle is shorter than that.
const MOST_WALKS = 256u;

fn mixed_bits(seed: u32) -> u32 {
    var mixed = seed;
    mixed ^= mixed >> 16u;
    mixed *= 0x85EBCA6Bu;
    mixed ^= mixed >> 13u;
    mixed *= 0xC2B2AE35u;
    return mixed ^ (mixed >> 16u);
}

fn network(number: u32) -> u32 {
    let low_mask = (1u << task.shuffle_low_bits) - 1u;
    let high_mask = (1u << task.shuffle_high_bits) - 1u;
    var high = number >> task.shuffle_low_bits;
    var low = number & low_mask;
    for (var turn = 0u; turn < MOST_TURNS; turn++) {
        if (turn == task.shuffle_turns) {
            break;
        }
        let pair = tasks[task_number].shuffle_keys[turn / 2u];
        let keys = select(pair.xy, pair.zw, turn % 2u == 1u);
        high ^= mixed_bits(low ^ keys.x) & high_mask;
        low ^= mixed_bits(high ^ keys.y) & low_mask;
    }
    return (high << task.shuffle_low_bits) | low;
}

// The image of `slot`.
fn shuffled(slot: u32) -> u32 {
    var place = network(slot);
    for (var walk = 0u; walk < MOST_WALKS; walk++) {
        if (place < task.shuffle_len) {
            break;
        }
        place = network(place);
    }
    return place;
}
