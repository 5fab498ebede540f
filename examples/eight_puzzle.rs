//! The 8-puzzle by A*, document 002's first question: which heuristic looks at fewer boards?
//!
//! A board is nine digits, row by row, 0 being the hole; a move slides a neighbouring tile into
//! it. A* (Hart, Nilsson & Raphael, IEEE SSC 1968) is run with two heuristics: the number of
//! misplaced tiles, and the sum of their Manhattan distances. Neither overestimates, so both find
//! a shortest path. The second is never below the first, so fewer boards have to be visited.
//!
//! A move keeps the parity of the inversions among the tiles (Johnson & Story, *Notes on the
//! "15" puzzle*, American Journal of Mathematics 1879), so boards of different parity are refused
//! without a search.
//!
//! ```text
//! $ cargo run --example eight_puzzle -- 724506831 012345678
//! misplaced tiles: 26 moves, 31750 states visited
//! Manhattan distance: 26 moves, 1490 states visited
//!
//! 7 2 4   7 2 4   7 2 4   ...
//! 5 0 6   5 6 0   5 6 1   ...
//! 8 3 1   8 3 1   8 3 0   ...
//! ```
//!
//! Then the boards of a shortest path are printed, from the start to the goal, in the layout of the document. The
//! counts depend on the order in which boards with equal estimates are visited: in the document they are 34,038
//! and 2,823.

use std::fmt;
use std::process::ExitCode;

use pathfinding::directed::astar::astar;

const WIDTH: usize = 3;
const CELLS: usize = WIDTH * WIDTH;
/// Boards that are printed side by side.
const IN_A_ROW: usize = 9;

/// Tiles row by row; 0 is the hole.
type Board = [u8; CELLS];
type Heuristic = fn(&Board, &Board) -> usize;

const HEURISTICS: [(&str, Heuristic); 2] =
    [("misplaced tiles", misplaced), ("Manhattan distance", manhattan)];
const START: &str = "724506831";
const GOAL: &str = "012345678";

/// Why there is no way from one board to another.
#[derive(Debug, PartialEq, Eq)]
enum Refused {
    Arguments(usize),
    Text(String),
    Parity(String, String),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Arguments(count) => {
                write!(
                    f,
                    "{count} arguments; give a start and a goal, or neither, as in {START} {GOAL}"
                )
            }
            Self::Text(text) => write!(
                f,
                "'{text}' is no board: write each digit from 0 to 8 once, row by row, 0 for the hole"
            ),
            Self::Parity(start, goal) => write!(
                f,
                "there is no way from {start} to {goal}: their inversions differ in parity, which no move changes"
            ),
        }
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match answer(&arguments) {
        Ok(lines) => {
            println!("{lines}");
            ExitCode::SUCCESS
        }
        Err(refused) => {
            eprintln!("eight_puzzle: {refused}");
            ExitCode::from(2)
        }
    }
}

/// One line for each heuristic, and the boards of the way that the last one finds.
fn answer(arguments: &[String]) -> Result<String, Refused> {
    let (start, goal) = match arguments {
        [] => (START, GOAL),
        [start, goal] => (start.as_str(), goal.as_str()),
        _ => return Err(Refused::Arguments(arguments.len())),
    };
    let ways = solve(start, goal)?;
    let lines = HEURISTICS.iter().zip(&ways).map(|((name, _), way)| {
        format!("{name}: {} moves, {} states visited", way.moves(), way.visited)
    });
    let boards = ways.last().map(|way| drawn(&way.boards)).unwrap_or_default();
    Ok(lines.chain([boards]).collect::<Vec<_>>().join("\n"))
}

/// Boards side by side, some in a row.
fn drawn(boards: &[Board]) -> String {
    let line = |boards: &[Board], row: usize| {
        let digits = |board: &Board| {
            board[row * WIDTH..][..WIDTH].iter().map(u8::to_string).collect::<Vec<_>>()
        };
        boards.iter().map(|board| digits(board).join(" ")).collect::<Vec<_>>().join("   ") + "\n"
    };
    let some = |boards: &[Board]| {
        "\n".to_owned() + &(0..WIDTH).map(|row| line(boards, row)).collect::<String>()
    };
    boards.chunks(IN_A_ROW).map(some).collect::<String>().trim_end().to_owned()
}

/// A shortest way, and what it cost to find.
#[derive(Clone, Debug)]
struct Way {
    /// From the start to the goal.
    boards: Vec<Board>,
    /// Boards whose neighbours were looked at.
    visited: usize,
}

impl Way {
    fn moves(&self) -> usize {
        self.boards.len() - 1
    }
}

