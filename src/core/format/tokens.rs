//! Lines to tokens, the second stage of reading: runs of digits and points, and `-1`, each with its position.
//!
//! Frames, commas and comments are dropped: `|5 3.|-1 # top` has the tokens `5`, `3.` and `-1`. A minus is
//! the sign of a number only at the start of a token that a digit follows; any other is a frame. Stars
//! are blanks, but corners in a line of nothing but frames: `*---*---*`. Where any line has nothing
//! between two commas or before the first, as spreadsheets write blanks, so is what is between commas:
//! `,5,,3,` has five cells.

use super::text::content;
use super::{ParseError, TextPosition};
use crate::board::MIN_SIDE;

/// Characters that are blanks, besides `0`.
pub(super) const BLANKS: &str = "._*xX";

/// Separators of cells, besides blank space.
pub(super) const FRAMES: &str = "|-+,";

/// Tells whether an argument is meant as a grid, valid or not: it consists only of characters of grids,
/// or it is as long as the smallest board and most of it is cells.
#[doc(hidden)]
pub fn is_grid(argument: &str) -> bool {
    let cell = |c: char| c.is_ascii_digit() || BLANKS.contains(c);
    let cells = argument.chars().filter(|c| cell(*c)).count();
    let length = argument.chars().count();
    let pure = argument.chars().all(|c| cell(c) || c.is_whitespace() || FRAMES.contains(c));
    // `x` could be a file.
    let plain = argument.contains(|c: char| c.is_ascii_digit() || c == '.');
    plain
        && (pure
            || cells >= MIN_SIDE * MIN_SIDE - 1 && cells * 4 > length * 3
            || argument.contains('\n') && cells * 4 > length)
}

/// A run of digits and blanks, or a `-1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'a> {
    /// The token as written; never empty.
    pub text: &'a str,
    /// Where it starts.
    pub at: TextPosition,
}

/// The token that is a blank number.
const MINUS_ONE: &str = "-1";

/// The token for an empty field.
const EMPTY: &str = ".";

impl<'a> Token<'a> {
    /// Number of its cells when each character is one.
    pub fn characters(self) -> usize {
        if self.text == MINUS_ONE { 1 } else { self.text.len() }
    }

    /// The cells of the token when each character is one.
    pub fn split(self) -> impl Iterator<Item = Token<'a>> {
        let length = self.text.len() / self.characters();
        (0..self.characters()).map(move |i| Token {
            text: &self.text[i * length..][..length],
            at: TextPosition { column: self.at.column + i, ..self.at },
        })
    }

    /// The number that it is, 0 for a blank; none when it is too long for any board.
    pub fn number(self) -> Option<u8> {
        let is_blank = |text: &str| text.len() == 1 && BLANKS.contains(text);
        if self.text == MINUS_ONE || is_blank(self.text) {
            return Some(0);
        }
        let digits = self.text.trim_start_matches('0');
        if digits.is_empty() { Some(0) } else { digits.parse().ok() }
    }

    /// The token for an error text: at most some twenty characters.
    pub fn shortened(self) -> String {
        const LONGEST: usize = 20;
        match self.text.get(..LONGEST) {
            Some(start) if self.text.len() > LONGEST => format!("{start}..."),
            _ => self.text.to_owned(),
        }
    }
}

/// All tokens of a text that starts at `start`, in order.
///
/// # Errors
/// The first character that is neither cell, blank nor frame, or a negative number other than -1.
pub(super) fn tokens(text: &str, start: TextPosition) -> Result<Vec<Token<'_>>, ParseError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let fields = text.lines().any(|line| has_empty_field(content(line)));
    let mut tokens = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if !is_frame(line) {
            tokens_of_line(content(line), start.forward(index, 0), fields, &mut tokens)?;
        }
    }
    Ok(tokens)
}

/// Whether nothing is between two commas, or before the first. A comma at the end alone says nothing:
/// lists of numbers end with one, too.
fn has_empty_field(line: &str) -> bool {
    let inner = line.rsplit_once(',').map_or("", |(inner, _)| inner);
    line.contains(',') && inner.split(',').any(|field| field.trim().is_empty())
}

