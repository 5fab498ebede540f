//! The layout of the screen: a head, boards, figures, the curve, what else there is, and a foot.
//!
//! ```text
//!  easter-monster  boxes, population 2,000, seed 1
//! ┌ this generation: 12 ─┐┌ best ever: 8, in 31 ─┐┌ run ──────────┐
//! │ ...                  ││ ...                  ││ generation 97 │
//! └──────────────────────┘└──────────────────────┘└───────────────┘
//! ┌ fitness: best mean worst ────────────────────┐┌ list ─────────┐
//! └──────────────────────────────────────────────┘└───────────────┘
//! running  q quit  space pause  ? keys
//! ```
//!
//! Where there is no room for both boards there is one, and a key for the other; a board larger than
//! its pane is scrolled. Panes that do not fit are left out: the curve first, then the figures.

use indicatif::HumanCount;
use ratatui::Frame as Canvas;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::{Block, Paragraph};
use textwrap::wrap;

use super::board::Board;
use super::keys::KeyCommand;
use super::view_model::{RunTitle, ViewModel};
use super::{board, islands, stats_pane};
use crate::cli::color;

/// Columns of the figures at least, and as they are wanted.
const FIGURES: [u16; 2] = [16, 28];
/// Columns of a pane for a board at least, so that its title fits.
const PANE: u16 = 24;
/// Lines of the curve at least, and above which a large board leaves it a third.
const CURVE: u16 = 6;
const ROOMY: u16 = 20;
/// Columns below which the foot tells fewer keys.
const NARROW: u16 = 60;
/// Lines of the foot at most.
const MOST_FOOT: usize = 4;

/// How the viewer looks at a scene.
#[derive(Clone, Debug, Default)]
pub struct ScreenLayout {
    /// Whether the best board ever is shown where there is room for one only.
    pub other: bool,
    /// Whether there are no colours.
    pub plain: bool,
    /// Whether all keys are told.
    pub help: bool,
    /// Lines and columns that the boards are scrolled by.
    pub scroll: [u16; 2],
    /// As far as they can be scrolled, and lines of a page, as it was drawn last.
    pub most: [u16; 2],
    pub page: u16,
    /// What goes on, how fast, and the keys that mean something.
    pub state: String,
    pub speed: String,
    pub keys: &'static str,
}

impl ScreenLayout {
    /// Scrolls by lines and columns.
    fn scroll(&mut self, [lines, columns]: [i32; 2]) {
        for (at, by) in [lines, columns].into_iter().enumerate() {
            let to = i32::from(self.scroll[at]) + by;
            self.scroll[at] = to.clamp(0, self.most[at].into()) as u16;
        }
    }

    /// Whether a board is larger than its pane.
    pub fn is_scrolled(&self) -> bool {
        self.most != [0, 0]
    }

    /// Of a terminal whose user may want no colours.
    pub fn of_terminal(keys: &'static str) -> Self {
        Self { keys, plain: !color::is_wanted(), ..Self::default() }
    }

    /// Heeds what concerns the viewer alone.
    pub fn heed(&mut self, wish: KeyCommand) {
        match wish {
            KeyCommand::Help => self.help = !self.help,
            KeyCommand::OtherBoard => self.other = !self.other,
            KeyCommand::Scroll(by) => self.scroll(by),
            KeyCommand::Page(pages) => self.scroll([pages * i32::from(self.page), 0]),
            _ => {}
        }
    }

    /// Draws a scene.
    pub fn draw(&mut self, canvas: &mut Canvas<'_>, scene: &ViewModel) {
        self.most = [0, 0];
        let foot = self.foot(scene, canvas.area().width);
        let lines = foot.len() as u16;
        let rows = [Constraint::Length(1), Constraint::Min(0), Constraint::Length(lines)];
        let [head, body, low] = canvas.area().layout(&Layout::vertical(rows));
        let reversed = Style::new().add_modifier(Modifier::REVERSED);
        canvas.render_widget(Paragraph::new(foot).style(reversed), low);
        let Some(title) = &scene.title else { return };
        canvas.render_widget(self::head(title), head);
        let (columns, lines) = board::size(title.geometry);
        let board = Rect::new(0, 0, (columns + 2).max(PANE), lines + 2);

        let curve = match body.height.saturating_sub(board.height) {
            rest if rest >= CURVE => rest,
            _ if body.height >= ROOMY => body.height / 3,
            _ => 0,
        };
        let [high, low] =
            body.layout(&Layout::vertical([Constraint::Min(0), Constraint::Length(curve)]));
        let figures = match high.width.saturating_sub(board.width) {
            rest if rest >= board.width + FIGURES[1] => rest - board.width,
            rest if rest >= FIGURES[0] => rest,
            _ if high.width >= 2 * FIGURES[1] => FIGURES[1],
            _ => 0,
        };
        let side = [Constraint::Min(0), Constraint::Length(figures)];
        let [left, right] = high.layout(&Layout::horizontal(side));
        self.boards(canvas, scene, title, left, board);
        self.figures(canvas, scene, right);
        self.low(canvas, scene, low);
        if self.plain {
            canvas.buffer_mut().content.iter_mut().for_each(|cell| cell.fg = Color::Reset);
        }
    }

