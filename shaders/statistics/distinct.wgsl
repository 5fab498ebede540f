// The registers from which the number of different boards is estimated, one thread a board.
// On the CPU: src/core/ga/diversity.rs

#choose task
#choose shape
#choose threads
#choose block

fn rotated(word: u32, bits: u32) -> u32 {
    return (word << bits) | (word >> (32u - bits));
}

@compute @workgroup_size(COUNTERS)
fn distinct(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    take_task(group.z);
    let slot = (group.x + group.y * workgroups.x) * COUNTERS + thread;
    if (slot >= task.population) {
        return;
    }
    var hash = 0u;
    for (var at = 0u; at < BOARD_WORDS; at++) {
        let word = new_word(slot, at);
        let mixed = rotated(word * 0xCC9E2D51u, 15u) * 0x1B873593u;
        hash = rotated(hash ^ mixed, 13u) * 5u + 0xE6546B64u;
    }
    hash ^= 4u * BOARD_WORDS;
    hash = (hash ^ (hash >> 16u)) * 0x85EBCA6Bu;
    hash = (hash ^ (hash >> 13u)) * 0xC2B2AE35u;
    hash ^= hash >> 16u;
    // A bit below the hash's last ends the search for the first.
    let rest = (hash << REGISTER_BITS) | (1u << (REGISTER_BITS - 1u));
    let at = block_at(REGISTERS + (hash >> (32u - REGISTER_BITS)));
    atomicMax(&block[at], countLeadingZeros(rest) + 1u);
}
