// The random words of proposals, by their number, and the evaluation of one by each lane.
// On the CPU: src/core/ga/local_search/eviction/proposals.rs, `step` of mod.rs

#choose task
#choose search_words
#include "board/lane.wgsl"
#include "local_search/eviction/schedule.wgsl"
#include "local_search/eviction/state.wgsl"
#include "local_search/least/offered.wgsl"
#include "random/philox.wgsl"

// The words of a row of proposals, two for each.
var<workgroup> random_words: array<u32, 2u * ROW>;
// The proposals that lanes would accept: the place in the list and the value, the cell,
// and the cells that it evicts.
var<workgroup> accepted: array<vec4<u32>, WORKERS>;

// Draws the words of a row: blocks of two proposals, a few for each lane.
fn draw_row(key: vec2<u32>, look: u32, row: u32) {
    for (var turn = 0u; turn < ROW_TURNS; turn++) {
        let block = turn * WORKERS + lane;
        // The number of the block among all has more bits than a word.
        let low = (look << LOOK_BITS) | ((row % LOOK_ROWS) * ROW_BLOCKS + block);
        let words = philox(vec4<u32>(low, look >> (32u - LOOK_BITS), 0u, 0u), key);
        for (var k = 0u; k < 4u; k++) {
            random_words[4u * block + k] = words[k];
        }
    }
}

// The word by which this lane offers the proposal at `at` of a row of `size`, if it would be accepted:
// its lane is in the high bits, then the number of cells that it evicts.
fn propose(at: u32, size: u32, unassigned: u32) -> u32 {
    if (at >= size) {
        return NOTHING;
    }
    let drawn = multiply_wide(random_words[2u * at], unassigned);
    let cell = cell_at(drawn.x);
    let row = row_of(cell);
    let value = value_of(row, multiply_wide(drawn.y, row.candidates).x);
    let evicted = in_the_way(row.units, value);
    let evicting = count(evicted);
    if ((random_words[2u * at + 1u] >> 1u) >= bound(evicting)) {
        return NOTHING;
    }
    let choice = (drawn.x << 16u) | value;
    accepted[lane] = vec4<u32>(choice, cell, (evicted.x << 16u) | evicted.y, evicted.z);
    return (lane << 2u) | evicting;
}

// Makes a proposal that a lane would accept, by all lanes.
fn assign(by: u32, unassigned: u32) {
    let proposal = accepted[by];
    let evicted = vec3<u32>(proposal.z >> 16u, proposal.z & 0xFFFFu, proposal.w);
    turn(proposal.y, proposal.x & 0xFFFFu, evicted);
    if (lane == WORKERS - 1u) {
        list_evicted(proposal.x >> 16u, unassigned, evicted);
    }
}
