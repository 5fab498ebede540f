// The begin and the end of a round: the kept words of a search are read from the buffer and written back, and
// everything else is computed from them.
// On the CPU: `fill` of src/core/ga/local_search/tabu/conflicts.rs

#choose search_fields
#choose search_words
#include "local_search/kept.wgsl"
#include "local_search/tabu/making.wgsl"
#include "local_search/least/offered.wgsl"

// Reads the counts of givens, and the kept words.
fn fetch(base: u32) {
    for (var turn = 0u; turn < COUNT_TURNS; turn++) {
        let at = turn * WORKERS + lane;
        if (at >= puzzle.words) {
            break;
        }
        set_word(at, table(puzzle.given + at));
    }
    for (var turn = 0u; turn < HELD_TURNS; turn++) {
        let at = turn * WORKERS + lane;
        if (at >= held_words()) {
            break;
        }
        atomicStore(&held[at], kept(base + KEPT_HELD + at));
    }
    for (var at = lane; at < MASK_WORDS; at += WORKERS) {
        atomicStore(&in_conflict[at], 0u);
    }
    if (lane == 0u) {
        atomicStore(&conflicting, 0u);
        atomicStore(&both_sides, 0u);
        atomicStore(&least, NOTHING);
    }
}

// Counts the values of cells, and closes these and the forbidden ones. All of the ring is
// written, for in this round prohibitions may get longer; those older than `window` steps have ended.
fn count_all(base: u32, now: u32, window: u32) {
    for (var turn = 0u; turn < FREE_TURNS; turn++) {
        let cell = turn * WORKERS + lane;
        if (cell >= puzzle.cells) {
            break;
        }
        let place = held_by(cell, row_of(cell));
        close(place);
        let start = neighbours_of(place);
        let end = neighbours_of(place + 1u);
        for (var k = 0u; k < MOST_PEERS; k++) {
            if (start + k >= end) {
                break;
            }
            count_peer(neighbour_at(start + k).x, 1u);
        }
    }
    for (var turn = 0u; turn < RING_TURNS; turn++) {
        let back = turn * WORKERS + lane + 1u;
        if (back >= places.ring_entries) {
            break;
        }
        let at = ring_word(now, back);
        var found = NO_ENTRY;
        if (back <= window) {
            found = kept(kept_row(base) + at - places.ring);
        }
        set_word(at, found);
        if (found != NO_ENTRY) {
            close(found / STEP_UNIT);
        }
    }
}

// Finds the cells in conflict.
fn find_conflicts() {
    for (var turn = 0u; turn < FREE_TURNS; turn++) {
        let cell = turn * WORKERS + lane;
        if (cell >= puzzle.cells) {
            break;
        }
        let place = held_by(cell, row_of(cell));
        let conflicts = count_at(place);
        if (conflicts > 0u) {
            turn_conflict(cell, 1u);
            // The conflicts of a given are counted here only.
            let with_givens = (table(puzzle.given + place / 4u) >> shift_of(place)) & COUNT_MASK;
            atomicAdd(&both_sides, conflicts + with_givens);
        }
    }
}

// Writes the values of cells to `at` of the buffer.
fn keep_held(at: u32) {
    for (var turn = 0u; turn < HELD_TURNS; turn++) {
        let word = turn * WORKERS + lane;
        if (word >= held_words()) {
            break;
        }
        set_kept(at + word, atomicLoad(&held[word]));
    }
}

// Writes the prohibitions that may still be valid.
fn keep_prohibitions(base: u32, now: u32, window: u32) {
    for (var turn = 0u; turn < RING_TURNS; turn++) {
        let back = turn * WORKERS + lane + 1u;
        if (back > window) {
            break;
        }
        let at = ring_word(now, back);
        set_kept(kept_row(base) + at - places.ring, word_at(at));
    }
}
