// Bands or stacks from the parent that is better there. On the CPU: src/core/ga/crossover/band_or_stack.rs

#choose shape
#include "random/draws.wgsl"
#include "board/child.wgsl"

fn cross(slot: u32) {
    draws(CROSS, slot);
    let bands = coin();
    // Lines of a band or stack, and the cells from one line to the next and from one cell to the next.
    let height = select(BOX_COLS, BOX_ROWS, bands);
    let along = select(1u, SIDE, bands);
    let across = select(SIDE, 1u, bands);
    // How many more values the second parent has in the lines of the band or stack so far.
    var more = 0i;
    // The bands or stacks that come from the second parent, a bit each.
    var taken = 0u;
    for (var line = 0u; line < SIDE; line++) {
        var in_first = EMPTY;
        var in_second = EMPTY;
#repeat k SIDE
        let cell = line * along + k * across;
        in_first |= bit_of(child_cell(cell));
        in_second |= bit_of(scratch_cell(cell));
#end
        more += i32(size(in_second)) - i32(size(in_first));
        if ((line + 1u) % height == 0u) {
            var second = more > 0i;
            if (more == 0i) {
                second = coin();
            }
            taken |= select(0u, 1u, second) << (line / height);
            more = 0i;
        }
    }
#repeat at BOARD_WORDS
    let mask = mask_in(4u * at, taken, bands) | mask_in(4u * at + 1u, taken, bands)
        | mask_in(4u * at + 2u, taken, bands) | mask_in(4u * at + 3u, taken, bands);
    set_child_word(at, (child_word(at) & ~mask) | (scratch_word(at) & mask));
#end
}

// The bits of a cell in its word if its band or stack is taken.
fn mask_in(cell: u32, taken: u32, bands: bool) -> u32 {
    let group = select(cell % SIDE / BOX_COLS, cell / SIDE / BOX_ROWS, bands);
    return ((taken >> group) & 1u) * (0xFFu << (cell % 4u * 8u));
}
