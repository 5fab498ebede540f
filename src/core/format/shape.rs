//! The shape of a board, the fourth stage of reading: its side from the number of cells, its boxes from bars
//! and frames.
//!
//! ```text
//! 1 2 | . 4 | 5 6        three boxes next to each other on a side of six: boxes of 3x2
//! 3 4 | 1 . | . .
//! . . | . . | 2 .
//! ----+-----+----        and three rows between frames, as expected
//! ```
//!
//! If bars and frames disagree, or rows differ, no boxes are inferred: the number of cells
//! alone then determines the board.

use std::collections::BTreeMap;

use super::ParseError;
use super::layout::{characters, words};
use super::text::content;
use super::tokens::{Token, has_cells, is_frame};
use crate::board::{Geometry, MAX_SIDE, MIN_SIDE};
use crate::util::quantity::noun;

/// Whether a board of some shape has `cells` cells.
pub(super) fn is_board(cells: usize) -> bool {
    cells.isqrt().pow(2) == cells && Geometry::squarest(cells.isqrt()).is_some()
}

/// The side of the board whose number of cells is nearest to `cells`.
pub(super) fn nearest_side(cells: usize) -> usize {
    (MIN_SIDE..=MAX_SIDE)
        .filter(|side| Geometry::squarest(*side).is_some())
        .min_by_key(|side| (side * side).abs_diff(cells))
        .unwrap_or(MIN_SIDE)
}

/// The shape of a board with these cells: `shape`, or else the squarest.
pub(super) fn of_cells(cells: &[Token], shape: Option<Geometry>) -> Result<Geometry, ParseError> {
    let (count, side) = (cells.len(), cells.len().isqrt());
    match shape {
        Some(shape) if shape.cells() == count => Ok(shape),
        Some(shape) => Err(other_count(count, shape)),
        None => {
            let squarest = Geometry::squarest(side).filter(|_| side * side == count);
            squarest.ok_or_else(|| no_board(cells))
        }
    }
}

/// The error for a number of cells that no board has.
fn no_board(cells: &[Token]) -> ParseError {
    let count = cells.len();
    let (lines, usual) = line_lengths(cells).unwrap_or_default();
    let nearest = if is_board(usual * usual) { usual } else { nearest_side(count) };
    ParseError::new(format!(
        "{count} {}{lines}; the nearest board is {nearest}x{nearest} with {} cells",
        noun(count as u64, "cell"),
        nearest * nearest
    ))
}

/// The error for a number of cells that does not fit the box shape requested.
pub(super) fn other_count(cells: usize, shape: Geometry) -> ParseError {
    let (found, expected) = (noun(cells as u64, "cell"), shape.cells());
    ParseError::new(format!(
        "{cells} {found}, but a board with boxes of {shape} has {expected} cells"
    ))
}

/// How the cells are distributed over the lines of a text, as `, 8 lines of 9`, and the number of cells that most
/// lines have; `None` where that does not help to find an error.
fn line_lengths(cells: &[Token]) -> Option<(String, usize)> {
    // Fewer lines allow no conclusion.
    const FEWEST: usize = 3;
    let mut lengths: BTreeMap<usize, usize> = BTreeMap::new();
    for cell in cells {
        *lengths.entry(cell.at.line).or_default() += 1;
    }
    // Of three that are equal but one, two are equal.
    let mut sorted: Vec<usize> = lengths.values().copied().collect();
    sorted.sort_unstable();
    let usual = *sorted.get(sorted.len() / 2).filter(|_| sorted.len() >= FEWEST)?;
    let mut others = lengths.iter().filter(|(_, cells)| **cells != usual);
    let text = match (others.next(), others.next()) {
        (None, _) => format!(", {} lines of {usual}", lengths.len()),
        (Some((line, cells)), None) => {
            format!(", {cells} of them in line {line} where other lines have {usual}")
        }
        _ => return None,
    };
    Some((text, usual))
}

