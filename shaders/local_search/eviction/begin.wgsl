// The start of a search: the values of the child of a thread, from which the first round makes a partial
// board.

#include "board/child.wgsl"
#include "local_search/kept.wgsl"

fn begin_search(searcher: u32) {
    let base = kept_base(searcher);
    let cells = table(FREE_COUNT);
    set_planned(base + KEPT_STAGE, NEW);
    set_planned(base + KEPT_LOOKS, 0u);
    set_planned(base + KEPT_ETA, MOST_ETA);
    set_planned(base + KEPT_IS_NEAR, 0u);
    set_planned(base + KEPT_UNASSIGNED, 0u);
    set_planned(base + KEPT_FEWEST, 0u);
    for (var at = 0u; at < BOARD_WORDS; at++) {
        if (4u * at >= cells) {
            break;
        }
        var packed = 0u;
        for (var byte = 0u; byte < 4u; byte++) {
            let cell = 4u * at + byte;
            if (cell < cells) {
                packed |= child_cell(table(FREE + cell)) << (8u * byte);
            }
        }
        set_planned(kept_best(base) + at, packed);
    }
}
