//! Frames of the screen as text.
//!
//! The files under `tests/screens` are what is drawn; with `EVODOKU_BLESS=1` they are written anew.
//! A star after a value is a duplicate; a line of letters below a board's tells the styles of what
//! stands above: `b` bold, `c` changed.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::style::{Color, Modifier};

use super::keys;
use super::keys::KeyCommand;
use super::layout::ScreenLayout;
use super::puzzle_list::{PuzzleList, PuzzleStatus};
use super::view_model::{Rates, RunTitle, ViewModel};
use crate::board::Presolve;
use crate::ga::{Config, GenerationReport, Observer, Preset};
use crate::report::Frame;
use crate::{Solver, format};

/// The scenes of a run, one a generation.
struct Scenes(ViewModel, Vec<ViewModel>);

impl Observer for Scenes {
    fn generation(&mut self, report: &GenerationReport<'_>) -> std::ops::ControlFlow<()> {
        let elapsed = Duration::from_millis(100 * u64::from(report.generation));
        self.0.pulse = Some(Rates { elapsed, generations: 10.0, children: 4_000.0, moves: 2.5e6 });
        self.0.take(Frame::from(report), report.board);
        self.1.push(self.0.clone());
        self.0.look();
        std::ops::ControlFlow::Continue(())
    }

    fn wants_distinct(&self) -> bool {
        true
    }
}

/// A run of the preset boxes on a shipped puzzle.
fn scenes(name: &str, set: &str, queue: Option<PuzzleList>) -> Vec<ViewModel> {
    let puzzle = format::load(name, None).unwrap().puzzle;
    let set = format!("presolve={} distinct_every=1 {set}", Presolve::None);
    let mut solver = Solver::new(Preset::Boxes).population(400).seed(3);
    for set in set.split_whitespace() {
        solver = solver.set(set.parse().unwrap());
    }
    let (space, config): (_, Config) = solver.prepare(&puzzle).unwrap();
    let mut scenes = Scenes(ViewModel::new(queue), Vec::new());
    scenes.0.begin(RunTitle::live(&space, &config, 3, "the CPU, 2 threads".to_owned()));
    solver.solve_with(&puzzle, &mut scenes).unwrap();
    scenes.1
}

fn view() -> ScreenLayout {
    let (state, speed) = ("running".to_owned(), "at most 10/s".to_owned());
    ScreenLayout { keys: keys::LIVE, state, speed, ..ScreenLayout::default() }
}

/// A terminal of so many columns and lines.
fn terminal(columns: u16, lines: u16) -> Terminal<TestBackend> {
    Terminal::new(TestBackend::new(columns, lines)).unwrap()
}

/// Draws a scene, and gives what stands there.
fn drawn(
    terminal: &mut Terminal<TestBackend>,
    scene: &ViewModel,
    view: &mut ScreenLayout,
) -> String {
    terminal.draw(|canvas| view.draw(canvas, scene)).unwrap();
    let buffer = terminal.backend().buffer();
    let mut text = String::new();
    for y in 0..buffer.area.height {
        let cells = || (0..buffer.area.width).map(|x| &buffer[(x, y)]);
        let line: String = cells().map(|cell| cell.symbol()).collect();
        text += line.trim_end();
        text.push('\n');
        let styles: String = cells()
            .map(|cell| match (cell.modifier.contains(Modifier::BOLD), cell.fg) {
                (true, Color::Green) => 'B',
                (true, _) if y > 0 => 'b',
                (_, Color::Green) if cell.modifier.contains(Modifier::UNDERLINED) => 'c',
                _ => ' ',
            })
            .collect();
        if !styles.trim().is_empty() {
            text += styles.trim_end();
            text.push('\n');
        }
    }
    text
}

/// Holds a frame against its file, or writes it there.
fn check(name: &str, frame: &str) {
    let root = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let root = root.unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    let file = root.join("tests/screens").join(format!("{name}.txt"));
    if std::env::var_os("EVODOKU_BLESS").is_some_and(|value| value == "1") {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, frame).unwrap();
    }
    let expected = fs::read_to_string(&file).unwrap_or_default();
    assert!(frame == expected, "{name} is drawn otherwise than {}:\n{frame}", file.display());
}

