//! Rows of several puzzles to records. Empty lines part puzzles, and the bands of a board. Four rows of sixteen are
//! a band, and wait for the next:
//!
//! ```text
//!            rows = width: a record
//!   ┌────────────────────────────────┐
//! block ── rows < width ──▶ band ── with the next, rows = width: a record
//!                            └───── with the next, rows > width: a record, which is short
//! ```

use std::borrow::Cow;
use std::collections::{BTreeSet, VecDeque};
use std::mem;

use super::Alphabet;
use super::diagnosis::unknown;
use super::layout::{columns, is_sequence, layouts, may_be_blank, unlabelled};
use super::parse::{Options, ParsedBoard, parse};
use super::shape::{header, is_side, is_size, stated};
use super::table::{PUZZLES, SOLUTIONS, is_of};
use super::text::{TextLine, content};
use super::text_record::{TextRecord, is_consistent};
use super::tokens::{Cut, LineKind};
use crate::board::{BLANK, MAX_SIDE};

/// Lines of cells after which a block is split, though nothing ends it: more than the cells of any board.
const MOST_LINES: usize = 8_192;

/// Puzzles in rows.
#[derive(Clone, Debug, Default)]
pub(super) struct Blocks {
    options: Options,
    /// The records that are complete.
    pub ready: VecDeque<TextRecord>,
    /// The lines since the last empty one.
    block: Vec<TextLine>,
    /// Blocks before it that are no board yet.
    band: Vec<TextLine>,
    /// The rows of the first of these.
    height: usize,
    tags: Vec<String>,
    /// Whether there was a puzzle.
    has_puzzle: bool,
    /// Whether there was a section of a puzzle, as `[Puzzle]`.
    sections: bool,
    /// Whether the rows are those of a section that is no puzzle.
    skips: bool,
    /// Whether the next boards are solutions, as far as they are complete.
    is_solution: bool,
}

/// What a block is.
enum Measure {
    /// A board.
    Whole,
    /// So many rows of this width, of which the lines are these.
    Rows { width: usize, lines: Vec<usize> },
    /// Rows of several widths.
    Irregular,
}

impl Blocks {
    /// No line yet.
    pub fn new(options: &Options) -> Self {
        Self { options: options.clone(), ..Self::default() }
    }

    /// Takes the next line, or the end.
    pub fn push(&mut self, line: Option<TextLine>) {
        let Some(line) = line else { return self.end() };
        let symbols = self.options.symbols();
        match symbols.kind(&line.text) {
            LineKind::Empty { comment: false } => {
                self.end_block();
                // It shows where a band ends.
                if !self.band.is_empty() {
                    self.band.push(line);
                }
            }
            LineKind::Empty { comment: true } => {
                let tag = tag(&line.text);
                if tag.is_some() || stated(std::slice::from_ref(&line)).is_some() {
                    self.end();
                }
                self.tags.extend(tag.map(str::to_owned));
                self.block.push(line);
            }
            LineKind::Text => {
                self.end();
                let words = line.text.split(|c: char| !c.is_alphanumeric());
                let mut words = words.filter(|word| !word.is_empty());
                let is_section = line.text.trim_start().starts_with('[');
                let is_solution = words.clone().next().is_some_and(|word| is_of(SOLUTIONS, word));
                let is_puzzle = words.clone().any(|word| is_of(PUZZLES, word));
                let is_name = |word: &str| is_of(PUZZLES, word) || word.parse::<u32>().is_ok();
                // Where `[Puzzle]` or `[Puzzle 1]` is a section, another is no puzzle unless its name says so.
                self.sections |= is_section && is_puzzle && words.all(is_name);
                self.skips = is_section && (is_solution || self.sections && !is_puzzle);
                self.is_solution = self.has_puzzle && is_solution;
            }
            LineKind::Cells | LineKind::Rule if self.skips => {}
            LineKind::Rule => {
                // A frame ends, and the next begins.
                let is_edge = |line: &TextLine| {
                    symbols.kind(&line.text) == LineKind::Rule
                        && !line.text.chars().all(may_be_blank)
                };
                if is_edge(&line) && self.block.last().is_some_and(is_edge) {
                    self.end();
                }
                self.block.push(line);
            }
            LineKind::Cells => {
                // A number above rows is the size of the next board.
                let wide = |line: &TextLine| content(&line.text).trim().chars().count() > 5;
                let is_next = is_size(&line.text) && self.block.iter().any(wide);
                if is_next || self.is_head(&line) {
                    self.end();
                }
                self.block.push(line);
                if self.block.len() > MOST_LINES {
                    self.end_block();
                }
            }
        }
    }

