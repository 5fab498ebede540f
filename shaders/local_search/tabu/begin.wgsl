// The start of a search: the candidates in the child of a thread.
// On the CPU: `fill` of src/core/ga/local_search/tabu/conflicts.rs

#include "board/child.wgsl"
#include "local_search/kept.wgsl"
#include "local_search/tabu/puzzle.wgsl"

// The lowest byte of the place of the candidate in a free cell of the child.
fn held_by_child(cell: u32) -> u32 {
    let at = table(FREE + cell);
    return place_of(row_of(cell), count_below(candidates_of(at), child_cell(at))) & 0xFFu;
}

fn begin_search(searcher: u32) {
    read_sections();
    let base = kept_base(searcher);
    set_planned(base + KEPT_STEP, 0u);
    set_planned(base + KEPT_FEWEST, MANY);
    set_planned(base + KEPT_LONGEST, 0u);
    for (var at = 0u; at < HELD_WORDS; at++) {
        if (4u * at >= puzzle.cells) {
            break;
        }
        var packed = 0u;
        for (var byte = 0u; byte < 4u; byte++) {
            let cell = 4u * at + byte;
            if (cell < puzzle.cells) {
                packed |= held_by_child(cell) << (8u * byte);
            }
        }
        set_planned(base + KEPT_HELD + at, packed);
        set_planned(kept_best(base) + at, packed);
    }
}
