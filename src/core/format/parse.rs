//! Lines of one puzzle to its board: the stages of reading, one after the other.

use super::alphabet::Alphabet;
use super::board_text::duplicates;
use super::diagnosis::{compact, diagnose, unknown, with_alphabet};
use super::layout::{CellRow, columns, layouts, unlabelled};
use super::shape::{self, header, no_board, other_count, shape_of};
use super::text::TextLine;
use super::tokens::{CellText, Cut, Symbols};
use super::values::{candidate_line, values};
use super::{DIGIT_SIDE, ParseError};
use crate::board::{BLANK, Geometry, MAX_SIDE};

/// How to read a text that is ambiguous.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The box shape; without it the boxes are those that the text draws or states, or else the squarest with no
    /// more rows than columns.
    pub shape: Option<Geometry>,
    /// The values of characters, where one character is a cell.
    pub alphabet: Option<Alphabet>,
    /// Whether to read the solutions in a table, an array or an object that holds puzzles and solutions.
    pub solutions: bool,
}

impl Options {
    pub(super) fn symbols(&self) -> Symbols<'_> {
        Symbols { alphabet: self.alphabet.as_ref(), unusual: false }
    }

    /// The shape that is asked for, or that the lines state.
    pub(super) fn stated(&self, lines: &[TextLine]) -> Option<Geometry> {
        self.shape.or_else(|| shape::stated(lines))
    }
}

/// A board that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ParsedBoard {
    pub geometry: Geometry,
    /// A value a cell.
    pub givens: Vec<u8>,
    /// Whether the text says which boxes it has, or the options do.
    pub is_sure: bool,
}

impl ParsedBoard {
    /// Whether no row, column or box holds a value twice.
    pub fn is_consistent(&self) -> bool {
        !duplicates(self.geometry, &self.givens).contains(&true)
    }
}

/// The board of the lines of one puzzle.
///
/// # Errors
/// What is nearest to a board, and what is missing; or the two boards that the lines may be.
pub(super) fn parse(lines: &[TextLine], options: &Options) -> Result<ParsedBoard, ParseError> {
    if let Some(board) = plain(lines, options) {
        return Ok(board);
    }
    let symbols = options.symbols();
    if let Some(alphabet) = &options.alphabet {
        let (side, shape) = (alphabet.side(), options.shape.unwrap_or(alphabet.shape));
        if shape.side() != side {
            return Err(ParseError::new(format!(
                "an alphabet of {side} characters makes a board of side {side}, but boxes of {shape} make one of side {}",
                shape.side()
            )));
        }
    }
    if let Some(inner) = unlabelled(lines, symbols)
        && let Ok(board) = board_of(&inner, &[], options.stated(lines), symbols)
    {
        return Ok(board);
    }
    let (header, body) = header(lines, symbols);
    let board = board_of(body, &header, options.stated(lines), symbols);
    match board {
        // What looks like a size may be a row.
        Err(error) if !header.is_empty() => {
            board_of(lines, &[], options.stated(lines), symbols).map_err(|_| error)
        }
        board => board,
    }
}

/// The board of a line of digits, or digits and points, as nearly all lines of long lists are.
fn plain(lines: &[TextLine], options: &Options) -> Option<ParsedBoard> {
    let ([line], None, None) = (lines, options.shape, &options.alphabet) else { return None };
    let bytes = line.text.as_bytes();
    let side = bytes.len().isqrt();
    if side > DIGIT_SIDE || side * side != bytes.len() {
        return None;
    }
    let (zero, point) = (bytes.contains(&b'0'), bytes.contains(&b'.'));
    let value = |byte: &u8| match byte {
        b'.' => Some(0),
        digit => digit.checked_sub(b'0').filter(|value| usize::from(*value) <= side),
    };
    let givens =
        bytes.iter().map(value).collect::<Option<Vec<u8>>>().filter(|_| !(zero && point))?;
    Some(ParsedBoard { geometry: Geometry::squarest(side)?, givens, is_sure: false })
}

