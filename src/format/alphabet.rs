//! Which character stands for which value, where each character of a large board's text is a cell.
//!
//! A 16x16 board on 256 characters may count from `0` to `F`, from `1` to `G` or from `A` to `P`;
//! the text cannot show which, so the user specifies it: in `0123456789ABCDEF` the `0` is the value 1.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::dash_blanks::dashes_to_dots;
use super::grid_parser::is_board;
use super::record::content;
use super::tokenizer::{BLANKS, FRAMES, is_frame};
use super::{DIGIT_SIDE, ParseError, TextPosition};
use crate::board::{BLANK, Geometry};

/// The characters of the values `1..=side`, in order. `.`, `*` and `_` are blanks, and so are `0` and `x`
/// unless they are values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alphabet {
    characters: Vec<char>,
    /// The squarest boxes of this side.
    shape: Geometry,
}

/// Why characters are not an alphabet.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AlphabetError {
    /// No board has this number of values.
    #[error("an alphabet of {0} characters: no board has that side")]
    Side(usize),
    /// A value would be read as a blank, a frame or a comment.
    #[error("{0:?} cannot stand for a value: it is a blank, a frame or a comment's start")]
    Taken(char),
    /// One character stands for two values.
    #[error("{0:?} stands for two values")]
    Twice(char),
}

/// Characters that have another meaning in a text.
const TAKEN: &str = ".#|-+,*[]<";

impl FromStr for Alphabet {
    type Err = AlphabetError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let characters: Vec<char> = text.chars().collect();
        for (index, character) in characters.iter().enumerate() {
            if character.is_whitespace() || TAKEN.contains(*character) {
                return Err(AlphabetError::Taken(*character));
            }
            if characters[..index].contains(character) {
                return Err(AlphabetError::Twice(*character));
            }
        }
        match Geometry::squarest(characters.len()) {
            Some(shape) => Ok(Self { characters, shape }),
            None => Err(AlphabetError::Side(characters.len())),
        }
    }
}

impl fmt::Display for Alphabet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.characters.iter().try_for_each(|character| write!(f, "{character}"))
    }
}

impl Alphabet {
    /// The side of the boards that it can write.
    pub fn side(&self) -> usize {
        self.characters.len()
    }

    /// The character of a value, `.` for a blank; `None` for a value above its side.
    pub fn character(&self, value: u8) -> Option<char> {
        match usize::from(value).checked_sub(1) {
            None => Some('.'),
            Some(index) => self.characters.get(index).copied(),
        }
    }

    /// The value of a character, [`BLANK`] for a blank. A letter may be of either case where the
    /// other case is no other value.
    pub fn value(&self, character: char) -> Option<u8> {
        let find = |wanted: char| self.characters.iter().position(|c| *c == wanted);
        let other = if character.is_ascii_lowercase() {
            character.to_ascii_uppercase()
        } else {
            character.to_ascii_lowercase()
        };
        match find(character).or_else(|| find(other)) {
            Some(index) => Some(index as u8 + 1),
            None => (character == '0' || BLANKS.contains(character)).then_some(BLANK),
        }
    }
}

/// The board of a text with one character a cell.
pub(super) fn read(
    text: &str,
    alphabet: &Alphabet,
    shape: Option<Geometry>,
) -> Result<(Geometry, Vec<u8>), ParseError> {
    let side = alphabet.side();
    let shape = shape.unwrap_or(alphabet.shape);
    if shape.side() != side {
        return Err(ParseError::AlphabetShape { characters: side, shape });
    }
    let dashes_to_dots = dashes_to_dots(text, side);
    let mut givens = Vec::new();
    for (at, character) in cells(dashes_to_dots.as_deref().unwrap_or(text)) {
        givens.push(alphabet.value(character).ok_or(ParseError::Character { at, character })?);
    }
    match givens.len() {
        0 => Err(ParseError::Empty),
        count if count == shape.cells() => Ok((shape, givens)),
        count => Err(ParseError::Shape { cells: count, shape }),
    }
}

