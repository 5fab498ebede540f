// The lines that may hold duplicates where rows are permuted: columns and boxes.

#choose shape
#include "encoding/cell_in_box.wgsl"

fn lines_of(cell: u32) -> vec2<u32> {
    let column = cell % SIDE;
    let stacks = SIDE / BOX_COLS;
    return vec2<u32>(column, cell / SIDE / BOX_ROWS * stacks + column / BOX_COLS);
}

// Cell number `k` of line number `line` of each kind.
fn cells_in_lines(line: u32, k: u32) -> vec2<u32> {
    return vec2<u32>(k * SIDE + line, cell_in_box(line, k));
}

// The unit of a cell that is permuted: its row.
fn unit_of(cell: u32) -> u32 {
    return cell / SIDE;
}
