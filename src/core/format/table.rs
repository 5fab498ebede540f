//! Tables: lines with a puzzle in one of their fields.
//!
//! ```text
//! source,question,answer,rating             the column that is named, or in which boards are
//! book_1,.1..9..5..8..6....,3142976...,0
//! :0000:x:010090050080060000...:::
//! .1..9..5..8..6.....5....179...  7.2
//! ```

use std::cmp::Reverse;
use std::{iter, slice};

use super::parse::{Options, ParsedBoard, parse};
use super::text::{TextLine, content};
use super::text_record::is_whole;
use super::tokens::{BLANKS, LineKind};
use super::{FEWEST_CELLS, ParseError};
use crate::board::{BLANK, Geometry};

/// Names of columns, members and sections with puzzles.
pub(super) const PUZZLES: &str = "puzzle puzzles quiz quizzes question questions givens given grid board problem initial \
                       unsolved sudoku start mission input";
/// Names of those with solutions.
pub(super) const SOLUTIONS: &str =
    "solution solutions answer answers solved state result results output end final";

/// The name of the column or member with the shape of the boxes, as in an export.
pub(super) const SHAPE: &str = "shape";

/// The comment that states boxes of `shape`, if a board with such boxes has one of these numbers of cells. Otherwise
/// nothing: a shape of `9x9` beside 81 cells is the size of the board.
pub(super) fn boxes_of(shape: &str, cells: &[usize]) -> String {
    let shape = shape.parse().ok().filter(|shape: &Geometry| cells.contains(&shape.cells()));
    shape.map_or(String::new(), |shape| format!(" # boxes of {shape} "))
}

/// The names of the boards that are wanted.
pub(super) fn wanted_names(options: &Options) -> &'static str {
    if options.solutions { SOLUTIONS } else { PUZZLES }
}

/// Whether a name is one of these, such as [`PUZZLES`].
pub(super) fn is_of(names: &str, name: &str) -> bool {
    names.split(' ').any(|known| name.eq_ignore_ascii_case(known))
}

/// Whether a line is the head of a table of places, `row,col,value`, or an entry of a dictionary: `(0, 4): 7,`.
pub(super) fn names_places(line: &str) -> bool {
    let words = || line.split(|c: char| !c.is_alphanumeric());
    let has = |name: &str| words().any(|word| word.eq_ignore_ascii_case(name));
    let entry = line.trim_start_matches([' ', '\t', '{']).strip_prefix('(');
    has("row") && (has("col") || has("column"))
        || entry.and_then(|rest| rest.split_once("):")).is_some_and(|(pair, _)| pair.contains(','))
}

/// The column of a table that holds the puzzles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Column {
    /// A blank for any blank space.
    separator: char,
    index: usize,
    /// Whether the first line names it.
    is_named: bool,
    /// The index of the column with the shape of the boxes.
    shape: Option<usize>,
}

/// A column of a line that holds a whole board.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoardColumn {
    column: Column,
    /// The length of its text in bytes.
    length: usize,
    /// Whether it has a blank, as puzzles have; if solutions are wanted, whether it has none.
    is_wanted: bool,
}

/// The fields of a line. A separator in quotation marks is a part of its field.
fn fields(text: &str, separator: char) -> impl Iterator<Item = &str> {
    let is_end = move |c: char| c == separator || separator == ' ' && c.is_whitespace();
    let mut rest = Some(text);
    let all = iter::from_fn(move || {
        let text = rest?;
        let (has_marks, mut is_open) = (text.trim_start_matches(' ').starts_with('"'), false);
        let is_outside = |c| {
            is_open ^= has_marks && c == '"';
            !is_open && is_end(c)
        };
        let parts = text.split_once(is_outside);
        // A mark that nothing closes quotes nothing.
        let (field, after) = parts.or_else(|| text.split_once(is_end).filter(|_| is_open)).unzip();
        rest = after;
        Some(field.unwrap_or(text))
    });
    all.filter(move |field| separator != ' ' || !field.is_empty())
}

/// A line of a table without its comment. Below a head, `#` may be a part of a name that stands before the last column
/// that is read.
fn row(of: Column, line: &str) -> &str {
    let mut before = 0;
    if of.is_named && line.contains('#') && !line.trim_start().starts_with('#') {
        let at = |index| fields(line, of.separator).nth(index);
        // None is a part of a puzzle.
        let commented = at(of.index).filter(|field| field.contains('#'));
        let last = commented.or_else(|| at(of.index.max(of.shape.unwrap_or_default())));
        before = last.map_or(line.len(), |field| field.as_ptr().addr() - line.as_ptr().addr());
    }
    &line[..before + content(&line[before..]).len()]
}

