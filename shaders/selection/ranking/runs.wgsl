// Counts of each fitness in each run of slots, those of one fitness side by side.

#choose task
#choose plan

fn runs() -> u32 {
    return (task.population + RUN - 1u) / RUN;
}

fn run_count(fitness: u32, run: u32) -> u32 {
    return RUN_COUNTS + fitness * runs() + run;
}
