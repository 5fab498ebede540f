//! The puzzles built into the program: every `puzzles/GROUP/NAME.txt`.
//!
//! `ai-escargot` is `puzzles/hard/ai-escargot.txt`. A puzzle's file opens with three comments: its
//! title, `origin: ...` and `givens: ...`.

use include_dir::{Dir, include_dir};

static PUZZLES: Dir = include_dir!("$CARGO_MANIFEST_DIR/puzzles");

/// A puzzle built into the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BundledPuzzle {
    /// Its folder: `documents`, `hard`, `large`.
    pub group: &'static str,
    /// Its name: the file's stem.
    pub name: &'static str,
    /// The file's text.
    pub text: &'static str,
}

impl BundledPuzzle {
    /// The origin of the puzzle, if its comments name it.
    pub fn origin(&self) -> Option<&'static str> {
        self.comment("origin")
    }

    /// The text after `# key:` in its comments.
    fn comment(&self, key: &str) -> Option<&'static str> {
        let mut comments = self.text.lines().filter_map(|line| line.strip_prefix("# "));
        let value = comments.find_map(|line| line.strip_prefix(key)?.strip_prefix(':'));
        value.map(str::trim)
    }
}

/// All shipped puzzles, by group and then by name.
pub fn shipped() -> impl Iterator<Item = BundledPuzzle> {
    let mut all: Vec<BundledPuzzle> = PUZZLES
        .dirs()
        .flat_map(|dir| dir.files().map(move |file| (dir, file)))
        .filter(|(_, file)| file.path().extension().is_some_and(|ending| ending == "txt"))
        .filter_map(|(dir, file)| {
            let group = dir.path().file_name()?.to_str()?;
            let name = file.path().file_stem()?.to_str()?;
            Some(BundledPuzzle { group, name, text: file.contents_utf8()? })
        })
        .collect();
    all.sort();
    all.into_iter()
}

/// The shipped puzzle with this name.
pub fn find(name: &str) -> Option<BundledPuzzle> {
    shipped().find(|puzzle| puzzle.name == name)
}

/// The shipped name most similar to `name`, if any is similar.
pub(super) fn nearest(name: &str) -> Option<&'static str> {
    const ALIKE: f64 = 0.75;
    let wanted = name.to_lowercase();
    shipped()
        .map(|puzzle| {
            // `escargot` clearly means `ai-escargot`, although the similarity measure rates it low.
            let part = wanted.len() > 3 && puzzle.name.contains(&wanted);
            let alike = strsim::jaro_winkler(puzzle.name, &wanted);
            (if part { 1.0 } else { alike }, puzzle.name)
        })
        .filter(|(alike, _)| *alike >= ALIKE)
        .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(a.1)))
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{grid, read};

    #[test]
    fn every_shipped_puzzle_is_what_its_comments_say() {
        for puzzle in shipped() {
            let name = puzzle.name;
            let read = read(puzzle.text, name, None).unwrap().puzzle;
            let givens = puzzle.comment("givens").map(|givens| givens.parse().unwrap());
            assert_eq!(givens, Some(read.given_count()), "{name}");
            assert!(puzzle.origin().is_some(), "{name}");
            let board = grid(read.geometry, &read.givens);
            assert!(puzzle.text.ends_with(&board), "{name} is not in the framed form:\n{board}");
        }
    }

    #[test]
    fn the_documents_the_hard_ones_and_the_large_ones_are_shipped() {
        let group = |group| shipped().filter(|puzzle| puzzle.group == group).count();
        assert_eq!((group("documents"), group("hard"), group("large")), (16, 19, 10));
        let mut names: Vec<_> = shipped().map(|puzzle| puzzle.name).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), shipped().count(), "two puzzles of one name");
    }

    #[test]
    fn the_nearest_name_is_found() {
        for (typed, name) in [
            ("ai-escargo", Some("ai-escargot")),
            ("Escargot", Some("ai-escargot")),
            ("001-easy3", Some("001-easy-03")),
            ("003-puzzle5", Some("003-puzzle5-unsolvable")),
            ("xyzzy", None),
        ] {
            assert_eq!(nearest(typed), name, "{typed}");
        }
    }
}
