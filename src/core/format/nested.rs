//! Arrays and objects, as programs write them, to lines of one cell each.
//!
//! ```text
//! [[5, 3, null, null], ...]                 rows of an array
//! [["5", "3", ".", "."], ["53..", ...]]     several boards, of cells and of rows
//! {"puzzle": "53..", "solution": "..."}     the member with the puzzle, and no solution
//! int grid[4][4] = {{5, 3, 0, 0}, ...};     what is outside is skipped
//! ```
//!
//! Brackets of any kind and quotation marks of either may be used, commas between cells or blank space.

use std::iter;

use super::FEWEST_CELLS;
use super::parse::Options;
use super::shape::{is_board, is_side};
use super::table::{SHAPE, SOLUTIONS, boxes_of, is_of, wanted_names};
use super::text::{TextLine, content};
use super::text_record::is_consistent;
use super::tokens::{BLANKS, is_blank};
use crate::board::{MAX_SIDE, MIN_SIDE};

/// Arrays in arrays that are looked into.
const DEEPEST: usize = 16;

/// An array, an object, or a cell.
#[derive(Clone, Debug)]
enum Node {
    Array(Vec<Item>),
    Cell(TextLine),
}

/// Lines of one cell each.
type Board = Vec<TextLine>;

/// With its name, if it has one.
type Item = (Option<String>, Node);

/// Whether a line opens an array, and not a section, as `[Puzzle]`.
pub(super) fn opens(line: &str) -> bool {
    let text = content(line).trim_start().trim_start_matches([',', ' ']);
    let inner = text.trim_start_matches(|c: char| "[{(".contains(c) || c.is_whitespace());
    let is_cell = |c: char| c.is_ascii_digit() || "\"'.-_*xX]}nN".contains(c);
    let brackets = text.len() - inner.len();
    let opens = |text: &str| {
        text.starts_with(['[', '{']) && (inner.is_empty() || inner.starts_with(is_cell))
    };
    // `[23467] 1 [24]` lists candidates.
    let candidates = brackets == 1
        && text.split_once(']').is_some_and(|(_, rest)| {
            rest.trim_start().starts_with(|c: char| c.is_ascii_digit() || "[{(".contains(c))
        });
    let assigned =
        ["= [", "=[", "= {", "={", "[[", "{{", "([", ": ["].iter().any(|mark| text.contains(mark));
    assigned || opens(text) && !candidates
}

/// Brackets that a line opens, less those that it closes.
pub(super) fn depth(line: &TextLine) -> isize {
    let is_of = |marks: &str, c: char| isize::from(marks.contains(c));
    tokens(line).map(|(c, _)| is_of("[{", c) - is_of("]}", c)).sum()
}

/// The brackets and other marks of a line, and its cells without quotation marks, each with its first character.
fn tokens(line: &TextLine) -> impl Iterator<Item = (char, TextLine)> {
    let text = &*line.text;
    let mut rest = text.char_indices().enumerate().peekable();
    iter::from_fn(move || {
        // As in `Let's try: [`.
        let is_alone = |byte, c| "\"'".contains(c) && !text[byte + 1..].contains(c);
        let next = rest.find(|(_, (byte, c))| !c.is_whitespace() && !is_alone(*byte, *c));
        let (column, (byte, c)) = next.filter(|(_, (_, c))| *c != '#')?;
        let quotes = usize::from("\"'".contains(c));
        let ends_word = |c: char| c.is_whitespace() || "[]{}(),;:=\"'#".contains(c);
        let (start, mut is_escaped) = (byte + quotes, false);
        let ends = |next: char| {
            let is_end = if quotes == 0 { ends_word(next) } else { next == c && !is_escaped };
            is_escaped = next == '\\' && !is_escaped;
            is_end
        };
        let end = text[start..].find(ends).map_or(text.len(), |length| start + length);
        while rest.next_if(|(_, (byte, _))| *byte < end + quotes).is_some() {}
        let (column, text) = (line.column + column + quotes, text[start..end].to_owned());
        Some((c, TextLine { number: line.number, column, text }))
    })
}

