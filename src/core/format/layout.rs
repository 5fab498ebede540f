//! Cells to rows: the third stage of reading.
//!
//! Every [`Cut`] of the lines is tried, and those are kept whose rows make a board:
//!
//! | kind | example of a 4x4 board |
//! | --- | --- |
//! | square | `1..4`, and three more such rows; with labels `A 1..4`, and `1 2 3 4` above |
//! | columns | `|1 2 |   4|`: blank space is a blank, and the place of a cell tells its column |
//! | flat | `1..4 3.1. 2..1 .1..` on one line, or broken into other lines |

use std::collections::{BTreeMap, BTreeSet};

use super::TextPosition;
use super::shape::{is_board, is_side};
use super::text::{TextLine, content};
use super::tokens::{BLANKS, CellText, Cut, LineKind, Symbols, is_bar};
use crate::board::MIN_SIDE;

/// A row of cells, and the line that it is.
#[derive(Clone, Debug)]
pub(super) struct CellRow<'a> {
    pub line: &'a TextLine,
    pub cells: Vec<CellText<'a>>,
}

/// Lines that were cut into rows.
#[derive(Clone, Debug)]
pub(super) struct RowLayout<'a> {
    pub cut: Cut,
    pub rows: Vec<CellRow<'a>>,
}

/// The layouts of lines, one for each cut that is possible.
pub(super) fn layouts<'a>(lines: &'a [TextLine], symbols: Symbols) -> Vec<RowLayout<'a>> {
    let cuts = [Cut::Words, Cut::FramedWords, Cut::Characters, Cut::Dashes].into_iter();
    let cuts = cuts.chain(",;\t&|".chars().map(Cut::Fields)).chain([Cut::BarredFields]);
    // In an alphabet a cell is one character.
    let cuts = cuts.skip(if symbols.alphabet.is_some() { 2 } else { 0 });
    let has = |is: &dyn Fn(char) -> bool| lines.iter().any(|line| content(&line.text).contains(is));
    let (dashed, barred) = (has(&|c| c == '-'), has(&is_bar));
    let applies = |cut: &Cut| match *cut {
        Cut::FramedWords | Cut::Dashes => dashed,
        Cut::Fields(separator) => has(&|c| c == separator),
        Cut::BarredFields => barred,
        Cut::Words | Cut::Characters => true,
    };
    let kinds: Vec<LineKind> = lines.iter().map(|line| symbols.kind(&line.text)).collect();
    // Frames are in every row, a slip is in one.
    let rows = lines.iter().zip(&kinds).filter(|(_, kind)| **kind == LineKind::Cells);
    let mut unusual: Vec<Option<char>> =
        rows.map(|(line, _)| symbols.unusual(&line.text)).collect();
    let is_one = unusual.len() == 1;
    unusual.dedup();
    let are_frames = unusual.len() == 1 && !is_one || unusual == [None];
    let symbols = Symbols { unusual: !are_frames, ..symbols };
    let cuts = cuts.filter(applies);
    let mut layouts: Vec<RowLayout> =
        cuts.flat_map(|cut| RowLayout::of(lines, &kinds, symbols, cut)).collect();
    // `5 3 10 7`: among single characters the longer word is a number, be it too large.
    let is_spaced = |layout: &RowLayout| {
        let words = layout.cells();
        let single = words.iter().filter(|word| word.text.chars().count() == 1).count();
        let is_number = |word: &CellText| word.text.bytes().all(|byte| byte.is_ascii_digit());
        let numbers = words.iter().any(|word| word.text.len() > 1 && is_number(word));
        layout.cut == Cut::Words && numbers && 2 * single > words.len()
    };
    if layouts.iter().any(is_spaced) {
        layouts.retain(|layout| !matches!(layout.cut, Cut::Characters | Cut::Dashes));
    }
    layouts
}

/// The width that most rows have, and the larger one of two.
fn usual_width(rows: &[CellRow]) -> usize {
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    rows.iter().for_each(|row| *counts.entry(row.cells.len()).or_default() += 1);
    counts.into_iter().max_by_key(|(width, count)| (*count, *width)).map_or(0, |(width, _)| width)
}

