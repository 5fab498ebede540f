// Bands or stacks from the parent that is better there. On the CPU: src/core/ga/crossover/band_or_stack.rs

#choose shape
#include "random/draws.wgsl"
#include "board/child.wgsl"
#include "crossover/cells.wgsl"

var<private> bands: bool;
// The bands or stacks that come from the second parent, a bit each.
var<private> taken: u32;

fn from_second(cell: u32) -> bool {
    let group = select(cell % SIDE / BOX_COLS, cell / SIDE / BOX_ROWS, bands);
    return ((taken >> group) & 1u) == 1u;
}

fn cross(slot: u32) {
    draws(CROSS, slot);
    bands = coin();
    // Lines of a band or stack, and the cells from one line to the next and from one cell to the next.
    let height = select(BOX_COLS, BOX_ROWS, bands);
    let along = select(1u, SIDE, bands);
    let across = select(SIDE, 1u, bands);
    // How many more values the second parent has in the lines of the band or stack so far.
    var more = 0i;
    taken = 0u;
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
    cross_cells();
}
