// The words that are kept of a search from one dispatch to the next: its progress,
// a byte for each free cell, the same of its best board, and then words of only one kind of search.

#choose task
#choose tables
#choose searches
#choose search_fields

// The first word of a search of this task.
fn kept_base(searcher: u32) -> u32 {
    return SEARCHES + (task.searcher + searcher) * table(SEARCH_KEPT);
}

fn held_words() -> u32 {
    return (table(FREE_COUNT) + 3u) / 4u;
}

fn kept_best(base: u32) -> u32 {
    return base + KEPT_HELD + held_words();
}

// After both boards.
fn kept_row(base: u32) -> u32 {
    return base + KEPT_HELD + 2u * held_words();
}
