// Units are those of one kind.

#choose lines

fn is_in_unit(cell: u32, unit: u32) -> bool {
    return unit_of(cell) == unit;
}