/// The boards of the arrays in these lines, each as lines of one cell. What is nearly a board is one, too, so that
/// it is refused; rows that are no array together may go on, unless this is the end.
pub(super) fn boards(lines: &[TextLine], options: &Options, is_end: bool) -> Vec<Board> {
    let Some(items) = tree(lines) else { return Vec::new() };
    match board(&items, options) {
        Some(board) => vec![board],
        None if are_rows(&items) && !is_end => Vec::new(),
        None => boards_in(&Node::Array(items), options),
    }
}

/// Whether the arrays in these lines are solutions, by their names.
pub(super) fn are_solutions(lines: &[TextLine]) -> bool {
    let is_solution = |(name, _): &Item| name.as_deref().is_some_and(|name| is_of(SOLUTIONS, name));
    tree(lines).is_some_and(|items| !items.is_empty() && items.iter().all(is_solution))
}

/// Whether these lines hold arrays of two or three cells, which make a board with duplicates, as places and their
/// values do.
pub(super) fn are_places(lines: &[TextLine], options: &Options) -> bool {
    let items = tree(lines).unwrap_or_default();
    let mut items = &items[..];
    while let [(_, Node::Array(inner))] = items {
        items = inner;
    }
    let rows: Vec<Board> = items.iter().filter_map(|(_, node)| cells_of(node)).collect();
    let are_equal = [2, 3].iter().any(|width| rows.iter().all(|row| row.len() == *width));
    let all = rows.concat();
    rows.len() == items.len() && are_equal && is_board(all.len()) && !is_consistent(&all, options)
}

/// All that is outside the outermost brackets is skipped. Nothing if brackets do not match.
fn tree(lines: &[TextLine]) -> Option<Vec<Item>> {
    let mut open: Vec<Vec<Item>> = vec![Vec::new()];
    let mut name: Option<String> = None;
    for (c, cell) in lines.iter().flat_map(tokens) {
        match c {
            '[' | '{' | '(' => {
                if open.len() > DEEPEST {
                    return None;
                }
                // The name waits in the array that it names.
                let place = name.take().map(|name| (Some(name), Node::Array(Vec::new())));
                open.last_mut()?.extend(place);
                open.push(Vec::new());
            }
            ']' | '}' | ')' => {
                let array = Node::Array(open.pop()?);
                let outer = open.last_mut()?;
                match outer.last_mut() {
                    Some((Some(_), Node::Array(inner))) if inner.is_empty() => {
                        *inner = vec![(None, array)]
                    }
                    _ => outer.push((None, array)),
                }
            }
            ':' | '=' => {
                let items = open.last_mut()?;
                // `int grid[9][9] =` has lengths after its name.
                while c == '=' && items.pop_if(|(_, item)| matches!(item, Node::Array(_))).is_some()
                {
                }
                if let Some((None, Node::Cell(cell))) = items.pop() {
                    name = Some(cell.text);
                }
            }
            ',' | ';' => {}
            _ => open.last_mut()?.push((name.take(), Node::Cell(cell))),
        }
    }
    // Words outside of brackets are no cells.
    let mut root = open.pop()?;
    root.retain(|(_, node)| matches!(node, Node::Array(_)));
    open.is_empty().then_some(root)
}

