// Where the things are that a search keeps from one dispatch to the next, in words: how far it came,
// a byte for each free cell, the same of its best board, and then what only one of the searches knows.

#choose task
#choose tables
#choose searches
#choose search_fields

// Where a search's words begin.
fn kept_base(searcher: u32) -> u32 {
    return SEARCHES + searcher * table(SEARCH_KEPT);
}

fn held_words() -> u32 {
    return (table(FREE_COUNT) + 3u) / 4u;
}

fn kept_best(base: u32) -> u32 {
    return base + KEPT_HELD + held_words();
}

// Behind both boards.
fn kept_row(base: u32) -> u32 {
    return base + KEPT_HELD + 2u * held_words();
}
