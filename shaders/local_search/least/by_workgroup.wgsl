// The least word that a workgroup's lanes offer, where there are no operations of subgroups.

#include "local_search/least/offered.wgsl"

fn offer(word: u32) {
    if (word != NOTHING) {
        atomicMin(&least, word);
    }
}
