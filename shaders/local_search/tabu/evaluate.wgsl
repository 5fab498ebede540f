// Pricing all moves of the cells in conflict, a lane a cell or a part of one.
// On the CPU: src/core/ga/local_search/tabu/evaluate.rs
//
// A move changes the conflicts by the count of the value that it sets, less the cell's conflicts. So the
// best move of a word of counts is its least field, and closed fields are never least, because
// the closed bit is the highest. Where closed ones may lead to fewer conflicts than ever before, the
// least of the fields without that bit is found too.
//
// A move is offered as a word: its change, plus an offset that makes that positive, above the level of its
// follow-up and the 21 bits of its rank. The least of these words is the best move, and identifies it. Lanes
// offer the least change first, with all bits below it set, and then only moves with this change: follow-ups
// take long.

#choose search_fields
#choose search_words
#include "local_search/tabu/state.wgsl"
#include "local_search/tabu/tie_break.wgsl"
#include "local_search/effort.wgsl"

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

// A bit for each field that is `field`.
fn equal_fields(fields: vec4<u32>, field: u32) -> u32 {
    let bits = select(vec4<u32>(0u), vec4<u32>(1u, 2u, 4u, 8u), fields == vec4<u32>(field));
    return bits.x | bits.y | bits.z | bits.w;
}

// A cell in conflict: the place that it holds, and its conflicts.
struct ListedCell {
    cell: u32,
    row: Row,
    held: u32,
    conflicts: u32,
}

// The cell at a word of the list.
fn listed_cell(at: u32) -> ListedCell {
    let cell = word_at(at);
    let row = row_of(cell);
    let held = held_by(cell, row);
    return ListedCell(cell, row, held, count_at(held));
}

// The fields of a word of a cell, without their closed bits where the least of them makes a board with fewer
// conflicts than ever before.
fn open_fields(priced: ListedCell, word: u32, new_best: i32) -> vec4<u32> {
    let fields = fields_of(word_at(priced.row.word + word));
    let all = fields & COUNT_MASKS;
    return select(fields, all, i32(least_field(all)) < new_best + i32(priced.conflicts));
}

// The least change of the moves that this lane prices, as a word whose lower bits are all set.
// `new_best` is what the best board so far has fewer than this one: changes below it are allowed in any case.
fn least_change(listed: u32, new_best: i32) -> u32 {
    var best = NOTHING;
    let start = list_start();
    let part = lane % CELL_LANES;
    for (var turn = 0u; turn < CELL_TURNS; turn++) {
        let at = (32u * turn + lane % 32u) / CELL_LANES;
        if (at >= listed) {
            break;
        }
        let priced = listed_cell(start + at);
        if (part == 0u) {
            moves += priced.row.candidates - 1u;
        }
        for (var word = part; word < ROW_WORDS; word += CELL_LANES) {
            if (word * WORD_FIELDS >= priced.row.candidates) {
                break;
            }
            let field = least_field(open_fields(priced, word, new_best));
            if (field < CLOSED) {
                best = min(best, change_word(field, priced.conflicts) | BELOW_CHANGE);
            }
        }
    }
    return best;
}

// The word of a count and a cell's conflicts, without level and rank.
fn change_word(field: u32, conflicts: u32) -> u32 {
    return (field + NO_CHANGE - conflicts) << CHANGE_SHIFT;
}

// The first of the moves of this lane whose change is that of `best`.
fn first_move(listed: u32, new_best: i32, best: u32, limit: u32, random: u32) -> u32 {
    var first = NOTHING;
    let start = list_start();
    let part = lane % CELL_LANES;
    for (var turn = 0u; turn < CELL_TURNS; turn++) {
        let at = (32u * turn + lane % 32u) / CELL_LANES;
        if (at >= listed) {
            break;
        }
        let priced = listed_cell(start + at);
        for (var word = part; word < ROW_WORDS; word += CELL_LANES) {
            if (word * WORD_FIELDS >= priced.row.candidates) {
                break;
            }
            let fields = open_fields(priced, word, new_best);
            let field = least_field(fields);
            let change = change_word(field, priced.conflicts);
            // A closed field is no move, and the bit that closes it may be lost by the shift.
            if (field >= CLOSED || (change | BELOW_CHANGE) != best) {
                continue;
            }
            var tied = equal_fields(fields, field);
            for (var tie = 0u; tie < LOOSE_BOUND; tie++) {
                if (tied == 0u) {
                    break;
                }
                let candidate = word * WORD_FIELDS + countTrailingZeros(tied);
                tied &= tied - 1u;
                let rank = rank_of(priced.cell, candidate, random);
                var level = NOT_FOLLOWED;
                if (rank < limit) {
                    let place = place_of(priced.row, candidate);
                    let left = value_of_place(priced.held);
                    level = follow_up(left, place, i32(field) - i32(priced.conflicts));
                }
                first = min(first, change | (level << RANK_BITS) | rank);
            }
        }
    }
    return first;
}