/// The board of the lines below a header.
fn board_of(
    body: &[TextLine],
    header: &[usize],
    stated: Option<Geometry>,
    symbols: Symbols,
) -> Result<ParsedBoard, ParseError> {
    let side = symbols.alphabet.map(Alphabet::side).or(stated.map(Geometry::side));
    let layouts = layouts(body, symbols);
    let squares = layouts.iter().filter_map(|layout| {
        let square = layout.square(side).or_else(|| layout.without_edge()?.square(side));
        Some((layout.cut, square?))
    });
    let mut found = Found::default();
    for (cut, rows) in squares {
        found.add(square(&rows, body, cut, header, stated, symbols));
    }
    if let Some(board) = found.end()? {
        return Ok(board);
    }
    for rows in columns(body, symbols) {
        found.add(square(&rows, body, Cut::Words, header, stated, symbols));
    }
    if let Some(board) = found.end()? {
        return Ok(board);
    }
    for layout in &layouts {
        let all = layout.cells();
        let nine = Geometry::new(3, 3).ok().filter(|_| symbols.alphabet.is_none());
        if let (Some(givens), Some(geometry)) = (candidate_line(&all), nine) {
            return Ok(ParsedBoard { geometry, givens, is_sure: true });
        }
        // An instance on one line: its order, a number, the cells.
        let order = all.first().and_then(|cell| cell.text.parse::<usize>().ok());
        let order = order.filter(|order| *order <= MAX_SIDE && order.pow(4) + 2 == all.len());
        if let Some(geometry) = order.and_then(|order| Geometry::new(order, order).ok()) {
            found.add(board(&all[2..], layout.cut, stated.or(Some(geometry)), symbols));
        } else if let Some(cells) = layout.flat() {
            let shape = shape_of(header, stated, cells.len().isqrt());
            let board = shape.and_then(|shape| board(&cells, layout.cut, shape, symbols));
            // A list of places and values has as many, on lines that are shorter than rows.
            let is_short = (2..cells.len().isqrt()).contains(&layout.width());
            let is_list = |board: &ParsedBoard| {
                !board.is_consistent() && (is_short || !board.givens.contains(&BLANK))
            };
            let is_list = layout.rows.len() > 1 && board.as_ref().is_ok_and(is_list);
            found.add(if is_list { Err(no_board(&cells)) } else { board });
        }
    }
    found.end()?.ok_or_else(|| diagnose(body, &layouts, stated, symbols))
}

/// The boards that a stage finds, without those that are equal.
#[derive(Default)]
struct Found {
    boards: Vec<ParsedBoard>,
    error: Option<ParseError>,
}

impl Found {
    fn add(&mut self, board: Result<ParsedBoard, ParseError>) {
        match board {
            Ok(board) if !self.boards.contains(&board) => self.boards.push(board),
            Ok(_) => {}
            Err(error) => drop(self.error.get_or_insert(error)),
        }
    }

    /// The board, if there is one; of several the one without duplicates.
    fn end(&mut self) -> Result<Option<ParsedBoard>, ParseError> {
        if self.boards.len() > 1 && self.boards.iter().any(ParsedBoard::is_consistent) {
            self.boards.retain(ParsedBoard::is_consistent);
        }
        match (self.boards.pop(), self.boards.pop(), self.error.take()) {
            (Some(one), Some(other), _) => Err(two_boards(&one, &other)),
            (Some(board), None, _) => Ok(Some(board)),
            (None, _, Some(error)) => Err(error),
            (None, _, None) => Ok(None),
        }
    }
}

/// The error for a text that is two boards.
fn two_boards(one: &ParsedBoard, other: &ParsedBoard) -> ParseError {
    let words = |board: &ParsedBoard| {
        let givens = board.givens.iter().filter(|given| **given > 0).count();
        let (side, shape) = (board.geometry.side(), board.geometry);
        format!("{side}x{side} with boxes of {shape} and {givens} givens")
    };
    let differ = one.geometry != other.geometry;
    let flag = if differ { "; --box chooses" } else { "; write blanks as . and omit frames" };
    ParseError::new(format!("the text may be {} or {}{flag}", words(other), words(one)))
}

/// The board of rows, as many as each has cells.
fn square(
    rows: &[CellRow],
    lines: &[TextLine],
    cut: Cut,
    header: &[usize],
    stated: Option<Geometry>,
    symbols: Symbols,
) -> Result<ParsedBoard, ParseError> {
    let cells: Vec<CellText> = rows.iter().flat_map(|row| row.cells.iter().copied()).collect();
    let shape = match shape_of(header, stated, rows.len())? {
        Some(shape) => Some(shape),
        None => shape::drawn(rows, lines, symbols)?,
    };
    board(&cells, cut, shape, symbols)
}

