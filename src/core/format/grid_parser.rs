//! The values of a board, the last stage of reading: the cells in row-major order, as characters or as numbers.
//!
//! Up to side 9 a cell may be one character, with or without blanks between them: `53..7....`,
//! `53. .7. ...` and `5 3 . . 7 . . . .` are the same row. Any board, and every one above side 9,
//! may be numbers separated by blanks or commas: `00 05 16`. A blank is `.`, `0`, `_`, `*` or `x`, as a
//! number also `-1`, and `-` where rows tell it from a frame (`dashes.rs`), or nothing between commas,
//! tabs or semicolons (`fields.rs`). Frames of `|`, `-` and `+`, the brackets and quotation marks of arrays
//! (`lines.rs`) and what follows a `#` mean nothing. The number of cells gives the side, so line ends mean
//! nothing either.

//!
//! With an [`Alphabet`] each character is a cell, and the alphabet gives the side.

use super::alphabet::Alphabet;
use super::layout::{dashes_to_dots, normalise_delimiters};
use super::shape::{is_board, nearest_side, of_cells, other_count};
use super::text::content;
use super::tokens::{BLANKS, FRAMES, Token, is_frame, tokens};
use super::{DIGIT_SIDE, ParseError, TextPosition};
use crate::board::Geometry;

/// The most cells of a board whose values are single digits.
const MOST_DIGITS: usize = DIGIT_SIDE * DIGIT_SIDE;

/// How to read a text that is ambiguous.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The box shape; without it the squarest shape with no more rows than columns is used.
    pub shape: Option<Geometry>,
    /// The values of characters, where one character is a cell.
    pub alphabet: Option<Alphabet>,
}

/// The shape of a board, and one value a cell; or the error in its text.
pub(super) type ParseResult = Result<(Geometry, Vec<u8>), ParseError>;

/// The board of a text that starts at `start`.
pub(super) fn read(text: &str, start: TextPosition, options: &Options) -> ParseResult {
    match &options.alphabet {
        Some(alphabet) => read_characters(text, start, alphabet, options.shape),
        None => read_digits(text, start, options.shape)
            .map_err(|error| with_alphabet(text, start, error)),
    }
}

/// The board of a text whose cells are digits or numbers.
pub(super) fn read_digits(text: &str, start: TextPosition, shape: Option<Geometry>) -> ParseResult {
    let parted = normalise_delimiters(text);
    let text = parted.as_deref().unwrap_or(text);
    let pointed = dashes_to_dots(text, DIGIT_SIDE);
    let tokens = tokens(pointed.as_deref().unwrap_or(text), start)?;
    if tokens.is_empty() {
        return Err(ParseError::empty());
    }
    let characters: usize = tokens.iter().map(|token| token.characters()).sum();
    let cells: Vec<Token> = if are_numbers(&tokens, characters) {
        tokens
    } else if characters > MOST_DIGITS && nearest_side(characters) > DIGIT_SIDE {
        let small = shape.filter(|shape| shape.side() <= DIGIT_SIDE);
        return Err(
            small.map_or_else(|| compact(characters), |shape| other_count(characters, shape))
        );
    } else {
        tokens.into_iter().flat_map(Token::split).collect()
    };
    let geometry = of_cells(&cells, shape)?;
    Ok((geometry, values(&cells, geometry)?))
}

/// The value of each cell, none above the side.
pub(super) fn values(cells: &[Token], geometry: Geometry) -> Result<Vec<u8>, ParseError> {
    let side = geometry.side();
    let value = |cell: &Token| {
        cell.number().filter(|value| usize::from(*value) <= side).ok_or_else(|| {
            let value = cell.shortened();
            let problem = format!("the value {value} is above the side, which is {side}");
            ParseError::at(cell.at, problem)
        })
    };
    cells.iter().map(value).collect()
}

/// Whether each token is a cell, not each of so many characters. A board of characters has at most
/// [`MOST_DIGITS`] of them, a board that needs numbers at least 100 tokens.
fn are_numbers(tokens: &[Token], characters: usize) -> bool {
    // `5.` can be no number.
    let is_blank = |c: char| BLANKS.contains(c);
    let mixed = tokens.iter().any(|token| token.characters() > 1 && token.text.contains(is_blank));
    // `5 3 10 7`: the longer token among single characters is a number, be it too large.
    let single = tokens.iter().filter(|token| token.characters() == 1).count();
    let spaced = single * 2 > tokens.len();
    let fits = characters <= MOST_DIGITS && is_board(characters);
    let numbers = spaced
        || tokens.len() > MOST_DIGITS
        || !fits && is_board(tokens.len()) && characters < 3 * tokens.len();
    numbers && !mixed
}

/// The error for a large board that is written with one character a cell.
fn compact(cells: usize) -> ParseError {
    ParseError::new(format!(
        "{cells} characters without blanks between them; a board with a side above {DIGIT_SIDE} is written as numbers separated by blanks, or with --alphabet saying what each character stands for"
    ))
}

