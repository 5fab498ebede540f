//! OpenSudoku's XML: several games, each with its puzzle of 9x9 cells.
//!
//! ```xml
//! <opensudoku>
//!   <game data="530070000600195000098000060800060003400803001700020006060000280000419005000080079" />
//!   <game data="version: 1&#10;5|-|0|0|-|1|..." />
//! </opensudoku>
//! ```
//!
//! With a version each cell has a value, notes, and 1 if the player may change it; a given is a value that the
//! player may not. Versions differ in the number of notes. A game's other attributes and the file's other
//! elements are not read. All of the file is in memory. Source: the import and export of OpenSudoku,
//! <https://opensudoku.moire.org>.

use quick_xml::Reader;
use quick_xml::events::Event;
use quick_xml::events::attributes::Attribute;

use super::text::TextLine;
use super::text_record::TextRecord;
use super::tokens::{LineKind, Symbols};
use super::{ParseError, TextPosition};
use crate::util::sanitize::line;

/// The name of the outermost element.
const ROOT: &str = "opensudoku";
/// The number of characters of a name or a problem that an error shows.
const LONGEST: usize = 200;

/// The lines of a game, or the error instead of them.
type Lines = Result<Vec<TextLine>, ParseError>;

/// The games of a text, one after the other; an error of the text as a whole is the last.
pub(super) fn games(text: &str) -> Vec<TextRecord> {
    let mut games = Vec::new();
    let end = read_games(text, &mut games);
    games.extend(end.err().map(Err));
    games.into_iter().map(TextRecord::of).collect()
}

/// Reads the games of a text.
///
/// # Errors
/// An error of the text as a whole, after which there are no more games.
fn read_games(text: &str, games: &mut Vec<Lines>) -> Result<(), ParseError> {
    let mut reader = Reader::from_str(text);
    let (mut byte, mut at) = (0, TextPosition::START);
    // The number of elements that are open, and whether the outermost one was seen.
    let (mut depth, mut rooted) = (0usize, false);
    let is_cells = |line: &str| Symbols::default().kind(line) == LineKind::Cells;
    loop {
        let next = reader.buffer_position() as usize;
        at = after(at, text.get(byte..next));
        byte = next;
        let tag = match reader.read_event().map_err(|error| broken(error, at))? {
            Event::Start(tag) => {
                depth += 1;
                tag
            }
            Event::Empty(tag) => tag,
            Event::End(_) => {
                depth = depth.saturating_sub(1);
                continue;
            }
            Event::Text(text) if depth == 0 && text.lines().any(is_cells) => {
                return Err(ParseError::at(
                    at,
                    "cells outside of the XML: put these puzzles into another file",
                ));
            }
            Event::Eof if depth > 0 => return Err(broken("it ends inside an element", at)),
            Event::Eof => return Ok(()),
            _ => continue,
        };
        let name = tag.name().0;
        if !rooted && name != ROOT {
            let name = line(name, LONGEST);
            let problem = format!("the first element is <{name}>, not <opensudoku>");
            return Err(ParseError::at(at, problem));
        }
        rooted = true;
        if name == "game" {
            let is_data = |one: &Attribute| one.key.0 == "data";
            let mut data = tag.attributes().filter(|one| one.as_ref().map_or(true, is_data));
            let data = data.next().transpose().map_err(|error| broken(error, at))?;
            let lines = match data.map(|data| data.value) {
                Some(data) => {
                    // The value is a part of the tag's text, which starts after its `<`.
                    let start = data.as_ptr().addr().wrapping_sub(tag.as_ptr().addr());
                    cells(&data, after(at, text.get(byte..=byte.saturating_add(start))))
                }
                None => Err(ParseError::at(at, "this <game> has no data attribute")),
            };
            games.push(lines);
        }
    }
}

/// The lines of a game's cells: one of digits, or one a cell.
///
/// # Errors
/// When cells of a version do not come out even, or the board is none of 9x9.
fn cells(data: &str, at: TextPosition) -> Lines {
    const CELLS: usize = 81;
    let text_line =
        |text: &str| TextLine { number: at.line, column: at.column, text: text.to_owned() };
    // The line end is a character reference, or blank space where it was written as it is.
    let version = data
        .strip_prefix("version:")
        .and_then(|rest| rest.split_once(['&', '\n', ' ']).map(|_| rest));
    let Some(rest) = version else {
        let digits = data.chars().filter(|c| !c.is_whitespace()).count();
        if digits == CELLS {
            return Ok(vec![text_line(data)]);
        }
        let problem = format!("{digits} cells, but an OpenSudoku game has {CELLS}");
        return Err(ParseError::at(at, problem));
    };
    let body = rest.trim_start().trim_start_matches(|c: char| c.is_ascii_digit());
    let body = body.trim_start_matches("&#10;").trim_start_matches("&#xA;").trim();
    let fields: Vec<&str> = body.strip_suffix('|').unwrap_or(body).split('|').collect();
    let of_cell = fields.len() / CELLS;
    if of_cell < 2 || !fields.len().is_multiple_of(CELLS) {
        let problem = format!(
            "{} fields, but the number must be a multiple of {CELLS}, with two or more per cell",
            fields.len()
        );
        return Err(ParseError::at(at, problem));
    }
    let cell = |fields: &[&str]| {
        let is_given = fields[of_cell - 1] == "0";
        text_line(if is_given { fields[0] } else { "0" })
    };
    Ok(fields.chunks(of_cell).map(cell).collect())
}

