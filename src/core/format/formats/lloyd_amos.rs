//! The instance files of Lloyd and Amos: large boards as numbers.
//!
//! ```text
//! 3
//! 1
//! -1  5  -1 ...
//! ```
//!
//! The first number is the order, the side of a box: 3 for a 9x9 board. The second is not used.
//! Then come the cells, separated by blanks or tabs, -1 for a blank. Several instances may follow
//! each other when order and second number stand on lines of their own.
//!
//! Source: H. Lloyd, M. Amos, "Solving Sudoku with Ant Colony Optimization", IEEE Transactions on
//! Games 12(3), 2020, and its instances.

use crate::board::{BLANK, Geometry, MAX_SIDE, Puzzle};
use crate::format::detect::{Detection, DetectionHead, LineStats};
use crate::format::grid_parser::{ParseResult, values};
use crate::format::puzzle_format::PuzzleFormat;
use crate::format::records::{RecordBuilder, RecordSplitter, TextRecord};
use crate::format::shape::other_count;
use crate::format::text::TextLine;
use crate::format::tokens::tokens;
use crate::format::{Options, ParseError, TextPosition};
use crate::util::quantity::noun;

/// An instance file.
pub(super) struct LloydAmos;

impl PuzzleFormat for LloydAmos {
    fn recognise(&self, head: &DetectionHead) -> Option<Detection> {
        is_instance(head).then(|| Detection::by_marks(Instances::default()))
    }

    fn read(&self, text: &str, start: TextPosition, options: &Options) -> ParseResult {
        let tokens = tokens(text, start)?;
        let first = tokens.first().ok_or_else(ParseError::empty)?;
        let order = first.number().map_or(0, usize::from);
        let geometry = Geometry::new(order, order).map_err(|_| {
            let order = first.shortened();
            ParseError::at(first.at, format!("the order {order} is not from 2 to {MAX_ORDER}"))
        })?;
        let cells = tokens.get(HEADER..).unwrap_or_default();
        if let Some(shape) = options.shape.filter(|shape| *shape != geometry) {
            return Err(other_count(cells.len(), shape));
        }
        if cells.len() != geometry.cells() {
            let found = format!("{} {}", cells.len(), noun(cells.len() as u64, "value"));
            let expected = format!("a board of order {order} has {}", geometry.cells());
            return Err(ParseError::new(format!("{found}, but {expected}")));
        }
        Ok((geometry, values(cells, geometry)?))
    }

    fn tells_shape(&self) -> bool {
        true
    }

    fn refuses(&self, shape: Geometry) -> Option<&'static str> {
        (shape.box_rows() != shape.box_cols()).then_some("boards with square boxes")
    }

    fn write(&self, puzzle: &Puzzle, _tags: &[String]) -> String {
        let mut text = format!("{}\n1\n", puzzle.geometry.box_rows());
        for row in puzzle.givens.chunks(puzzle.geometry.side()) {
            let cells = row.iter().map(|value| match *value {
                BLANK => "-1".to_owned(),
                value => value.to_string(),
            });
            text.push_str(&cells.collect::<Vec<_>>().join("\t"));
            text.push('\n');
        }
        text
    }

    fn around(&self) -> [&'static str; 3] {
        [""; 3]
    }
}

/// The numbers before the cells.
const HEADER: usize = 2;

/// The largest order: its square is the largest side.
const MAX_ORDER: usize = MAX_SIDE.isqrt();

/// Whether a text starts with an order, another number, and cells.
fn is_instance(head: &DetectionHead) -> bool {
    let rows = &head.rows[..];
    let numbers: usize = rows.iter().map(|row| row.tokens).sum();
    let length = rows.first().and_then(|row| length(row.first));
    let single = |row: &LineStats| row.tokens == 1 && !row.letters;
    let headed = match rows {
        [order, unused, cells, ..] => {
            length.is_some() && single(order) && single(unused) && cells.tokens > 1
        }
        _ => false,
    };
    headed || head.is_complete && length == Some(numbers)
}

