// Rows or columns up to a cut. On the CPU: src/core/ga/crossover/line_cut.rs

#include "random/draws.wgsl"
#choose shape
#include "crossover/cells.wgsl"

var<private> rows: bool;
var<private> cut: u32;

fn from_second(cell: u32) -> bool {
    return select(cell % SIDE, cell / SIDE, rows) >= cut;
}

fn cross(slot: u32) {
    draws(CROSS, slot);
    rows = coin();
    cut = 1u + below(SIDE - 1u);
    cross_cells();
}
