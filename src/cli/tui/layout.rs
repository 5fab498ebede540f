//! The layout of the screen: a title, boards, figures, the curve, a list or islands, and a line of keys.
//!
//! ```text
//!  easter-monster  boxes, population 2,000, seed 1
//! ┌ this generation: 12 ─┐┌ best: 8, in 31 ──────┐┌ run ──────────┐
//! │ ...                  ││ ...                  ││ generation 97 │
//! └──────────────────────┘└──────────────────────┘└───────────────┘
//! ┌ fitness: best mean worst ────────────────────┐┌ list ─────────┐
//! └──────────────────────────────────────────────┘└───────────────┘
//! running  q quit  space pause  ? keys
//! ```
//!
//! Where there is no room for both boards one is shown, and a key switches to the other; a board larger than
//! its pane is scrolled. Panes that do not fit are left out: the curve first, then the figures.

use ratatui::Frame as Canvas;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::{Block, Paragraph};
use textwrap::wrap;

use super::board::{self, Board};
use super::keys::KeyCommand;
use super::panes;
use super::view_model::{RunTitle, ViewModel};
use crate::util::quantity::count;

/// Columns of the figures: the least, and the usual number.
const FIGURES: [u16; 2] = [16, 28];
/// The least columns of a pane for a board, so that its title fits.
const PANE: u16 = 24;
/// The least lines of the curve.
const CURVE: u16 = 6;
/// Lines above which a large board leaves a third to the curve.
const ROOMY: u16 = 20;
/// Columns below which fewer keys are named.
const NARROW: u16 = 60;
/// The most lines below the panes.
const MOST_FOOT: usize = 4;

/// The settings of the viewer.
#[derive(Clone, Debug, Default)]
pub struct ScreenLayout {
    /// Whether the best board ever is shown where there is room for one board only.
    pub other: bool,
    /// Whether there are no colours.
    pub plain: bool,
    /// Whether all keys are named.
    pub help: bool,
    /// Lines and columns that the boards are scrolled by.
    pub scroll: [u16; 2],
    /// The most lines and columns to scroll by, and the lines of a page, in the last frame.
    pub most: [u16; 2],
    pub page: u16,
    /// Whether all runs have ended.
    pub is_over: bool,
    /// The state of the run, its speed, and the names of the keys.
    pub state: String,
    pub speed: String,
    pub keys: &'static str,
}

impl ScreenLayout {
    /// Scrolls by lines and columns, within the board.
    fn scroll(&mut self, by: [i32; 2]) {
        for (at, by) in by.into_iter().enumerate() {
            let to = i32::from(self.scroll[at]) + by;
            self.scroll[at] = to.clamp(0, self.most[at].into()) as u16;
        }
    }

    /// Whether a board is larger than its pane.
    pub fn is_scrollable(&self) -> bool {
        self.most != [0, 0]
    }

    /// Carries out a command that concerns only the layout.
    pub fn apply(&mut self, command: KeyCommand) {
        match command {
            KeyCommand::Help => self.help = !self.help,
            KeyCommand::OtherBoard => self.other = !self.other,
            KeyCommand::Scroll(by) => self.scroll(by),
            KeyCommand::Page(pages) => self.scroll([pages * i32::from(self.page), 0]),
            _ => {}
        }
    }