/// Number of values in a whole instance of this order, if the order is valid.
fn length(order: usize) -> Option<usize> {
    (2..=MAX_ORDER).contains(&order).then(|| order.pow(4) + HEADER)
}

/// Splits before a line of one number that follows lines of several, or a whole board.
#[derive(Default)]
struct Instances {
    builder: RecordBuilder,
    /// The number of values in the record so far, and the number that its order requires.
    numbers: usize,
    expected: usize,
    /// Whether a line of the record so far holds several numbers.
    wide: bool,
}

impl Instances {
    fn take(&mut self) -> Option<TextRecord> {
        (self.numbers, self.wide) = (0, false);
        self.builder.take(Vec::new())
    }
}

impl RecordSplitter for Instances {
    fn next(&mut self, line: Option<TextLine>) -> Option<TextRecord> {
        let Some(line) = line else { return self.take() };
        let tokens = tokens(&line.text, TextPosition::START).unwrap_or_default();
        // Cells may also be one a line: then only a full board ends an instance.
        let may_end = self.wide || self.numbers > 0 && self.numbers >= self.expected;
        let record = if may_end && tokens.len() == 1 { self.take() } else { None };
        if let (0, Some(first)) = (self.numbers, tokens.first()) {
            self.expected = first.number().and_then(|order| length(order.into())).unwrap_or(0);
        }
        self.numbers += tokens.len();
        self.wide |= tokens.len() > 1;
        self.builder.push(&line);
        record
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::records::records;

    fn read(text: &str, shape: Option<Geometry>) -> ParseResult {
        LloydAmos.read(text, TextPosition::START, &Options { shape, ..Options::default() })
    }

    const SMALL: &str = "2\n1\n1\t-1\t-1\t4\n-1 -1 1 -1\n-1 1 -1 -1\n4 -1 -1 1\n";

    #[test]
    fn an_instance_is_read_in_any_layout() {
        let board = read(SMALL, None).unwrap();
        assert_eq!(board.0, Geometry::new(2, 2).unwrap());
        assert_eq!(board.1[..5], [1, 0, 0, 4, 0]);
        let words: Vec<&str> = SMALL.split_whitespace().collect();
        assert_eq!(read(&words.join(" "), None).unwrap(), board);
        assert_eq!(read(&words.join("\n"), None).unwrap(), board);
    }

    #[test]
    fn instances_may_follow_each_other() {
        let two = records(Instances::default(), &SMALL.repeat(2));
        assert_eq!(two, [(1, SMALL.to_owned()), (7, SMALL.to_owned())]);

        let tall = SMALL.split_whitespace().collect::<Vec<_>>().join("\n") + "\n";
        let two = records(Instances::default(), &tall.repeat(2));
        assert_eq!(two, [(1, tall.clone()), (19, tall)]);

        // A missing row does not affect the next instance.
        let short = SMALL.strip_suffix("4 -1 -1 1\n").unwrap();
        let two = records(Instances::default(), &format!("{short}{SMALL}"));
        assert_eq!(two, [(1, short.to_owned()), (6, SMALL.to_owned())]);
    }

    #[test]
    fn errors_are_sentences() {
        let fault = |text: &str| read(text, None).unwrap_err().to_string();
        assert_eq!(fault("9\n1\n1 2"), "line 1 column 1: the order 9 is not from 2 to 8");
        assert_eq!(fault("2\n1\n1 2"), "2 values, but a board of order 2 has 16");
        assert_eq!(
            fault(&SMALL.replace("4\n-1", "5\n-1")),
            "line 3 column 9: the value 5 is above the side, which is 4"
        );
        let shape = Geometry::new(3, 3).ok();
        assert_eq!(
            read(SMALL, shape).unwrap_err().to_string(),
            "16 cells, but a board with boxes of 3x3 has 81 cells"
        );
    }
}
