//! Random complete boards: a shuffled pattern, and a random walk that starts at one.
//!
//! The pattern `value = (row * box_cols + row / box_rows + col) mod n + 1` solves the blank board
//! of any shape. [`complete_board`] shuffles its values, bands, the rows of each band, stacks and the
//! columns of each stack; none of these makes a duplicate. Only a small part of all complete boards can
//! result.
//!
//! [`random_board`] starts at such a board, for half of the boards of the transposed shape
//! and transposed back, and makes [`STEPS_PER_CELL`] steps for each cell. The same method therefore
//! serves 4x4 and 64x64, whereas filling blanks at random with backtracking works up to 16x16 or so
//! and hardly beyond.
//!
//! A step exchanges the values of a cycle. Two rows of one band hold, column by column, pairs of values.
//! Starting from a column, the value that one row gives away is the one that it receives in another
//! column, and so on until the cycle closes. Exchanging the two rows in the columns of such a *cycle* leaves
//! the same values in each row, column and box, so that the board stays complete. The same holds for two
//! columns of one stack; and two values, in a set of rows that holds both or neither of their cells of every
//! column and box. For Latin squares these are the cycle switches of I. M. Wanless, *Cycle switches in Latin
//! squares*, Graphs and Combinatorics 20 (2004), 545-570.
//!
//! ```text
//! 1 2 | 3 4        1 4 | 3 2      rows 1 and 2 exchanged in columns 2 and 4
//! 3 4 | 1 2   ->   3 2 | 1 4
//! ```
//!
//! A step takes the cycle through a randomly drawn cell: the same cycle exists afterwards, so that the
//! reverse step has the same probability, and in the limit the walk is uniform over all boards that it can
//! reach. On 4x4 and 6x6 it reaches all boards, as the tests show; for larger boards this is not known. The
//! pattern's own structure is gone after few steps: all cycles between rows of a band of its 25x25 board
//! have length 5; on a board after the walk they have all lengths.

use crate::board::{Geometry, MAX_SIDE};
use crate::random::Draws;

/// Steps of the walk for each cell of the board.
const STEPS_PER_CELL: usize = 20;

/// Overwrites `board` (at least `cells` bytes, of which the others stay) with a complete one: a shuffled
/// pattern.
///
/// ```
/// use evodoku::board::Geometry;
/// use evodoku::complete_board;
/// use evodoku::fitness::fitness;
/// use evodoku::random::{GenerationRng, StreamStage};
///
/// let geometry = Geometry::new(3, 4)?;
/// let mut board = vec![0; geometry.stride()];
/// let mut draws = GenerationRng::new(1, 0).draws(StreamStage::Initialise, 0);
/// complete_board(geometry, &mut board, &mut draws);
/// assert_eq!(fitness(geometry, &board), 0);
/// # Ok::<(), evodoku::board::GeometryError>(())
/// ```
pub fn complete_board(geometry: Geometry, board: &mut [u8], draws: &mut Draws) {
    let side = geometry.side();
    let rows = shuffled_lines(geometry.bands(), geometry.box_rows(), draws);
    let cols = shuffled_lines(geometry.stacks(), geometry.box_cols(), draws);
    let mut values: [u8; MAX_SIDE] = std::array::from_fn(|value| value as u8 + 1);
    draws.shuffle(&mut values[..side]);
    for (cell, value) in board[..geometry.cells()].iter_mut().enumerate() {
        let row = usize::from(rows[geometry.row_of(cell)]);
        let col = usize::from(cols[geometry.col_of(cell)]);
        let shift = row * geometry.box_cols() + row / geometry.box_rows();
        *value = values[(shift + col) % side];
    }
}

/// The numbers of all lines, shuffled within groups (bands or stacks) of `len` lines and group by group.
fn shuffled_lines(groups: usize, len: usize, draws: &mut Draws) -> [u8; MAX_SIDE] {
    let mut order: [u8; MAX_SIDE] = std::array::from_fn(|group| group as u8);
    draws.shuffle(&mut order[..groups]);
    let mut lines = [0; MAX_SIDE];
    for (place, lines) in lines[..groups * len].chunks_exact_mut(len).enumerate() {
        for (k, line) in lines.iter_mut().enumerate() {
            *line = order[place] * len as u8 + k as u8;
        }
        draws.shuffle(lines);
    }
    lines
}

