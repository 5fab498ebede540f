//! Lines to records: the parts of a text that hold one puzzle each.
//!
//! The first lines tell the arrangement:
//!
//! | arrangement | a record is |
//! | --- | --- |
//! | list | a line; of a table, its field in the column of the puzzles |
//! | blocks | as many rows as each has cells, whatever is between them; words end a block |
//! | arrays | what is between brackets ([`nested`](super::nested)) |
//! | XML | a game of OpenSudoku ([`opensudoku`](super::opensudoku)) |

use std::collections::VecDeque;
use std::{mem, slice};

use super::blocks::Blocks;
use super::layout::layouts;
use super::parse::{Options, parse};
use super::shape::{header, stated};
use super::table::{
    BoardColumn, Column, PUZZLES, begins_table, columns_of, listed, named_column, names_places,
    puzzle_column, wanted_names,
};
use super::text::{LineReader, ReadError, TextLine, content};
use super::text_record::{TextRecord, is_consistent, is_whole};
use super::tokens::LineKind;
use super::{ParseError, nested, opensudoku};
use crate::board::{Geometry, MAX_SIDE};
use crate::util::quantity::counted;

/// Lines after which arrays that are no board are looked at only at the end.
const MOST_ARRAYS: usize = 1_024;

/// Why places and values are refused.
const PLACES: &str =
    "a list of rows, columns and values is not supported: write the board row by row";

/// How puzzles follow each other in a text.
#[derive(Clone, Debug)]
enum Arrangement {
    List {
        column: Option<Column>,
        /// The first line, which may be a head; nothing before it.
        head: Option<String>,
    },
    Blocks(Blocks),
    Arrays {
        lines: Vec<TextLine>,
        depth: isize,
    },
    Xml {
        text: String,
    },
    /// The lines are two things at once.
    Ambiguous(Option<ParseError>),
}

/// The records of a text.
pub(super) struct Records<'a> {
    head: VecDeque<TextLine>,
    lines: LineReader<'a>,
    arrangement: Arrangement,
    options: Options,
    ready: VecDeque<TextRecord>,
    /// The comment above a list that states its boxes.
    boxes: String,
    /// Lines of words in a list, below its first line, and the number of the first of them.
    skipped: (u64, usize),
}

impl<'a> Records<'a> {
    /// The records of `head` and the lines after it.
    pub fn new(head: Vec<TextLine>, lines: LineReader<'a>, options: &Options) -> Self {
        let arrangement = arrangement(&head, options);
        let is_content = |line: &TextLine| !content(&line.text).trim().is_empty();
        let above = &head[..head.iter().position(is_content).unwrap_or_default()];
        let boxes = stated(above).map_or(String::new(), |shape| format!(" # boxes of {shape}"));
        let (head, options, ready) = (head.into(), options.clone(), VecDeque::new());
        Self { head, lines, arrangement, options, ready, boxes, skipped: (0, 0) }
    }

    /// How many lines of a list hold no puzzle, in a sentence about `label`.
    pub fn remark(&self, label: &str) -> Option<String> {
        let (count, first) = self.skipped;
        let lines = counted(count, "line");
        (count > 0)
            .then(|| format!("{label}: skipped {lines} without a puzzle; first line: {first}"))
    }

    /// Takes the next line, or the end.
    fn push(&mut self, line: Option<TextLine>) {
        let (options, ready) = (&self.options, &mut self.ready);
        match &mut self.arrangement {
            Arrangement::List { column, head } => {
                // Tables that were joined have it several times.
                let is_head = line.as_ref().is_some_and(|TextLine { text, .. }| {
                    !begins_table(text) || head.get_or_insert_with(|| text.clone()) == text
                });
                let is_words = |line: &&TextLine| {
                    !is_head && options.symbols().kind(&line.text) == LineKind::Text
                };
                let words = line.as_ref().filter(is_words).map(|line| line.number);
                let line = line.and_then(|line| listed(line, *column, is_head, options));
                let record = |line: Result<TextLine, ParseError>| {
                    // A comment in the line itself comes first.
                    let whole =
                        |line: TextLine| vec![TextLine { text: line.text + &self.boxes, ..line }];
                    TextRecord { listed: true, ..TextRecord::of(line.map(whole)) }
                };
                if let (None, Some(number)) = (&line, words) {
                    let (count, first) = self.skipped;
                    self.skipped = (count + 1, if count == 0 { number } else { first });
                }
                ready.extend(line.map(record));
            }
            Arrangement::Blocks(blocks) => {
                blocks.push(line);
                ready.append(&mut blocks.ready);
            }
            Arrangement::Arrays { lines, depth } => {
                let is_end = line.is_none();
                *depth += line.as_ref().map_or(0, nested::depth);
                lines.extend(line);
                // Rows that are arrays without one around them make a board together.
                if *depth <= 0 && lines.len() < MOST_ARRAYS || is_end {
                    let boards = nested::boards(lines, options, is_end);
                    if !boards.is_empty() {
                        ready.extend(boards.into_iter().map(|lines| TextRecord::of(Ok(lines))));
                        lines.clear();
                        *depth = 0;
                    } else if is_end && nested::are_places(lines, options) {
                        lines.clear();
                        ready.push_back(TextRecord::of(Err(ParseError::new(PLACES))));
                    } else if is_end && !nested::are_solutions(lines) {
                        let mut blocks = Blocks::new(options);
                        let lines = mem::take(lines).into_iter().map(Some).chain([None]);
                        lines.for_each(|line| blocks.push(line));
                        ready.append(&mut blocks.ready);
                    }
                }
            }
            Arrangement::Xml { text } => match line {
                Some(line) => *text += &(line.text + "\n"),
                None => ready.extend(opensudoku::games(&mem::take(text))),
            },
            Arrangement::Ambiguous(error) => {
                ready.extend(error.take().map(|error| TextRecord::of(Err(error))));
            }
        }
    }
}

