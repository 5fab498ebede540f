// The board of a search, written to where the best one is kept.

#choose shape
#include "improvement/tabu/state.wgsl"

fn write_board(slot: u32) {
    let blanks = tables[FREE_COUNT];
    for (var cell = 0u; cell < CELLS; cell++) {
        if (cell >= blanks) {
            break;
        }
        let at = tables[FREE + cell];
        let word = slot * BOARD_WORDS + at / 4u;
        boards[word] = insertBits(boards[word], value_in(cell), at % 4u * 8u, 8u);
    }
}
