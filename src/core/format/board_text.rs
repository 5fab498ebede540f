//! Boards as text that [`read`](super::read) accepts, and their duplicates.
//!
//! The framed form shows the boxes:
//!
//! ```text
//! 1 2 | . 4        12 10 | ...
//! 3 4 | 1 .         9  . | ...
//! ----+----        ------+----
//! ```

use super::{Alphabet, DIGIT_SIDE};
use crate::board::{BLANK, Geometry};

/// The board with its boxes framed, a blank as `.`; every line ends in a line feed. Cells
/// missing at the end of `cells` are blank, surplus ones (padding) are ignored.
pub fn grid(geometry: Geometry, cells: &[u8]) -> String {
    grid_in(geometry, cells, None)
}

/// The same in the characters of an alphabet, if one with as many values as the board is given.
pub fn grid_in(geometry: Geometry, cells: &[u8], alphabet: Option<&Alphabet>) -> String {
    framed(geometry, cells, &[], alphabet)
}

/// The board with its boxes framed and a `*` after each duplicate, in the characters of an alphabet, if it fits the
/// board. For people: the reader does not accept the marks.
pub fn marked(geometry: Geometry, cells: &[u8], alphabet: Option<&Alphabet>) -> String {
    framed(geometry, cells, &duplicates(geometry, cells), alphabet)
}

/// The board on one line without a line end: one character per cell with `.` for a blank up to side
/// 9, above numbers separated by one blank with 0 for a blank.
pub fn line(geometry: Geometry, cells: &[u8]) -> String {
    line_in(geometry, cells, None)
}

/// The same in the characters of an alphabet, if it fits the board.
pub fn line_in(geometry: Geometry, cells: &[u8], alphabet: Option<&Alphabet>) -> String {
    let (values, alphabet) = (values(geometry, cells), of_side(geometry, alphabet));
    if geometry.side() <= DIGIT_SIDE || alphabet.is_some() {
        values.map(|value| cell_text(value, alphabet)).collect()
    } else {
        values.map(|value| value.to_string()).collect::<Vec<_>>().join(" ")
    }
}

/// The rows of a board up to side 9, one character per cell with `.` for a blank.
pub(super) fn rows(geometry: Geometry, cells: &[u8]) -> String {
    cell_rows(geometry, cells, |value| cell_text(value, None), "")
}

/// The rows of a board, each cell written so, and this between two.
pub(super) fn cell_rows(
    geometry: Geometry,
    cells: &[u8],
    write: impl Fn(u8) -> String,
    between: &str,
) -> String {
    let cells: Vec<String> = values(geometry, cells).map(write).collect();
    cells.chunks(geometry.side()).map(|row| row.join(between) + "\n").collect()
}

/// The comment that states the boxes where a text without frames would be read with others: `# boxes of 3x2`.
#[doc(hidden)]
pub fn shape_comment(geometry: Geometry) -> Option<String> {
    let is_default = Geometry::squarest(geometry.side()) == Some(geometry);
    (!is_default).then(|| format!("# boxes of {geometry}"))
}

/// The alphabet, if it has as many values as boards of this side.
fn of_side(geometry: Geometry, alphabet: Option<&Alphabet>) -> Option<&Alphabet> {
    alphabet.filter(|alphabet| alphabet.side() == geometry.side())
}

/// The board with its boxes framed, and a column for marks after each cell if there are any.
fn framed(geometry: Geometry, cells: &[u8], marks: &[bool], alphabet: Option<&Alphabet>) -> String {
    let alphabet = of_side(geometry, alphabet);
    let digits = alphabet.map_or(geometry.side().to_string().len(), |_| 1);
    let texts: Vec<String> = values(geometry, cells)
        .enumerate()
        .map(|(cell, value)| {
            let mark = match marks.get(cell) {
                None => "",
                Some(true) => "*",
                Some(false) => " ",
            };
            format!("{:>digits$}{mark}", cell_text(value, alphabet))
        })
        .collect();

    let width = texts.first().map_or(0, |text| text.chars().count());
    let boxed = "-".repeat(geometry.box_cols() * (width + 1));
    // A frame's plus is below the bar, which has a blank on either side.
    let frame = vec![boxed; geometry.stacks()].join("+-");
    let mut text = String::new();
    for (row, cells) in texts.chunks(geometry.side()).enumerate() {
        if row > 0 && row % geometry.box_rows() == 0 {
            text.push_str(&frame[..frame.len() - 1]);
            text.push('\n');
        }
        let boxes: Vec<String> =
            cells.chunks(geometry.box_cols()).map(|cells| cells.join(" ")).collect();
        text.push_str(boxes.join(" | ").trim_end());
        text.push('\n');
    }
    text
}

/// One value a cell; missing cells are blank, surplus ones are dropped.
fn values(geometry: Geometry, cells: &[u8]) -> impl Iterator<Item = u8> {
    cells.iter().copied().chain(std::iter::repeat(BLANK)).take(geometry.cells())
}

/// A value, or `.` for a blank.
fn cell_text(value: u8, alphabet: Option<&Alphabet>) -> String {
    match alphabet.and_then(|alphabet| alphabet.character(value)) {
        Some(character) => character.to_string(),
        None if value == BLANK => ".".to_owned(),
        None => value.to_string(),
    }
}

