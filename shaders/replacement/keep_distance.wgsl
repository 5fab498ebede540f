// Children take the slots of those that make room, the best child first: one workgroup.
// Twin: src/evolve/replacement/keep_distance.rs
//
// The children, in the first slots of the next population, are copied to where searches were.
// Who lives in each slot is then decided child by child, the slots of each decision shared out
// among threads, and everybody is written to the next population at the end.

#choose task
#choose shape
#choose threads
#choose block
#choose tables
#choose keeping
#choose searches

// Children that want a slot.
var<workgroup> children: u32;
// Of each slot, the child that took it plus one.
var<workgroup> taker: array<u32, MOST_KEPT>;
// Of each child, whether it had its turn.
var<workgroup> is_done: array<u32, MOST_KEPT>;
// The complement of the lowest `fitness * MOST_KEPT + child` of those that had no turn.
var<workgroup> next: atomic<u32>;
// Whether somebody near is not worse.
var<workgroup> is_blocked: atomic<u32>;
// The highest `fitness * MOST_KEPT + slot`, plus one, of old individuals: those near, and all.
var<workgroup> worst_near: atomic<u32>;
var<workgroup> worst: atomic<u32>;

fn child_at(child: u32) -> u32 {
    return SEARCHES + child * CHILD_SIZE;
}

fn child_fitness(child: u32) -> u32 {
    return planned(child_at(child));
}

// A word of the board in a slot.
fn kept_word(slot: u32, at: u32) -> u32 {
    let child = taker[slot];
    if (child > 0u) {
        return planned(child_at(child - 1u) + 1u + at);
    }
    return old_word(slot, at);
}

fn kept_fitness(slot: u32) -> u32 {
    let child = taker[slot];
    if (child > 0u) {
        return child_fitness(child - 1u);
    }
    return old_fitness(slot);
}

// Cells in which a child and who is in a slot differ.
fn apart(child: u32, slot: u32) -> u32 {
    var cells = 0u;
    for (var at = 0u; at < BOARD_WORDS; at++) {
        // Values are below 128, so that no byte carries into the next.
        let differing = planned(child_at(child) + 1u + at) ^ kept_word(slot, at);
        cells += countOneBits((differing + 0x7F7F7F7Fu) & 0x80808080u);
    }
    return cells;
}

// Looks for the child that is next. A maximum of complements is a minimum that starts at 0, and its
// place below the fitness sends ties to the lower slot, in whatever order threads come.
fn nominate(thread: u32) {
    for (var k = 0u; k < KEEPER_SLOTS; k++) {
        let child = k * COUNTERS + thread;
        if (child >= task.count) {
            break;
        }
        if (is_done[child] == 0u) {
            atomicMax(&next, ~(child_fitness(child) * MOST_KEPT + child));
        }
    }
}

// Looks at whom a child meets. Slots are shared out; what they find is merged by maxima, which are
// the same in any order.
fn look_round(thread: u32, child: u32) {
    let fitness = child_fitness(child);
    for (var k = 0u; k < KEEPER_SLOTS; k++) {
        let slot = k * COUNTERS + thread;
        if (slot >= task.population) {
            break;
        }
        let there = kept_fitness(slot);
        let is_near = apart(child, slot) < table(DISTANCE);
        if (is_near && there <= fitness) {
            atomicStore(&is_blocked, 1u);
        }
        // No child makes room for another.
        if (taker[slot] == 0u) {
            // Of equals the higher slot makes room; 0 stands for nobody.
            let place = there * MOST_KEPT + slot + 1u;
            atomicMax(&worst, place);
            if (is_near) {
                atomicMax(&worst_near, place);
            }
        }
    }
}

// Gives a child its slot, if it gets any.
fn place(child: u32) {
    is_done[child] = 1u;
    let near = atomicLoad(&worst_near);
    let all = atomicLoad(&worst);
    if (atomicLoad(&is_blocked) == 0u) {
        if (near > 0u) {
            taker[(near - 1u) % MOST_KEPT] = child + 1u;
        } else if (all > 0u && (all - 1u) / MOST_KEPT >= child_fitness(child)) {
            taker[(all - 1u) % MOST_KEPT] = child + 1u;
        }
    }
    atomicStore(&next, 0u);
    atomicStore(&is_blocked, 0u);
    atomicStore(&worst_near, 0u);
    atomicStore(&worst, 0u);
}

@compute @workgroup_size(COUNTERS)
fn keep_distance(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    take_task(group.z);
    for (var k = 0u; k < KEEPER_SLOTS; k++) {
        let at = k * COUNTERS + thread;
        taker[at] = 0u;
        is_done[at] = 0u;
        if (at < task.count) {
            set_planned(child_at(at), new_fitness(at));
            for (var word = 0u; word < BOARD_WORDS; word++) {
                set_planned(child_at(at) + 1u + word, new_word(at, word));
            }
        }
    }
    if (thread == 0u) {
        children = task.count;
        atomicStore(&next, 0u);
        atomicStore(&is_blocked, 0u);
        atomicStore(&worst_near, 0u);
        atomicStore(&worst, 0u);
    }
    // All turn together, which a thread's own task does not say.
    let turns = workgroupUniformLoad(&children);
    // Children are read where they were copied to, by threads other than those that copied them.
    storageBarrier();
    workgroupBarrier();
    for (var turn = 0u; turn < MOST_KEPT; turn++) {
        if (turn >= turns) {
            break;
        }
        nominate(thread);
        workgroupBarrier();
        let child = ~atomicLoad(&next) % MOST_KEPT;
        look_round(thread, child);
        workgroupBarrier();
        if (thread == 0u) {
            place(child);
        }
        workgroupBarrier();
    }
    for (var k = 0u; k < KEEPER_SLOTS; k++) {
        let slot = k * COUNTERS + thread;
        if (slot >= task.population) {
            break;
        }
        for (var word = 0u; word < BOARD_WORDS; word++) {
            set_new_word(slot, word, kept_word(slot, word));
        }
        // A child that was not scored stays so, for the statistics to find.
        if (slot >= task.count || child_fitness(min(slot, task.count - 1u)) < BINS) {
            set_new_fitness(slot, kept_fitness(slot));
        } else {
            set_new_fitness(slot, 0xFFFFFFFFu);
        }
    }
}
