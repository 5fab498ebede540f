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
    var of_first = 0u;
    var of_second = 0u;
    // The bands or stacks that come from the second parent, a bit each.
    var taken = 0u;
    for (var line = 0u; line < SIDE; line++) {
        var in_first = EMPTY;
        var in_second = EMPTY;
        for (var k = 0u; k < SIDE; k++) {
            let cell = line * along + k * across;
            in_first |= value_bit(child_cell(cell));
            in_second |= value_bit(scratch_cell(cell));
        }
        of_first += size(in_first);
        of_second += size(in_second);
        if ((line + 1u) % height == 0u) {
            var second = of_second > of_first;
            if (of_second == of_first) {
                second = coin();
            }
            taken |= select(0u, 1u, second) << (line / height);
            of_first = 0u;
            of_second = 0u;
        }
    }
    for (var at = 0u; at < BOARD_WORDS; at++) {
        var mask = 0u;
        for (var k = 0u; k < 4u; k++) {
            let cell = 4u * at + k;
            let group = select(cell % SIDE / BOX_COLS, cell / SIDE / BOX_ROWS, bands);
            mask |= select(0u, 0xFFu << (8u * k), ((taken >> group) & 1u) == 1u);
        }
        set_child_word(at, (child_word(at) & ~mask) | (scratch_word(at) & mask));
    }
}