/// Every character that is neither blank space nor frame nor comment, with its position.
fn cells(text: &str) -> impl Iterator<Item = (TextPosition, char)> {
    let lines = text.lines().enumerate().filter(|(_, text)| !is_frame(text));
    lines.flat_map(|(line, text)| {
        content(text)
            .chars()
            .enumerate()
            .map(move |(column, c)| (TextPosition { line: line + 1, column: column + 1 }, c))
            .filter(|(_, c)| !c.is_whitespace() && !FRAMES.contains(*c))
    })
}

/// The error for a text with letters as cells: it lists the alphabets that the text may be written in, if the text
/// looks like a board at all.
pub(super) fn asked(text: &str, fault: ParseError) -> ParseError {
    let ParseError::Character { at, character } = fault else { return fault };
    let used: Vec<char> = cells(text).map(|(_, c)| c).collect();
    let side = used.len().isqrt();
    let plain = used.iter().all(|c| c.is_ascii_alphanumeric() || *c == '.');
    if !plain || side <= DIGIT_SIDE || !is_board(used.len()) {
        return ParseError::Character { at, character };
    }
    let all: Vec<Alphabet> = ["0123456789", "123456789", ""]
        .into_iter()
        .filter_map(|digits| {
            let all = digits.chars().chain('A'..='Z').chain('a'..='z');
            let text: String = all.take(side).collect();
            text.parse().ok().filter(|alphabet: &Alphabet| alphabet.side() == side)
        })
        .collect();
    let fits = |alphabet: &&Alphabet| used.iter().all(|c| alphabet.value(*c).is_some());
    let mut choices: Vec<String> = all.iter().filter(fits).map(Alphabet::to_string).collect();
    if choices.is_empty() {
        choices = all.iter().map(Alphabet::to_string).collect();
    }
    ParseError::Alphabet { at, character, side, choices }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alphabet(text: &str) -> Alphabet {
        text.parse().unwrap()
    }

    #[test]
    fn the_same_text_has_other_values_in_another_alphabet() {
        let row = "0.1|23.\n---+---\nfF# comment";
        let value = |alphabet: &Alphabet| -> Vec<u8> {
            cells(row).map(|(_, c)| alphabet.value(c).unwrap()).collect()
        };
        assert_eq!(value(&alphabet("0123456789ABCDEF")), [1, 0, 2, 3, 4, 0, 16, 16]);
        assert_eq!(value(&alphabet("123456789ABCDEFG")), [0, 0, 1, 2, 3, 0, 15, 15]);
    }

    #[test]
    fn dashes_are_blanks_where_rows_are_whole() {
        let letters = alphabet("ABCD");
        let (_, givens) = read("A---\n--C-\n-B--\n---D\n", &letters, None).unwrap();
        assert_eq!(givens, [1, 0, 0, 0, 0, 0, 3, 0, 0, 2, 0, 0, 0, 0, 0, 4]);
        let hex = alphabet("0123456789ABCDEF");
        let rows = format!("{}\n", "F--0".repeat(4)).repeat(16);
        assert_eq!(read(&rows, &hex, None).unwrap().1[..4], [16, 0, 0, 1]);
    }

    #[test]
    fn a_case_that_is_another_value_is_kept() {
        let both = alphabet("aAbB");
        assert_eq!((both.value('a'), both.value('A'), both.value('c')), (Some(1), Some(2), None));
    }

    #[test]
    fn what_is_no_alphabet_is_said() {
        let fault = |text: &str| text.parse::<Alphabet>().unwrap_err().to_string();
        assert_eq!(fault("ABCDE"), "an alphabet of 5 characters: no board has that side");
        assert_eq!(fault("ABCA"), "'A' stands for two values");
        let taken = "'.' cannot stand for a value: it is a blank, a frame or a comment's start";
        assert_eq!(fault(".ABC"), taken);
    }

    #[test]
    fn boards_are_read_and_refused() {
        let hex = alphabet("0123456789ABCDEF");
        let (geometry, givens) = read(&"0F..".repeat(64), &hex, None).unwrap();
        assert_eq!((geometry.side(), &givens[..4]), (16, &[1, 16, 0, 0][..]));

        let fault = |text: &str, shape: Option<&str>| {
            let shape = shape.map(|shape| shape.parse().unwrap());
            read(text, &hex, shape).unwrap_err().to_string()
        };
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
}