/// The board of these cells, of this shape if one is known.
fn board(
    cells: &[CellText],
    cut: Cut,
    shape: Option<Geometry>,
    symbols: Symbols,
) -> Result<ParsedBoard, ParseError> {
    let side = cells.len().isqrt();
    let by_alphabet = symbols.alphabet.map(|alphabet| alphabet.shape);
    let geometry = match shape.or(by_alphabet) {
        Some(shape) if shape.cells() == cells.len() => shape,
        Some(shape) => return Err(other_count(cells.len(), shape)),
        None => Geometry::squarest(side).ok_or_else(|| no_board(cells))?,
    };
    let are_characters = matches!(cut, Cut::Characters | Cut::Dashes);
    if are_characters && symbols.alphabet.is_none() && side > DIGIT_SIDE {
        return Err(unknown(cells, symbols).unwrap_or_else(|| compact(cells.len())));
    }
    let givens =
        values(cells, geometry, symbols).map_err(|error| with_alphabet(cells, symbols, error))?;
    Ok(ParsedBoard { geometry, givens, is_sure: shape.is_some() })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    type Read = Result<(Geometry, Vec<u8>), ParseError>;

    fn read_with(text: &str, options: &Options) -> Read {
        let line = |(index, text): (usize, &str)| TextLine {
            number: index + 1,
            column: 1,
            text: text.to_owned(),
        };
        let lines: Vec<TextLine> = text.lines().enumerate().map(line).collect();
        parse(&lines, options).map(|board| (board.geometry, board.givens))
    }

    /// The whole text, of digits.
    fn read(text: &str, shape: Option<Geometry>) -> Read {
        read_with(text, &Options { shape, ..Options::default() })
    }

    /// The whole text, in an alphabet.
    fn read_in(alphabet: &str, text: &str, shape: Option<&str>) -> Read {
        let alphabet = alphabet.parse().ok();
        let shape = shape.map(|shape| shape.parse().unwrap());
        read_with(text, &Options { shape, alphabet, ..Options::default() })
    }

    const HEX: &str = "0123456789ABCDEF";
    const ROW: &str = "53..7....";

    fn fault(text: &str, shape: Option<&str>) -> String {
        let shape = shape.map(|shape| shape.parse().unwrap());
        read(text, shape).unwrap_err().to_string()
    }

    #[test]
    fn one_row_may_be_written_in_many_ways() {
        let plain = read(&ROW.repeat(9), None).unwrap();
        assert_eq!(plain.0, Geometry::new(3, 3).unwrap());
        assert_eq!(plain.1[..9], [5, 3, 0, 0, 7, 0, 0, 0, 0]);
        for row in [
            "530070000",
            "53. .7. ...",
            "5 3 . . 7 . . . .",
            "5 3 0 | 0 7 0 | -1 -1 -1  # a comment, 12",
            "05 03 . 00 007 . . . .",
            "|53.|.7.|...|\n+---+---+---+",
            "53__7____",
            "53xX7*.0_",
            "5,3,0,0,7,0,0,0,0",
            "53--7----",
            "5 3 - | - 7 - | - - -",
            "5, 3, -1, ., 7, x, _, *, 0,",
        ] {
            let lines = format!("# {row}\n{}", format!("{row}\r\n").repeat(9));
            assert_eq!(read(&lines, None).unwrap(), plain, "{row}");
        }
    }

    #[test]
    fn fields_may_be_empty_with_any_separator() {
        let plain = read(&ROW.repeat(9), None).unwrap();
        for separator in [",", "\t", ";"] {
            let row = ["5", "3", "", "", "7", "", "", "", ""].join(separator) + "\n";
            assert_eq!(read(&row.repeat(9), None).unwrap(), plain, "{row}");
            let rows = row.repeat(8) + &separator.repeat(8);
            assert_eq!(read(&rows, None).unwrap().1[..72], plain.1[..72], "{rows}");
        }
    }

    #[test]
    fn large_boards_are_numbers() {
        let (geometry, givens) = read(&"00 05 16 -1 . 7 7 16 ".repeat(32), None).unwrap();
        assert_eq!(geometry, Geometry::new(4, 4).unwrap());
        assert_eq!(givens[..8], [0, 5, 16, 0, 0, 7, 7, 16]);
    }

    #[test]
    fn a_count_that_is_no_board_names_the_nearest() {
        assert_eq!(
            fault(&".".repeat(80), None),
            "80 cells; the nearest board is 9x9 with 81 cells"
        );
        assert_eq!(fault("5", None), "1 cell; the nearest board is 4x4 with 16 cells");
        assert_eq!(
            fault(&"5 ".repeat(49), None),
            "49 cells; the nearest board is 6x6 with 36 cells"
        );
        assert_eq!(
            fault(&"12 ".repeat(255), None),
            "255 cells; the nearest board is 16x16 with 256 cells"
        );
        assert_eq!(
            fault(&"1 ".repeat(4225), None),
            "4225 cells; the nearest board is 64x64 with 4096 cells"
        );
        assert_eq!(
            fault(&"1".repeat(256), None),
            "256 characters without spaces between them; write a board with a side above 9 as numbers separated by spaces, or list its characters with --alphabet"
        );
        assert_eq!(fault("# nothing\n---+---\n", None), "the text has no cells");
    }

    #[test]
    fn errors_say_in_which_line_cells_are_missing() {
        let rows = |lengths: &[usize]| {
            lengths.iter().map(|length| ".".repeat(*length) + "\n").collect::<String>()
        };
        let nearest = "; the nearest board is 9x9 with 81 cells";
        for (lengths, what) in [
            (
                &[9, 9, 9, 9, 8, 9, 9, 9, 9][..],
                "80 cells, 8 of them in line 5 where other lines have 9",
            ),
            (
                &[10, 9, 9, 9, 9, 9, 9, 9, 9],
                "82 cells, 10 of them in line 1 where other lines have 9",
            ),
            (&[9; 8], "72 cells, 8 lines of 9"),
            (&[9, 9, 9, 9, 8, 8, 9, 9, 9], "79 cells"),
            (&[40, 40], "80 cells"),
        ] {
            assert_eq!(fault(&rows(lengths), None), format!("{what}{nearest}"));
        }
        // Lines of a length that no board has.
        let nearest = "56 cells, 8 lines of 7; the nearest board is 8x8 with 64 cells";
        assert_eq!(fault(&rows(&[7; 8]), None), nearest);
    }

    #[test]
    fn a_shape_has_to_fit() {
        assert_eq!(
            fault(&ROW.repeat(9), Some("2x3")),
            "81 cells, but a board with boxes of 2x3 has 36 cells"
        );
        assert_eq!(
            fault(&"1".repeat(256), Some("3x3")),
            "256 cells, but a board with boxes of 3x3 has 81 cells"
        );
        assert!(fault(&"1".repeat(256), Some("4x4")).contains("separated by spaces"));
        let (geometry, _) = read(&".".repeat(36), Some(Geometry::new(3, 2).unwrap())).unwrap();
        assert_eq!(geometry.to_string(), "3x2");
    }

    #[test]
    fn wrong_values_have_a_position() {
        let nine = "1 2 3 4 5 6 7 8 9\n".repeat(8);
        assert_eq!(
            fault(&format!("{nine}1 2 10 4 5 6 7 8 9"), None),
            "line 9 column 5: the value 10 is larger than the side of the board, 9"
        );
        // 81 characters, but 80 cells.
        assert_eq!(
            fault(&format!("{nine}1 2 10 5 6 7 8 9"), None),
            "80 cells, 8 of them in line 9 where other lines have 9; the nearest board is 9x9 with 81 cells"
        );
        assert_eq!(
            fault("1234\n34.5\n....\n....", None),
            "line 2 column 4: the value 5 is larger than the side of the board, 4"
        );
        let huge = format!("{} {}", "9".repeat(60), "1 ".repeat(255));
        assert!(
            fault(&huge, None).starts_with("line 1 column 1: the value 99999999999999999999... is")
        );
        assert_eq!(
            fault("12\n3y", None),
            "line 2 column 2: unexpected character 'y'; a blank is a single . 0 _ * ? or x"
        );
        assert!(fault("1 -5", None).starts_with("line 1 column 3: -5 is not a value"));
    }

    #[test]
    fn dashes_are_blanks_where_rows_of_an_alphabet_are_whole() {
        let (_, givens) = read_in("ABCD", "A---\n--C-\n-B--\n---D\n", None).unwrap();
        assert_eq!(givens, [1, 0, 0, 0, 0, 0, 3, 0, 0, 2, 0, 0, 0, 0, 0, 4]);
        let rows = format!("{}\n", "F--0".repeat(4)).repeat(16);
        assert_eq!(read_in(HEX, &rows, None).unwrap().1[..4], [16, 0, 0, 1]);
    }

    #[test]
    fn boards_of_an_alphabet_are_read_and_refused() {
        let (geometry, givens) = read_in(HEX, &"0F..".repeat(64), None).unwrap();
        assert_eq!((geometry.side(), &givens[..4]), (16, &[1, 16, 0, 0][..]));
        let framed = read_in("ABCD", "AB|..\n--+--\n..|CD# comment\n....\n....", None).unwrap();
        assert_eq!(framed.1[..8], [1, 2, 0, 0, 0, 0, 3, 4]);

        let fault = |text: &str, shape| read_in(HEX, text, shape).unwrap_err().to_string();
        assert_eq!(
            fault("0\n1 G", None),
            "line 2 column 3: 'G' is neither in the alphabet 0123456789ABCDEF nor a blank"
        );
        assert_eq!(fault("01", None), "2 cells, but a board with boxes of 4x4 has 256 cells");
        assert_eq!(
            fault("01", Some("3x3")),
            "an alphabet of 16 characters makes a board of side 16, but boxes of 3x3 make one of side 9"
        );
        assert_eq!(fault("# none", None), "the text has no cells");
    }

    proptest! {
        #[test]
        fn no_text_panics(text in any::<String>(), shaped: bool) {
            let _ = read(&text, shaped.then(|| Geometry::new(3, 3).unwrap()));
        }
    }
}