impl<'a> RowLayout<'a> {
    /// The layouts with this cut: with the rules that may be rows of blanks, and without them.
    fn of(lines: &'a [TextLine], kinds: &[LineKind], symbols: Symbols, cut: Cut) -> Vec<Self> {
        let (mut rows, mut blank) = (Vec::new(), Vec::new());
        for (line, kind) in lines.iter().zip(kinds) {
            let cells = || symbols.cells(line, cut).map(|cells| CellRow { line, cells });
            match (kind, cells()) {
                (LineKind::Cells, None) => return Vec::new(),
                (LineKind::Cells, Some(row)) if !row.cells.is_empty() => rows.push(row),
                (LineKind::Rule, row) if content(&line.text).chars().all(may_be_blank) => {
                    blank.extend(row);
                }
                _ => {}
            }
        }
        let is_field = matches!(cut, Cut::Fields(_) | Cut::BarredFields);
        let is_one = |cell: &CellText| !is_field || !cell.text.contains(char::is_whitespace);
        if !rows.iter().all(|row| row.cells.iter().all(is_one)) {
            return Vec::new();
        }
        // A board may be blank as a whole.
        if rows.is_empty() {
            let width = usual_width(&blank);
            blank.retain(|row| row.cells.len() == width);
            rows.append(&mut blank);
        }
        let width = usual_width(&rows);
        let cells = rows.iter().filter(|_| !blank.is_empty()).flat_map(|row| &row.cells);
        let marks: BTreeSet<&str> = cells.map(|cell| cell.text).collect();
        let is_mark = |cell: &CellText| marks.contains(cell.text);
        blank.retain(|row| row.cells.len() == width && row.cells.iter().all(is_mark));
        // `- - - -`, `--|--` and `____` are rows, `----` may be one.
        let is_row = |row: &CellRow| {
            let text = content(&row.line.text);
            let is_between = |c: char| c.is_whitespace() || ",;:".contains(c) || is_bar(c);
            !text.contains('-')
                || text.contains(is_bar)
                || text.split(is_between).all(|word| word.chars().count() < 2)
        };
        let without = Self { cut, rows: rows.clone() };
        if blank.is_empty() {
            return vec![without];
        }
        // No frame has two rules next to each other.
        let are_adjacent = |two: &[CellRow]| two[0].line.number + 1 == two[1].line.number;
        let is_sure = blank.iter().all(is_row) || blank.windows(2).any(are_adjacent);
        rows.append(&mut blank);
        rows.sort_by_key(|row| row.line.number);
        let with = Self { cut, rows };
        if is_sure { vec![with] } else { vec![with, without] }
    }

    /// The width of most rows.
    pub fn width(&self) -> usize {
        usual_width(&self.rows)
    }

    /// All cells, row by row.
    pub fn cells(&self) -> Vec<CellText<'a>> {
        self.rows.iter().flat_map(|row| row.cells.iter().copied()).collect()
    }

    /// The number of all cells.
    pub fn count(&self) -> usize {
        self.rows.iter().map(|row| row.cells.len()).sum()
    }

    /// As many rows as each has cells, without labels; of this side, if one is stated.
    pub fn square(&self, side: Option<usize>) -> Option<Vec<CellRow<'a>>> {
        let fits = |rows: &[CellRow]| side.is_none_or(|side| side == rows.len()) && is_square(rows);
        let labelled = without_labels(&self.rows).filter(|rows| fits(rows));
        labelled.or_else(|| fits(&self.rows).then(|| self.rows.clone()))
    }

    /// The layout without a first or last column of empty fields, as rows like `5,3,4,` have.
    pub fn without_edge(&self) -> Option<Self> {
        let all = |cell: for<'b> fn(&'b [CellText<'a>]) -> Option<&'b CellText<'a>>| {
            self.rows.iter().all(|row| cell(&row.cells).is_some_and(|cell| cell.text.is_empty()))
        };
        let (first, last) = (all(<[CellText]>::first), all(<[CellText]>::last));
        let rows = || inner(&self.rows, [0, 0, first.into(), last.into()]);
        (first || last).then(|| Self { cut: self.cut, rows: rows() })
    }

    /// All cells one after the other, of a board whose rows the lines do not show.
    pub fn flat(&self) -> Option<Vec<CellText<'a>>> {
        let (width, count, total) = (self.width(), self.rows.len(), self.count());
        let side = total.isqrt();
        let is_equal = self.rows.iter().all(|row| row.cells.len() == width);
        // Broken lines have no frames.
        let is_framed = |row: &CellRow| {
            let dashes = !matches!(self.cut, Cut::Words | Cut::Dashes);
            content(&row.line.text)
                .contains(|c: char| is_bar(c) || "\t&".contains(c) || dashes && c == '-')
        };
        let fits = if count == 1 || width == 1 {
            true
        } else if self.rows.iter().any(is_framed) {
            false
        } else if is_equal {
            width.is_multiple_of(side) || side.is_multiple_of(width) && !is_side(width)
        } else {
            // Longer than rows, as a list of numbers is that is broken where a line is full.
            count < side
        };
        (is_board(total) && fits).then(|| self.cells())
    }
}

