//! Which character stands for which value, where each character of a large board's text is a cell.
//!
//! A 16x16 board on 256 characters may count from `0` to `F`, from `1` to `G` or from `A` to `P`;
//! the text cannot show which, so the user specifies it: in `0123456789ABCDEF` the `0` is the value 1.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::tokens::BLANKS;
use crate::board::{BLANK, Geometry};

/// The characters of the values `1..=side`, in order. `.` and `*` are blanks, and so are `_`, `?`, `0`
/// and `x` unless they are values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alphabet {
    characters: Vec<char>,
    /// The squarest boxes of this side.
    pub(super) shape: Geometry,
}

/// Why characters are not an alphabet.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AlphabetError {
    /// No board has this number of values.
    #[error("an alphabet of {0} characters fits no board")]
    Side(usize),
    /// A value would be read as a blank, a frame or a comment.
    #[error(
        "{0:?} cannot stand for a value: it is a blank or part of a frame, or begins a comment"
    )]
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
        let side = characters.len();
        let shape = Geometry::squarest(side).ok_or(AlphabetError::Side(side))?;
        Ok(Self { characters, shape })
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
        let index = usize::from(value).checked_sub(1);
        index.map_or(Some('.'), |index| self.characters.get(index).copied())
    }

    /// The value of a character, [`BLANK`] for a blank. A letter may be of either case where the
    /// other case is no other value.
    pub fn value(&self, character: char) -> Option<u8> {
        let is_blank = || character == '0' || BLANKS.contains(character);
        self.index(character).map(|index| index as u8 + 1).or_else(|| is_blank().then_some(BLANK))
    }

    /// Whether a character of either case is a value.
    pub(super) fn is_value(&self, character: char) -> bool {
        self.index(character).is_some()
    }

    /// Whether a character is one of the alphabet, of this case.
    pub(super) fn has(&self, character: char) -> bool {
        self.characters.contains(&character)
    }

    fn index(&self, character: char) -> Option<usize> {
        let find = |sought: char| self.characters.iter().position(|c| *c == sought);
        let other = match character.is_ascii_lowercase() {
            true => character.to_ascii_uppercase(),
            false => character.to_ascii_lowercase(),
        };
        find(character).or_else(|| find(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alphabet(text: &str) -> Alphabet {
        text.parse().unwrap()
    }

    #[test]
    fn the_same_character_has_another_value_in_another_alphabet() {
        let values = |alphabet: &str| -> Vec<u8> {
            let alphabet: Alphabet = alphabet.parse().unwrap();
            "0.123.fF".chars().map(|c| alphabet.value(c).unwrap()).collect()
        };
        assert_eq!(values("0123456789ABCDEF"), [1, 0, 2, 3, 4, 0, 16, 16]);
        assert_eq!(values("123456789ABCDEFG"), [0, 0, 1, 2, 3, 0, 15, 15]);
    }

    #[test]
    fn a_character_whose_other_case_is_another_value_keeps_its_own() {
        let both = alphabet("aAbB");
        assert_eq!((both.value('a'), both.value('A'), both.value('c')), (Some(1), Some(2), None));
    }

    #[test]
    fn errors_of_alphabets_are_sentences() {
        let fault = |text: &str| text.parse::<Alphabet>().unwrap_err().to_string();
        assert_eq!(fault("ABCDE"), "an alphabet of 5 characters fits no board");
        assert_eq!(fault("ABCA"), "'A' stands for two values");
        let taken =
            "'.' cannot stand for a value: it is a blank or part of a frame, or begins a comment";
        assert_eq!(fault(".ABC"), taken);
    }
}
