// The child after a search: its best board. On the CPU: `write` of
// src/core/ga/local_search/tabu/conflicts.rs

#include "board/child.wgsl"
#include "local_search/kept.wgsl"
#include "local_search/tabu/puzzle.wgsl"

fn take_best(searcher: u32) {
    read_sections();
    for (var at = 0u; at < BOARD_WORDS; at++) {
        set_child_word(at, table(FIXED + at));
    }
    let best = kept_best(kept_base(searcher));
    for (var cell = 0u; cell < CELLS; cell++) {
        if (cell >= puzzle.cells) {
            break;
        }
        let low = extractBits(planned(best + cell / 4u), cell % 4u * 8u, 8u);
        let place = whole_place(row_of(cell), low);
        set_child_cell(table(FREE + cell), value_of_place(place));
    }
}
