// A unit of the other parent. On the CPU: src/core/ga/crossover/one_unit.rs

#include "random/draws.wgsl"
#choose units
#include "crossover/cells.wgsl"
#choose tables

var<private> unit: u32;

fn from_second(cell: u32) -> bool {
    return is_in_unit(cell, unit);
}

fn cross(slot: u32) {
    draws(CROSS, slot);
    unit = below(UNITS);
    cross_cells();
}
