// The state of a search of which workgroup memory holds the first words, those that are used most,
// and the buffer of searches the others.

#choose task
#choose search_words

// The buffer that other kernels know as `plan`.
@group(0) @binding(PLAN_BINDING) var<storage, read_write> searches: array<atomic<u32>>;
var<workgroup> near: array<atomic<u32>, NEAR_WORDS>;
// What is added to the number of a word for its place among the searches.
var<private> far: u32;

fn word_at(at: u32) -> u32 {
    if (at < NEAR_WORDS) {
        return atomicLoad(&near[at]);
    }
    return atomicLoad(&searches[far + at]);
}

fn set_word(at: u32, word: u32) {
    if (at < NEAR_WORDS) {
        atomicStore(&near[at], word);
    } else {
        atomicStore(&searches[far + at], word);
    }
}

// Adds to a word, and returns what it was.
fn add_to(at: u32, more: u32) -> u32 {
    if (at < NEAR_WORDS) {
        return atomicAdd(&near[at], more);
    }
    return atomicAdd(&searches[far + at], more);
}

fn set_bits(at: u32, bits: u32) {
    if (at < NEAR_WORDS) {
        atomicOr(&near[at], bits);
    } else {
        atomicOr(&searches[far + at], bits);
    }
}

fn clear_bits(at: u32, bits: u32) {
    if (at < NEAR_WORDS) {
        atomicAnd(&near[at], ~bits);
    } else {
        atomicAnd(&searches[far + at], ~bits);
    }
}

// Turns bits over that are ones.
fn flip_bits(at: u32, bits: u32) {
    if (at < NEAR_WORDS) {
        atomicXor(&near[at], bits);
    } else {
        atomicXor(&searches[far + at], bits);
    }
}

fn kept(at: u32) -> u32 {
    return atomicLoad(&searches[task.plan + at]);
}

fn set_kept(at: u32, word: u32) {
    atomicStore(&searches[task.plan + at], word);
}

// No lane continues before all of them arrive and see what the others wrote.
fn meet() {
    storageBarrier();
    workgroupBarrier();
}

// Sets the place of the words of a search that do not fit here.
fn place_rest(rest: u32) {
    far = task.plan + rest - NEAR_WORDS;
}
