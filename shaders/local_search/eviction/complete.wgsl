// Completes the best board: one by one, in the order of the board, the unassigned cells
// get the candidate that the fewest peers have, of these the least.
// On the CPU: `complete` of src/core/ga/local_search/eviction/partial.rs
//
// Of cells that were assigned a unit has one with a value at most, so that those are found as in the
// search; those that were given one here are counted, by all lanes.

#choose shape
#choose search_words
#include "local_search/eviction/proposals.wgsl"
#include "local_search/eviction/rounds.wgsl"
#choose least

// How many cells were listed.
var<workgroup> listed: u32;
// Peers of the cell that is next, of those that were given a value here, by that value.
var<workgroup> given_here: array<atomic<u32>, SIDE + 1u>;

// Counts those peers among the first `before` of the list.
fn count_given(cell: u32, before: u32) {
    let units = units_of(cell);
    for (var at = lane; at < CELLS; at += WORKERS) {
        if (at >= before) {
            break;
        }
        let other = cell_at(at);
        if (any(units_of(other) == units)) {
            atomicAdd(&given_here[held_byte(other)], 1u);
        }
    }
}

// The best of the candidates that this lane looks after: how many peers hold it, then its number.
fn best_candidate(row: Row) -> u32 {
    var best = NOTHING;
    for (var candidate = lane; candidate < SIDE; candidate += WORKERS) {
        if (candidate >= row.candidates) {
            break;
        }
        let value = value_of(row, candidate);
        let peers = count(in_the_way(row.units, value)) + atomicLoad(&given_here[value]);
        best = min(best, (peers << 8u) | candidate);
    }
    return best;
}

fn complete(best: u32) {
    fetch(best);
    meet();
    hold_all();
    if (lane == 0u) {
        listed = list_blanks();
    }
    meet();
    let blanks = workgroupUniformLoad(&listed);
    for (var blank = 0u; blank < CELLS; blank++) {
        if (blank >= blanks) {
            break;
        }
        let cell = cell_at(blank);
        let row = row_of(cell);
        for (var value = lane; value < SIDE + 1u; value += WORKERS) {
            atomicStore(&given_here[value], 0u);
        }
        workgroupBarrier();
        count_given(cell, blank);
        workgroupBarrier();
        offer(best_candidate(row));
        let found = workgroupUniformLoad(&least);
        if (lane == 0u) {
            turn_held(cell, value_of(row, found & 0xFFu));
            atomicStore(&least, NOTHING);
        }
        meet();
    }
    keep_held(best);
}
