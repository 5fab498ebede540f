// The board of a search, written to where the best one is kept.

#choose shape
#include "improvement/tabu/state.wgsl"

fn write_board(slot: u32) {
    let blanks = table(FREE_COUNT);
    for (var cell = 0u; cell < CELLS; cell++) {
        if (cell >= blanks) {
            break;
        }
        let at = table(FREE + cell);
        let word = new_word(slot, at / 4u);
        set_new_word(slot, at / 4u, insertBits(word, value_in(cell), at % 4u * 8u, 8u));
    }
}
