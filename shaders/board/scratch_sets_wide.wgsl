// Sets of values of two words in the working memory.

#choose memory
#choose sets

fn scratch_set(at: u32) -> Set {
    return vec2<u32>(scratch_word(2u * at), scratch_word(2u * at + 1u));
}

fn set_scratch_set(at: u32, values: Set) {
    set_scratch_word(2u * at, values.x);
    set_scratch_word(2u * at + 1u, values.y);
}