/// Whether a rule of such characters may be a row of blanks.
pub(super) fn may_be_blank(c: char) -> bool {
    "-,;:".contains(c) || c.is_whitespace() || is_bar(c) || BLANKS.contains(c)
}

fn is_square(rows: &[CellRow]) -> bool {
    is_side(rows.len()) && rows.iter().all(|row| row.cells.len() == rows.len())
}

/// The rows without so many at the top, at the bottom, and cells at the left and at the right.
fn inner<'a>(rows: &[CellRow<'a>], [top, bottom, left, right]: [usize; 4]) -> Vec<CellRow<'a>> {
    let kept = &rows[top..rows.len() - bottom];
    let cells = |row: &CellRow<'a>| {
        let end = row.cells.len().saturating_sub(right);
        row.cells.get(left..end).unwrap_or_default().to_vec()
    };
    kept.iter().map(|row| CellRow { line: row.line, cells: cells(row) }).collect()
}

/// The rows without the labels around them, if there are any.
fn without_labels<'a>(rows: &[CellRow<'a>]) -> Option<Vec<CellRow<'a>>> {
    // Labels at the top, the bottom, the left, the right. Most of them first: two sequences that cross are no
    // cells, and one may be a row.
    const EDGES: [u8; 8] = [0b1111, 0b1011, 0b1010, 0b1001, 0b0011, 0b1000, 0b0010, 0b0001];
    let edges = EDGES.map(|edges| [3, 2, 1, 0].map(|bit| usize::from(edges >> bit & 1)));
    let fits = |edges: &[usize; 4]| {
        let [top, bottom, left, right] = *edges;
        let kept = inner(rows, *edges);
        let width = kept.len() + left + right;
        let body = &rows[top..rows.len() - bottom];
        let column = |at: usize| -> Vec<CellText> {
            body.iter().filter_map(|row| row.cells.get(at).copied()).collect()
        };
        // The corners of a head may be empty or missing.
        let head = |row: &CellRow<'a>| {
            let cells = &row.cells;
            let spare = cells.len().checked_sub(kept.len())?;
            (spare <= left + right).then(|| cells[spare.min(left)..][..kept.len()].to_vec())
        };
        let is_head = |row: &CellRow<'a>| head(row).is_some_and(|cells| is_sequence(&cells));
        is_side(kept.len())
            && body.iter().all(|row| row.cells.len() == width)
            && (top == 0 || is_head(&rows[0]))
            && (bottom == 0 || is_head(&rows[rows.len() - 1]))
            && (left == 0 || is_sequence(&column(0)))
            && (right == 0 || is_sequence(&column(width - 1)))
    };
    // A first row `1 2 3 4` is a label where there are five.
    let mut edges = edges.into_iter().filter(|edges| edges[0] + edges[1] < rows.len());
    edges.find(fits).map(|edges| inner(rows, edges))
}

/// Whether cells count: `0 1 2 3`, `A B C D`, `r1 r2 r3 r4`.
pub(super) fn is_sequence<'a>(cells: &[CellText<'a>]) -> bool {
    let parts = |cell: &CellText<'a>| {
        let word = cell.text.trim_end_matches(['.', ')', ':']);
        let name = word.trim_end_matches(|c: char| c.is_ascii_digit());
        match (word[name.len()..].parse(), name.as_bytes()) {
            (Ok(number), _) => Some((name, number)),
            (Err(_), [letter @ b'a'..=b'z']) => Some(("a to z", usize::from(letter - b'a') + 1)),
            (Err(_), [letter @ b'A'..=b'Z']) => Some(("A to Z", usize::from(letter - b'A') + 1)),
            _ => None,
        }
    };
    let all: Vec<(&str, usize)> = cells.iter().map_while(parts).collect();
    let counts = all.windows(2).all(|two| two[0].0 == two[1].0 && two[0].1 + 1 == two[1].1);
    all.len() == cells.len() && all.len() >= MIN_SIDE && all[0].1 < 2 && counts
}

