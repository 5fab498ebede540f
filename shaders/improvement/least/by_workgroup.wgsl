// The least word that a workgroup's lanes offer, where there are no operations of subgroups.

#include "improvement/least/offered.wgsl"

fn offer(word: u32) {
    if (word != NOTHING) {
        atomicMin(&least, word);
    }
}