/// A shortest way by each heuristic.
fn solve(start: &str, goal: &str) -> Result<Vec<Way>, Refused> {
    let (from, to) = (read(start)?, read(goal)?);
    let refused = || Refused::Parity(start.to_owned(), goal.to_owned());
    if inversions(&from) % 2 != inversions(&to) % 2 {
        return Err(refused());
    }
    HEURISTICS
        .iter()
        .map(|(_, heuristic)| shortest(&from, &to, *heuristic).ok_or_else(refused))
        .collect()
}

fn shortest(from: &Board, to: &Board, heuristic: Heuristic) -> Option<Way> {
    let mut visited = 0;
    let neighbours = |board: &Board| {
        visited += 1;
        moves(board)
    };
    let (boards, _) = astar(from, neighbours, |board| heuristic(board, to), |board| board == to)?;
    Some(Way { boards, visited })
}

/// The boards one move away, each at a cost of 1.
fn moves(board: &Board) -> Vec<(Board, usize)> {
    let hole = place(board, 0);
    (0..CELLS)
        .filter(|cell| distance(*cell, hole) == 1)
        .map(|cell| {
            let mut next = *board;
            next.swap(cell, hole);
            (next, 1)
        })
        .collect()
}

/// Tiles that are not where the goal has them; the hole is no tile.
fn misplaced(board: &Board, goal: &Board) -> usize {
    board.iter().zip(goal).filter(|(tile, wanted)| **tile != 0 && tile != wanted).count()
}

/// The moves that each tile is away from its place, if no other were in its way.
fn manhattan(board: &Board, goal: &Board) -> usize {
    (1..CELLS as u8).map(|tile| distance(place(board, tile), place(goal, tile))).sum()
}

fn distance(a: usize, b: usize) -> usize {
    (a / WIDTH).abs_diff(b / WIDTH) + (a % WIDTH).abs_diff(b % WIDTH)
}

fn place(board: &Board, tile: u8) -> usize {
    board.iter().position(|other| *other == tile).unwrap_or_default()
}

/// Pairs of tiles of which the larger comes first.
fn inversions(board: &Board) -> usize {
    let tiles: Vec<u8> = board.iter().copied().filter(|tile| *tile != 0).collect();
    let later = |index: usize| tiles[index..].iter().filter(|tile| **tile < tiles[index]).count();
    (0..tiles.len()).map(later).sum()
}

fn read(text: &str) -> Result<Board, Refused> {
    let refused = || Refused::Text(text.chars().take(20).collect());
    let digits: Option<Vec<u8>> =
        text.chars().map(|c| c.to_digit(CELLS as u32).map(|digit| digit as u8)).collect();
    let board: Board = digits.and_then(|digits| digits.try_into().ok()).ok_or_else(refused)?;
    let complete = (0..CELLS as u8).all(|tile| board.contains(&tile));
    if complete { Ok(board) } else { Err(refused()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_document_s_boards_are_26_moves_apart() {
        let ways = solve(START, GOAL).unwrap();
        assert_eq!([ways[0].moves(), ways[1].moves()], [26, 26]);
        assert!(ways[1].visited < ways[0].visited, "{ways:?}");
        // Two lines, and three rows of boards, each under an empty line.
        let answer = answer(&[]).unwrap();
        assert_eq!(answer.lines().count(), 2 + 3 * 4);
        assert!(answer.ends_with("6 7 8"), "{answer}");
        for way in ways {
            let step = |pair: &[Board]| moves(&pair[0]).contains(&(pair[1], 1));
            assert!(way.boards.windows(2).all(step), "{way:?}");
        }
    }

    #[test]
    fn small_ways() {
        for (start, goal, moves) in
            [(GOAL, GOAL, 0), ("102345678", GOAL, 1), ("867254301", "123456780", 31)]
        {
            assert!(solve(start, goal).unwrap().iter().all(|way| way.moves() == moves), "{start}");
        }
    }

    #[test]
    fn a_pair_of_different_parity_is_refused() {
        let refused = solve("123465780", "123456780").unwrap_err();
        assert_eq!(refused, Refused::Parity("123465780".into(), "123456780".into()));
        assert!(refused.to_string().contains("parity"));
    }

    #[test]
    fn bad_boards_are_refused() {
        for wrong in
            ["", "12345678", "1234567800", "123456789", "112345678", "12345678x", "１23456780"]
        {
            assert_eq!(solve(wrong, GOAL).unwrap_err(), Refused::Text(wrong.into()));
        }
        assert_eq!(answer(&[START.to_owned()]).unwrap_err(), Refused::Arguments(1));
    }
}