/// The lines without labels outside a frame: before the first bar and behind the last one of all rows, and in lines
/// without bars. A row of nothing above a Markdown table is such a label, too. Nothing if there are none.
pub(super) fn unlabelled(lines: &[TextLine], symbols: Symbols) -> Option<Vec<TextLine>> {
    let kind = |line: &TextLine| symbols.kind(&line.text);
    let cells = lines.iter().filter(|line| kind(line) == LineKind::Cells);
    // What stands before the first bar and behind the last.
    let rows = cells.filter_map(|line| {
        let (before, rest) = content(&line.text).split_once(is_bar)?;
        let (_, after) = rest.rsplit_once(is_bar)?;
        Some([before.trim(), after.trim()])
    });
    let rows: Vec<[&str; 2]> = rows.collect();
    if rows.len() < MIN_SIDE {
        return None;
    }
    let counts = |words: &[&str]| {
        let at = TextPosition::START;
        let cells: Vec<CellText> = words.iter().map(|text| CellText { text, at }).collect();
        is_sequence(&cells)
    };
    // Bullets, marks of quotations, a point behind each row; but not the blanks of a box.
    let is_part = |c: char| c.is_alphanumeric() || c.is_whitespace();
    let marks = |words: &[&str]| {
        (words[0].len() == 1 || words[0].contains(|c| !BLANKS.contains(c)))
            && words.iter().all(|word| *word == words[0] && !word.contains(is_part))
    };
    let labels = |words: &[&str]| counts(words) || marks(words);
    let column = |edge: usize| rows.iter().map(|row| row[edge]).collect::<Vec<&str>>();
    let is_bare = |edge: usize| rows.iter().all(|row| row[edge].is_empty());
    let (left, right) = (labels(&column(0)), labels(&column(1)));
    let edges = [left && (right || is_bare(1)), right && (left || is_bare(0))];
    let is_blank =
        |line: &TextLine| content(&line.text).chars().all(|c| is_bar(c) || c.is_whitespace());
    let empty_head = lines.windows(2).find(|two| kind(&two[0]) == LineKind::Cells).filter(|two| {
        is_blank(&two[0]) && kind(&two[1]) == LineKind::Rule && two[1].text.contains(is_bar)
    });
    let without = |line: &TextLine| -> TextLine {
        let text = content(&line.text);
        let words: Vec<&str> = text.split_whitespace().collect();
        let text = match (text.find(is_bar), text.rfind(is_bar)) {
            _ if kind(line) != LineKind::Cells => line.text.clone(),
            _ if empty_head.is_some_and(|two| two[0] == *line) => String::new(),
            (Some(first), Some(last)) => {
                let is_outside = |at: usize| edges[0] && at < first || edges[1] && at > last;
                let blank = |(at, c): (usize, char)| if is_outside(at) { ' ' } else { c };
                line.text.char_indices().map(blank).collect()
            }
            _ if words.len() == rows.len() && counts(&words) => String::new(),
            _ => line.text.clone(),
        };
        TextLine { text, ..*line }
    };
    let all: Vec<TextLine> = lines.iter().map(without).collect();
    (all != lines).then_some(all)
}

/// The boards whose blanks are blank space, by the places of the other cells: between bars, or in columns. None
/// where other blanks are marked.
pub(super) fn columns<'a>(lines: &'a [TextLine], symbols: Symbols) -> Vec<Vec<CellRow<'a>>> {
    let rows: Vec<&TextLine> =
        lines.iter().filter(|line| symbols.kind(&line.text) == LineKind::Cells).collect();
    let side = rows.len();
    if !is_side(side) || rows.iter().any(|line| content(&line.text).contains(['-', ',', ';', '\t']))
    {
        return Vec::new();
    }
    let cut = |cut| -> Option<Vec<CellRow<'a>>> {
        rows.iter().map(|line| Some(CellRow { line, cells: symbols.cells(line, cut)? })).collect()
    };
    let mut found: Vec<Vec<CellRow>> = Vec::new();
    // Characters where a cell is one column wide, words where it is more.
    for (widths, cut) in [(1..2, cut(Cut::Characters)), (2..5, cut(Cut::Words))] {
        let Some(rows) = cut else { continue };
        let cells = || rows.iter().flat_map(|row| &row.cells);
        let is_value = |cell: &CellText| {
            let is_zero = symbols.alphabet.is_none() && cell.text.bytes().all(|byte| byte == b'0');
            !is_zero && !cell.text.contains(|c: char| BLANKS.contains(c))
        };
        // Where nearly all cells are there, one is more likely missing than blank.
        // Cells may also stand one a line.
        let is_tall =
            rows.iter().all(|row| row.cells.len() < 2 && !content(&row.line.text).contains(is_bar));
        if is_tall || !cells().all(is_value) || cells().count() * 5 > side * side * 4 {
            continue;
        }
        for width in widths {
            for placing in placings(&rows, width) {
                let placed: Option<Vec<CellRow>> =
                    rows.iter().map(|row| place(row, &placing)).collect();
                found.extend(placed);
            }
        }
    }
    // Of cells with gaps every second column is empty.
    let cells = |rows: &[CellRow], parity: usize| {
        let columns = rows.iter().flat_map(|row| row.cells.iter().skip(parity).step_by(2));
        columns.filter(|cell| !cell.text.is_empty()).count()
    };
    found.retain(|rows| {
        let counts = [0, 1].map(|parity| cells(rows, parity));
        !counts.contains(&0) || counts[0] + counts[1] < side
    });
    let cells = |row: &CellRow<'a>| row.cells.iter().map(|cell| cell.text).collect::<Vec<_>>();
    found.dedup_by_key(|rows| rows.iter().map(cells).collect::<Vec<_>>());
    found
}

