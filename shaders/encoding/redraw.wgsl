// A new value for a blank. On the CPU: `Candidates::redraw` of src/core/ga/encoding/candidates.rs

#include "random/draws.wgsl"
#include "board/values.wgsl"
#include "board/child.wgsl"

// Gives a blank a random candidate, possibly the value it has.
fn redraw(cell: u32) {
    let candidates = candidates_of(cell);
    set_child_cell(cell, value_at(candidates, below(size(candidates))));
}
