// Binary tournament among the neighbours on a ring. Twin: src/evolve/selection/ring_tournament.rs

fn neighbour(slot: u32) -> u32 {
    let back = task.population - RADIUS % task.population;
    return (slot + back + below(2u * RADIUS + 1u)) % task.population;
}

fn winner(slot: u32) -> u32 {
    let first = neighbour(slot);
    let second = neighbour(slot);
    return select(first, second, old_fitness[second] < old_fitness[first]);
}

fn parents(slot: u32) -> vec2<u32> {
    draws(SELECT, slot);
    let first = winner(slot);
    let second = winner(slot);
    return vec2<u32>(first, second);
}
