// Neighbours are near in rows and columns that wrap around. On the CPU: src/core/ga/selection/local_tournament.rs

#choose task
#choose parameters
#include "random/draws.wgsl"

// At least half of the places are slots, so that as many draws in a row miss with probability 2^-256.
const MOST_PLACES = 256u;

// A place at most the radius away from `at` on a circle; any place where the radius reaches around.
fn near(at: u32, length: u32) -> u32 {
    let span = 2u * RADIUS + 1u;
    if (span >= length) {
        return below(length);
    }
    return (at + length - RADIUS + below(span)) % length;
}

fn neighbour(slot: u32) -> u32 {
    let width = task.torus_width;
    let rows = (task.population + width - 1u) / width;
    var drawn = slot;
    for (var place = 0u; place < MOST_PLACES; place++) {
        let row = near(slot / width, rows);
        drawn = row * width + near(slot % width, width);
        if (drawn < task.population) {
            break;
        }
    }
    return drawn;
}
