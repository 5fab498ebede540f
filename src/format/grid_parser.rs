//! Grid text: the cells in row-major order, as characters or as numbers.
//!
//! Up to side 9 a cell may be one character, with or without blanks between them: `53..7....`,
//! `53. .7. ...` and `5 3 . . 7 . . . .` are the same row. Any board, and every one above side 9,
//! may be numbers separated by blanks or commas: `00 05 16`. A blank is `.`, `0`, `_`, `*` or `x`, as a
//! number also `-1`, and `-` where rows tell it from a frame (`dashes.rs`), or nothing between commas,
//! tabs or semicolons (`fields.rs`). Frames of `|`, `-` and `+`, the brackets and quotation marks of arrays
//! (`lines.rs`) and what follows a `#` mean nothing. The number of cells gives the side, so line ends mean
//! nothing either.

use super::dash_blanks::dashes_to_dots;
use super::delimited::normalise_delimiters;
use super::line_lengths::LineLengths;
use super::tokenizer::{BLANKS, Token, words};
use super::{DIGIT_SIDE, ParseError};
use crate::board::{Geometry, MAX_SIDE, MIN_SIDE};

/// The board of a grid text: its shape, and one value a cell.
pub(super) fn read(text: &str, shape: Option<Geometry>) -> Result<(Geometry, Vec<u8>), ParseError> {
    let parted = normalise_delimiters(text);
    let text = parted.as_deref().unwrap_or(text);
    let dashes_to_dots = dashes_to_dots(text, DIGIT_SIDE);
    let text = dashes_to_dots.as_deref().unwrap_or(text);
    let words = words(text)?;
    if words.is_empty() {
        return Err(ParseError::Empty);
    }
    let cells: Vec<Token> = match Form::of(&words) {
        Form::Numbers => words,
        Form::Characters => words.into_iter().flat_map(Token::cut).collect(),
        Form::Compact(cells) => match shape {
            Some(shape) if shape.side() <= DIGIT_SIDE => {
                return Err(ParseError::Shape { cells, shape });
            }
            _ => return Err(ParseError::Compact { cells }),
        },
    };
    let geometry = geometry(&cells, shape)?;
    let side = geometry.side();
    let givens = cells.iter().map(|cell| {
        let value = cell.number().filter(|value| usize::from(*value) <= side);
        value.ok_or_else(|| ParseError::Value { at: cell.at, value: cell.shortened(), side })
    });
    Ok((geometry, givens.collect::<Result<_, _>>()?))
}

/// What a cell is made of.
enum Form {
    /// One character a cell.
    Characters,
    /// One word a cell.
    Numbers,
    /// One character a cell, and so many that the values cannot be single digits.
    Compact(usize),
}

impl Form {
    /// Tells characters from numbers by how many of each there are: a board of characters has at
    /// most 81 of them, a board that needs numbers at least 100 words.
    fn of(words: &[Token]) -> Self {
        let most = DIGIT_SIDE * DIGIT_SIDE;
        let characters: usize = words.iter().map(|word| word.characters()).sum();
        let single = words.iter().filter(|word| word.characters() == 1).count();

        // `5.` can be no number.
        let is_blank = |c: char| BLANKS.contains(c);
        let mixed = words.iter().any(|word| word.characters() > 1 && word.text.contains(is_blank));
        // `5 3 10 7`: the longer word among single characters is a number, be it too large.
        let spaced = single * 2 > words.len();
        let fits = characters <= most && is_board(characters);
        let numbers = spaced
            || words.len() > most
            || !fits && is_board(words.len()) && characters < 3 * words.len();
        if numbers && !mixed {
            Self::Numbers
        } else if characters > most && nearest_side(characters) > DIGIT_SIDE {
            Self::Compact(characters)
        } else {
            Self::Characters
        }
    }
}

/// The shape of a board with these cells.
fn geometry(words: &[Token], shape: Option<Geometry>) -> Result<Geometry, ParseError> {
    let cells = words.len();
    if let Some(shape) = shape {
        return if shape.cells() == cells {
            Ok(shape)
        } else {
            Err(ParseError::Shape { cells, shape })
        };
    }
    let side = cells.isqrt();
    if side * side != cells {
        let lines = LineLengths::of(words);
        let meant = lines.map(LineLengths::usual).filter(|side| {
            (MIN_SIDE..=MAX_SIDE).contains(side) && Geometry::squarest(*side).is_some()
        });
        Err(ParseError::Count {
            cells,
            lines,
            nearest: meant.unwrap_or_else(|| nearest_side(cells)),
        })
    } else if side > MAX_SIDE {
        Err(ParseError::Large { side })
    } else {
        Geometry::squarest(side).ok_or(ParseError::NoShape { side, nearest: nearest_side(cells) })
    }
}

/// Whether a board of some shape has `cells` cells.
pub(super) fn is_board(cells: usize) -> bool {
    cells.isqrt().pow(2) == cells && Geometry::squarest(cells.isqrt()).is_some()
}

/// The side of the board whose number of cells is nearest to `cells`.
fn nearest_side(cells: usize) -> usize {
    (MIN_SIDE..=MAX_SIDE)
        .filter(|side| Geometry::squarest(*side).is_some())
        .min_by_key(|side| (side * side).abs_diff(cells))
        .unwrap_or(MIN_SIDE)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

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
    fn fields_may_be_empty_whatever_parts_them() {
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
        assert_eq!(
            fault("5", None),
            "1 cell would be a board of side 1, which no box shape has; the nearest board is 4x4 with 16 cells"
        );
        assert_eq!(
            fault(&"5 ".repeat(49), None),
            "49 cells would be a board of side 7, which no box shape has; the nearest board is 6x6 with 36 cells"
        );
        assert_eq!(
            fault(&"12 ".repeat(255), None),
            "255 cells; the nearest board is 16x16 with 256 cells"
        );
        assert_eq!(
            fault(&"1 ".repeat(4225), None),
            "4225 cells would be a board of side 65; the largest side is 64"
        );
        assert_eq!(
            fault(&"1".repeat(256), None),
            "256 characters without blanks between them; a board with a side above 9 is written as numbers separated by blanks, or with --alphabet saying what each character stands for"
        );
        assert_eq!(fault("# nothing\n---+---\n", None), "the text has no cells");
    }

    #[test]
    fn lines_say_where_cells_are_missing() {
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
    fn wrong_values_have_a_place() {
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
