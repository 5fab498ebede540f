// The child of a thread, and its working memory, in memory of the thread's own: for boards of
// which a workgroup's memory does not hold one a thread.

#choose child
#include "board/lane.wgsl"

var<private> child_words: array<u32, CHILD_WORDS>;
var<private> scratch_words: array<u32, SCRATCH_WORDS>;

fn child_word(at: u32) -> u32 {
    return child_words[at];
}

fn set_child_word(at: u32, value: u32) {
    child_words[at] = value;
}

fn scratch_word(at: u32) -> u32 {
    return scratch_words[at];
}

fn set_scratch_word(at: u32, value: u32) {
    scratch_words[at] = value;
}
