// The child of a thread, cell by cell: one byte a cell, the first in the lowest byte.

#choose shape
#choose task
#choose sets
#choose memory

fn cell_of(packed: u32, cell: u32) -> u32 {
    return (packed >> (cell % 4u * 8u)) & 0xFFu;
}

fn child_cell(cell: u32) -> u32 {
    return cell_of(child_word(cell / 4u), cell);
}

fn scratch_cell(cell: u32) -> u32 {
    return cell_of(scratch_word(cell / 4u), cell);
}

fn set_child_cell(cell: u32, value: u32) {
    let shift = cell % 4u * 8u;
    set_child_word(cell / 4u, (child_word(cell / 4u) & ~(0xFFu << shift)) | (value << shift));
}

// Exchanges the values of two cells if each may hold the other's.
fn exchange(a: u32, b: u32) {
    let in_a = child_cell(a);
    let in_b = child_cell(b);
    if (shares(candidates_of(a), value_bit(in_b)) && shares(candidates_of(b), value_bit(in_a))) {
        set_child_cell(a, in_b);
        set_child_cell(b, in_a);
    }
}

// Makes the child a copy of the individual in a slot of the old population.
fn take_old(slot: u32) {
#repeat at BOARD_WORDS
    set_child_word(at, old_word(slot, at));
#end
}
