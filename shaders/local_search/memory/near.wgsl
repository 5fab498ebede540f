// The state of a search, all of it in workgroup memory.

#choose task
#choose search_words

var<workgroup> near: array<atomic<u32>, NEAR_WORDS>;

fn word_at(at: u32) -> u32 {
    return atomicLoad(&near[at]);
}

fn set_word(at: u32, word: u32) {
    atomicStore(&near[at], word);
}

// Adds to a word, and returns what it was.
fn add_to(at: u32, more: u32) -> u32 {
    return atomicAdd(&near[at], more);
}

fn set_bits(at: u32, bits: u32) {
    atomicOr(&near[at], bits);
}

fn clear_bits(at: u32, bits: u32) {
    atomicAnd(&near[at], ~bits);
}

// Turns bits over that are ones.
fn flip_bits(at: u32, bits: u32) {
    atomicXor(&near[at], bits);
}

fn kept(at: u32) -> u32 {
    return planned(at);
}

fn set_kept(at: u32, word: u32) {
    set_planned(at, word);
}

// No lane continues before all of them arrive and see what the others wrote.
fn meet() {
    workgroupBarrier();
}

// Sets the place of the words of a search that do not fit here: there are none.
fn place_rest(base: u32) {}
