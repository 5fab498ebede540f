// A child of whole cells: those for which `from_second` is true come from the second parent.

#choose shape
#include "board/child.wgsl"

fn mask_of(cell: u32) -> u32 {
    return select(0u, 0xFFu << (cell % 4u * 8u), from_second(cell));
}

fn cross_cells() {
#repeat at BOARD_WORDS
    let mask = mask_of(4u * at) | mask_of(4u * at + 1u) | mask_of(4u * at + 2u) | mask_of(4u * at + 3u);
    set_child_word(at, (child_word(at) & ~mask) | (scratch_word(at) & mask));
#end
}
