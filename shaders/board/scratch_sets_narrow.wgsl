// Sets of values of one word in the working memory.

#choose memory
#choose sets

fn scratch_set(at: u32) -> Set {
    return scratch_word(at);
}

fn set_scratch_set(at: u32, values: Set) {
    set_scratch_word(at, values);
}
