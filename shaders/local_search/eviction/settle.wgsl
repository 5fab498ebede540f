// The child after a search: its best board, completed. On the CPU: `write` of
// src/core/ga/local_search/eviction/partial.rs

#include "board/child.wgsl"
#include "local_search/kept.wgsl"

fn take_best(searcher: u32) {
    for (var at = 0u; at < BOARD_WORDS; at++) {
        set_child_word(at, table(FIXED + at));
    }
    let best = kept_best(kept_base(searcher));
    for (var cell = 0u; cell < CELLS; cell++) {
        if (cell >= table(FREE_COUNT)) {
            break;
        }
        set_child_cell(table(FREE + cell), extractBits(planned(best + cell / 4u), cell % 4u * 8u, 8u));
    }
}
