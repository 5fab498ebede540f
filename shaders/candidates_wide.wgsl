// Sets of values out of the tables, two words each, and what is asked of sets beside their size.

fn candidates_of(cell: u32) -> Set {
    let at = CANDIDATES + 2u * cell;
    return vec2<u32>(tables[at], tables[at + 1u]);
}

fn shares(one: Set, other: Set) -> bool {
    return any((one & other) != EMPTY);
}

// The smallest value of a set that has one.
fn first_value(values: Set) -> u32 {
    let low = countTrailingZeros(values.x);
    return select(low, 32u + countTrailingZeros(values.y), values.x == 0u) + 1u;
}

fn without_first(values: Set) -> Set {
    if (values.x != 0u) {
        return vec2<u32>(values.x & (values.x - 1u), values.y);
    }
    return vec2<u32>(0u, values.y & (values.y - 1u));
}