    /// Both boards, or one of them.
    fn boards(
        &mut self,
        canvas: &mut Canvas<'_>,
        scene: &ViewModel,
        title: &RunTitle,
        area: Rect,
        board: Rect,
    ) {
        if area.width >= 2 * board.width {
            let halves = Layout::horizontal([Constraint::Fill(1), Constraint::Fill(1)]);
            let [now, best] = area.layout(&halves);
            self.board(canvas, scene, title, 0, now);
            self.board(canvas, scene, title, 1, best);
        } else {
            self.board(canvas, scene, title, usize::from(self.other), area);
        }
    }

    /// The best board of the generation, or the best ever.
    fn board(
        &mut self,
        canvas: &mut Canvas<'_>,
        scene: &ViewModel,
        title: &RunTitle,
        which: usize,
        area: Rect,
    ) {
        let name = match (&scene.frame, which) {
            (None, _) => " board ".to_owned(),
            (Some(frame), 0) => format!(" this generation: {} ", frame.best),
            (Some(frame), _) => format!(" best ever: {}, in {} ", frame.best_so_far, scene.found),
        };
        let mut block = Block::bordered().title(name);
        let inner = block.inner(area);
        let (columns, lines) = board::size(title.geometry);
        self.most = [lines.saturating_sub(inner.height), columns.saturating_sub(inner.width)];
        self.page = inner.height.max(1);
        self.scroll([0, 0]);
        if self.is_scrolled() && inner.height > 0 {
            let last = (self.scroll[0] + inner.height).min(lines);
            let lines = format!(" {} to {last} of {lines}: arrows ", self.scroll[0] + 1);
            block = block.title_bottom(lines);
        }
        let (cells, changed) = (&scene.boards[which], scene.changed(which));
        let (geometry, givens) = (title.geometry, &title.givens);
        let cells = if cells.is_empty() { givens } else { cells };
        let board = Board { geometry, cells, givens, changed: &changed };
        let [down, right] = self.scroll;
        let text = Paragraph::new(board.lines()).scroll((down, right));
        canvas.render_widget(text.block(block), area);
    }

    fn figures(&self, canvas: &mut Canvas<'_>, scene: &ViewModel, area: Rect) {
        let block = Block::bordered().title(" run ");
        let lines = stats_pane::lines(scene, &self.speed, block.inner(area).width);
        canvas.render_widget(Paragraph::new(lines).block(block), area);
    }

    /// The curve, and beside it the list or the islands, if there are any.
    fn low(&self, canvas: &mut Canvas<'_>, scene: &ViewModel, area: Rect) {
        let islands = scene.frame.as_ref().map_or(&[][..], |frame| &frame.islands);
        let beside = match area.width {
            _ if scene.queue.is_none() && islands.len() < 2 => 0,
            width if width >= 2 * FIGURES[1] => FIGURES[1],
            _ => 0,
        };
        let side = [Constraint::Min(0), Constraint::Length(beside)];
        let [left, right] = area.layout(&Layout::horizontal(side));
        if left.height > 2 && left.width > 2 {
            scene.curve.draw(left, canvas.buffer_mut());
        }
        let name = if scene.queue.is_some() { " list " } else { " best of each island " };
        let block = Block::bordered().title(name);
        let inner = block.inner(right);
        let lines = match &scene.queue {
            Some(queue) => {
                let under_way = scene.title.as_ref().map(|title| title.name.as_str());
                queue.lines(under_way, inner.height.into())
            }
            None => islands::lines(islands, inner.width, inner.height.into()),
        };
        canvas.render_widget(Paragraph::new(lines).block(block), right);
    }

    /// What goes on and the keys, and above it what should be known.
    fn foot(&self, scene: &ViewModel, width: u16) -> Vec<Line<'static>> {
        let keys = match self.help {
            true => self.keys,
            false if width < NARROW => "q quit  ? keys",
            false => "q quit  space pause  ? keys",
        };
        let text = format!("{}  {keys}", self.state);
        let remark = scene.remark.iter().map(String::as_str);
        let wrapped = remark.chain([text.as_str()]).flat_map(|text| wrap(text, usize::from(width)));
        wrapped.take(MOST_FOOT).map(|line| Line::raw(line.into_owned())).collect()
    }
}

fn head(title: &RunTitle) -> Line<'static> {
    let RunTitle { name, preset, population, seed, .. } = title;
    let mut text =
        format!(" {name}  {preset}, population {}, seed {seed}", HumanCount((*population).into()));
    if let Some(engine) = &title.engine {
        text += &format!(", {engine}");
    }
    Line::styled(text, Style::new().add_modifier(Modifier::BOLD))
}
