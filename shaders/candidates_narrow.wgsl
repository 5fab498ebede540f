// Sets of values out of the tables, a word each, and what is asked of sets beside their size.

fn candidates_of(cell: u32) -> Set {
    return tables[CANDIDATES + cell];
}

fn shares(one: Set, other: Set) -> bool {
    return (one & other) != EMPTY;
}

// The smallest value of a set that has one.
fn first_value(values: Set) -> u32 {
    return countTrailingZeros(values) + 1u;
}

fn without_first(values: Set) -> Set {
    return values & (values - 1u);
}
