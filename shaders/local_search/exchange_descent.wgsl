// Random exchanges that do not make a board worse. On the CPU: src/core/ga/local_search/exchange_descent.rs
//
// The counts of each value in each line lie in the working memory, several in a word.

#choose task
#choose tables
#choose parameters
#include "random/draws.wgsl"
#include "board/child.wgsl"
#include "local_search/effort.wgsl"
#choose lines

// Where the counts of a cell's two lines begin.
fn counts_of(cell: u32) -> vec2<u32> {
    let lines = lines_of(cell);
    return vec2<u32>(lines.x * SIDE, (SIDE + lines.y) * SIDE);
}

fn count(at: u32) -> u32 {
    return extractBits(scratch_word(at / WORD_COUNTS), at % WORD_COUNTS * COUNT_BITS, COUNT_BITS);
}

// No count falls below 0 or grows above its bits, so that none carries into the next.
fn add_to_count(at: u32, more: u32) {
    let word = at / WORD_COUNTS;
    set_scratch_word(word, scratch_word(word) + (more << (at % WORD_COUNTS * COUNT_BITS)));
}

// Counts every value in its lines, and returns the duplicates there.
fn count_lines() -> u32 {
    for (var at = 0u; at < COUNT_WORDS; at++) {
        set_scratch_word(at, 0u);
    }
    var duplicates = 0u;
    for (var cell = 0u; cell < CELLS; cell++) {
        let at = counts_of(cell) + child_cell(cell) - 1u;
        duplicates += min(count(at.x), 1u) + min(count(at.y), 1u);
        add_to_count(at.x, 1u);
        add_to_count(at.y, 1u);
    }
    return duplicates;
}

fn is(held: u32, wanted: u32) -> i32 {
    return select(0i, 1i, held == wanted);
}

// What an exchange adds to the fitness in one kind of line.
fn change_in(line_a: u32, line_b: u32, in_a: u32, in_b: u32) -> i32 {
    let lost = is(count(line_a + in_a), 1u) + is(count(line_b + in_b), 1u);
    let won = is(count(line_a + in_b), 0u) + is(count(line_b + in_a), 0u);
    return select(lost - won, 0i, line_a == line_b || in_a == in_b);
}

fn exchange_in(line_a: u32, line_b: u32, in_a: u32, in_b: u32) {
    add_to_count(line_a + in_a, 0xFFFFFFFFu);
    add_to_count(line_a + in_b, 1u);
    add_to_count(line_b + in_b, 0xFFFFFFFFu);
    add_to_count(line_b + in_a, 1u);
}

// Improves the child and returns its fitness.
fn improve(slot: u32) -> u32 {
    var duplicates = i32(count_lines());
    let pairs = table(DESCENT_PAIR_COUNT);
    if (pairs == 0u) {
        return u32(duplicates);
    }
    let first = table(DESCENT_PAIRS_START);
    draws(IMPROVE, slot);
    for (var tried = 0u; tried < TRIES; tried++) {
        if (duplicates == 0i) {
            break;
        }
        moves++;
        let pair = table(first + below(pairs));
        let a = pair & 0xFFFFu;
        let b = pair >> 16u;
        let in_a = child_cell(a);
        let in_b = child_cell(b);
        if (shares(candidates_of(a), value_bit(in_b)) && shares(candidates_of(b), value_bit(in_a))) {
            let lines_a = counts_of(a) - 1u;
            let lines_b = counts_of(b) - 1u;
            let change = change_in(lines_a.x, lines_b.x, in_a, in_b)
                + change_in(lines_a.y, lines_b.y, in_a, in_b);
            if (change <= 0i) {
                exchange_in(lines_a.x, lines_b.x, in_a, in_b);
                exchange_in(lines_a.y, lines_b.y, in_a, in_b);
                set_child_cell(a, in_b);
                set_child_cell(b, in_a);
                duplicates += change;
                steps++;
            }
        }
    }
    return u32(duplicates);
}
