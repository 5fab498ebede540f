//! Puzzles in layouts of all kinds: each is read as what it is, or refused.
//!
//! Any bytes choose a board, its givens, and how they are written: blanks, separators, frames, labels, an alphabet,
//! one puzzle or several.

use arbitrary::{Result, Unstructured};
use evodoku::board::Geometry;
use evodoku::format::{Options, ParsedPuzzle, PuzzleReader};

use super::boards::geometry;

pub fn attack(data: &[u8]) {
    let _ = is_read(&mut Unstructured::new(data));
}

/// Whether the puzzles of the layout that the bytes choose are read, and not refused.
///
/// # Panics
/// When they are read as others.
pub fn is_read(bytes: &mut Unstructured<'_>) -> Result<bool> {
    let layout = Layout::draw(bytes)?;
    let count = bytes.int_in_range(1..=3)?;
    let puzzles: Vec<Vec<u8>> =
        (0..count).map(|_| givens(layout.geometry, bytes)).collect::<Result<_>>()?;
    let text = layout.text(&puzzles);
    let options = Options {
        alphabet: layout
            .alphabet
            .as_ref()
            .map(|all| all.iter().collect::<String>().parse().expect("the characters differ")),
        ..Options::default()
    };
    let reader = PuzzleReader::new(text.as_bytes(), "layout", "layout", &options);
    let read: Vec<_> = reader.collect();
    let good: Vec<&ParsedPuzzle> = read.iter().filter_map(|one| one.as_ref().ok()).collect();
    let shown = || format!("{layout:?}, {puzzles:?}, {read:?}\n{text}");
    let is_refused = good.len() < read.len();
    assert!(is_refused || good.len() == count, "{} of {count}: {}", good.len(), shown());
    let mut rest = puzzles.iter();
    for one in good {
        assert!(rest.any(|givens| *givens == one.puzzle.givens), "other givens: {}", shown());
        let (shape, expected) = (one.puzzle.geometry, layout.geometry);
        let is_told = !layout.draws && one.others.contains(&expected);
        assert!(shape == expected || is_told, "boxes of {shape}: {}", shown());
    }
    Ok(!is_refused)
}

