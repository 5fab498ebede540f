//! Rows to the shape of a board: the fourth stage of reading. The side comes from the number of cells, the boxes from
//! what is drawn.
//!
//! ```text
//! 1 2 | . 4 | 5 6        what is between cells differs after every second: boxes of two columns,
//! 3 4 | 1 . | . .
//! . . | . . | 2 .
//! ----+-----+----        what is between rows differs after every third: boxes of three rows
//! ```
//!
//! Bars, double bars, gaps, empty lines, and thick lines among thin ones are read alike: what follows the first
//! cell is the usual, and what differs from it has to come at equal distances.

use std::collections::BTreeMap;

use super::ParseError;
use super::layout::CellRow;
use super::text::{TextLine, content};
use super::tokens::{CellText, LineKind, Symbols};
use crate::board::{Geometry, MAX_SIDE, MIN_SIDE};
use crate::util::quantity::noun;

/// Whether a board of some shape has this side.
pub(super) fn is_side(side: usize) -> bool {
    Geometry::squarest(side).is_some()
}

/// Whether a board of some shape has `cells` cells.
pub(super) fn is_board(cells: usize) -> bool {
    cells.isqrt().pow(2) == cells && is_side(cells.isqrt())
}

/// The side of the board whose number of cells is nearest to `cells`.
pub(super) fn nearest_side(cells: usize) -> usize {
    let sides = (MIN_SIDE..=MAX_SIDE).filter(|side| is_side(*side));
    sides.min_by_key(|side| (side * side).abs_diff(cells)).unwrap_or(MIN_SIDE)
}

/// The error for a number of cells that no board has.
pub(super) fn no_board(cells: &[CellText]) -> ParseError {
    let count = cells.len();
    let (lines, usual) = line_lengths(cells).unwrap_or_default();
    let nearest = if is_side(usual) { usual } else { nearest_side(count) };
    let (found, expected) = (noun(count as u64, "cell"), nearest * nearest);
    if count == expected {
        return ParseError::new(format!(
            "{count} cells are right for a {nearest}x{nearest} board, but they are not in rows of {nearest}"
        ));
    }
    ParseError::new(format!(
        "{count} {found}{lines}; the nearest board is {nearest}x{nearest} with {expected} cells"
    ))
}

/// The error for a number of cells that does not fit the box shape requested.
pub(super) fn other_count(cells: usize, shape: Geometry) -> ParseError {
    let (found, expected) = (noun(cells as u64, "cell"), shape.cells());
    ParseError::new(format!(
        "{cells} {found}, but a board with boxes of {shape} has {expected} cells"
    ))
}

/// How the cells are distributed over the lines of a text, as `, 8 lines of 9`, and the number of cells that most
/// lines have; `None` where that does not help to find an error.
fn line_lengths(cells: &[CellText]) -> Option<(String, usize)> {
    // Fewer lines allow no conclusion.
    const FEWEST: usize = 3;
    let mut lengths: BTreeMap<usize, usize> = BTreeMap::new();
    for cell in cells {
        *lengths.entry(cell.at.line).or_default() += 1;
    }
    // Of three that are equal but one, two are equal.
    let mut sorted: Vec<usize> = lengths.values().copied().collect();
    sorted.sort_unstable();
    let usual = *sorted.get(sorted.len() / 2).filter(|_| sorted.len() >= FEWEST)?;
    let mut others = lengths.iter().filter(|(_, cells)| **cells != usual);
    let text = match (others.next(), others.next()) {
        (None, _) => format!(", {} lines of {usual}", lengths.len()),
        (Some((line, cells)), None) => {
            format!(", {cells} of them in line {line} where other lines have {usual}")
        }
        _ => return None,
    };
    Some((text, usual))
}

/// The boxes that a comment states: `boxes of 3x2`.
pub(super) fn stated(lines: &[TextLine]) -> Option<Geometry> {
    lines.iter().find_map(|line| {
        let (_, comment) = line.text.split_once('#')?;
        let (_, shape) = comment.split_once("boxes of ")?;
        shape.split_whitespace().next()?.parse().ok()
    })
}

/// The numbers in a line, if it holds a size: `9`, `3 3`, `9x9`.
fn sizes(line: &str) -> Option<Vec<usize>> {
    const LONGEST: usize = 5;
    let text = content(line).trim();
    let words: Vec<&str> = match text.split_once(['x', 'X']) {
        Some((rows, cols)) => vec![rows, cols],
        None => text.split_whitespace().collect(),
    };
    // Rows whose blanks are blank space may be as short.
    let is_row =
        line != text && !line.contains('#') || text.contains(['\t', ',']) || text.contains("  ");
    let fits = !text.is_empty() && text.len() <= LONGEST && words.len() <= 2 && !is_row;
    // `0012` is a row.
    let size = |word: &&str| {
        let is_plain = !word.starts_with(['0', '+']);
        word.parse().ok().filter(|size| is_plain && *size <= MAX_SIDE)
    };
    words.iter().map(size).collect::<Option<Vec<usize>>>().filter(|_| fits)
}

/// Whether a line may be the size of the board below it.
pub(super) fn is_size(line: &str) -> bool {
    sizes(line).is_some()
}