/// The boxes that bars and frames show, if they show any.
pub(super) fn infer_boxes(text: &str) -> Option<Geometry> {
    let lines = || text.lines().map(content).filter(|line| !line.trim().is_empty());
    let rows: Vec<&str> = lines().filter(|line| has_cells(line)).collect();
    let (side, boxes) = (rows.len(), parts(rows.first()?).count());
    // Bars next to every cell show no boxes.
    if boxes < 2 || boxes >= side || !side.is_multiple_of(boxes) {
        return None;
    }
    let wide = side / boxes;
    let all_parts_have = |count: fn(&str) -> usize| {
        rows.iter()
            .all(|row| parts(row).count() == boxes && parts(row).all(|part| count(part) == wide))
    };
    if !all_parts_have(words) && !all_parts_have(characters) {
        return None;
    }
    // Rows between two frames, or before the first.
    let parted = lines().collect::<Vec<_>>();
    let bands = parted.split(|line| is_frame(line)).map(<[&str]>::len).filter(|rows| *rows > 0);
    let bands: Vec<usize> = bands.collect();
    let framed = bands.len() == 1 || bands.iter().all(|rows| *rows == boxes);
    Geometry::new(boxes, wide).ok().filter(|_| framed)
}

/// The numbers of cells between the bars of a row, without bars at its ends.
fn parts(row: &str) -> impl Iterator<Item = &str> {
    let row = row.trim();
    let row = row.strip_prefix('|').unwrap_or(row);
    row.strip_suffix('|').unwrap_or(row).split('|')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::format::tokens::tokens;
    use crate::format::{TextPosition, grid};

    #[test]
    fn lines_have_their_numbers_in_the_whole_text() {
        let start = TextPosition { line: 5, column: 1 };
        let of = |text: &str| line_lengths(&tokens(text, start).unwrap());
        let (one, usual) = of("1 2 3\n\n1 2\n1 2 3\n1 2 3").unwrap();
        assert_eq!((one.as_str(), usual), (", 2 of them in line 7 where other lines have 3", 3));
        assert_eq!(of("1 2\n1 2\n1 2"), Some((", 3 lines of 2".to_owned(), 2)));
        assert_eq!(of("1 2\n1"), None);
        assert_eq!(of("1 2 3\n1 2\n1"), None);
    }

    #[test]
    fn bars_show_the_boxes() {
        for (text, boxes) in [
            ("12|34|56\n12|34|56\n12|34|56\n--+--+--\n12|34|56\n12|34|56\n12|34|56\n", "3x2"),
            (
                "|123|4.6|\n|123|4.6|\n|-------|\n|123|4.6|\n|123|4.6|\n|-------|\n|123|4.6|\n|123|4.6|",
                "2x3",
            ),
            // Without frames the bars suffice.
            (
                "1 2 | 3 4 | 5 6\n1 2 | 3 4 | 5 6\n1 2 | 3 4 | 5 6\n1 2 | 3 4 | 5 6\n1 2 | 3 4 | 5 6\n1 2 | 3 4 | 5 6 # low",
                "3x2",
            ),
        ] {
            assert_eq!(infer_boxes(text), boxes.parse().ok(), "{text}");
        }
    }

    #[test]
    fn frames_that_disagree_show_no_boxes() {
        for text in [
            "",
            "1234\n1234\n1234\n1234",
            "|1|2|3|4|\n|1|2|3|4|\n|1|2|3|4|\n|1|2|3|4|",
            "12|34\n12|34\n12|34",
            "12|34\n12|34\n12|34\n1|234",
            "12|34\n--+--\n12|34\n12|34\n12|34",
            "12|34|12|34|12|34|12|34",
        ] {
            assert_eq!(infer_boxes(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn framed_boards_are_read_with_their_boxes(
            geometry in (MIN_SIDE..=MAX_SIDE).prop_filter_map("a side", |side| {
                let all: Vec<Geometry> = Geometry::of_side(side);
                (!all.is_empty()).then_some(all)
            }).prop_flat_map(prop::sample::select),
        ) {
            let cells: Vec<u8> = (0..geometry.cells()).map(|cell| (cell % geometry.side()) as u8).collect();
            let text = grid(geometry, &cells);
            let seen = infer_boxes(&text);
            if geometry.box_rows() > 1 && geometry.box_cols() > 1 {
                prop_assert_eq!(seen, Some(geometry), "{}", text);
            }
        }
    }
}
