//! Infers the boxes of a board from the bars between its cells.
//!
//! ```text
//! 1 2 | . 4 | 5 6        three boxes beside each other on a side of six: boxes of 3x2
//! 3 4 | 1 . | . .
//! . . | . . | 2 .
//! ----+-----+----        and three rows between frames, as expected
//! ```
//!
//! If bars and frames disagree, or rows differ, no boxes are inferred: the number of cells
//! alone then determines the board.

use super::record::{content, has_cells};
use super::tokenizer::is_frame;
use crate::board::Geometry;

/// The boxes that bars and frames show, if they show any.
pub(super) fn drawn(text: &str) -> Option<Geometry> {
    let lines = || text.lines().map(content).filter(|line| !line.trim().is_empty());
    let rows: Vec<&str> = lines().filter(|line| has_cells(line)).collect();
    let (side, boxes) = (rows.len(), parts(rows.first()?).count());
    // Bars next to every cell show no boxes.
    if boxes < 2 || boxes >= side || !side.is_multiple_of(boxes) {
        return None;
    }
    let wide = side / boxes;
    let alike = |count: fn(&str) -> usize| {
        rows.iter()
            .all(|row| parts(row).count() == boxes && parts(row).all(|part| count(part) == wide))
    };
    if !alike(words) && !alike(characters) {
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

fn words(part: &str) -> usize {
    part.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty()).count()
}

fn characters(part: &str) -> usize {
    part.chars().filter(|c| !c.is_whitespace() && *c != ',').count()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::board::{MAX_SIDE, MIN_SIDE};
    use crate::format::grid;

    #[test]
    fn bars_tell_the_boxes() {
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
            assert_eq!(drawn(text), boxes.parse().ok(), "{text}");
        }
    }

    #[test]
    fn what_does_not_agree_tells_nothing() {
        for text in [
            "",
            "1234\n1234\n1234\n1234",
            "|1|2|3|4|\n|1|2|3|4|\n|1|2|3|4|\n|1|2|3|4|",
            "12|34\n12|34\n12|34",
            "12|34\n12|34\n12|34\n1|234",
            "12|34\n--+--\n12|34\n12|34\n12|34",
            "12|34|12|34|12|34|12|34",
        ] {
            assert_eq!(drawn(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_is_framed_is_read_with_its_boxes(
            geometry in (MIN_SIDE..=MAX_SIDE).prop_filter_map("a side", |side| {
                let all: Vec<Geometry> = Geometry::of_side(side);
                (!all.is_empty()).then_some(all)
            }).prop_flat_map(prop::sample::select),
        ) {
            let cells: Vec<u8> = (0..geometry.cells()).map(|cell| (cell % geometry.side()) as u8).collect();
            let text = grid(geometry, &cells);
            let seen = drawn(&text);
            if geometry.box_rows() > 1 && geometry.box_cols() > 1 {
                prop_assert_eq!(seen, Some(geometry), "{}", text);
            }
        }
    }
}
