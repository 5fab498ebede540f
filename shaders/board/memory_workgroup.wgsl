// The child of a thread, and its working memory, in workgroup memory. Neighbouring threads have
// neighbouring words, so that no two of them wait for the same bank.

#choose child
#include "board/lane.wgsl"
#choose threads

var<workgroup> child_words: array<u32, CHILD_WORDS * WORKGROUP>;
var<workgroup> scratch_words: array<u32, SCRATCH_WORDS * WORKGROUP>;

fn child_word(at: u32) -> u32 {
    return child_words[at * WORKGROUP + lane];
}

fn set_child_word(at: u32, value: u32) {
    child_words[at * WORKGROUP + lane] = value;
}

fn scratch_word(at: u32) -> u32 {
    return scratch_words[at * WORKGROUP + lane];
}

fn set_scratch_word(at: u32, value: u32) {
    scratch_words[at * WORKGROUP + lane] = value;
}