/// How puzzles are written.
#[derive(Debug)]
struct Layout {
    geometry: Geometry,
    /// The characters of the values, if a cell is one character.
    alphabet: Option<Vec<char>>,
    /// The number of the first value, where cells are numbers.
    blank: &'static str,
    /// Between two cells of a box.
    between: &'static str,
    /// Between two boxes next to each other.
    bar: &'static str,
    /// Between two bands.
    rule: Rule,
    /// Around each row, and a rule above and below all.
    edge: &'static str,
    /// Columns that each cell takes, with blanks at its left or its right.
    width: usize,
    left: bool,
    head: bool,
    index: bool,
    /// Before each puzzle.
    title: Title,
    /// All cells on one line.
    line: bool,
    /// Whether boxes are drawn.
    draws: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Rule {
    None,
    Empty,
    Line(char),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Title {
    None,
    Empty,
    Words,
    Line,
}

impl Layout {
    fn draw(bytes: &mut Unstructured<'_>) -> Result<Self> {
        let geometry = geometry(bytes)?;
        let side = geometry.side();
        let digits = side <= 9;
        // Letters, digits and more letters, from any of them on; a blank is a point then.
        let letters: Vec<char> =
            ('0'..='9').chain('A'..='W').chain('a'..='w').chain("YZyz".chars()).collect();
        let alphabet = match side <= 36 && bytes.ratio(1, 3)? {
            true => {
                let start = bytes.int_in_range(0..=(letters.len() - side).min(20))?;
                Some(letters[start..start + side].to_vec())
            }
            false => None,
        };
        let characters = digits || alphabet.is_some();
        let line = bytes.ratio(1, 4)?;
        let between = match characters {
            true => *bytes.choose(&["", " ", ",", "\t", ";", " : "])?,
            false => *bytes.choose(&[" ", ",", ", ", "\t", ";"])?,
        };
        let blank = match alphabet.is_some() {
            true => *bytes.choose(&[".", "_", "*", "-"])?,
            false => *bytes.choose(&[".", "0", "_", "*", "-", "x", "?", "-1", ""])?,
        };
        // Nothing is a blank only between separators, and a number below 0 is no character.
        let fields = [",", "\t", ";", ", "].contains(&between);
        let blank = match blank {
            "" if !fields || line => ".",
            "-1" if between.is_empty() => "0",
            blank => blank,
        };
        let drawn = !line && bytes.ratio(1, 2)?;
        let (bar, rule, edge) = match (drawn, fields) {
            (false, _) => (between, Rule::None, ""),
            (true, true) => (between, *bytes.choose(&[Rule::Empty, Rule::Line('-')])?, ""),
            (true, false) => {
                let bar = *bytes.choose(&[" | ", "|", " │ ", " ║ ", " ! ", "  "])?;
                let rule = *bytes.choose(&[
                    Rule::None,
                    Rule::Empty,
                    Rule::Line('-'),
                    Rule::Line('='),
                    Rule::Line('─'),
                ])?;
                let edge = *bytes.choose(&["", "|", "│", "║"])?;
                (bar, rule, if bar == "  " { "" } else { edge })
            }
        };
        // Gaps are seen where cells are parted by less.
        let bar = if bar == "  " && between.len() > 1 { " | " } else { bar };
        let width = if characters || fields { 1 } else { side.to_string().len() };
        let labels = !line && alphabet.is_none() && !fields && between == " ";
        Ok(Self {
            geometry,
            alphabet,
            blank,
            between,
            bar,
            rule,
            edge,
            width,
            left: bytes.arbitrary()?,
            head: labels && bytes.ratio(1, 4)?,
            index: labels && bytes.ratio(1, 4)?,
            title: *bytes.choose(&[Title::Empty, Title::Words, Title::Line, Title::None])?,
            line,
            draws: bar != between || rule != Rule::None,
        })
    }

    fn cell(&self, value: u8) -> String {
        let text = match (value, &self.alphabet) {
            (0, _) => self.blank.to_owned(),
            (value, Some(alphabet)) => alphabet[usize::from(value) - 1].to_string(),
            (value, None) => value.to_string(),
        };
        let width = self.width;
        if self.left { format!("{text:<width$}") } else { format!("{text:>width$}") }
    }

    fn row(&self, cells: &[String]) -> String {
        let boxes: Vec<String> =
            cells.chunks(self.geometry.box_cols()).map(|cells| cells.join(self.between)).collect();
        let row = boxes.join(self.bar);
        if self.edge.is_empty() { row } else { format!("{0} {row} {0}", self.edge) }
    }

    fn board(&self, givens: &[u8]) -> String {
        let cells: Vec<String> = givens.iter().map(|value| self.cell(*value)).collect();
        if self.line {
            return cells.join(self.between) + "\n";
        }
        let side = self.geometry.side();
        let width = self.row(&cells[..side]).chars().count();
        let indent = if self.index { "    " } else { "" };
        let rule = match self.rule {
            Rule::None => String::new(),
            Rule::Empty => "\n".to_owned(),
            Rule::Line(side) => format!("{indent}{}\n", String::from(side).repeat(width + 2)),
        };
        let outer = if self.edge.is_empty() || self.rule == Rule::Empty { "" } else { &rule };
        let mut text = String::new();
        if self.head {
            let wide = self.width;
            let labels: Vec<String> = (1..=side).map(|label| format!("{label:>wide$}")).collect();
            let labels = labels.join(" ");
            text += &format!("{indent}{labels}\n");
        }
        text += outer;
        for (row, cells) in cells.chunks(side).enumerate() {
            if row > 0 && row % self.geometry.box_rows() == 0 {
                text += &rule;
            }
            if self.index {
                text += &format!("{:<4}", row + 1);
            }
            text += &self.row(cells);
            text.push('\n');
        }
        text + outer
    }

    fn text(&self, puzzles: &[Vec<u8>]) -> String {
        let mut text = String::new();
        for (number, givens) in puzzles.iter().enumerate() {
            match self.title {
                _ if self.line => {}
                Title::Words => text += &format!("Puzzle number {}\n", number + 1),
                Title::Empty if number > 0 => text += "\n\n",
                Title::Line if number > 0 => text += "==========\n",
                _ => {}
            }
            text += &self.board(givens);
        }
        text
    }
}

/// A puzzle that has a solution: each row is the first one, rotated by a box's width for the next row of a box and by
/// one more for the next band, and some cells are blank.
fn givens(geometry: Geometry, bytes: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    let (rows, cols) = (geometry.box_rows(), geometry.box_cols());
    let side = rows * cols;
    let turn = bytes.int_in_range(0..=side - 1)?;
    let kept = bytes.int_in_range(1..=9)?;
    let mut state: u32 = bytes.arbitrary()?;
    let cell = |cell: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let (row, column) = (cell / side, cell % side);
        let turned = row % rows * cols + row / rows + column + turn;
        if (state >> 16) % 10 < kept { (turned % side + 1) as u8 } else { 0 }
    };
    Ok((0..side * side).map(cell).collect())
}