/// The boards in a value.
fn boards_in(node: &Node, options: &Options) -> Vec<Board> {
    let Node::Array(items) = node else {
        // A word of which most is cells is one, damaged or not.
        let is_cell = |c: char| c.is_ascii_digit() || BLANKS.contains(c);
        let is_board = |cells: &Board| {
            let valid = cells.iter().filter(|cell| cell.text.chars().all(is_cell)).count();
            cells.len() >= FEWEST_CELLS && valid * 4 > cells.len() * 3
        };
        return cells_of(node).filter(is_board).into_iter().collect();
    };
    let named = |(name, _): &&Item, of| name.as_deref().is_some_and(|name| is_of(of, name));
    let boards_of = |(_, node): &Item| boards_in(node, options);
    let puzzles = items.iter().filter(|item| named(item, wanted_names(options)));
    let puzzles: Vec<(&Item, Vec<Board>)> = puzzles.map(|item| (item, boards_of(item))).collect();
    let is_whole = |boards: &[Board]| boards.iter().any(|cells| is_board(cells.len()));
    // Of the members with such names those that hold a board, or else the first.
    if let Some(((first, _), _)) = puzzles.iter().find(|(_, boards)| is_whole(boards)) {
        let same = puzzles.iter().filter(|((name, _), _)| name == first);
        let mut boards: Vec<Board> = same.flat_map(|(_, boards)| boards.clone()).collect();
        if let Some((_, Node::Cell(shape))) = items.iter().find(|item| named(item, SHAPE)) {
            for cells in &mut boards {
                cells.push(TextLine { text: boxes_of(&shape.text, &[cells.len()]), ..*shape });
            }
        }
        boards
    } else if let Some(((_, node), boards)) = puzzles.first() {
        if boards.is_empty() { cells_of(node).into_iter().collect() } else { boards.clone() }
    } else if let Some(board) = board(items, options) {
        vec![board]
    } else if let Some(words) = words(items, options) {
        words
    } else if are_rows(items) {
        vec![items.iter().filter_map(|(_, node)| cells_of(node)).flatten().collect()]
    } else {
        items.iter().filter(|item| !named(item, SOLUTIONS)).flat_map(boards_of).collect()
    }
}

/// The boards of an array of words, damaged ones too, or, of a puzzle and its solution, the one that is wanted.
fn words(items: &[Item], options: &Options) -> Option<Vec<Board>> {
    let word = |(name, node): &Item| match node {
        Node::Cell(_) if name.is_none() => cells_of(node),
        _ => None,
    };
    let mut boards: Vec<Board> = items.iter().map(word).collect::<Option<_>>()?;
    if boards.len() >= FEWEST_CELLS && boards.iter().all(|cells| cells.len() == 1) {
        return Some(vec![boards.concat()]);
    }
    let has_blank = |cells: &[TextLine]| cells.iter().any(|cell| ["0", "."].contains(&&*cell.text));
    if let [puzzle, solution] = &boards[..]
        && (puzzle.len(), true, false) == (solution.len(), has_blank(puzzle), has_blank(solution))
    {
        boards.remove(usize::from(!options.solutions));
    }
    boards.iter().any(|cells| is_board(cells.len())).then_some(boards)
}

/// Whether items are rows of a board, be it one that lacks some.
fn are_rows(items: &[Item]) -> bool {
    let is_row = |(_, node): &Item| {
        let cells = cells_of(node).map_or(0, |cells| cells.len());
        (MIN_SIDE..=MAX_SIDE).contains(&cells) && !is_board(cells)
    };
    items.len() >= MIN_SIDE && items.iter().all(is_row)
}

/// The cells of a board that is an array of rows, or of all its cells.
fn board(items: &[Item], options: &Options) -> Option<Board> {
    let rows: Vec<Board> = items.iter().map(|(_, node)| cells_of(node)).collect::<Option<_>>()?;
    let side = rows.len();
    let all: Vec<TextLine> = rows.iter().flatten().cloned().collect();
    if rows.iter().all(|row| row.len() == 1) {
        return is_board(side).then_some(all);
    }
    if !is_side(side) || rows.iter().any(|row| row.len() != side) {
        return None;
    }
    // Sixteen arrays of sixteen may be sixteen boards.
    let are_boards = is_board(side)
        && !is_consistent(&all, options)
        && rows.iter().all(|row| is_consistent(row, options));
    (!are_boards).then_some(all)
}