    /// Whether a line is the head row of labels with which the board before began, too.
    fn is_head(&self, line: &TextLine) -> bool {
        let symbols = self.options.symbols();
        // A row of blanks may be taken for a rule.
        let is_row = |line: &&TextLine| !matches!(symbols.kind(&line.text), LineKind::Empty { .. });
        let before = self.band.iter().chain(&self.block).filter(is_row);
        let (Some(cells), Some(first)) = (symbols.cells(line, Cut::Words), before.clone().next())
        else {
            return false;
        };
        let side = cells.len();
        if first.text != line.text || before.clone().count() <= side || !is_sequence(&cells) {
            return false;
        }
        // A row may be the same, too.
        let board = |start: usize| {
            let rows: Vec<TextLine> = before.clone().skip(start).take(side).cloned().collect();
            is_consistent(&rows, &self.options)
        };
        board(1) || !board(0)
    }

    fn emit(&mut self, lines: Vec<TextLine>) {
        let symbols = self.options.symbols();
        let is_blank =
            || layouts(&lines, symbols).iter().any(|layout| layout.square(None).is_some());
        if lines.iter().any(|line| symbols.kind(&line.text) == LineKind::Cells) || is_blank() {
            let is_complete = |board: ParsedBoard| !board.givens.contains(&BLANK);
            if self.is_solution && parse(&lines, &self.options).is_ok_and(is_complete) {
                return;
            }
            self.is_solution = false;
            let tags = mem::take(&mut self.tags);
            self.has_puzzle = true;
            self.ready.push_back(TextRecord { tags, ..TextRecord::of(Ok(lines)) });
        } else if stated(&lines).is_some() {
            // Words may stand between the boxes and their board.
            self.block.splice(..0, lines);
        }
    }

    /// Ends what has been read: nothing after it belongs to it.
    fn end(&mut self) {
        self.end_block();
        let band = mem::take(&mut self.band);
        self.emit(band);
    }

    /// Ends a block, which may be a band.
    fn end_block(&mut self) {
        let mut block = mem::take(&mut self.block);
        if block.is_empty() {
            return;
        }
        // A size, and an empty line.
        const MOST_SIZES: usize = 4;
        let is_size = |line: &TextLine| is_size(&line.text) || line.text.trim().is_empty();
        if self.band.len() <= MOST_SIZES && self.band.iter().all(is_size) {
            block.splice(..0, mem::take(&mut self.band));
        } else if self.band.iter().filter(|line| line.text.trim().is_empty()).count() > MAX_SIDE {
            let band = mem::take(&mut self.band);
            self.emit(band);
        }
        let both = [&self.band[..], &block[..]].concat();
        let Some(last) = self.band.last().map(|line| line.number) else {
            return self.end_first(block);
        };
        match measure(&both, &self.options) {
            Measure::Whole => {
                self.band.clear();
                self.emit(both);
            }
            Measure::Rows { width, lines } => {
                let before = lines.iter().filter(|line| **line <= last).count();
                let (rows, height) = (lines.len() - before, self.height);
                // The last band of a board and the first of the next may follow each other.
                let are_bands = height > 0
                    && width.is_multiple_of(height)
                    && [height, 2 * height].contains(&rows)
                    && (rows < width || self.are_halves(&both, &block));
                if before + rows > width && !are_bands {
                    let band = mem::take(&mut self.band);
                    self.emit(band);
                    return self.end_first(block);
                }
                self.band.append(&mut block);
                self.split_band();
            }
            Measure::Irregular if matches!(measure(&block, &self.options), Measure::Irregular) => {
                self.band.append(&mut block);
            }
            Measure::Irregular => {
                let band = mem::take(&mut self.band);
                self.emit(band);
                self.end_first(block);
            }
        }
    }

    /// Ends a block before which no band waits.
    fn end_first(&mut self, block: Vec<TextLine>) {
        match measure(&block, &self.options) {
            Measure::Whole => self.emit(block),
            Measure::Rows { width, lines } if lines.len() >= width => {
                self.split(block, width, &lines);
            }
            Measure::Rows { lines, .. } => (self.band, self.height) = (block, lines.len()),
            Measure::Irregular => (self.band, self.height) = (block, 0),
        }
    }

    /// Whether the rows of a block are the second half of a board and the first half of the next, and not a board.
    fn are_halves(&self, both: &[TextLine], block: &[TextLine]) -> bool {
        let board = first_board(both, &self.options);
        is_consistent(&both[..board], &self.options) || !is_consistent(block, &self.options)
    }

    /// Takes a board off the rows of the bands, if they are more.
    fn split_band(&mut self) {
        let board = first_board(&self.band, &self.options);
        if board < self.band.len() {
            let rest = self.band.split_off(board);
            let band = mem::replace(&mut self.band, rest);
            self.emit(band);
        }
    }

