// Units drawn at random. On the CPU: src/core/ga/crossover/subset.rs

#choose shape
#include "random/draws.wgsl"
#choose lines
#include "crossover/cells.wgsl"

var<private> units: array<u32, SIDE>;
// Unit u as value u + 1.
var<private> taken: Set;

fn from_second(cell: u32) -> bool {
    return shares(taken, value_bit(unit_of(cell) + 1u));
}

fn cross(slot: u32) {
    draws(CROSS, slot);
#repeat unit SIDE
    units[unit] = unit;
#end
    taken = EMPTY;
    let count = 1u + below(SIDE - 1u);
    for (var place = 0u; place < SIDE; place++) {
        if (place == count) {
            break;
        }
        let other = place + below(SIDE - place);
        let unit = units[other];
        units[other] = units[place];
        units[place] = unit;
        taken |= value_bit(unit + 1u);
    }
    cross_cells();
}