/// For every cell, whether another cell of its row, column or box holds the same value: the first two cells of
/// `1 1 | 3 4` are duplicates. Blanks and values above the side are no values. The result has a `bool` a cell.
pub fn duplicates(geometry: Geometry, cells: &[u8]) -> Vec<bool> {
    let side = geometry.side();
    let cells = &cells[..cells.len().min(geometry.cells())];
    let value = |cell: usize| {
        let value = cells.get(cell).map_or(BLANK, |value| *value).into();
        if value <= side { value } else { usize::from(BLANK) }
    };
    let mut marks = vec![false; geometry.cells()];
    for unit in geometry.units() {
        let mut times = vec![0; side + 1];
        geometry.unit_cells(unit).for_each(|cell| times[value(cell)] += 1);
        times[usize::from(BLANK)] = 0;
        for cell in geometry.unit_cells(unit) {
            marks[cell] |= times[value(cell)] > 1;
        }
    }
    marks
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::board::MAX_SIDE;
    use crate::format::{Options, PuzzleReader, read};

    #[test]
    fn boxes_are_framed() {
        let board = [1, 2, 3, 0, 5, 6, 4, 0, 0];
        let text = grid(Geometry::new(2, 3).unwrap(), &board);
        let blank = ". . . | . . .\n";
        let start = "1 2 3 | . 5 6\n4 . . | . . .\n------+------\n";
        assert_eq!(text, format!("{start}{blank}{blank}------+------\n{blank}{blank}"));
    }

    #[test]
    fn marks_keep_the_columns() {
        let text = marked(Geometry::new(2, 2).unwrap(), &[1, 1, 3, 4, 0, 0, 0, 0], None);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[..3], ["1* 1* | 3  4", ".  .  | .  .", "------+------"]);

        let text = marked(Geometry::new(2, 5).unwrap(), &[10, 3, 10], None);
        assert!(text.starts_with("10*  3  10*  .   .  |  .   .   .   .   .\n"), "{text}");
    }

    #[test]
    fn cells_of_one_value_in_a_unit_are_marked() {
        let geometry = Geometry::new(2, 2).unwrap();
        let board = [1, 0, 0, 1, 0, 2, 0, 0, 0, 2, 3, 0, 9, 9, 0, 3];
        let marks = duplicates(geometry, &board);
        let found: Vec<usize> = (0..16).filter(|cell| marks[*cell]).collect();
        // The row of the ones, the column of the twos, the box of the threes; 9 is no value.
        assert_eq!(found, [0, 3, 5, 9, 10, 15]);
    }

    fn board() -> impl Strategy<Value = (Geometry, Vec<u8>)> {
        let shapes = ["2x2", "2x3", "3x2", "3x3", "2x4", "4x4", "5x5", "6x6", "8x8"];
        prop::sample::select(shapes.to_vec()).prop_flat_map(|shape| {
            let geometry: Geometry = shape.parse().unwrap();
            let cell = prop_oneof![Just(BLANK), 1..=geometry.side() as u8];
            let full = prop::collection::vec(1..=geometry.side() as u8, geometry.cells());
            let part = prop::collection::vec(cell, geometry.cells());
            (Just(geometry), prop_oneof![full, part])
        })
    }

    proptest! {
        #[test]
        fn written_boards_are_read_back((geometry, cells) in board()) {
            for text in [grid(geometry, &cells), line(geometry, &cells)] {
                let shaped = read(&text, "board", Some(geometry)).unwrap();
                prop_assert_eq!(shaped.puzzle.geometry, geometry);
                prop_assert_eq!(&shaped.puzzle.givens, &cells);
                prop_assert!(shaped.others.is_empty());

                let letters: String = ('A'..='Z').chain('a'..='z').chain("0123456789\u{e9}\u{f1}".chars()).take(geometry.side()).collect();
                let options = Options { shape: Some(geometry), alphabet: letters.parse().ok(), ..Options::default() };
                let alphabet = options.alphabet.as_ref();
                for text in [grid_in(geometry, &cells, alphabet), line_in(geometry, &cells, alphabet)] {
                    let puzzle = PuzzleReader::new(text.as_bytes(), "board", "board", &options).one();
                    prop_assert_eq!(&puzzle.unwrap().puzzle.givens, &cells, "{}", text);
                }

                let free = read(&text, "board", None).unwrap();
                prop_assert_eq!(&free.puzzle.givens, &cells);
                let fits = free.puzzle.geometry == geometry || free.others.contains(&geometry);
                prop_assert!(fits, "{:?}", free.others);
            }
            prop_assert_eq!(line(geometry, &cells).lines().count(), 1);
        }
    }

    #[test]
    fn boards_with_hardly_a_given_are_read_back() {
        let shapes = (2..=8).flat_map(|rows| (2..=8).map(move |cols| (rows, cols)));
        for (rows, cols) in shapes.filter(|(rows, cols)| rows * cols <= MAX_SIDE) {
            let geometry = Geometry::new(rows, cols).unwrap();
            for given in [None, Some(0), Some(cols), Some(geometry.cells() / 2)] {
                let mut cells = vec![BLANK; geometry.cells()];
                given.into_iter().for_each(|cell| cells[cell] = 1);
                let text = grid(geometry, &cells);
                let one = read(&text, "board", Some(geometry)).unwrap().puzzle;
                assert_eq!(one.givens, cells, "{text}");
                let list = format!("{text}\n{text}\n{text}");
                let options = Options { shape: Some(geometry), ..Options::default() };
                let all = PuzzleReader::new(list.as_bytes(), "list", "list", &options);
                let all: Vec<Vec<u8>> = all.map(|one| one.unwrap().puzzle.givens).collect();
                assert_eq!(all, [cells.clone(), cells.clone(), cells], "{list}");
            }
        }
    }
}
