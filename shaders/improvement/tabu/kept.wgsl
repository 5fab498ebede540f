// Where the things are that a search keeps from one dispatch to the next, in words: how far it came,
// the lowest byte of the place that each free cell holds, the same for the best board, and
// prohibitions. Counts and conflicts are made anew: that takes a few steps' time, and what is kept
// stays small.

#choose task
#choose tables
#choose searches
#choose search_fields
#include "improvement/tabu/puzzle.wgsl"

// Where a search's words begin.
fn kept_base(searcher: u32) -> u32 {
    return SEARCHES + searcher * table(SEARCH_KEPT);
}

fn held_words() -> u32 {
    return (puzzle.cells + 3u) / 4u;
}

fn kept_best(base: u32) -> u32 {
    return base + KEPT_HELD + held_words();
}

fn kept_ring(base: u32) -> u32 {
    return base + KEPT_HELD + 2u * held_words();
}