    /// Draws the screen.
    pub fn draw(&mut self, canvas: &mut Canvas<'_>, model: &ViewModel) {
        self.most = [0, 0];
        let foot = self.foot(model, canvas.area().width);
        let lines = foot.len() as u16;
        let rows = [Constraint::Length(1), Constraint::Min(0), Constraint::Length(lines)];
        let [head, body, low] = canvas.area().layout(&Layout::vertical(rows));
        let reversed = Style::new().add_modifier(Modifier::REVERSED);
        canvas.render_widget(Paragraph::new(foot).style(reversed), low);
        let Some(title) = &model.title else { return };
        canvas.render_widget(title_line(title), head);
        let (columns, lines) = board::size(title.puzzle.geometry);
        let (columns, lines) = ((columns + 2).max(PANE), lines + 2);

        let curve = match body.height.saturating_sub(lines) {
            rest if rest >= CURVE => rest,
            _ if body.height >= ROOMY => body.height / 3,
            _ => 0,
        };
        let [high, low] =
            body.layout(&Layout::vertical([Constraint::Min(0), Constraint::Length(curve)]));
        let figures = match high.width.saturating_sub(columns) {
            rest if rest >= columns + FIGURES[1] => rest - columns,
            rest if rest >= FIGURES[0] => rest,
            _ if high.width >= 2 * FIGURES[1] => FIGURES[1],
            _ => 0,
        };
        let [left, right] = beside(high, figures);
        if left.width >= 2 * columns {
            let halves = Layout::horizontal([Constraint::Fill(1), Constraint::Fill(1)]);
            let [now, best] = left.layout(&halves);
            self.board(canvas, model, title, 0, now);
            self.board(canvas, model, title, 1, best);
        } else {
            self.board(canvas, model, title, usize::from(self.other), left);
        }
        let block = Block::bordered().title(" run ");
        let lines = panes::figures(model, &self.speed, block.inner(right).width);
        canvas.render_widget(Paragraph::new(lines).block(block), right);
        draw_curve(canvas, model, low);
        if self.plain {
            canvas.buffer_mut().content.iter_mut().for_each(|cell| cell.fg = Color::Reset);
        }
    }

    /// Draws the best board of the generation (`which` 0) or of the run (1).
    fn board(
        &mut self,
        canvas: &mut Canvas<'_>,
        model: &ViewModel,
        title: &RunTitle,
        which: usize,
        area: Rect,
    ) {
        let name = match (&model.frame, which) {
            (None, _) => " board ".to_owned(),
            (Some(frame), 0) => format!(" this generation: {} ", frame.best),
            (Some(frame), _) => format!(" best: {}, gen. {} ", frame.best_so_far, model.found),
        };
        let mut block = Block::bordered().title(name);
        let inner = block.inner(area);
        let (columns, lines) = board::size(title.puzzle.geometry);
        self.most = [lines.saturating_sub(inner.height), columns.saturating_sub(inner.width)];
        self.page = inner.height.max(1);
        self.scroll([0, 0]);
        let [down, right] = self.scroll;
        if self.is_scrollable() && inner.height > 0 {
            let last = (down + inner.height).min(lines);
            block = block.title_bottom(format!(" {} to {last} of {lines}: arrows ", down + 1));
        }
        let (cells, changed) = (&model.boards[which], &model.changed(which));
        let (geometry, givens) = (title.puzzle.geometry, &title.puzzle.givens);
        let cells = if cells.is_empty() { givens } else { cells };
        let board = Board { geometry, cells, givens, changed };
        let text = Paragraph::new(board.lines()).scroll((down, right));
        canvas.render_widget(text.block(block), area);
    }

    /// The lines below the panes: a remark, if there is one, then the state and the keys.
    fn foot(&self, model: &ViewModel, width: u16) -> Vec<Line<'static>> {
        let keys = match self.help {
            _ if self.is_over => "q closes",
            true => self.keys,
            false if width < NARROW => "q quit  ? keys",
            false => "q quit  space pause  ? keys",
        };
        let text = format!("{}  {keys}", self.state);
        let remark = model.remark.iter().map(String::as_str);
        let wrapped = remark.chain([text.as_str()]).flat_map(|text| wrap(text, usize::from(width)));
        wrapped.take(MOST_FOOT).map(|line| Line::raw(line.into_owned())).collect()
    }
}

/// An area divided in two, of which the right one has so many columns.
fn beside(area: Rect, columns: u16) -> [Rect; 2] {
    area.layout(&Layout::horizontal([Constraint::Min(0), Constraint::Length(columns)]))
}