impl Iterator for Records<'_> {
    type Item = Result<TextRecord, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(record) = self.ready.pop_front() {
                return Some(Ok(record));
            }
            let line = self.head.pop_front().map(Ok).or_else(|| self.lines.next());
            let line = match line.transpose() {
                Ok(line) => line,
                Err(error) => return Some(Err(error)),
            };
            let is_end = line.is_none();
            self.push(line);
            if !self.ready.is_empty() {
                self.lines.restart();
            } else if is_end {
                return None;
            }
        }
    }
}

fn arrangement(head: &[TextLine], options: &Options) -> Arrangement {
    let symbols = options.symbols();
    let first = head.iter().find(|line| !content(&line.text).trim().is_empty());
    let Some(first) = first else { return Arrangement::Blocks(Blocks::new(options)) };
    if first.text.trim_start().starts_with('<') {
        return Arrangement::Xml { text: String::new() };
    }
    if head.iter().take(2).any(|line| names_places(&line.text)) {
        return Arrangement::Ambiguous(Some(ParseError::new(PLACES)));
    }
    // An array below rows is no puzzle, but a note.
    let opens = head
        .iter()
        .find(|line| nested::opens(&line.text) || symbols.kind(&line.text) == LineKind::Cells);
    if options.alphabet.is_none() && opens.is_some_and(|line| nested::opens(&line.text)) {
        return Arrangement::Arrays { lines: Vec::new(), depth: 0 };
    }
    let named = |names| named_column(head, names);
    if let Some(column) = named(wanted_names(options)).or_else(|| named(PUZZLES)) {
        return Arrangement::List { column: Some(column), head: None };
    }
    let is_cells = |line: &&TextLine| symbols.kind(&line.text) == LineKind::Cells;
    let rows: Vec<&TextLine> = head.iter().filter(is_cells).collect();
    // A line that the head cuts off may be short.
    let wholes: Vec<&&TextLine> = rows.iter().filter(|line| is_whole(line, options)).collect();
    let tables: Vec<Vec<BoardColumn>> = rows.iter().map(|line| columns_of(line, options)).collect();
    let column = puzzle_column(&tables);
    let in_tables = tables.iter().filter(|columns| !columns.is_empty()).count();
    let is_table = in_tables > wholes.len() && in_tables * 2 >= rows.len();
    // Rows of a large board may be small boards, too: then all lines have to be.
    let is_sure = |line: &&&&TextLine| {
        let words = content(&line.text).split_whitespace().count();
        words == 1 || words > MAX_SIDE
    };
    let sure = wholes.iter().filter(is_sure).count();
    let is_list = wholes.len() > 1 && (sure * 2 >= rows.len() || wholes.len() == rows.len());
    match square_block(head, options) {
        _ if !is_table && !is_list => Arrangement::Blocks(Blocks::new(options)),
        Some(Ok(true)) => Arrangement::Blocks(Blocks::new(options)),
        Some(Err(error)) => Arrangement::Ambiguous(Some(error)),
        Some(Ok(false)) | None => {
            Arrangement::List { column: column.filter(|_| is_table), head: None }
        }
    }
}

/// Whether the first block is a board whose rows could be puzzles of a list: sixteen lines of sixteen numbers. Nothing
/// if it is no such block.
///
/// # Errors
/// When it may as well be a list.
fn square_block(head: &[TextLine], options: &Options) -> Option<Result<bool, ParseError>> {
    let symbols = options.symbols();
    let (sizes, body) = header(head, symbols);
    if !sizes.is_empty() {
        return Some(Ok(true));
    }
    let is_cells = |line: &&TextLine| symbols.kind(&line.text) == LineKind::Cells;
    let first = slice::from_ref(body.iter().find(is_cells)?);
    let (block, square) = layouts(first, symbols).iter().find_map(|layout| {
        let last = body.iter().filter(is_cells).nth(layout.count().checked_sub(1)?)?;
        let block = &body[..=body.iter().position(|line| line.number == last.number)?];
        let square = layouts(block, symbols).iter().find_map(|layout| layout.square(None))?;
        Some((block, square))
    })?;
    let shape = options.stated(block);
    let side = square.len();
    if let Some(shape) = shape {
        return Some(Ok(shape.side() == side));
    }
    let board = is_consistent(block, options);
    let list = square.iter().all(|row| is_consistent(slice::from_ref(row.line), options));
    if board && list {
        let small = side.isqrt();
        let (large, small) = (Geometry::squarest(side)?, Geometry::squarest(small)?);
        return Some(Err(ParseError::new(format!(
            "{side} lines of {side} cells may be a board or {side} boards of {} cells; use --box {large} for one board, --box {small} for several",
            small.cells()
        ))));
    }
    Some(Ok(board || !list && parse(block, options).is_ok()))
}