/// A run with restarts, as both boards, as the one that fits, and as it stands before it began.
#[test]
fn a_board_of_nine() {
    let scenes =
        scenes("easter-monster", "max_generations=80 restart_after=4 mutation_rate=0", None);
    let last = scenes.last().unwrap();
    assert!(last.frame.as_ref().is_some_and(|frame| frame.restart > 1), "{:?}", last.frame);
    check("nine-100x32", &drawn(&mut terminal(100, 32), last, &mut view()));
    check("nine-80x24", &drawn(&mut terminal(80, 24), last, &mut view()));
    let mut view = view();
    check("nine-40x12", &drawn(&mut terminal(40, 12), last, &mut view));
    view.heed(KeyCommand::OtherBoard);
    view.heed(KeyCommand::Help);
    check("nine-40x12-best", &drawn(&mut terminal(40, 12), last, &mut view));
    assert!(drawn(&mut terminal(80, 24), &ViewModel::new(None), &mut view).contains("running"));
}

/// It is scrolled as far as it goes and no further.
#[test]
fn a_large_board_in_a_small_pane() {
    let scenes = scenes("large-36-55", "max_generations=3", None);
    let last = scenes.last().unwrap();
    let (mut terminal, mut view) = (terminal(80, 24), view());
    check("large-80x24", &drawn(&mut terminal, last, &mut view));
    let wishes = [KeyCommand::Page(1), KeyCommand::Scroll([2, 12])];
    wishes.into_iter().for_each(|wish| view.heed(wish));
    check("large-80x24-scrolled", &drawn(&mut terminal, last, &mut view));
    (0..99).for_each(|_| view.heed(KeyCommand::Page(1)));
    (0..99).for_each(|_| view.heed(KeyCommand::Scroll([0, 3])));
    let end = drawn(&mut terminal, last, &mut view);
    assert!(end.contains("of 41"), "{end}");
    let row = &last.boards[0][35 * 36..];
    let corner = format!("{:>2}", row[35]);
    assert!(end.lines().any(|line| line.contains(&corner)), "{end}");
    (0..99).for_each(|_| view.heed(KeyCommand::Page(-1)));
    (0..99).for_each(|_| view.heed(KeyCommand::Scroll([0, -3])));
    let start = drawn(&mut terminal, last, &mut view);
    assert!(start.contains(" 1 to "), "{start}");
}

/// Beside a list, and with islands.
#[test]
fn a_list_and_islands() {
    let mut queue = PuzzleList::of(Some(44));
    queue.done("001-easy-01", PuzzleStatus::Solved);
    queue.done("001-hard-01", PuzzleStatus::Unsolved);
    queue.done("(unreadable)", PuzzleStatus::Failed);
    let list = scenes("003-6x6", "max_generations=8 mutation_rate=0", Some(queue));
    check("list-80x24", &drawn(&mut terminal(80, 24), &list[list.len() - 1], &mut view()));
    let set = "max_generations=8 mutation_rate=0 islands=3";
    let islands = scenes("003-6x6", set, None);
    check("islands-80x24", &drawn(&mut terminal(80, 24), &islands[islands.len() - 1], &mut view()));
}

/// What was drawn before leaves nothing behind, and no size is too small.
#[test]
fn sizes_change() {
    let scenes = scenes("003-6x6", "max_generations=8 mutation_rate=0", None);
    let mut view = view();
    let mut resized = terminal(120, 40);
    for (columns, lines) in [(120, 40), (33, 9), (1, 1), (2, 50), (200, 2), (5, 5), (80, 24)] {
        resized.backend_mut().resize(columns, lines);
        let there = drawn(&mut resized, &scenes[4], &mut view);
        let fresh = drawn(&mut terminal(columns, lines), &scenes[4], &mut view);
        assert_eq!(there, fresh, "{columns}x{lines}");
    }
}