/// The curve, and on its right the list or the islands, if there are any.
fn draw_curve(canvas: &mut Canvas<'_>, model: &ViewModel, area: Rect) {
    let islands = model.frame.as_ref().map_or(&[][..], |frame| &frame.islands);
    let is_divided = model.list.is_some() || islands.len() > 1;
    let columns = if is_divided && area.width >= 2 * FIGURES[1] { FIGURES[1] } else { 0 };
    let [left, right] = beside(area, columns);
    if left.height > 2 && left.width > 2 {
        model.curve.draw(left, canvas.buffer_mut());
    }
    let block = Block::bordered();
    let inner = block.inner(right);
    let (name, lines) = match &model.list {
        Some(list) => {
            let in_progress = model.title.as_ref().map(|title| title.name());
            (" list ", panes::puzzles(list, in_progress.as_deref(), inner.height.into()))
        }
        None => {
            (" best of each island ", panes::islands(islands, inner.width, inner.height.into()))
        }
    };
    canvas.render_widget(Paragraph::new(lines).block(block.title(name)), right);
}

fn title_line(title: &RunTitle) -> Line<'static> {
    let RunTitle { preset, population, seed, .. } = title;
    let name = title.name();
    let population = count((*population).into());
    let engine = title.engine.iter().map(|engine| format!(", {engine}")).collect::<String>();
    let text = format!(" {name}  {preset}, population {population}, seed {seed}{engine}");
    Line::styled(text, Style::new().add_modifier(Modifier::BOLD))
}

#[cfg(test)]
mod tests {
    //! Frames of the screen as text.
    //!
    //! The files under `tests/screens` hold the expected frames; with `EVODOKU_BLESS=1` they are written again.
    //! A star after a value is a duplicate; a line of letters below a board's shows the styles of the line
    //! above: `b` bold, `c` changed.

    use std::fs;
    use std::path::PathBuf;
    use std::time::Duration;

    use ratatui::Terminal;
    use ratatui::backend::TestBackend;

    use super::*;
    use crate::board::Presolve;
    use crate::cli::tui::keys;
    use crate::cli::tui::view_model::{PuzzleList, PuzzleStatus, Rates};
    use crate::ga::{Config, GenerationReport, Observer, Preset};
    use crate::report::Frame;
    use crate::{Solver, format};

    /// The states of a run, one a generation.
    struct ModelRecorder(ViewModel, Vec<ViewModel>);

    impl Observer for ModelRecorder {
        fn on_generation(&mut self, report: &GenerationReport<'_>) -> std::ops::ControlFlow<()> {
            let elapsed = Duration::from_millis(100 * u64::from(report.generation));
            self.0.rates = Some(Rates::of(elapsed, [10.0, 4_000.0, 2.5e6]));
            self.0.add(Frame::from(report), report.board, None);
            self.1.push(self.0.clone());
            self.0.note_drawn();
            std::ops::ControlFlow::Continue(())
        }

        fn wants_distinct(&self) -> bool {
            true
        }
    }

    /// A run of the preset boxes on a shipped puzzle.
    fn models(name: &str, set: &str, list: Option<PuzzleList>) -> Vec<ViewModel> {
        let puzzle = format::load(name, None).unwrap().puzzle;
        let set = format!("presolve={} distinct_every=1 {set}", Presolve::None);
        let mut solver = Solver::new(Preset::Boxes).population(400).seed(3);
        for set in set.split_whitespace() {
            solver = solver.set(set.parse().unwrap());
        }
        let (_, config): (_, Config) = solver.prepare(&puzzle).unwrap();
        let mut models = ModelRecorder(ViewModel::new(list), Vec::new());
        let engine = Some("the CPU, 2 threads".to_owned());
        let (preset, population) = (config.preset, config.population);
        models.0.begin(RunTitle { puzzle: puzzle.clone(), preset, population, seed: 3, engine });
        solver.solve_with(&puzzle, &mut models).unwrap();
        models.1
    }

    fn view() -> ScreenLayout {
        let (state, speed) = ("running".to_owned(), "at most 10/s".to_owned());
        ScreenLayout { keys: keys::LIVE, state, speed, ..ScreenLayout::default() }
    }

    /// A terminal of so many columns and lines.
    fn terminal(columns: u16, lines: u16) -> Terminal<TestBackend> {
        Terminal::new(TestBackend::new(columns, lines)).unwrap()
    }

