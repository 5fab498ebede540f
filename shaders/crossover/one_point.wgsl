// Units up to a cut. On the CPU: src/core/ga/crossover/one_point.rs

#include "random/draws.wgsl"
#choose lines
#include "crossover/cells.wgsl"

var<private> cut: u32;

fn from_second(cell: u32) -> bool {
    return unit_of(cell) >= cut;
}

fn cross(slot: u32) {
    draws(CROSS, slot);
    cut = 1u + below(SIDE - 1u);
    cross_cells();
}
