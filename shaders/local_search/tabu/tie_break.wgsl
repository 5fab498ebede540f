// The choice among equally good moves: by follow-ups, then by ranks.
// On the CPU: src/core/ga/local_search/tabu/tie_break.rs

#choose ties
#include "local_search/tabu/state.wgsl"
#include "local_search/effort.wgsl"

// Added to the change of a move, which is at least minus the peers of a cell.
const NO_CHANGE = 256u;
// The bits of a level and a rank.
const CHANGE_SHIFT = RANK_BITS + 2u;
const BELOW_CHANGE = (1u << CHANGE_SHIFT) - 1u;

// The rank below which moves are followed up, on a board with this number of conflicting pairs.
fn follow_up_limit(pairs: i32, best: u32) -> u32 {
    let change = best >> CHANGE_SHIFT;
    if (pairs >= i32(MANY_PAIRS) || change < NO_CHANGE) {
        return 0u;
    }
    return select(FOLLOWED_RANKS, 1u << RANK_BITS, change == NO_CHANGE);
}

// More turns than a loop takes. A driver copies the body of a loop with few constant turns for each of them. If a
// loop around it is copied too, the copies multiply: llvmpipe compiled a search for minutes.
const LOOSE_BOUND = 256u;

// The level of a move by its follow-up: of a cell that leaves the value `left` for the one of a place.
fn follow_up(left: u32, place: u32, change: i32) -> u32 {
    var holders = count_at(place);
    if (holders > MOST_HOLDERS) {
        return 2u;
    }
    var level = 2u;
    let start = neighbours_of(place);
    let end = neighbours_of(place + 1u);
    for (var k = 0u; k < LOOSE_BOUND; k++) {
        if (start + k >= end || holders == 0u) {
            break;
        }
        let peer = neighbour_at(start + k);
        if (held_byte(peer.y) == (peer.x & 0xFFu)) {
            let row = row_of(peer.y);
            moves += row.candidates - 1u;
            let next = i32(least_after(row, left)) - i32(count_at(peer.x)) - 1i;
            level = min(level, u32(sign(change + next) + 1i));
            holders--;
        }
    }
    return level;
}

// The least field of a cell after a peer leaves the value `left`.
fn least_after(row: Row, left: u32) -> u32 {
    var least_of_all = CLOSED;
    for (var k = 0u; k < LOOSE_BOUND; k++) {
        if (k * WORD_FIELDS >= row.candidates) {
            break;
        }
        let word = row.word + k;
        let packed = vec4<u32>(table(puzzle.values + word));
        let values = (packed >> vec4<u32>(0u, 8u, 16u, 24u)) & vec4<u32>(0xFFu);
        let fewer = select(vec4<u32>(0u), vec4<u32>(1u), values == vec4<u32>(left));
        least_of_all = min(least_of_all, least_field(fields_of(word_at(word)) - fewer));
    }
    return least_of_all;
}

// The rank of the move that gives a free cell one of its candidates, numbered from 0, in a step
// with this random word.
fn rank_of(cell: u32, candidate: u32, random: u32) -> u32 {
    var rank = (cell * CELL_NUMBERS + candidate) ^ (random >> (32u - RANK_BITS));
    rank ^= rank >> RANK_SHIFT;
    rank = (rank * RANK_MULTIPLIER.x) & RANK_MASK;
    rank ^= rank >> RANK_SHIFT;
    rank = (rank * RANK_MULTIPLIER.y) & RANK_MASK;
    return rank ^ (rank >> RANK_SHIFT);
}

// The number of the move with a rank: a rank is a bijection of it. An exclusive or with a shift by more
// than half of the bits is its own inverse, and a product is undone by the inverse factor.
fn number_of(rank: u32, random: u32) -> u32 {
    var number = rank;
    number ^= number >> RANK_SHIFT;
    number = (number * RANK_INVERSE.y) & RANK_MASK;
    number ^= number >> RANK_SHIFT;
    number = (number * RANK_INVERSE.x) & RANK_MASK;
    number ^= number >> RANK_SHIFT;
    return number ^ (random >> (32u - RANK_BITS));
}