fn tokens_of_line<'a>(
    mut rest: &'a str,
    mut at: TextPosition,
    fields: bool,
    tokens: &mut Vec<Token<'a>>,
) -> Result<(), ParseError> {
    let mut before = ' ';
    // Whether all since the last comma, or since the start of a line with commas, is blank space.
    let fields = fields && rest.contains(',');
    let mut empty = fields;
    while let Some(character) = rest.chars().next() {
        let signs = character == '-' && ("|,".contains(before) || before.is_whitespace());
        let number = if signs { run(&rest[1..], |c| c.is_ascii_digit()) } else { 0 };
        let cells = run(rest, |c| c.is_ascii_digit() || BLANKS.contains(c));
        // All of a token is ASCII, so that its bytes are its columns.
        let length = if number > 0 { number + 1 } else { cells };
        if length > 0 {
            let token = Token { text: &rest[..length], at };
            if number > 0 && token.text != MINUS_ONE {
                let value = token.shortened();
                let expected = "the only number below 0 allowed is -1, for a blank";
                return Err(ParseError::at(at, format!("{value} is not a value; {expected}")));
            }
            tokens.push(token);
            rest = &rest[length..];
            at.column += length;
            empty = false;
        } else if character.is_whitespace() || FRAMES.contains(character) {
            if character == ',' {
                tokens.extend(empty.then_some(Token { text: EMPTY, at }));
                empty = fields;
            }
            rest = &rest[character.len_utf8()..];
            at.column += 1;
        } else {
            return Err(ParseError::character(at, character));
        }
        before = character;
    }
    tokens.extend(empty.then_some(Token { text: EMPTY, at }));
    Ok(())
}

/// Whether a line is the side of a frame, whose corners may be stars.
pub(super) fn is_frame(line: &str) -> bool {
    let text = content(line);
    text.contains('-') && text.chars().all(|c| c == '*' || c.is_whitespace() || FRAMES.contains(c))
}

/// Whether a line holds more than comments and frames.
pub(super) fn has_cells(line: &str) -> bool {
    !is_frame(line) && content(line).chars().any(|c| !c.is_whitespace() && !FRAMES.contains(c))
}

/// Bytes at the start of `text` that are `kind`.
fn run(text: &str, kind: impl Fn(char) -> bool) -> usize {
    text.find(|c| !kind(c)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        tokens(text, TextPosition::START).unwrap().iter().map(|token| token.text).collect()
    }

    #[test]
    fn frames_and_comments_are_dropped() {
        assert_eq!(
            texts("\u{feff}# top 5\r\n|5 3.|-1#x\r\n--+--\n- 1 +2"),
            ["5", "3.", "-1", "1", "2"]
        );
        assert_eq!(texts("|-1|-1 -1\n-1\n5-1"), ["-1", "-1", "-1", "-1", "5", "1"]);
        assert_eq!(texts("*---*---*\n5,-1\n1*x\n__"), ["5", "-1", "1*x", "__"]);
    }

    #[test]
    fn empty_fields_are_blanks() {
        assert_eq!(texts(",5,,3,\n1,2,3,4,"), [".", "5", ".", "3", ".", "1", "2", "3", "4", "."]);
        assert_eq!(texts("5 , , -1\n,,"), ["5", ".", "-1", ".", ".", "."]);
        // As numbers are listed in programs.
        assert_eq!(texts("1,2,\n2,1,\n"), ["1", "2", "2", "1"]);
        let empty = tokens("5,,1", TextPosition::START).unwrap()[1];
        assert_eq!(empty.at, TextPosition { line: 1, column: 3 });
    }

    #[test]
    fn positions_count_characters_from_one() {
        let start = TextPosition { line: 7, column: 5 };
        let tokens = tokens("53\n\u{a0}|4 12", start).unwrap();
        assert_eq!(tokens[0].at, start);
        assert_eq!(tokens[1].at, TextPosition { line: 8, column: 3 });
        assert_eq!(tokens[2].split().last().unwrap().at, TextPosition { line: 8, column: 6 });
    }
}