/// Columns, from 1, where each cell of a row starts, and the end of the last one.
type Placing = Vec<usize>;

/// The places that cells of this width may have.
fn placings(rows: &[CellRow], width: usize) -> Vec<Placing> {
    let side = rows.len();
    let bars = |line: &TextLine| -> Vec<usize> {
        let bars = content(&line.text).chars().enumerate().filter(|(_, c)| is_bar(*c));
        bars.map(|(column, _)| column + 1).collect()
    };
    let first = bars(rows[0].line);
    let starts = || rows.iter().flat_map(|row| row.cells.iter().map(|cell| cell.at.column));
    let (Some(least), Some(most)) = (starts().min(), starts().max()) else { return Vec::new() };
    if first.is_empty() {
        // Gaps of so many columns between boxes.
        let gaps = (1..side).filter(|cols| side.is_multiple_of(*cols)).flat_map(|cols| {
            (0..4).filter(move |gap| (cols == 1) == (*gap == 0)).map(move |gap| (cols, gap))
        });
        let placing = |(cols, gap): (usize, usize)| -> Placing {
            (0..=side).map(|cell| least + cell * width + cell / cols.max(1) * gap).collect()
        };
        return gaps.map(placing).filter(|all| all[side - 1] == most).collect();
    }
    if !rows.iter().all(|row| bars(row.line) == first) {
        return Vec::new();
    }
    // The bar at the left, or where it would be.
    let wide = first.windows(2).map(|two| two[1] - two[0]).next().unwrap_or(first[0]);
    let mut edges = first;
    if least < edges[0] {
        let Some(before) = edges[0].checked_sub(wide) else { return Vec::new() };
        edges.insert(0, before);
    }
    if edges.last().is_some_and(|last| most > *last) {
        edges.push(edges[edges.len() - 1] + wide);
    }
    let boxes = edges.len() - 1;
    let is_even = edges.windows(2).all(|two| two[1] - two[0] == wide);
    if boxes == 0 || !side.is_multiple_of(boxes) || !is_even {
        return Vec::new();
    }
    let cols = side / boxes;
    // Without the bar: `1 2 3`, ` 1 2 3` and ` 1 2 3 `.
    let leads = [(wide, 1), (wide - 1, 1), (wide.saturating_sub(2), 2)];
    let fits = leads.into_iter().filter(|(inside, _)| *inside == cols * width);
    fits.map(|(_, lead)| {
        let cell = |cell: usize| edges[cell / cols] + lead + cell % cols * width;
        (0..side).map(cell).chain([edges[boxes] + 1]).collect()
    })
    .collect()
}

/// The row with an empty cell for each place without one; nothing if a place has two, or a cell lies in two.
fn place<'a>(row: &CellRow<'a>, placing: &Placing) -> Option<CellRow<'a>> {
    let mut rest = row.cells.iter().peekable();
    let mut cells = Vec::new();
    for two in placing.windows(2) {
        let empty =
            CellText { text: "", at: TextPosition { column: two[0], line: row.line.number } };
        let inside = rest.next_if(|cell| cell.at.column >= two[0] && cell.end() <= two[1]);
        cells.push(inside.copied().unwrap_or(empty));
    }
    rest.next().is_none().then_some(CellRow { line: row.line, cells })
}
