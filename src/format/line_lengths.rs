//! The cells by line of a text whose cells do not form a board: `80 cells, 8 of them in line 5 where other
//! lines have 9`.

use std::collections::BTreeMap;
use std::fmt;

use super::tokenizer::Token;

/// Fewer lines allow no conclusion.
const FEWEST: usize = 3;

/// How the cells of a text are distributed over its lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineLengths {
    /// All lines but one have equally many.
    One {
        /// The number of the other line.
        line: usize,
        /// Its cells.
        cells: usize,
        /// Cells of each of the others.
        others: usize,
    },
    /// All lines have equally many.
    All {
        /// Number of lines.
        lines: usize,
        /// Cells of each.
        cells: usize,
    },
}

impl LineLengths {
    /// Counts these cells; `None` where lines have no meaning.
    pub(super) fn of(cells: &[Token]) -> Option<Self> {
        let mut lengths: BTreeMap<usize, usize> = BTreeMap::new();
        for cell in cells {
            *lengths.entry(cell.at.line).or_default() += 1;
        }
        if lengths.len() < FEWEST {
            return None;
        }
        // Of three that are alike but one, two are alike.
        let mut sorted: Vec<usize> = lengths.values().copied().collect();
        sorted.sort_unstable();
        let usual = sorted[sorted.len() / 2];
        let mut others = lengths.iter().filter(|(_, cells)| **cells != usual);
        match (others.next(), others.next()) {
            (None, _) => Some(Self::All { lines: lengths.len(), cells: usual }),
            (Some((line, cells)), None) => {
                Some(Self::One { line: *line, cells: *cells, others: usual })
            }
            _ => None,
        }
    }

    /// The most frequent number of cells in a line.
    pub(super) fn usual(self) -> usize {
        match self {
            Self::One { others: usual, .. } | Self::All { cells: usual, .. } => usual,
        }
    }

    /// The same for a text that contains this one, which begins after this many lines.
    pub(super) fn moved(self, later: usize) -> Self {
        match self {
            Self::One { line, cells, others } => Self::One { line: line + later, cells, others },
            all @ Self::All { .. } => all,
        }
    }
}

impl fmt::Display for LineLengths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::One { line, cells, others } => {
                write!(f, "{cells} of them in line {line} where other lines have {others}")
            }
            Self::All { lines, cells } => write!(f, "{lines} lines of {cells}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tokenizer::words;
    use super::*;

    #[test]
    fn lines_are_told_in_places_of_the_whole_text() {
        let of = |text: &str| LineLengths::of(&words(text).unwrap());
        let one = of("1 2 3\n\n1 2\n1 2 3\n1 2 3").unwrap();
        assert_eq!(one, LineLengths::One { line: 3, cells: 2, others: 3 });
        assert_eq!(one.moved(4), LineLengths::One { line: 7, cells: 2, others: 3 });
        let all = of("1 2\n1 2\n1 2").unwrap();
        assert_eq!((all, all.usual()), (LineLengths::All { lines: 3, cells: 2 }, 2));
        assert_eq!(all.moved(4), all);
        assert_eq!(of("1 2\n1"), None);
        assert_eq!(of("1 2 3\n1 2\n1"), None);
    }
}
