// The child is a copy of its first parent. On the CPU: src/core/ga/crossover/none.rs

#include "board/child.wgsl"

fn cross(parents: vec2<u32>, slot: u32) {
    copy_parent(parents.x);
}
