// The least word that a workgroup's lanes offer: first among those of a subgroup, then of all.
//
// The only lane of a subgroup that offers its word to the others is the one that has the least: words
// differ, so no lane has to be elected, and it does not matter how many lanes a subgroup has, which
// they are, or how many of them arrive together. Where a subgroup falls apart, each part offers
// the least of its own.

#include "local_search/least/offered.wgsl"

fn offer(word: u32) {
    let least_here = subgroupMin(word);
    if (word == least_here && word != NOTHING) {
        atomicMin(&least, word);
    }
}