const SEPARATORS: [char; 6] = [',', ';', '\t', ':', '|', ' '];

/// A field as a line of its own, without quotation marks and blank space around it.
fn field<'a>(line: &'a TextLine, field: &'a str) -> TextLine {
    let inner = field.trim_matches(|c: char| c.is_whitespace() || c == '"' || c == '\'');
    let before = inner.as_ptr().addr() - line.text.as_ptr().addr();
    let column = line.column + line.text[..before].chars().count();
    TextLine { number: line.number, column, text: inner.to_owned() }
}

/// Whether a field may have a blank.
fn has_blank(field: &str) -> bool {
    field.contains(|c| "0-".contains(c) || BLANKS.contains(c))
}

/// The columns of a line that hold whole boards.
pub(super) fn columns_of(line: &TextLine, options: &Options) -> Vec<BoardColumn> {
    let text = content(&line.text);
    for separator in SEPARATORS {
        let mut found = Vec::new();
        let long = |(_, part): &(usize, &str)| (FEWEST_CELLS..text.len()).contains(&part.len());
        for (index, part) in fields(text, separator).enumerate().filter(long) {
            let inner = field(line, part);
            // `| 1 2 3 4 |` is a part of a row.
            let is_word = ",;\t".contains(separator) || !inner.text.contains(char::is_whitespace);
            if is_word && is_whole(&inner, options) {
                let column = Column { separator, index, is_named: false, shape: None };
                let is_wanted = has_blank(&inner.text) != options.solutions;
                found.push(BoardColumn { column, length: inner.text.len(), is_wanted });
            }
        }
        if !found.is_empty() {
            return found;
        }
    }
    Vec::new()
}

/// The column with the longest boards; of two the one that is wanted, then that of most lines, then the first.
pub(super) fn puzzle_column(lines: &[Vec<BoardColumn>]) -> Option<Column> {
    let key = |column: Column| {
        let of = || lines.iter().flatten().filter(|board| board.column == column);
        let wanted = of().filter(|board| board.is_wanted).count();
        (of().map(|board| board.length).max(), wanted, of().count(), usize::MAX - column.index)
    };
    lines.iter().flatten().map(|board| board.column).max_by_key(|column| key(*column))
}

/// Whether a line may be the first of a table: no comment, and no mark of the separator as `sep=;`.
pub(super) fn begins_table(line: &str) -> bool {
    let text = content(line).trim().trim_matches('"');
    !text.is_empty() && text.strip_prefix("sep=").is_none_or(|rest| rest.chars().count() > 1)
}

/// The column that the first line of a table names, if any line below has something as long as a board; of several
/// the first that has it, with a blank if puzzles are wanted.
pub(super) fn named_column(head: &[TextLine], names: &str) -> Option<Column> {
    let mut lines = head.iter().map(|line| &*line.text);
    let first = content(lines.find(|line| begins_table(line))?);
    let has_name = |field: &str, names| is_of(names, field.trim().trim_matches(['"', '\'']));
    let is_long = |field: &str| content(field).len() >= FEWEST_CELLS;
    [',', ';', '\t'].into_iter().find_map(|separator| {
        let is_wanted = |field: &str| is_long(field) && (names == SOLUTIONS || has_blank(field));
        let below = |of: Column| lines.clone().map(move |text| fields(row(of, text), separator));
        let has = |of: &Column, is: &dyn Fn(&str) -> bool| {
            below(*of).any(|mut row| row.nth(of.index).is_some_and(is))
        };
        let shape = fields(first, separator).position(|field| has_name(field, SHAPE));
        let named = fields(first, separator).zip(0..).filter(|(field, _)| has_name(field, names));
        let all = named.map(|(_, index)| Column { separator, index, is_named: true, shape });
        let column =
            all.max_by_key(|of| (has(of, &is_wanted), has(of, &is_long), Reverse(of.index)))?;
        let is_table = first.contains(separator) && below(column).any(|mut row| row.any(is_long));
        is_table.then_some(column)
    })
}

