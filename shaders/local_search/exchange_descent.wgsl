// Random exchanges that do not make a board worse. On the CPU: src/core/ga/local_search/exchange_descent.rs
//
// How often a line holds each value is written in binary, a set for each digit: a value is in the set of a digit
// when its count has that digit. So all counts of a line are read, compared and changed at once. A line with the cells
// 1 1 3 5 5 5 has the digits
//
//     ones {3, 5}, twos {1, 5}
//
// They lie in the working memory: the lines of one kind, then those of the other.

#choose task
#choose tables
#choose parameters
#include "random/draws.wgsl"
#include "board/child.wgsl"
#include "local_search/effort.wgsl"
#choose lines
#choose scratch_sets

alias Counts = array<Set, COUNT_DIGITS>;

fn counts_of(line: u32) -> Counts {
    var counts = Counts();
#repeat digit COUNT_DIGITS
    counts[digit] = scratch_set(line * COUNT_DIGITS + digit);
#end
    return counts;
}

fn set_counts(line: u32, counts: Counts) {
#repeat digit COUNT_DIGITS
    set_scratch_set(line * COUNT_DIGITS + digit, counts[digit]);
#end
}

// The values that occur at all.
fn present(counts: Counts) -> Set {
    var some = counts[0];
#repeat digit COUNT_DIGITS
    some |= counts[digit];
#end
    return some;
}

// The values that occur once.
fn single(counts: Counts) -> Set {
    var more = EMPTY;
#repeat digit COUNT_DIGITS
    if (digit > 0u) {
        more |= counts[digit];
    }
#end
    return counts[0] & ~more;
}

// The counts with one more of some values and one less of others.
fn changed(counts: Counts, won: Set, lost: Set) -> Counts {
    var result = Counts();
    var carry = won;
    var borrow = lost;
#repeat digit COUNT_DIGITS
    result[digit] = counts[digit] ^ carry ^ borrow;
    carry &= counts[digit];
    borrow &= ~counts[digit];
#end
    return result;
}

// Counts every value in its lines, and returns the duplicates there.
fn count_lines() -> u32 {
    var duplicates = 2u * SIDE * SIDE;
    for (var line = 0u; line < SIDE; line++) {
        var first = Counts();
        var second = Counts();
#repeat k SIDE
        let cells = cells_in_lines(line, k);
        first = changed(first, bit_of(child_cell(cells.x)), EMPTY);
        second = changed(second, bit_of(child_cell(cells.y)), EMPTY);
#end
        set_counts(line, first);
        set_counts(SIDE + line, second);
        duplicates -= size(present(first)) + size(present(second));
    }
    return duplicates;
}

// What an exchange adds to the duplicates of two lines, the one that loses `in_a` for `in_b` and the other way round.
fn change_in(counts_a: Counts, counts_b: Counts, in_a: Set, in_b: Set) -> i32 {
    let lost = (single(counts_a) & in_a) | (single(counts_b) & in_b);
    let won = (in_b & ~present(counts_a)) | (in_a & ~present(counts_b));
    return i32(size(lost)) - i32(size(won));
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
        let value_a = child_cell(a);
        let value_b = child_cell(b);
        let in_a = bit_of(value_a);
        let in_b = bit_of(value_b);
        if (shares(candidates_of(a), in_b) && shares(candidates_of(b), in_a)) {
            let lines_a = lines_of(a) + vec2<u32>(0u, SIDE);
            let lines_b = lines_of(b) + vec2<u32>(0u, SIDE);
            let first_a = counts_of(lines_a.x);
            let first_b = counts_of(lines_b.x);
            let second_a = counts_of(lines_a.y);
            let second_b = counts_of(lines_b.y);
            // Nothing changes in a line that holds both, nor where both hold the same.
            let in_first = lines_a.x != lines_b.x && value_a != value_b;
            let in_second = lines_a.y != lines_b.y && value_a != value_b;
            let change = select(0i, change_in(first_a, first_b, in_a, in_b), in_first)
                + select(0i, change_in(second_a, second_b, in_a, in_b), in_second);
            if (change <= 0i) {
                if (in_first) {
                    set_counts(lines_a.x, changed(first_a, in_b, in_a));
                    set_counts(lines_b.x, changed(first_b, in_a, in_b));
                }
                if (in_second) {
                    set_counts(lines_a.y, changed(second_a, in_b, in_a));
                    set_counts(lines_b.y, changed(second_b, in_a, in_b));
                }
                set_child_cell(a, value_b);
                set_child_cell(b, value_a);
                duplicates += change;
                steps++;
            }
        }
    }
    return u32(duplicates);
}
