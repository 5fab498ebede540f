// Making a move: the counts of the peers, and how long the old value of the cell is forbidden.
// On the CPU: `make` and `TabuList` of src/core/ga/local_search/tabu/search.rs
//
// Prohibitions are in a ring, one for each of the last steps: the place, and the step up to which it
// is closed, of which the lowest bits suffice. After each step all lanes check those that may
// still be valid. Compared with a word for each candidate with the step up to which it is forbidden,
// the ring and a bit for each candidate take a fraction of the memory on large boards, and pricing
// needs one read less.

#choose search_fields
#choose search_words
#include "local_search/tabu/state.wgsl"

// An entry of the ring that forbids nothing.
const NO_ENTRY = 0xFFFFFFFFu;

// A move: the free cell, and its old and new place.
struct Move {
    cell: u32,
    left: u32,
    taken: u32,
}

// Changes the counts of all neighbours of both places, a lane each.
fn tell_neighbours(made: Move) {
    let left_start = neighbours_of(made.left);
    let losing = neighbours_of(made.left + 1u) - left_start;
    let taken_start = neighbours_of(made.taken);
    let told = losing + neighbours_of(made.taken + 1u) - taken_start;
    for (var turn = 0u; turn < NEIGHBOUR_TURNS; turn++) {
        let at = turn * WORKERS + lane;
        if (at >= told) {
            break;
        }
        let loses = at < losing;
        let peer = neighbour_at(select(taken_start + at - losing, left_start + at, loses));
        // All ones, shifted, subtract one from a field.
        let by = select(1u, 0xFFFFFFFFu, loses);
        let before = count_peer(peer.x, by);
        if (before == select(0u, 1u, loses) && held_byte(peer.y) == (peer.x & 0xFFu)) {
            turn_conflict(peer.y, by);
        }
    }
}

// The word of the ring that is `back` before that of the current step, the entry `now`.
fn ring_word(now: u32, back: u32) -> u32 {
    return places.ring + select(now - back, now + places.ring_entries - back, back > now);
}

// The entry of a place that is closed up to a step.
fn entry(place: u32, step: u32) -> u32 {
    return (place * STEP_UNIT) | (step % STEP_UNIT);
}

// Ends the prohibitions up to this step, and deletes that of a place that is set in spite of it.
// None is older than `window` steps.
fn end_prohibitions(now: u32, step: u32, window: u32, taken: u32) {
    for (var turn = 0u; turn < RING_TURNS; turn++) {
        let back = turn * WORKERS + lane + 1u;
        if (back > window) {
            break;
        }
        let at = ring_word(now, back);
        let found = word_at(at);
        let place = found / STEP_UNIT;
        if (place == taken) {
            set_word(at, NO_ENTRY);
        } else if (found != NO_ENTRY && found % STEP_UNIT == step % STEP_UNIT) {
            reopen(place);
            set_word(at, NO_ENTRY);
        }
    }
}
