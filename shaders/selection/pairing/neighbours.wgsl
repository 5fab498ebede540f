// Couple i is the next two of the pool. The last of an odd pool is its own neighbour.
// On the CPU: src/core/ga/selection/truncation.rs

#choose task
#choose parameters

fn places(slot: u32) -> vec2<u32> {
    let first = slot / CHILDREN * 2u;
    return vec2<u32>(first, min(first + 1u, task.pool - 1u));
}