/// A random complete board, one value a cell, by the random walk.
///
/// ```
/// use evodoku::board::Geometry;
/// use evodoku::random_board;
/// use evodoku::random::{GenerationRng, StreamStage};
/// use evodoku::fitness::fitness;
///
/// let geometry = Geometry::new(5, 5)?;
/// let mut draws = GenerationRng::new(1, 0).draws(StreamStage::Initialise, 0);
/// let board = random_board(geometry, &mut draws);
/// assert_eq!(fitness(geometry, &board), 0);
/// # Ok::<(), evodoku::board::GeometryError>(())
/// ```
pub fn random_board(geometry: Geometry, draws: &mut Draws) -> Vec<u8> {
    let mut walk = MarkovChain { geometry, board: shuffled_pattern(geometry, draws) };
    for _ in 0..STEPS_PER_CELL * geometry.cells() {
        walk.step(draws);
    }
    walk.board
}

/// A shuffled pattern, transposed or not.
fn shuffled_pattern(geometry: Geometry, draws: &mut Draws) -> Vec<u8> {
    let mut board = vec![0; geometry.cells()];
    let turned = Geometry::new(geometry.box_cols(), geometry.box_rows());
    match turned {
        Ok(turned) if draws.coin() => {
            let mut pattern = vec![0; geometry.cells()];
            complete_board(turned, &mut pattern, draws);
            for (cell, value) in board.iter_mut().enumerate() {
                *value = pattern[geometry.col_of(cell) * geometry.side() + geometry.row_of(cell)];
            }
        }
        _ => complete_board(geometry, &mut board, draws),
    }
    board
}

/// The current state of the walk: a complete board.
struct MarkovChain {
    geometry: Geometry,
    board: Vec<u8>,
}

impl MarkovChain {
    /// Exchanges a random cycle of two rows, two columns or two values, each kind with probability 1/3.
    fn step(&mut self, draws: &mut Draws) {
        let shape = self.geometry;
        let side = shape.side() as u32;
        let kind = draws.below(3);
        let (groups, len) = match kind {
            0 => (shape.bands(), shape.box_rows()),
            1 => (shape.stacks(), shape.box_cols()),
            _ => (1, shape.side()),
        };
        let first = draws.below(groups as u32) as usize * len;
        let (a, b) = draws.two_distinct(len as u32);
        let (a, b) = (first + a as usize, first + b as usize);
        let place = draws.below(side) as usize;
        match kind {
            0 => self.exchange_lines(a, b, place, |row, col| row * side as usize + col),
            1 => self.exchange_lines(a, b, place, |col, row| row * side as usize + col),
            _ => self.exchange_values(a as u8 + 1, b as u8 + 1, place),
        }
    }

    /// Exchanges lines `a` and `b` in the cycle through `start`; `cell` maps a line and a position to a cell.
    fn exchange_lines(
        &mut self,
        a: usize,
        b: usize,
        start: usize,
        cell: impl Fn(usize, usize) -> usize,
    ) {
        let mut place_of = [0u8; MAX_SIDE + 1];
        for place in 0..self.geometry.side() {
            place_of[usize::from(self.board[cell(a, place)])] = place as u8;
        }
        let mut place = start;
        loop {
            self.board.swap(cell(a, place), cell(b, place));
            // The value that `a` now holds twice is removed from its old cell.
            place = usize::from(place_of[usize::from(self.board[cell(a, place)])]);
            if place == start {
                return;
            }
        }
    }

