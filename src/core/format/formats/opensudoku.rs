//! OpenSudoku's XML: several games, each with the 81 digits of its puzzle.
//!
//! ```xml
//! <opensudoku>
//!   <game data="530070000600195000098000060800060003400803001700020006060000280000419005000080079" />
//! </opensudoku>
//! ```
//!
//! A game's other attributes and the file's other elements are not read. All of the file is in memory. Source: the
//! import and export of OpenSudoku, <https://opensudoku.moire.org>.

use std::vec;

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Error, Reader};

use crate::board::{Geometry, Puzzle};
use crate::format::detect::{Detection, DetectionHead};
use crate::format::grid_parser::{ParseResult, read_digits};
use crate::format::puzzle_format::PuzzleFormat;
use crate::format::records::{RecordSplitter, TextRecord};
use crate::format::text::TextLine;
use crate::format::{Options, ParseError, TextPosition};
use crate::util::sanitize::line;

/// A file of games.
pub(super) struct OpenSudoku;

impl PuzzleFormat for OpenSudoku {
    fn recognise(&self, head: &DetectionHead) -> Option<Detection> {
        let first = head.lines().find(|line| !line.trim().is_empty())?;
        first.trim_start().starts_with('<').then(|| Detection::by_marks(Games::default()))
    }

    fn read(&self, data: &str, start: TextPosition, options: &Options) -> ParseResult {
        // The program supports no other board.
        read_digits(data, start, options.shape.or(Geometry::new(3, 3).ok()))
    }

    fn tells_shape(&self) -> bool {
        true
    }

    fn refuses(&self, shape: Geometry) -> Option<&'static str> {
        let holds = (shape.box_rows(), shape.box_cols()) == (3, 3);
        (!holds).then_some("9x9 boards with boxes of 3x3")
    }

    fn write(&self, puzzle: &Puzzle, _tags: &[String]) -> String {
        let data: String = puzzle.givens.iter().map(u8::to_string).collect();
        format!("  <game data=\"{data}\" />\n")
    }

    fn around(&self) -> [&'static str; 3] {
        [
            "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n<opensudoku>\n",
            "",
            "</opensudoku>\n",
        ]
    }
}

/// The name of the outermost element.
const ROOT: &str = "opensudoku";
/// The number of characters of a name or a problem that an error shows.
const LONGEST: usize = 200;

/// Collects the whole text, whose games follow at its end.
#[derive(Default)]
struct Games {
    text: String,
    games: Option<vec::IntoIter<TextRecord>>,
}

impl RecordSplitter for Games {
    fn next(&mut self, line: Option<TextLine>) -> Option<TextRecord> {
        let Some(line) = line else {
            return self.games.get_or_insert_with(|| games(&self.text).into_iter()).next();
        };
        self.text.push_str(&line.text);
        self.text.push('\n');
        None
    }
}

fn record(text: Result<String, ParseError>, at: TextPosition) -> TextRecord {
    TextRecord { text, at, tags: Vec::new(), listed: false }
}

/// The games of a text, one after the other; an error of the text as a whole is the last.
fn games(text: &str) -> Vec<TextRecord> {
    let mut games = Vec::new();
    if let Err(error) = read_games(text, &mut games) {
        games.push(record(Err(error), TextPosition::START));
    }
    games
}

/// Reads the games of a text.
///
/// # Errors
/// An error of the text as a whole, after which there are no more games.
fn read_games(text: &str, games: &mut Vec<TextRecord>) -> Result<(), ParseError> {
    let mut reader = Reader::from_str(text);
    let (mut byte, mut at) = (0, TextPosition::START);
    // The number of elements that are open, and whether the outermost one was seen.
    let (mut depth, mut rooted) = (0usize, false);
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
            let (text, at) = match data(&tag).map_err(|error| broken(error, at))? {
                // The value is a part of the tag's text, which starts after its `<`.
                Some((value, start)) => {
                    (Ok(value), after(at, text.get(byte..=byte.saturating_add(start))))
                }
                None => (Err(ParseError::at(at, "this <game> has no data attribute")), at),
            };
            games.push(record(text, at));
        }
    }
}

/// The value of a tag's `data`, and the byte of the tag's text where it starts.
fn data(tag: &BytesStart<'_>) -> Result<Option<(String, usize)>, Error> {
    for attribute in tag.attributes() {
        let attribute = attribute?;
        if attribute.key.0 == "data" {
            let start = attribute.value.as_ptr().addr().wrapping_sub(tag.as_ptr().addr());
            return Ok(Some((attribute.value.into_owned(), start)));
        }
    }
    Ok(None)
}

/// The position after a part of the text that begins at `at`.
fn after(at: TextPosition, passed: Option<&str>) -> TextPosition {
    let passed = passed.unwrap_or_default();
    let last_line = passed.rsplit('\n').next().unwrap_or_default();
    at.forward(passed.matches('\n').count(), last_line.chars().count())
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
                "games.opensudoku: puzzle 2, line 6 column 9: unknown character 'y'; a blank is . 0 _ * or x",
                "games.opensudoku: puzzle 3, line 7 column 1: this <game> has no data attribute",
                "games.opensudoku: puzzle 4, line 7 column 21: 2 cells, but a board with boxes of 3x3 has 81 cells",
                "games#5: 1",
            ]
        );
    }

    #[test]
    fn errors_of_the_whole_file_are_sentences() {
        for (text, sentence) in [
            ("<opensudoku></opensudoku>", "the text has no cells"),
            (" <html/>", "line 1 column 2: the first element is <html>, not <opensudoku>"),
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
