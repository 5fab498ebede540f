//! The list of puzzles beside a run: what is done, and what came of it.

use std::collections::VecDeque;

use indicatif::HumanCount;
use ratatui::text::Line;

/// Puzzles that are remembered.
const REMEMBERED: usize = 64;

/// What came of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PuzzleStatus {
    Solved,
    Unsolved,
    Failed,
}

impl PuzzleStatus {
    /// What stands before its name.
    fn mark(self) -> char {
        match self {
            Self::Solved => '+',
            Self::Unsolved => '-',
            Self::Failed => '!',
        }
    }
}

/// A list of puzzles.
#[derive(Clone, Debug, Default)]
pub struct PuzzleList {
    /// How many there are, once they are counted.
    pub total: Option<u64>,
    done: u64,
    solved: u64,
    latest: VecDeque<(PuzzleStatus, String)>,
}

impl PuzzleList {
    /// Nothing is done yet.
    pub fn of(total: Option<u64>) -> Self {
        Self { total, ..Self::default() }
    }

    /// Another puzzle is done.
    pub fn done(&mut self, name: &str, verdict: PuzzleStatus) {
        self.done += 1;
        self.solved += u64::from(verdict == PuzzleStatus::Solved);
        if self.latest.len() == REMEMBERED {
            self.latest.pop_front();
        }
        self.latest.push_back((verdict, name.to_owned()));
    }

    /// None is left: so many there were, if nobody has counted them yet.
    pub fn end(&mut self) {
        self.total.get_or_insert(self.done);
    }

    /// So many lines, of which the last is the puzzle `under_way`.
    pub fn lines(&self, under_way: Option<&str>, most: usize) -> Vec<Line<'static>> {
        let done = match self.total {
            Some(total) => format!("{} of {} done", HumanCount(self.done), HumanCount(total)),
            None => format!("{} done", HumanCount(self.done)),
        };
        let mut lines = vec![
            Line::raw(format!("{done}, {} solved", HumanCount(self.solved))),
            Line::raw("+ solved  - not  ! failed"),
        ];
        let under_way = under_way.map(|name| Line::raw(format!("> {name}")));
        let left = most.saturating_sub(lines.len() + under_way.iter().len());
        let hidden = self.latest.len().saturating_sub(left);
        let latest = self.latest.iter().skip(hidden);
        lines.extend(latest.map(|(verdict, name)| Line::raw(format!("{} {name}", verdict.mark()))));
        lines.extend(under_way);
        lines
    }
}