/// The cells of a row: of an array, or the characters of a word.
fn cells_of(node: &Node) -> Option<Board> {
    let plain = |cell: &TextLine| {
        let text = cell.text.trim();
        let text = if is_blank(text) { "." } else { text };
        // Arrays of floating point numbers have `5.` and `5.0`.
        let digits = text.trim_end_matches('0').strip_suffix('.').filter(|text| !text.is_empty());
        TextLine { text: digits.unwrap_or(text).to_owned(), ..*cell }
    };
    let cell = match node {
        Node::Cell(cell) => cell,
        Node::Array(items) => {
            let cell = |(_, node): &Item| match node {
                Node::Cell(cell) => Some(plain(cell)),
                Node::Array(_) => None,
            };
            return items.iter().map(cell).collect();
        }
    };
    if cell.text.chars().count() <= 3 {
        return Some(vec![plain(cell)]);
    }
    let part = |column: usize, text: String| {
        plain(&TextLine { column: cell.column + column, text, ..*cell })
    };
    let words: Vec<&str> = cell.text.split_whitespace().collect();
    if words.len() > 1 && is_board(words.len()) {
        return Some(words.iter().map(|word| part(0, (*word).to_owned())).collect());
    }
    let text = cell.text.replace("\\n", "  ");
    let characters = text.chars().enumerate().filter(|(_, c)| !c.is_whitespace());
    Some(characters.map(|(column, c)| part(column, c.to_string())).collect())
}

#[cfg(test)]
mod tests {
    use crate::format::{Options, PuzzleReader};

    /// The number of givens of the only puzzle, or the error.
    fn givens(text: &str) -> Result<usize, String> {
        let mut all = PuzzleReader::new(text.as_bytes(), "text", "text", &Options::default());
        let one = all.next().unwrap();
        assert!(all.next().is_none(), "{text}");
        one.map(|reading| reading.puzzle.given_count()).map_err(|error| error.to_string())
    }

    /// 27 places and values, counted from `first`.
    fn places([before, between, after]: [&str; 3], first: usize) -> Vec<String> {
        let place = |at: usize| {
            let (row, column, value) = (at / 3 + first, [0, 1, 4][at % 3] + first, at % 7 + 1);
            format!("{before}{row}{between}{column}{between}{value}{after}")
        };
        (0..27).map(place).collect()
    }

    #[test]
    fn lists_of_places_are_no_boards() {
        let said = "text: 81 cells are right for a 9x9 board, but they are not in rows of 9";
        for marks in [
            ["", ",", ""],
            ["", ";", ""],
            ["", "\t", ""],
            ["", " ", ""],
            ["", "", ""],
            ["(", ", ", "),"],
        ] {
            for first in [0, 1] {
                let text = places(marks, first).join("\n");
                assert_eq!(givens(&text).unwrap_err(), said, "{text}");
                assert_eq!(givens(&format!("x,y,value\n{text}")).unwrap_err(), said, "{text}");
            }
        }
        // Parts of rows, and cells of which each has a line.
        let row = ["1..", "...", ".2.", "3..", "...", "...", "...", "...", "4.."];
        let parts = [&row[..], &["..."; 18]].concat().join("\n");
        assert_eq!(givens(&parts), Ok(4));
        let cells = format!("1{}", "\n1\n.".repeat(40));
        assert_eq!(givens(&cells), Ok(41));
    }

    #[test]
    fn arrays_of_places_are_no_boards() {
        let said =
            "text: a list of rows, columns and values is not supported: write the board row by row";
        for between in [", ", ",\n"] {
            for first in [0, 1] {
                let lists = places(["[", ", ", "]"], first).join(between);
                for text in [
                    format!("[{lists}]"),
                    format!("[\n{lists}\n]\n"),
                    lists.clone(),
                    format!("cells = [{lists}]"),
                    format!("{{\"cells\": [{lists}]}}"),
                    format!("cells = [{}]", places(["(", ", ", ")"], first).join(between)),
                ] {
                    assert_eq!(givens(&text), Err(said.to_owned()), "{text}");
                }
            }
        }
        // The parts of a row may be arrays.
        let rows = "[[1,0,0],[0,2,0],[0,0,3]]".to_owned() + &",[[0,0,0],[0,0,0],[0,0,0]]".repeat(8);
        assert_eq!(givens(&format!("[{rows}]")), Ok(3));
        assert_eq!(givens(&rows.replace("[[", "[").replace("]]", "]")), Ok(3));
    }

    #[test]
    fn an_apostrophe_opens_no_text() {
        let rows = "[1,2,0,4],\n[3,4,1,2],\n[2,1,4,3],\n[4,3,2,1]";
        assert_eq!(givens(&format!("Let's try: [\n{rows}\n]\n")), Ok(15));
    }
}