    /// Exchanges two values in the smallest set of rows that contains `start` and allows it.
    fn exchange_values(&mut self, first: u8, second: u8, start: usize) {
        let shape = self.geometry;
        let side = shape.side();
        // For each value: its column by row, and its row by column and by box.
        let mut col_of = [[0u8; MAX_SIDE]; 2];
        let mut row_in_col = [[0u8; MAX_SIDE]; 2];
        let mut row_in_box = [[0u8; MAX_SIDE]; 2];
        for (row, values) in self.board.chunks_exact(side).enumerate() {
            for (which, sought) in [first, second].into_iter().enumerate() {
                let col = values.iter().position(|value| *value == sought).unwrap_or_default();
                col_of[which][row] = col as u8;
                row_in_col[which][col] = row as u8;
                row_in_box[which][shape.box_of(row * side + col)] = row as u8;
            }
        }
        let (mut waiting, mut taken) = (1u64 << start, 0u64);
        while waiting != 0 {
            let row = waiting.trailing_zeros() as usize;
            taken |= 1 << row;
            for which in [0, 1] {
                let (col, other) = (usize::from(col_of[which][row]), 1 - which);
                let unit = shape.box_of(row * side + col);
                waiting |= 1 << row_in_col[other][col] | 1 << row_in_box[other][unit];
            }
            waiting &= !taken;
        }
        for row in (0..side).filter(|row| taken >> row & 1 == 1) {
            let cell = |which: usize| row * side + usize::from(col_of[which][row]);
            self.board.swap(cell(0), cell(1));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeSet, HashSet};

    use super::*;
    use crate::board::MIN_SIDE;
    use crate::fitness::fitness;
    use crate::random::{GenerationRng, StreamStage};

    /// The board with its values renamed so that the first row is 1, 2, 3, ...
    fn reduced(geometry: Geometry, board: &[u8]) -> Vec<u8> {
        let mut name = [0u8; MAX_SIDE + 1];
        for (col, value) in board[..geometry.side()].iter().enumerate() {
            name[usize::from(*value)] = col as u8 + 1;
        }
        board.iter().map(|value| name[usize::from(*value)]).collect()
    }

    /// The lengths of all cycles of two rows of a band, ascending.
    fn cycles(geometry: Geometry, board: &[u8]) -> Vec<usize> {
        let (side, len) = (geometry.side(), geometry.box_rows());
        let mut lengths = Vec::new();
        for a in 0..side {
            for b in a + 1..(a / len + 1) * len {
                let mut left: Vec<usize> = (0..side).collect();
                while let Some(start) = left.first().copied() {
                    let before = left.len();
                    let mut place = start;
                    while let Some(at) = left.iter().position(|other| *other == place) {
                        left.remove(at);
                        let received = board[b * side + place];
                        place = (0..side).find(|col| board[a * side + col] == received).unwrap();
                    }
                    lengths.push(before - left.len());
                }
            }
        }
        lengths.sort_unstable();
        lengths
    }

    fn pattern(geometry: Geometry) -> Vec<u8> {
        let mut board = vec![0; geometry.cells()];
        complete_board(
            geometry,
            &mut board,
            &mut GenerationRng::new(1, 0).draws(StreamStage::Initialise, 0),
        );
        board
    }

    /// Every board that one step can reach.
    fn neighbours(geometry: Geometry, board: &[u8]) -> Vec<Vec<u8>> {
        let side = geometry.side();
        let mut boards = Vec::new();
        let mut with = |change: &dyn Fn(&mut MarkovChain)| {
            let mut walk = MarkovChain { geometry, board: board.to_vec() };
            change(&mut walk);
            boards.push(walk.board);
        };
        for (a, b) in (0..side).flat_map(|a| (a + 1..side).map(move |b| (a, b))) {
            for place in 0..side {
                if a / geometry.box_rows() == b / geometry.box_rows() {
                    with(&|walk| walk.exchange_lines(a, b, place, |row, col| row * side + col));
                }
                if a / geometry.box_cols() == b / geometry.box_cols() {
                    with(&|walk| walk.exchange_lines(a, b, place, |col, row| row * side + col));
                }
                with(&|walk| walk.exchange_values(a as u8 + 1, b as u8 + 1, place));
            }
        }
        boards
    }

    /// 288 and 28,200,960 boards have 12 and 39,168 with the values in order in the first row.
    #[test]
    fn every_board_of_4x4_and_6x6_is_reached() {
        for (shape, boards) in [("2x2", 12), ("2x3", 39_168)] {
            let geometry: Geometry = shape.parse().unwrap();
            let start = reduced(geometry, &pattern(geometry));
            let mut seen = HashSet::from([start.clone()]);
            let mut waiting = vec![start];
            while let Some(board) = waiting.pop() {
                for next in neighbours(geometry, &board) {
                    let next = reduced(geometry, &next);
                    if seen.insert(next.clone()) {
                        waiting.push(next);
                    }
                }
            }
            assert_eq!(seen.len(), boards, "{shape}");
        }
    }

    #[test]
    fn every_step_leaves_a_complete_board_and_leads_back() {
        for shape in ["2x2", "2x3", "3x2", "3x3", "2x5", "4x4", "5x5"] {
            let geometry: Geometry = shape.parse().unwrap();
            let mut draws = GenerationRng::new(2, 0).draws(StreamStage::Initialise, 0);
            let mut walk = MarkovChain { geometry, board: pattern(geometry) };
            for _ in 0..500 {
                let before = walk.board.clone();
                let again = draws.clone();
                walk.step(&mut draws);
                assert_eq!(fitness(geometry, &walk.board), 0, "{shape}");
                assert_ne!(walk.board, before, "{shape}");
                let mut back = MarkovChain { geometry, board: walk.board.clone() };
                back.step(&mut again.clone());
                assert_eq!(back.board, before, "{shape}");
            }
        }
    }

    fn board(geometry: Geometry, slot: u32) -> Vec<u8> {
        random_board(geometry, &mut GenerationRng::new(7, 0).draws(StreamStage::Initialise, slot))
    }

    #[test]
    fn boards_of_every_shape_are_complete() {
        for geometry in (MIN_SIDE..=MAX_SIDE).step_by(4).flat_map(Geometry::of_side) {
            assert_eq!(fitness(geometry, &board(geometry, 0)), 0, "{geometry}");
        }
    }

    #[test]
    fn boards_differ_by_more_than_their_values() {
        let classic = Geometry::new(3, 3).unwrap();
        let boards: BTreeSet<Vec<u8>> =
            (0..200).map(|slot| reduced(classic, &board(classic, slot))).collect();
        assert_eq!(boards.len(), 200);
    }

    /// The set of lengths of the cycles of two rows of a band distinguishes boards, whatever the order
    /// of their lines and values.
    #[test]
    fn cycles_are_not_those_of_the_pattern() {
        for (shape, of_pattern) in [("3x3", 3), ("4x4", 4), ("5x5", 5), ("6x6", 6)] {
            let geometry: Geometry = shape.parse().unwrap();
            let mut pattern = vec![0; geometry.cells()];
            let mut draws = GenerationRng::new(1, 0).draws(StreamStage::Initialise, 0);
            complete_board(geometry, &mut pattern, &mut draws);
            assert!(cycles(geometry, &pattern).iter().all(|length| of_pattern % length == 0));

            let lengths: BTreeSet<Vec<usize>> =
                (0..10).map(|slot| cycles(geometry, &board(geometry, slot))).collect();
            assert!(lengths.len() > 5, "{shape}: {lengths:?}");
            for one in lengths {
                let kinds: BTreeSet<usize> = one.into_iter().collect();
                assert!(kinds.len() > 3, "{shape}: {kinds:?}");
            }
        }
    }

    #[test]
    fn boards_of_every_shape_are_complete_and_differ() {
        for geometry in (MIN_SIDE..=MAX_SIDE).flat_map(Geometry::of_side) {
            let mut boards = [vec![0; geometry.cells()], vec![0; geometry.cells()]];
            for (slot, board) in boards.iter_mut().enumerate() {
                let mut draws =
                    GenerationRng::new(1, 0).draws(StreamStage::Initialise, slot as u32);
                complete_board(geometry, board, &mut draws);
                assert_eq!(fitness(geometry, board), 0, "{geometry}");
            }
            assert_ne!(boards[0], boards[1], "{geometry}");
        }
    }
}