/// The error of a line with another board than its puzzle and the solution: only one would be read.
fn rival(of: Column, line: &TextLine, puzzle: &TextLine, options: &Options) -> Option<ParseError> {
    let read = |line: &TextLine| parse(slice::from_ref(line), options);
    let board = if of.is_named || options.solutions { None } else { read(puzzle).ok() }?;
    let is_solution = |other: &ParsedBoard| {
        let mut pairs = board.givens.iter().zip(&other.givens);
        other.givens.len() == board.givens.len()
            && pairs.all(|(given, value)| *value != BLANK && [BLANK, *value].contains(given))
    };
    let is_cell = |c: char| c == ' ' || options.symbols().is_cell(c);
    // A board, or one with a slip.
    let is_board = |text: &str| 2 * text.len() > board.givens.len() && text.chars().all(is_cell);
    let others = fields(content(&line.text), of.separator).map(|part| field(line, part));
    others.filter(|other| other.column != puzzle.column && is_board(&other.text)).find_map(|other| {
        let error = match read(&other) {
            Ok(other) if is_solution(&other) => return None,
            Ok(_) => ParseError::new("a second board, which is not the solution of the first: write it on another line"),
            // A slip in a solution does no harm.
            Err(_) if board.givens.contains(&BLANK) => return None,
            Err(error) => error,
        };
        Some(ParseError { at: error.at.or(Some(other.at(0))), ..error })
    })
}

/// The puzzle in a line of a list, which may be a head.
pub(super) fn listed(
    line: TextLine,
    column: Option<Column>,
    is_head: bool,
    options: &Options,
) -> Option<Result<TextLine, ParseError>> {
    let text = column.map_or_else(|| content(&line.text), |column| row(column, &line.text));
    let is_value = |c: char| options.alphabet.as_ref().is_some_and(|all| all.is_value(c));
    let is_cell = |c: &char| c.is_ascii_digit() || ".-_*".contains(*c) || is_value(*c);
    let long = |text: &str| text.chars().filter(is_cell).count() >= FEWEST_CELLS;
    // `solution = "..."` below a puzzle.
    let is_table = column.is_some_and(|column| ",;\t".contains(column.separator));
    let name = text.trim_start().split(|c: char| !c.is_alphanumeric()).next();
    if !is_table && name.is_some_and(|name| is_of(SOLUTIONS, name)) {
        return None;
    }
    // What is left of `#` in it is a part of a name.
    let kind = options.symbols().kind(&text.replace('#', " "));
    if let (
        Some(column @ Column { separator, index, shape, .. }),
        LineKind::Cells | LineKind::Text,
    ) = (column, kind)
    {
        let found = fields(text, separator).nth(index);
        let longest =
            || fields(text, separator).filter(|one| long(one)).max_by_key(|one| one.len());
        // A damaged puzzle is not replaced by its solution. The puzzle takes the place of a solution that is missing.
        let is_row = is_table && !(is_head && kind == LineKind::Text);
        let is_board = |field: &str| is_row && !(options.solutions && field.trim().is_empty());
        if let Some(found) = found.filter(|field| is_board(field) || long(field)).or_else(longest) {
            let mut found = field(&line, found);
            if let Some(shape) = shape.and_then(|shape| fields(text, separator).nth(shape)) {
                let cells = [found.text.split_whitespace().count(), found.text.chars().count()];
                found.text += &boxes_of(&field(&line, shape).text, &cells);
            }
            // A comment may state the boxes.
            found.text.push_str(&line.text[text.len()..]);
            return Some(rival(column, &line, &found, options).map_or(Ok(found), Err));
        }
    }
    match kind {
        // A head among puzzles, and a rule between them.
        LineKind::Text | LineKind::Rule if !long(text) => None,
        LineKind::Empty { .. } => None,
        LineKind::Cells | LineKind::Text | LineKind::Rule => Some(Ok(line)),
    }
}

#[cfg(test)]
mod tests {
    use crate::format::{Options, PuzzleReader, line};

    const ONE: &str = "1..4..1..1..4...";
    const TWO: &str = "...1.1....3.3..4";
    /// Full boards with the givens of these.
    const SOLVED: [&str; 2] = ["1234341221434321", "2341412314323214"];

    /// The puzzles, or the solutions.
    fn read(text: &str, solutions: bool) -> Vec<String> {
        let options = Options { solutions, ..Options::default() };
        PuzzleReader::new(text.as_bytes(), "table", "table", &options)
            .map(|reading| match reading {
                Ok(reading) => line(reading.puzzle.geometry, &reading.puzzle.givens),
                Err(error) => error.to_string(),
            })
            .collect()
    }