    /// Splits rows into boards. Where they do not come out even, rules of one kind may part them.
    fn split(&mut self, block: Vec<TextLine>, width: usize, rows: &[usize]) {
        let starts = match rows.len().is_multiple_of(width) {
            true => rows.iter().step_by(width).copied().collect(),
            false => rule_starts(&block, rows, width),
        };
        let mut parts: Vec<Vec<TextLine>> = vec![Vec::new()];
        let mut starts = starts.into_iter().skip(1).peekable();
        for line in block {
            if starts.next_if(|start| line.number >= *start).is_some() {
                parts.push(Vec::new());
            }
            parts.last_mut().expect("there is a first part").push(line);
        }
        parts.into_iter().for_each(|part| self.emit(part));
    }
}

/// Lines that begin a board after a rule of one kind, if most boards between such rules are whole.
fn rule_starts(block: &[TextLine], rows: &[usize], width: usize) -> Vec<usize> {
    let rules = block.iter().filter(|line| !rows.contains(&line.number));
    let kinds: BTreeSet<&str> = rules.map(|line| line.text.trim()).collect();
    let starts = |kind: &str| -> Vec<usize> {
        let rules = block.iter().filter(|line| line.text.trim() == kind);
        let after = rules.filter_map(|rule| rows.iter().find(|row| **row > rule.number));
        let mut starts: Vec<usize> = rows.first().into_iter().chain(after).copied().collect();
        starts.dedup();
        starts
    };
    let whole = |starts: &[usize]| {
        let before = |start: &usize| rows.partition_point(|row| row < start);
        let places: Vec<usize> = starts.iter().map(before).chain([rows.len()]).collect();
        let boards = places.windows(2).filter(|two| two[1] - two[0] == width);
        boards.count() * 2 >= starts.len()
    };
    kinds
        .into_iter()
        .map(starts)
        .find(|starts| starts.len() > 1 && whole(starts))
        .unwrap_or_default()
}

/// The number of lines before those of a second board.
fn first_board(lines: &[TextLine], options: &Options) -> usize {
    let second = match measure(lines, options) {
        Measure::Rows { width, lines } => lines.get(width).copied(),
        Measure::Whole | Measure::Irregular => None,
    };
    lines.iter().position(|line| Some(line.number) == second).unwrap_or(lines.len())
}

/// What the rows of these lines are.
fn measure(lines: &[TextLine], options: &Options) -> Measure {
    let symbols = options.symbols();
    let mut lines = Cow::Borrowed(lines);
    while let Some(inner) = unlabelled(&lines, symbols) {
        lines = Cow::Owned(inner);
    }
    let lines = &*lines;
    let (_, body) = header(lines, symbols);
    let layouts = layouts(body, symbols);
    let side = options.alphabet.as_ref().map(Alphabet::side);
    let is_square = layouts.iter().any(|layout| layout.square(side).is_some());
    if is_square && parse(lines, options).is_ok() {
        return Measure::Whole;
    }
    // All rows of one width, or at least most of them; then the more rows, and without a slip.
    let mut best = Measure::Irregular;
    let mut most = (0, 0, false);
    for layout in layouts.iter().filter(|layout| layout.square(side).is_none()) {
        let (width, rows) = (layout.width(), &layout.rows);
        let equal = rows.iter().filter(|row| row.cells.len() == width).count();
        let is_valid = rows.first().is_some_and(|row| unknown(&row.cells, symbols).is_none());
        let key = (1_000 * equal / rows.len().max(1), rows.len(), is_valid);
        let fits = is_side(width) && side.is_none_or(|side| side == width);
        if fits && key.0 > 500 && key > most {
            let lines = rows.iter().map(|row| row.line.number).collect();
            (best, most) = (Measure::Rows { width, lines }, key);
        }
    }
    let is_even = most.0 == 1_000;
    let rows = || body.iter().filter(|line| symbols.kind(&line.text) == LineKind::Cells);
    if !columns(body, symbols).is_empty() {
        return Measure::Whole;
    }
    // Several boards whose blanks are blank space.
    let count = rows().count();
    for width in (2..=count / 2).filter(|width| is_side(*width) && count.is_multiple_of(*width)) {
        let first: Vec<TextLine> = rows().take(width).cloned().collect();
        if !is_even && !columns(&first, symbols).is_empty() {
            return Measure::Rows { width, lines: rows().map(|line| line.number).collect() };
        }
    }
    // A square with a slip, if its rows are nothing else.
    if !is_even && is_square { Measure::Whole } else { best }
}

/// The remark in a line, with its letter.
fn tag(line: &str) -> Option<&str> {
    // Of the author, description, comment, date, source, level, address. `# C` is no remark.
    let is_key = |letter: char| "ADCBSLU".contains(letter);
    line.trim_end().strip_prefix('#').filter(|tag| tag.len() > 1 && tag.starts_with(is_key))
}
