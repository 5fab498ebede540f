// The child of a thread, and its working memory, in memory of the thread's own: on software drivers,
// and for boards of which a workgroup's memory does not hold one a thread.

#choose child
#choose shape
#choose task
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

// Reads a thread's first parent into the child, and the second into the working memory.
fn read_parents(parents: vec2<u32>) {
    for (var at = 0u; at < BOARD_WORDS; at++) {
        child_words[at] = old_word(parents.x, at);
        scratch_words[at] = old_word(parents.y, at);
    }
}

// Puts the child into the next population.
fn write_child(fitness: u32) {
    if (has_child()) {
        for (var at = 0u; at < BOARD_WORDS; at++) {
            set_new_word(child_slot(), at, child_words[at]);
        }
        set_new_fitness(child_slot(), fitness);
    }
}