    #[test]
    fn names_may_have_the_mark_of_a_comment() {
        let [one, two] = SOLVED;
        for text in [
            format!("puzzle,name,shape,solution\n{ONE},games#1,2x2,{one}\n{TWO},#2,2x2,{two}\n"),
            format!("name,puzzle,solution\nbook #1,{ONE},{one}\n7#2,{TWO},{two} # the last\n"),
            format!("name\tpuzzle\tsolution\n#\n # {ONE}\na#1\t{ONE}\t{one}\n-#2\t{TWO}\t{two}\n"),
            format!(
                "{{\"name\":\"#1\",\"puzzle\":\"{ONE}\",\"solution\":\"{one}\"}}\n{{\"name\":\"]#\",\"puzzle\":\"{TWO}\",\"solution\":\"{two}\"}} # {ONE}\n"
            ),
            format!(
                "[{{'name': '#1', 'puzzle': '{ONE}', 'solution': '{one}'}},\n{{'name': \"Tom's \\\"#2\\\"\", 'puzzle': '{TWO}', 'solution': '{two}'}}]\n"
            ),
        ] {
            assert_eq!(read(&text, false), [ONE, TWO], "{text}");
            assert_eq!(read(&text, true), SOLVED, "{text}");
        }
        let headless = format!("\"book #1\",{ONE} # \"one\"\n\"book #2\",{TWO}\n");
        assert_eq!(read(&headless, false), [ONE, TWO]);
        for end in [" # a, boxes of 3x2", ",#1,3x2", ",#1,3x2# a"] {
            let text = format!("puzzle,name,shape\n..3.5.3...4.2..6...2....1...344.....{end}\n");
            let mut all = PuzzleReader::new(text.as_bytes(), "x", "x", &Options::default());
            assert_eq!(all.next().unwrap().unwrap().puzzle.geometry.to_string(), "3x2", "{text}");
        }
        // A row may be short, and a comment may stand in each column behind the last that is read.
        let short = format!("puzzle,solution,name\n{ONE} # easy, {two}\n{TWO},{two}#, {one},\n");
        assert_eq!(read(&short, false), [ONE, TWO]);
        assert_eq!(read(&short, true)[1..], SOLVED[1..]);
    }

    #[test]
    fn a_head_may_stand_below_comments_and_come_again() {
        let [one, two] = SOLVED;
        for (head, row) in [("id,puzzle,solution", "1,"), ("id,level", "7,")] {
            let table = format!("{head}\n{row}{ONE},{one}\n{row}{TWO},{two}\n");
            for separator in [",", ";", "\t"] {
                let table = table.replace(',', separator);
                for above in ["# a comment, with 1\n", "\n", &format!("\n#\nsep={separator}\n")] {
                    let text = format!("{above}{table}");
                    assert_eq!(read(&text, false), [ONE, TWO], "{text}");
                }
                let joined = format!("{table}\u{feff}{table}");
                assert_eq!(read(&joined, false), [ONE, TWO, ONE, TWO], "{joined}");
            }
        }
        // Another head is no puzzle, and is not left out in silence.
        let other = format!("id,puzzle\n1,{ONE}\nid,grid\n2,{TWO}\n");
        assert_eq!(
            read(&other, false),
            [ONE, "table: puzzle 2, line 3 column 4: the text has no cells", TWO]
        );
    }

    #[test]
    fn separators_in_quotation_marks_part_nothing() {
        let [one, two] = SOLVED;
        for separator in [",", ";", "\t"] {
            for name in
                ["\"Smith, John\"", "\"\"", "\"a, \"\"b, c\"\"\"", " \"a,b\" ", "5'10\"", "\"open"]
            {
                let text = format!("name,solution,puzzle\n{name},{one},{ONE}\nx,{two},\"{TWO}\"\n");
                let text = text.replace(',', separator);
                assert_eq!(read(&text, false), [ONE, TWO], "{text}");
                assert_eq!(read(&text, true), SOLVED, "{text}");
            }
            let head =
                format!("\"Name, first\",\"solution\",puzzle\n1,{one},{ONE}\n2,{two},{TWO}\n");
            let head = head.replace(',', separator);
            assert_eq!(read(&head, false), [ONE, TWO], "{head}");
            let headless = format!("\"Smith, John\",{ONE}\nx,{TWO}\n").replace(',', separator);
            assert_eq!(read(&headless, false), [ONE, TWO], "{headless}");
        }
    }
}
