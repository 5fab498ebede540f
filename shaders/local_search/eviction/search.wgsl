// A round of the eviction searches of a range of slots, one workgroup each.
// On the CPU: `run` of src/core/ga/local_search/eviction/mod.rs
//
// Design: each proposal depends on the board after those before it, so that a search is a
// chain. But its random words are known before, most proposals are refused, and a refused one
// changes nothing. So the lanes evaluate as many proposals as there are lanes, all on the same board,
// and the first that would be accepted is made; those after it are evaluated again. The run is the
// same as if they had been made in turn, with any number of lanes.
//
// A thread for each search would need half of the instructions, and two hundred times the searches to hide
// the latency of memory; docs/explanation/engines.md counts both.
//
// A window of proposals has two parts, and a barrier after each:
// 1. Each lane evaluates a proposal, and offers its number if it would be accepted.
// 2. All lanes read which one is the first. Sixteen lanes change holders and values, one the list.
//
// As in tabu search, values that decide whether a barrier is reached are read by `workgroupUniformLoad`: those
// at the start, and the offered word, which holds the number of evicted cells.

#choose task
#choose search_words
#include "random/draws.wgsl"
#include "local_search/effort.wgsl"
#include "local_search/eviction/proposals.wgsl"
#include "local_search/eviction/rounds.wgsl"
#include "local_search/eviction/complete.wgsl"
#choose searches
#choose least

// Values that are the same in all lanes: the progress of the search, proposals of this round and whether they are
// the last, unassigned cells, and the fewest so far.
struct Told {
    stage: u32,
    proposals: u32,
    is_last: u32,
    unassigned: u32,
    fewest: u32,
}

var<workgroup> told: Told;

// Those of the search whose words begin at `base`, after so many looks.
fn tell(base: u32, looks: u32) -> Told {
    let left = table(PROPOSAL_LOOKS) - looks;
    let is_last = left < table(SEARCH_STEPS);
    let proposals = select(table(SEARCH_STEPS) * LOOK, left * LOOK + table(PROPOSAL_REST), is_last);
    return Told(
        kept(base + KEPT_STAGE),
        proposals,
        u32(is_last),
        kept(base + KEPT_UNASSIGNED),
        kept(base + KEPT_FEWEST),
    );
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
    place_list();
    let base = kept_base(searcher);
    place_rest(kept_row(base) + list_words(puzzle.cells));
    var looks = kept(base + KEPT_LOOKS);
    if (local == 0u) {
        told = tell(base, looks);
        atomicStore(&least, NOTHING);
    }
    let before = workgroupUniformLoad(&told);
    if (before.stage == DONE) {
        return;
    }
    begin_effort();
    draws(IMPROVE, task.first + searcher);
    let first_word = word();
    let key = vec2<u32>(first_word, word());
    set_eta(kept(base + KEPT_ETA));
    is_near = kept(base + KEPT_IS_NEAR) == 1u;
    var unassigned = before.unassigned;
    var fewest = before.fewest;
    var is_unwritten = false;
    if (before.stage == NEW) {
        fetch(kept_best(base));
        meet();
        drop_foreign();
        meet();
        if (local == 0u) {
            listed = fill();
        }
        meet();
        unassigned = workgroupUniformLoad(&listed);
        fewest = unassigned;
        is_unwritten = true;
    } else {
        fetch(base + KEPT_HELD);
        fetch_list(base, unassigned);
        meet();
        hold_all();
        meet();
    }

    var made = 0u;
    for (var row = 0u; row < ROUND_ROWS; row++) {
        if (made >= before.proposals || unassigned == 0u) {
            break;
        }
        draw_row(key, looks, row);
        workgroupBarrier();
        let size = min(ROW, before.proposals - made);
        var at = 0u;
        for (var turn = 0u; turn < ROW; turn++) {
            if (at >= size || unassigned == 0u) {
                break;
            }
            offer(propose(at + local, size, unassigned));
            let found = workgroupUniformLoad(&least);
            if (found == NOTHING) {
                at = min(at + WORKERS, size);
                continue;
            }
            let evicting = found & 3u;
            at += (found >> 2u) + 1u;
            // The best board is written when the search is about to leave it, not at each step
            // towards it.
            if (is_unwritten && evicting > 0u) {
                keep_held(kept_best(base));
                is_unwritten = false;
                meet();
            }
            assign(found >> 2u, unassigned);
            unassigned += evicting - 1u;
            if (unassigned < fewest) {
                fewest = unassigned;
                is_unwritten = true;
            }
            if (local == 0u) {
                steps++;
                atomicStore(&least, NOTHING);
            }
            meet();
        }
        made += at;
        if (row % LOOK_ROWS == LOOK_ROWS - 1u) {
            looks++;
            follow(unassigned);
        }
    }
    if (is_unwritten) {
        keep_held(kept_best(base));
    }
    let is_done = unassigned == 0u || before.is_last == 1u;
    if (is_done && fewest > 0u) {
        complete(kept_best(base));
    }
    if (!is_done) {
        keep_held(base + KEPT_HELD);
        keep_list(base, unassigned);
    }
    if (local == 0u) {
        moves = made;
        set_kept(base + KEPT_STAGE, select(UNDER_WAY, DONE, is_done));
        set_kept(base + KEPT_LOOKS, looks);
        set_kept(base + KEPT_ETA, eta);
        set_kept(base + KEPT_IS_NEAR, u32(is_near));
        set_kept(base + KEPT_UNASSIGNED, unassigned);
        set_kept(base + KEPT_FEWEST, fewest);
    }
    end_effort();
}
