// Children that wait for a place, the best first, and the places of individuals: their ranks in the old population.
// On the CPU: src/core/ga/replacement/keep_distance.rs

#choose task
#choose shape
#choose plan
#choose keeping

// The fitness of the child of this rank; its board comes after it.
fn waiting(rank: u32) -> u32 {
    return WAITING + rank * CHILD_SIZE;
}

// The fitness of the old individual in a place.
fn fitness_at(place: u32) -> u32 {
    return old_fitness(planned(ORDER + place));
}
