// Ranks of moves: of several equally good moves the one with the least rank is made.
// On the CPU: `TieBreak` of src/core/ga/local_search/tabu/evaluate.rs

#choose ties

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
