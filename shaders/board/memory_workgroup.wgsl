// The child of a thread, and its working memory, in workgroup memory.
//
// Each thread has a row of words, an odd number of them: threads at the same word of their rows use different banks.
// The boards of parents lie anywhere in the population, and a thread that read a board by itself would have a
// cache line to itself for each word. So all threads copy all boards, neighbouring words side by side. With 64
// threads and 21 words, threads 0 to 20 copy the words of child 0, those up to 41 of child 1, those up to 62 of child 2;
// then those of children 3 to 5, and so on.

#choose child
#choose shape
#choose task
#choose threads
#include "board/lane.wgsl"

var<workgroup> child_words: array<array<u32, CHILD_PITCH>, WORKGROUP>;
var<workgroup> scratch_words: array<array<u32, SCRATCH_PITCH>, WORKGROUP>;
// The parents of each thread's child.
var<workgroup> chosen: array<vec2<u32>, WORKGROUP>;

fn child_word(at: u32) -> u32 {
    return child_words[lane][at];
}

fn set_child_word(at: u32, value: u32) {
    child_words[lane][at] = value;
}

fn scratch_word(at: u32) -> u32 {
    return scratch_words[lane][at];
}

fn set_scratch_word(at: u32, value: u32) {
    scratch_words[lane][at] = value;
}

// The first row that a thread copies a word of; the last threads, which are too few for a board, have none.
fn first_copied() -> u32 {
    return select(WORKGROUP, lane / ROW_COPIERS, lane < COPIED_ROWS * ROW_COPIERS);
}

// Reads each thread's first parent into the child, and the second into the working memory.
fn read_parents(parents: vec2<u32>) {
    chosen[lane] = parents;
    workgroupBarrier();
    let first_row = first_copied();
    let first_word = lane % ROW_COPIERS;
#repeat turn COPY_TURNS
    let row = first_row + turn * COPIED_ROWS;
    if (row < group_children) {
        let couple = chosen[row];
#repeat piece COPY_PIECES
        let at = first_word + piece * ROW_COPIERS;
        if (at < BOARD_WORDS) {
            child_words[row][at] = old_word(couple.x, at);
            scratch_words[row][at] = old_word(couple.y, at);
        }
#end
    }
#end
    workgroupBarrier();
}

// Puts each thread's child into the next population.
fn write_child(fitness: u32) {
    workgroupBarrier();
    let first_row = first_copied();
    let first_word = lane % ROW_COPIERS;
#repeat turn COPY_TURNS
    let row = first_row + turn * COPIED_ROWS;
    if (row < group_children) {
#repeat piece COPY_PIECES
        let at = first_word + piece * ROW_COPIERS;
        if (at < BOARD_WORDS) {
            set_new_word(task.first + first_child + row, at, child_words[row][at]);
        }
#end
    }
#end
    if (has_child()) {
        set_new_fitness(child_slot(), fitness);
    }
}