/// The numbers before the rows of a board, its size or its order, and the lines after them. `9`, `3 3`, and `3` above
/// `1` are such numbers. Where all cells stand one a line, none is.
pub(super) fn header<'a>(lines: &'a [TextLine], symbols: Symbols) -> (Vec<usize>, &'a [TextLine]) {
    let mut numbers: Vec<usize> = Vec::new();
    let mut body = lines;
    for (index, line) in lines.iter().enumerate() {
        if symbols.kind(&line.text) != LineKind::Cells {
            continue;
        }
        let sizes = sizes(&line.text).filter(|sizes| numbers.len() + sizes.len() <= 2);
        let Some(sizes) = sizes else {
            let is_row = content(&line.text).trim().chars().count() > 3;
            let is_header = is_row && !numbers.is_empty();
            return if is_header { (numbers, body) } else { (Vec::new(), lines) };
        };
        numbers.extend(sizes);
        // A row of blanks may look like a rule.
        body = &lines[index + 1..];
    }
    (Vec::new(), lines)
}

/// The shape that is stated, or that a header says of a board with this side.
///
/// # Errors
/// When the header says another side.
pub(super) fn shape_of(
    header: &[usize],
    stated: Option<Geometry>,
    side: usize,
) -> Result<Option<Geometry>, ParseError> {
    let shape = match *header {
        _ if stated.is_some() => stated,
        [one] | [one, _] if one * one == side => Geometry::new(one, one).ok(),
        // Another number counts the puzzles.
        [] | [_] => return Ok(None),
        [one, _] if one == side => return Ok(None),
        [rows, cols] if rows * cols == side => Geometry::new(rows, cols).ok(),
        _ => None,
    };
    shape.map(Some).ok_or_else(|| {
        let header = header.iter().map(usize::to_string).collect::<Vec<_>>().join(" ");
        ParseError::new(format!(
            "the rows make a board of side {side}, but the line above them gives the size {header}"
        ))
    })
}

/// The boxes that a square of rows shows, if it shows any.
///
/// # Errors
/// When what is between columns and what is between rows show boxes of two sides.
pub(super) fn drawn(
    rows: &[CellRow],
    lines: &[TextLine],
    symbols: Symbols,
) -> Result<Option<Geometry>, ParseError> {
    let side = rows.len();
    let (cols, height) = (box_cols(rows), box_rows(rows, lines, symbols));
    let shape = match (height, cols) {
        (None, None) => return Ok(None),
        (Some(height), Some(cols)) if height * cols != side => {
            return Err(ParseError::new(format!(
                "the frames show boxes of {height} rows and {cols} columns, but a board of side {side} has \
                 no such boxes; set the boxes with --box"
            )));
        }
        (Some(height), _) => Geometry::new(height, side / height),
        (None, Some(cols)) => Geometry::new(side / cols, cols),
    };
    Ok(shape.ok())
}

/// The columns of a box, by bars or gaps between cells.
fn box_cols(rows: &[CellRow]) -> Option<usize> {
    let bars: Vec<Vec<String>> = rows.iter().map(bars).collect();
    let first = bars.first()?;
    if first.windows(2).any(|two| two[0] != two[1]) {
        return bars.iter().all(|bars| bars == first).then(|| period(first)).flatten();
    }
    // From start to start, from end to end of numbers that are aligned at the right, or from end to start of
    // cells that are not aligned.
    let steps = |step: for<'a> fn(&[CellText<'a>]) -> usize| -> Option<Vec<usize>> {
        let steps = |row: &CellRow| row.cells.windows(2).map(step).collect::<Vec<usize>>();
        let first = steps(&rows[0]);
        rows.iter().all(|row| steps(row) == first).then_some(first)
    };
    let steps = steps(|two| two[1].at.column.saturating_sub(two[0].at.column))
        .or_else(|| steps(|two| two[1].end().saturating_sub(two[0].end())))
        .or_else(|| steps(|two| two[1].at.column.saturating_sub(two[0].end())));
    period(&steps?)
}

/// What is between two cells each of a row, without blank space.
fn bars(row: &CellRow) -> Vec<String> {
    let line: Vec<char> = content(&row.line.text).chars().collect();
    let between = |two: &[CellText]| {
        let (start, end) = (two[0].end() - 1, two[1].at.column - 1);
        let bars = line.get(start..end).unwrap_or_default();
        bars.iter().filter(|c| !c.is_whitespace() && !"\"'".contains(**c)).collect()
    };
    row.cells.windows(2).map(between).collect()
}

/// The rows of a box, by rules or empty lines between rows.
fn box_rows(rows: &[CellRow], lines: &[TextLine], symbols: Symbols) -> Option<usize> {
    let between = |two: &[CellRow]| {
        let inside = two[0].line.number + 1..two[1].line.number;
        let lines = lines.iter().filter(|line| inside.contains(&line.number));
        let mark = |line: &TextLine| match symbols.kind(&line.text) {
            LineKind::Empty { comment: false } => Some(' '),
            LineKind::Rule => side_of_frame(&line.text),
            _ => None,
        };
        lines.filter_map(mark).collect::<String>()
    };
    period(&rows.windows(2).map(between).collect::<Vec<_>>())
}

/// The character that a rule mostly consists of: `-` in `+---+---+`.
fn side_of_frame(rule: &str) -> Option<char> {
    let mut counts: BTreeMap<char, usize> = BTreeMap::new();
    rule.chars().filter(|c| !c.is_whitespace()).for_each(|c| *counts.entry(c).or_default() += 1);
    counts.into_iter().max_by_key(|(_, count)| *count).map(|(c, _)| c)
}

/// The distance at which what differs from the first comes: 2 in `a b a b a`; nothing if it comes at none.
fn period<T: PartialEq>(between: &[T]) -> Option<usize> {
    let differs = |at: usize| between[at - 1] != between[0];
    let side = between.len() + 1;
    let distance = (1..side).find(|at| differs(*at))?;
    let is_regular = (1..side).all(|at| differs(at) == at.is_multiple_of(distance));
    (is_regular && side.is_multiple_of(distance)).then_some(distance)
}
