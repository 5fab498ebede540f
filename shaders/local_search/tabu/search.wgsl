// A round of the tabu searches of a range of slots, one workgroup each.
// On the CPU: src/core/ga/local_search/tabu/search.rs
//
// Design: a thread for each search was simplest, and slow: threads of a warp read different
// cells of different boards, so that each load touches as many cache lines as there are threads, and
// the state of so many searches fits no fast memory. Here the lanes of a workgroup share one search
// instead. Its state is in workgroup memory, all lanes price moves, and all lanes change counts of
// peers.
//
// A step has five parts, and a barrier after each but the last:
// 1. Each 32 lanes list the cells in conflict.
// 2. Each lane prices the moves of some of them, and offers its least change.
// 3. Each lane that has moves with the least change of all offers the first of them, by follow-ups and ranks.
// 4. All lanes read which move is the first of all, and each changes the counts of some neighbours.
// 5. One lane stores the new value of the cell. It waits for this, because until then others read
//    the old values; part 1 does not read them, so that no barrier is needed between the two.
//
// One word identifies the first move, and lanes offer theirs in any order. So the number of lanes, the size of
// subgroups and the order in which a driver runs them change nothing, and the run is that of the CPU.
//
// Every value that decides whether a barrier is reached has to be the same in all lanes, and compilers
// of WGSL must be able to prove it. They cannot for values in memory that other lanes write;
// so the number of conflicts at the start, the least change and the first move are read by
// `workgroupUniformLoad`, and values that follow from them are variables of the function.

#choose task
#choose search_words
#choose parameters
#include "random/draws.wgsl"
#include "local_search/effort.wgsl"
#include "local_search/tabu/rounds.wgsl"
#include "local_search/tabu/evaluate.wgsl"
#include "local_search/tabu/making.wgsl"
#choose searches
#choose least

// Random words of the next steps, two for each.
var<workgroup> random_words: array<u32, 4u * RANDOM_BLOCKS>;
// Values that are the same in all lanes: steps made, fewest conflicts so far, longest prohibition so far, and
// the step that is the last of this round.
var<workgroup> told: vec4<u32>;

// Draws the words of the steps from `step` on, a block of two steps a lane.
fn draw_ahead(slot: u32, step: u32) {
    if (lane < RANDOM_BLOCKS) {
        draws(IMPROVE, slot);
        draw_counter.z += step / 2u + lane;
        for (var k = 0u; k < 4u; k++) {
            random_words[4u * lane + k] = word();
        }
    }
}

@compute @workgroup_size(WORKERS)
fn search(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let searcher = workgroup.x + workgroup.y * workgroups.x;
    if (searcher >= tasks[workgroup.z].task.count) {
        return;
    }
    take_task(workgroup.z);
    lane = local;
    read_sections();
    read_places();
    let slot = task.first + searcher;
    let base = kept_base(searcher);
    if (local == 0u) {
        let made = kept(base + KEPT_STEP);
        let last = min(made + table(SEARCH_STEPS), table(TABU_STEPS));
        told = vec4<u32>(made, kept(base + KEPT_FEWEST), kept(base + KEPT_LONGEST), last);
    }
    let before = workgroupUniformLoad(&told);
    let last = before.w;
    let last_of_all = table(TABU_STEPS);
    var step = before.x;
    if (step >= last || before.y == 0u) {
        return;
    }
    begin_effort();
    place_rest(kept_row(base) + places.ring_entries);
    // The entry of the ring that belongs to the next step.
    var now = step % places.ring_entries;
    var longest = before.z;
    fetch(base);
    meet();
    count_all(base, now, min(longest, step));
    meet();
    find_conflicts();
    var pairs = i32(workgroupUniformLoad(&both_sides) / 2u);
    var fewest = min(pairs, i32(before.y));
    var is_unwritten = false;

    for (var turn = 0u; turn < MOST_ROUND_STEPS; turn++) {
        if (step == last || pairs == 0i) {
            break;
        }
        if (turn == 0u || step % RANDOM_STEPS == 0u) {
            draw_ahead(slot, step - step % RANDOM_STEPS);
            workgroupBarrier();
        }
        let tie_word = random_words[2u * (step % RANDOM_STEPS)];
        let tenure_word = random_words[2u * (step % RANDOM_STEPS) + 1u];
        step++;

        let listed = list_conflicts();
        meet();
        let own_best = least_change(listed, fewest - pairs);
        offer(own_best);
        let best = workgroupUniformLoad(&least);
        var first = NOTHING;
        if (own_best == best) {
            first = first_move(listed, fewest - pairs, best, follow_up_limit(pairs, best), tie_word);
        }
        offer(first);
        let found = workgroupUniformLoad(&least);
        var made = Move(0u, 0u, NO_PLACE);
        if (found != NOTHING) {
            let number = number_of(found & RANK_MASK, tie_word);
            made.cell = number / CELL_NUMBERS;
            let row = row_of(made.cell);
            made.left = held_by(made.cell, row);
            made.taken = place_of(row, number % CELL_NUMBERS);
            let change = i32(found >> CHANGE_SHIFT) - i32(NO_CHANGE);
            // The best board is written when the search is about to leave it, not at each step
            // towards it.
            if (is_unwritten && change >= 0i) {
                keep_held(kept_best(base));
                is_unwritten = false;
            }
            pairs += change;
            if (pairs < fewest) {
                fewest = pairs;
                is_unwritten = true;
            }
            tell_neighbours(made);
            if (local == 0u) {
                atomicStore(&least, NOTHING);
                if (count_at(made.taken) == 0u) {
                    turn_conflict(made.cell, 0xFFFFFFFFu);
                }
            }
            meet();
        }

        var prohibition = NO_ENTRY;
        if (found != NOTHING) {
            let share = table(TENURE_SHARE) * atomicLoad(&conflicting) / 1000u;
            let tenure = multiply_wide(tenure_word, TENURE_RANDOM).x + share;
            // After the last step it makes no difference.
            let until = min(step + tenure, last_of_all);
            if (until > step) {
                prohibition = entry(made.left, until);
                longest = max(longest, until - step);
            }
            if (local == 0u) {
                steps++;
                hold(made.cell, made.taken);
                close(made.taken);
                if (until == step) {
                    reopen(made.left);
                }
            }
        }
        end_prohibitions(now, step, min(longest, step - 1u), made.taken);
        if (local == 0u) {
            set_word(ring_word(now, 0u), prohibition);
        }
        now = select(now + 1u, 0u, now + 1u == places.ring_entries);
    }
    meet();
    if (is_unwritten) {
        keep_held(kept_best(base));
    }
    keep_held(base + KEPT_HELD);
    keep_prohibitions(base, now, min(longest, step));
    if (local == 0u) {
        set_kept(base + KEPT_STEP, step);
        set_kept(base + KEPT_FEWEST, u32(fewest));
        set_kept(base + KEPT_LONGEST, longest);
    }
    end_effort();
}