/// The board of a text with one character of an alphabet a cell.
fn read_characters(
    text: &str,
    start: TextPosition,
    alphabet: &Alphabet,
    shape: Option<Geometry>,
) -> ParseResult {
    let shape = shape.unwrap_or(alphabet.shape);
    let (side, shape_side) = (alphabet.side(), shape.side());
    if shape_side != side {
        return Err(ParseError::new(format!(
            "an alphabet of {side} characters makes a board of side {side}, but boxes of {shape} make one of side {shape_side}"
        )));
    }
    let pointed = dashes_to_dots(text, side);
    let value = |(at, character)| {
        alphabet.value(character).ok_or_else(|| ParseError::character(at, character))
    };
    let givens: Vec<u8> = characters(pointed.as_deref().unwrap_or(text), start)
        .map(value)
        .collect::<Result<_, _>>()?;
    match givens.len() {
        0 => Err(ParseError::empty()),
        count if count == shape.cells() => Ok((shape, givens)),
        count => Err(other_count(count, shape)),
    }
}

/// Every character that is neither blank space nor frame nor comment, with its position.
fn characters(text: &str, start: TextPosition) -> impl Iterator<Item = (TextPosition, char)> {
    let lines = text.lines().enumerate().filter(|(_, text)| !is_frame(text));
    lines.flat_map(move |(line, text)| {
        content(text)
            .chars()
            .enumerate()
            .map(move |(column, c)| (start.forward(line, column), c))
            .filter(|(_, c)| !c.is_whitespace() && !FRAMES.contains(*c))
    })
}

/// The error for a text with letters as cells, if it looks like a board.
fn with_alphabet(text: &str, start: TextPosition, error: ParseError) -> ParseError {
    let (Some(at), Some(character)) = (error.at, error.unknown) else {
        return error;
    };
    let used: Vec<char> = characters(text, start).map(|(_, c)| c).collect();
    let side = used.len().isqrt();
    let plain = used.iter().all(|c| c.is_ascii_alphanumeric() || *c == '.');
    if !plain || side <= DIGIT_SIDE || !is_board(used.len()) {
        return error;
    }
    let problem = format!(
        "{character:?} may stand for more than one value of a board of side {side}; list the characters of \
         its values with --alphabet, as in --alphabet 0123456789ABCDEF"
    );
    ParseError::at(at, problem)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The whole text, of digits.
    fn read(text: &str, shape: Option<Geometry>) -> ParseResult {
        read_digits(text, TextPosition::START, shape)
    }

    /// The whole text, in an alphabet.
    fn read_in(alphabet: &str, text: &str, shape: Option<&str>) -> ParseResult {
        let alphabet = alphabet.parse().ok();
        let shape = shape.map(|shape| shape.parse().unwrap());
        super::read(text, TextPosition::START, &Options { shape, alphabet })
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
            "256 characters without blanks between them; a board with a side above 9 is written as numbers separated by blanks, or with --alphabet saying what each character stands for"
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
        let odd = fault(&rows(&[7; 8]), None);
        assert_eq!(odd, "56 cells, 8 lines of 7; the nearest board is 8x8 with 64 cells");
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
        assert!(fault(&"1".repeat(256), Some("4x4")).contains("separated by blanks"));
        let (geometry, _) = read(&".".repeat(36), Some(Geometry::new(3, 2).unwrap())).unwrap();
        assert_eq!(geometry.to_string(), "3x2");
    }

    #[test]
    fn wrong_values_have_a_position() {
        let nine = "1 2 3 4 5 6 7 8 9\n".repeat(8);
        assert_eq!(
            fault(&format!("{nine}1 2 10 4 5 6 7 8 9"), None),
            "line 9 column 5: the value 10 is above the side, which is 9"
        );
        // 81 characters, but 80 cells.
        assert_eq!(
            fault(&format!("{nine}1 2 10 5 6 7 8 9"), None),
            "80 cells, 8 of them in line 9 where other lines have 9; the nearest board is 9x9 with 81 cells"
        );
        assert_eq!(
            fault("1234\n34.5\n....\n....", None),
            "line 2 column 4: the value 5 is above the side, which is 4"
        );
        let huge = format!("{} {}", "9".repeat(60), "1 ".repeat(255));
        assert!(
            fault(&huge, None).starts_with("line 1 column 1: the value 99999999999999999999... is")
        );
        assert_eq!(
            fault("12\n3y", None),
            "line 2 column 2: unknown character 'y'; a blank is . 0 _ * or x"
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
            "line 2 column 3: unknown character 'G'; a blank is . 0 _ * or x"
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

        #[test]
        fn no_grid_like_text_panics(text in "[-0-9. |+#\n\u{e9}]{0,300}") {
            let _ = read(&text, None);
        }
    }
}
