// The least word that a workgroup's lanes offer: first among those of a subgroup, then of all.
//
// Only lanes that have the least word of their subgroup offer it to the others. Several may offer the same
// word, which changes nothing, so no lane has to be elected, and it does not matter how many lanes a subgroup
// has, which they are, or how many of them arrive together. Where a subgroup falls apart, each part offers the
// least of its own.

#include "local_search/least/offered.wgsl"

fn offer(word: u32) {
    let least_here = subgroupMin(word);
    if (word == least_here && word != NOTHING) {
        atomicMin(&least, word);
    }
}
