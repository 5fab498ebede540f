//! The words of a grid text: runs of digits and points, and `-1`, each with its position.
//!
//! Frames, commas and comments are dropped: `|5 3.|-1 # top` has the words `5`, `3.` and `-1`. A minus is
//! the sign of a number only at the start of a word that a digit follows; any other is a frame. Stars
//! are blanks, but corners in a line of nothing but frames: `*---*---*`. Where any line has nothing
//! between two commas or before the first, as spreadsheets write blanks, so is what stands between commas:
//! `,5,,3,` has five cells.

use super::record::content;
use super::{ParseError, TextPosition};

/// Characters that are blanks, besides `0`.
pub(super) const BLANKS: &str = "._*xX";

/// Separators of cells, besides blank space.
pub(super) const FRAMES: &str = "|-+,";

/// A run of digits and blanks, or a `-1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'a> {
    /// The word as written; never empty.
    pub text: &'a str,
    /// Where it starts.
    pub at: TextPosition,
}

/// The word that is a blank number.
const MINUS_ONE: &str = "-1";

/// The word for an empty field.
const EMPTY: &str = ".";

impl<'a> Token<'a> {
    /// Number of its cells when each character is one.
    pub fn characters(self) -> usize {
        if self.text == MINUS_ONE { 1 } else { self.text.len() }
    }

    /// The word cut into its cells, one a character.
    pub fn cut(self) -> impl Iterator<Item = Token<'a>> {
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

    /// The word for an error text: at most some twenty characters.
    pub fn shortened(self) -> String {
        const LONGEST: usize = 20;
        match self.text.get(..LONGEST) {
            Some(start) if self.text.len() > LONGEST => format!("{start}..."),
            _ => self.text.to_owned(),
        }
    }
}

/// All words of a text, in order.
///
/// # Errors
/// The first character that is neither cell, blank nor frame, or a negative number other than -1.
pub(super) fn words(text: &str) -> Result<Vec<Token<'_>>, ParseError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let fields = text.lines().any(|line| has_empty_field(content(line)));
    let mut words = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if !is_frame(line) {
            words_of_line(content(line), index + 1, fields, &mut words)?;
        }
    }
    Ok(words)
}

/// Whether nothing stands between two commas, or before the first. A comma at the end alone says nothing:
/// lists of numbers end with one, too.
fn has_empty_field(line: &str) -> bool {
    let inner = line.rsplit_once(',').map_or("", |(inner, _)| inner);
    line.contains(',') && inner.split(',').any(|field| field.trim().is_empty())
}

fn words_of_line<'a>(
    mut rest: &'a str,
    line: usize,
    fields: bool,
    words: &mut Vec<Token<'a>>,
) -> Result<(), ParseError> {
    let mut column = 1;
    let mut before = ' ';
    // Whether all since the last comma, or since the start of a line with commas, is blank space.
    let fields = fields && rest.contains(',');
    let mut empty = fields;
    while let Some(character) = rest.chars().next() {
        let at = TextPosition { line, column };
        let signs = character == '-' && ("|,".contains(before) || before.is_whitespace());
        let number = if signs { run(&rest[1..], |c| c.is_ascii_digit()) } else { 0 };
        let cells = run(rest, |c| c.is_ascii_digit() || BLANKS.contains(c));
        // All of a word is ASCII, so that its bytes are its columns.
        let length = if number > 0 { number + 1 } else { cells };
        if length > 0 {
            let word = Token { text: &rest[..length], at };
            if number > 0 && word.text != MINUS_ONE {
                return Err(ParseError::Negative { at, value: word.shortened() });
            }
            words.push(word);
            rest = &rest[length..];
            column += length;
            empty = false;
        } else if character.is_whitespace() || FRAMES.contains(character) {
            if character == ',' {
                words.extend(empty.then_some(Token { text: EMPTY, at }));
                empty = fields;
            }
            rest = &rest[character.len_utf8()..];
            column += 1;
        } else {
            return Err(ParseError::Character { at, character });
        }
        before = character;
    }
    words.extend(empty.then_some(Token { text: EMPTY, at: TextPosition { line, column } }));
    Ok(())
}

/// Whether a line is the side of a frame, whose corners may be stars.
pub(super) fn is_frame(line: &str) -> bool {
    let text = content(line);
    text.contains('-') && text.chars().all(|c| c == '*' || c.is_whitespace() || FRAMES.contains(c))
}

/// Bytes at the start of `text` that are `kind`.
fn run(text: &str, kind: impl Fn(char) -> bool) -> usize {
    text.find(|c| !kind(c)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        words(text).unwrap().iter().map(|word| word.text).collect()
    }

    #[test]
    fn frames_and_comments_fall_away() {
        assert_eq!(
            texts("\u{feff}# top 5\r\n|5 3.|-1#x\r\n--+--\n- 1 +2"),
            ["5", "3.", "-1", "1", "2"]
        );
        assert_eq!(texts("|-1|-1 -1\n-1\n5-1"), ["-1", "-1", "-1", "-1", "5", "1"]);
        assert_eq!(texts("*---*---*\n5,-1\n1*x\n__"), ["5", "-1", "1*x", "__"]);
    }

    #[test]
    fn fields_without_anything_are_blanks() {
        assert_eq!(texts(",5,,3,\n1,2,3,4,"), [".", "5", ".", "3", ".", "1", "2", "3", "4", "."]);
        assert_eq!(texts("5 , , -1\n,,"), ["5", ".", "-1", ".", ".", "."]);
        // As numbers are listed in programs.
        assert_eq!(texts("1,2,\n2,1,\n"), ["1", "2", "2", "1"]);
        assert_eq!(words("5,,1").unwrap()[1].at, TextPosition { line: 1, column: 3 });
    }

    #[test]
    fn places_count_characters_from_one() {
        let words = words("53\n\u{a0}|4 12").unwrap();
        assert_eq!(words[1].at, TextPosition { line: 2, column: 3 });
        assert_eq!(words[2].cut().last().unwrap().at, TextPosition { line: 2, column: 6 });
    }
}
