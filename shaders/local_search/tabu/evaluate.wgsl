// Pricing all moves of the cells in conflict, a lane a cell or a part of one.
// On the CPU: src/core/ga/local_search/tabu/evaluate.rs
//
// A move changes the conflicts by the count of the value that it sets, less the cell's conflicts. So the
// best move of a word of counts is its least field, and closed fields are never least, because
// the closed bit is the highest. Where closed ones may lead to fewer conflicts than ever before, the
// least of the fields without that bit is found too.
//
// A move is offered as a word: its change, plus an offset that makes that positive, above the 23 bits of
// its rank. The least of these words is the best move, ties by rank, and identifies it.

#choose search_fields
#choose search_words
#include "local_search/tabu/state.wgsl"
#include "local_search/tabu/tie_break.wgsl"
#include "local_search/effort.wgsl"

// Added to the change of a move, which is at least minus the peers of a cell.
const NO_CHANGE = 256u;

// The start of the part of the list that belongs to the lanes that price together.
fn list_start() -> u32 {
    return places.list + lane / 32u * places.team_cells;
}

// Lists the cells in conflict, ascending, and returns how many. A lane handles a bit of each word
// of the mask, and the number of bits below its own is the place of its cell: so no sum goes from lane to
// lane. Of more than 32 lanes each 32 have separate words and a separate part of the list.
fn list_conflicts() -> u32 {
    let start = list_start();
    let bit = lane % 32u;
    var listed = 0u;
    for (var turn = 0u; turn < MASK_TURNS; turn++) {
        let at = turn * TEAMS + lane / 32u;
        if (32u * at >= puzzle.cells) {
            break;
        }
        let mask = atomicLoad(&in_conflict[at]);
        if (((mask >> bit) & 1u) == 1u) {
            let before = countOneBits(mask & ((1u << bit) - 1u));
            set_word(start + listed + before, 32u * at + bit);
        }
        listed += countOneBits(mask);
    }
    return listed;
}

// The fields of a word. If there are three, the fourth is full.
fn fields_of(word: u32) -> vec4<u32> {
    return ((vec4<u32>(word) >> FIELD_SHIFTS) & FIELD_MASKS) | FIELD_FILL;
}

fn least_field(fields: vec4<u32>) -> u32 {
    return min(min(fields.x, fields.y), min(fields.z, fields.w));
}

// A bit for each field that is `field`.
fn equal_fields(fields: vec4<u32>, field: u32) -> u32 {
    let bits = select(vec4<u32>(0u), vec4<u32>(1u, 2u, 4u, 8u), fields == vec4<u32>(field));
    return bits.x | bits.y | bits.z | bits.w;
}

// The best move of the cells in conflict of which this lane prices a part. `new_best` is what the
// best board so far has fewer than this one: changes below it are allowed in any case.
fn best_move(listed: u32, new_best: i32, random: u32) -> u32 {
    var best = NOTHING;
    let start = list_start();
    let part = lane % CELL_LANES;
    for (var turn = 0u; turn < CELL_TURNS; turn++) {
        let at = (32u * turn + lane % 32u) / CELL_LANES;
        if (at >= listed) {
            break;
        }
        let cell = word_at(start + at);
        let row = row_of(cell);
        let conflicts = count_at(held_by(cell, row));
        if (part == 0u) {
            moves += row.candidates - 1u;
        }
        // Counts below this make the best board.
        let sought = new_best + i32(conflicts);
        for (var word = part; word < ROW_WORDS; word += CELL_LANES) {
            if (word * WORD_FIELDS >= row.candidates) {
                break;
            }
            let packed = word_at(row.word + word);
            var fields = fields_of(packed);
            var field = least_field(fields);
            if (sought > 0i) {
                let all = fields & COUNT_MASKS;
                let least_of_all = least_field(all);
                if (i32(least_of_all) < sought) {
                    fields = all;
                    field = least_of_all;
                }
            }
            let change = (field + NO_CHANGE - conflicts) << RANK_BITS;
            // Other moves of this lane are better, or all are closed.
            if (change > best || field >= CLOSED) {
                continue;
            }
            var tied = equal_fields(fields, field);
            for (var tie = 0u; tie < WORD_FIELDS; tie++) {
                if (tied == 0u) {
                    break;
                }
                let candidate = word * WORD_FIELDS + countTrailingZeros(tied);
                tied &= tied - 1u;
                best = min(best, change | rank_of(cell, candidate, random));
            }
        }
    }
    return best;
}
