// The lines that may hold duplicates where columns are permuted: rows and boxes.

#choose shape
#include "encoding/cell_in_box.wgsl"

fn lines_of(cell: u32) -> vec2<u32> {
    let row = cell / SIDE;
    let stacks = SIDE / BOX_COLS;
    return vec2<u32>(row, row / BOX_ROWS * stacks + cell % SIDE / BOX_COLS);
}

// Cell number `k` of line number `line` of each kind.
fn cells_in_lines(line: u32, k: u32) -> vec2<u32> {
    return vec2<u32>(line * SIDE + k, cell_in_box(line, k));
}

// The unit of a cell that is permuted: its column.
fn unit_of(cell: u32) -> u32 {
    return cell % SIDE;
}
