// Which of several equally good moves is made: the one whose rank is least.
// Twin: src/evolve/improvement/tabu/ties.rs

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