/// The position after a part of the text that begins at `at`.
fn after(at: TextPosition, passed: Option<&str>) -> TextPosition {
    let passed = passed.unwrap_or_default();
    match passed.rsplit_once('\n') {
        None => TextPosition { column: at.column + passed.chars().count(), ..at },
        Some((before, last)) => {
            let line = at.line + before.matches('\n').count() + 1;
            TextPosition { line, column: last.chars().count() + 1 }
        }
    }
}

fn broken(problem: impl ToString, at: TextPosition) -> ParseError {
    let problem = line(&problem.to_string(), LONGEST);
    ParseError::at(at, format!("the XML is broken: {problem}"))
}

#[cfg(test)]
mod tests {
    use crate::format::{Options, PuzzleReader};

    fn sentences(text: &str) -> Vec<String> {
        PuzzleReader::new(text.as_bytes(), "games", "games.opensudoku", &Options::default())
            .map(|reading| match reading {
                Ok(reading) => format!("{}: {}", reading.puzzle.name, reading.puzzle.given_count()),
                Err(error) => error.to_string(),
            })
            .collect()
    }

    #[test]
    fn errors_of_one_game_leave_the_others() {
        let good = "5".to_owned() + &"0".repeat(80);
        let text = format!(
            "<?xml version=\"1.0\"?>\n<opensudoku>\n<name>\u{e9} &amp; x</name>\n<game data=\"{good}\"/>\n\
             <game\n data=\"5y{0}\" note=\"\"></game>\n<game/> <game data=\"53\"/>\n<game data='{good}'/></opensudoku>",
            "0".repeat(79)
        );
        assert_eq!(
            sentences(&text),
            [
                "games#1: 1",
                "games.opensudoku: puzzle 2, line 6 column 9: unexpected character 'y'; a blank is a single . 0 _ * ? or x",
                "games.opensudoku: puzzle 3, line 7 column 1: this <game> has no data attribute",
                "games.opensudoku: puzzle 4, line 7 column 21: 2 cells, but an OpenSudoku game has 81",
                "games#5: 1",
            ]
        );
    }

    #[test]
    fn errors_of_the_whole_file_are_sentences() {
        for (text, sentence) in [
            ("<opensudoku></opensudoku>", "the text has no cells"),
            (" <html/>", "line 1 column 2: the first element is <html>, not <opensudoku>"),
            ("<opensudoku/>\nthe end\n", "the text has no cells"),
            (
                "<opensudoku/>\n1..4\n",
                "line 1 column 14: cells outside of the XML: put these puzzles into another file",
            ),
            ("<opensudoku>\n", "line 2 column 1: the XML is broken: it ends inside an element"),
        ] {
            assert_eq!(sentences(text), [format!("games.opensudoku: {sentence}")]);
        }
        let long = format!("<{}/>", "\u{1b}x".repeat(1 << 20));
        let sentence = sentences(&long).remove(0);
        assert!(sentence.len() < 1_500 && sentence.contains(r"<\u{1b}x\u{1b}x"), "{sentence}");
        for text in
            ["<opensudoku><game data=\"5", "<opensudoku></game>", "<opensudoku><game data=5/>"]
        {
            let sentence = sentences(text).remove(0);
            let start = "games.opensudoku: line 1 column 13: the XML is broken: ";
            assert!(sentence.starts_with(start), "{sentence}");
        }
    }

    #[test]
    fn a_game_without_an_end_is_given_up() {
        let start = "<opensudoku><game data=\"".as_bytes();
        let endless = std::io::Read::chain(start, std::io::BufReader::new(std::io::repeat(b'1')));
        let error = PuzzleReader::new(endless, "x", "x", &Options::default()).one().unwrap_err();
        assert_eq!(error.to_string(), "x: more than 64 MiB in one puzzle or one XML file");
    }
}