    /// Draws a state, and returns the text of the screen.
    fn drawn(
        terminal: &mut Terminal<TestBackend>,
        model: &ViewModel,
        view: &mut ScreenLayout,
    ) -> String {
        terminal.draw(|canvas| view.draw(canvas, model)).unwrap();
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
        let models =
            models("easter-monster", "max_generations=80 restart_after=4 mutation_rate=0", None);
        let last = models.last().unwrap();
        assert!(last.frame.as_ref().is_some_and(|frame| frame.restart > 1), "{:?}", last.frame);
        check("nine-100x32", &drawn(&mut terminal(100, 32), last, &mut view()));
        check("nine-80x24", &drawn(&mut terminal(80, 24), last, &mut view()));
        let mut view = view();
        check("nine-40x12", &drawn(&mut terminal(40, 12), last, &mut view));
        view.apply(KeyCommand::OtherBoard);
        view.apply(KeyCommand::Help);
        check("nine-40x12-best", &drawn(&mut terminal(40, 12), last, &mut view));
        assert!(drawn(&mut terminal(80, 24), &ViewModel::new(None), &mut view).contains("running"));
    }

    /// It is scrolled as far as it goes and no further.
    #[test]
    fn a_large_board_in_a_small_pane() {
        let models = models("large-36-55", "max_generations=3", None);
        let last = models.last().unwrap();
        let (mut terminal, mut view) = (terminal(80, 24), view());
        check("large-80x24", &drawn(&mut terminal, last, &mut view));
        let wishes = [KeyCommand::Page(1), KeyCommand::Scroll([2, 12])];
        wishes.into_iter().for_each(|wish| view.apply(wish));
        check("large-80x24-scrolled", &drawn(&mut terminal, last, &mut view));
        (0..99).for_each(|_| view.apply(KeyCommand::Page(1)));
        (0..99).for_each(|_| view.apply(KeyCommand::Scroll([0, 3])));
        let end = drawn(&mut terminal, last, &mut view);
        assert!(end.contains("of 41"), "{end}");
        let row = &last.boards[0][35 * 36..];
        let corner = format!("{:>2}", row[35]);
        assert!(end.lines().any(|line| line.contains(&corner)), "{end}");
        (0..99).for_each(|_| view.apply(KeyCommand::Page(-1)));
        (0..99).for_each(|_| view.apply(KeyCommand::Scroll([0, -3])));
        let start = drawn(&mut terminal, last, &mut view);
        assert!(start.contains(" 1 to "), "{start}");
    }

    /// Beside a list, and with islands.
    #[test]
    fn a_list_and_islands() {
        let mut list = PuzzleList { total: Some(44), ..PuzzleList::default() };
        list.push("001-easy-01", PuzzleStatus::Solved);
        list.push("001-hard-01", PuzzleStatus::Unsolved);
        list.push("(unreadable)", PuzzleStatus::Failed);
        let list = models("003-6x6", "max_generations=8 mutation_rate=0", Some(list));
        check("list-80x24", &drawn(&mut terminal(80, 24), &list[list.len() - 1], &mut view()));
        let set = "max_generations=8 mutation_rate=0 islands=3";
        let islands = models("003-6x6", set, None);
        check(
            "islands-80x24",
            &drawn(&mut terminal(80, 24), &islands[islands.len() - 1], &mut view()),
        );
    }

    /// A smaller frame leaves nothing of a larger one, and no size is too small.
    #[test]
    fn sizes_change() {
        let models = models("003-6x6", "max_generations=8 mutation_rate=0", None);
        let mut view = view();
        let mut resized = terminal(120, 40);
        for (columns, lines) in [(120, 40), (33, 9), (1, 1), (2, 50), (200, 2), (5, 5), (80, 24)] {
            resized.backend_mut().resize(columns, lines);
            let there = drawn(&mut resized, &models[4], &mut view);
            let fresh = drawn(&mut terminal(columns, lines), &models[4], &mut view);
            assert_eq!(there, fresh, "{columns}x{lines}");
        }
    }
}
