//! Facets: small panels in rows with the same axes, below a title, a caption and a legend.

use plotters::prelude::{
    ChartBuilder, Circle, PathElement, Rectangle, TRANSPARENT, Text, TriangleMarker,
};
use plotters::style::text_anchor::{HPos, VPos};

use super::style::{self, GRID, INK};
use super::{Area, Axis, Drawn, Figure, Layer, Mark, WIDTH, draw};

/// Pixels left of a figure's words, and right of them.
pub(super) const MARGIN: i32 = 20;
/// Pixels of the title, of a line of the caption and of one of the legend.
const TITLE: i32 = 34;
pub(super) const LINE: i32 = 17;
const ROW: i32 = 20;
/// Sizes of text.
pub(super) const BIG: i32 = 18;
pub(super) const SMALL: i32 = 14;
/// Pixels of the labels left of a panel and below it, and above it and right of it.
const LEFT: i32 = 72;
const BELOW: i32 = 44;
const ABOVE: i32 = 8;
const RIGHT: i32 = 22;
/// Pixels left of the labels.
const EDGE: i32 = 6;

/// Panels with the same axes.
pub(crate) struct Facets {
    /// What it shows.
    pub title: String,
    /// What lines and marks stand for.
    pub caption: String,
    /// The axes of all panels.
    pub x: Axis,
    pub y: Axis,
    /// One for each puzzle.
    pub panels: Vec<Panel>,
    /// Numbers of colours, and what has them; nothing where there is nothing to tell apart.
    pub legend: Vec<(usize, String)>,
}

/// What is drawn over a pair of axes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Panel {
    /// What it is of.
    pub title: String,
    /// What is drawn.
    pub layers: Vec<Layer>,
    /// What to know about it, above all why it is empty.
    pub note: String,
}

impl Facets {
    /// Pixels of a panel's horizontal axis.
    pub fn pixels(panels: usize) -> u32 {
        (WIDTH / columns(panels)).saturating_sub((LEFT + RIGHT) as u32)
    }

    fn head(&self) -> i32 {
        let caption = caption(&self.caption).len() as i32 * LINE;
        TITLE + caption + rows(&self.legend).len() as i32 * ROW + 6
    }

    /// The height of a row of panels: of its titles, and of the panels.
    fn row(&self) -> (i32, i32) {
        let across = (WIDTH / columns(self.panels.len())) as i32 - 2 * MARGIN;
        let lines = |panel: &Panel| style::lines(&panel.title, SMALL, across).len() as i32;
        let titled = self.panels.iter().filter(|panel| !panel.title.is_empty()).map(lines).max();
        let panel = match columns(self.panels.len()) {
            1 => 330,
            2 => 280,
            _ => 230,
        };
        (titled.unwrap_or(0) * LINE, panel)
    }

    fn panel(
        &self,
        area: &Area<'_>,
        panel: &Panel,
        titles: i32,
        (left, bottom): (bool, bool),
    ) -> Drawn {
        let (width, height) = area.dim_in_pixel();
        let middle = LEFT + (width as i32 - LEFT - RIGHT) / 2;
        let across = width as i32 - 2 * MARGIN;
        if !panel.title.is_empty() {
            for (at, line) in (0..).zip(style::lines(&panel.title, SMALL, across)) {
                let above = style::text(SMALL, HPos::Center, VPos::Top);
                area.draw(&Text::new(line, (middle, 2 + at * LINE), above))?;
            }
        }
        let mut chart = ChartBuilder::on(area)
            .margin_top(titles + ABOVE)
            .margin_left(EDGE)
            .margin_right(RIGHT)
            .x_label_area_size(BELOW)
            .y_label_area_size(LEFT - EDGE)
            .build_cartesian_2d(self.x.clone(), self.y.clone())?;
        let mut mesh = chart.configure_mesh();
        mesh.x_labels(((width as i32 - LEFT - RIGHT) / 62).max(2) as usize)
            .y_labels(((height as i32 - titles - BELOW) / 34).max(3) as usize)
            .bold_line_style(GRID)
            .light_line_style(TRANSPARENT)
            .axis_style(INK)
            .label_style(style::text(SMALL, HPos::Left, VPos::Top))
            .axis_desc_style(style::text(SMALL, HPos::Left, VPos::Top));
        // Axes are the same in all panels, and named where they begin.
        if left {
            mesh.y_desc(self.y.name());
        }
        if bottom {
            mesh.x_desc(self.x.name());
        }
        mesh.draw()?;
        let mut layers: Vec<&Layer> = panel.layers.iter().collect();
        layers.sort_by_key(|layer| layer.depth());
        layers.into_iter().try_for_each(|layer| draw::layer(&mut chart, layer))?;
        for (at, line) in (0..).zip(style::lines(&panel.note, SMALL, across - LEFT)) {
            let top = height as i32 / 2 - 10 + at * LINE;
            let centred = style::text(SMALL, HPos::Center, VPos::Center);
            area.draw(&Text::new(line, (middle, top), centred))?;
        }
        Ok(())
    }
}

impl Figure for Facets {
    fn title(&self) -> String {
        self.title.clone()
    }

    fn height(&self) -> u32 {
        let rows = self.panels.len().div_ceil(columns(self.panels.len()) as usize) as i32;
        let (titles, panel) = self.row();
        (self.head() + rows * (titles + panel) + 12) as u32
    }

    fn draw(&self, area: &Area<'_>) -> Drawn {
        words(area, &self.title, &self.caption)?;
        let top = TITLE + caption(&self.caption).len() as i32 * LINE;
        legend(area, top, &self.legend, self.key())?;
        let (_, mut rest) = area.split_vertically(self.head());
        let columns = columns(self.panels.len()) as usize;
        let (titles, panel) = self.row();
        let rows = self.panels.chunks(columns);
        let last = rows.len().saturating_sub(1);
        for (row, panels) in rows.enumerate() {
            let (mut line, below) = rest.split_vertically(titles + panel);
            rest = below;
            for (column, one) in panels.iter().enumerate() {
                let (here, right) = line.split_horizontally(WIDTH / columns as u32);
                // Below a panel without one the axis has its name too.
                let bottom = row == last || (row + 1) * columns + column >= self.panels.len();
                self.panel(&here, one, titles, (column == 0, bottom))?;
                line = right;
            }
        }
        Ok(())
    }
}

impl Facets {
    /// What stands in the legend.
    fn key(&self) -> Key {
        let mut layers = self.panels.iter().flat_map(|panel| &panel.layers);
        if layers.any(|layer| matches!(layer.mark, Mark::Dots(_))) { Key::Dot } else { Key::Line }
    }
}

/// What stands beside the words of a legend.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Key {
    Line,
    /// A line with a dot.
    Dot,
    Area,
}

/// Columns of so many panels.
fn columns(panels: usize) -> u32 {
    match panels {
        0 | 1 => 1,
        2..=4 => 2,
        _ => 3,
    }
}

/// The title and the caption of a figure.
pub(super) fn words(area: &Area<'_>, title: &str, below: &str) -> Drawn {
    let style = style::text(BIG, HPos::Left, VPos::Top);
    area.draw(&Text::new(title.to_owned(), (MARGIN, 10), style))?;
    for (at, line) in (0..).zip(caption(below)) {
        let style = style::text(SMALL, HPos::Left, VPos::Top);
        area.draw(&Text::new(line, (MARGIN, TITLE + at * LINE), style))?;
    }
    Ok(())
}

/// Where what follows a title and a caption begins.
pub(super) fn below_words(below: &str) -> i32 {
    TITLE + caption(below).len() as i32 * LINE
}

fn caption(text: &str) -> Vec<String> {
    if text.is_empty() { Vec::new() } else { style::lines(text, SMALL, WIDTH as i32 - 2 * MARGIN) }
}

/// Pixels of a legend's entry.
fn entry(label: &str) -> i32 {
    style::width(label, SMALL) + 58
}

/// The entries of each line of a legend.
fn rows(legend: &[(usize, String)]) -> Vec<Vec<&(usize, String)>> {
    let mut rows: Vec<Vec<&(usize, String)>> = Vec::new();
    let mut left = 0;
    for one in legend {
        let width = entry(&one.1);
        match rows.last_mut() {
            Some(row) if width <= left => {
                row.push(one);
                left -= width;
            }
            _ => {
                rows.push(vec![one]);
                left = WIDTH as i32 - 2 * MARGIN - width;
            }
        }
    }
    rows
}

/// Pixels that a legend takes.
pub(super) fn legend_height(legend: &[(usize, String)]) -> i32 {
    rows(legend).len() as i32 * ROW
}

/// Draws a legend whose first line begins at `top`.
pub(super) fn legend(area: &Area<'_>, top: i32, legend: &[(usize, String)], key: Key) -> Drawn {
    for (row, entries) in (0..).zip(rows(legend)) {
        let (mut x, y) = (MARGIN, top + row * ROW + ROW / 2);
        for (number, label) in entries {
            let style = style::stroke(*number, 1.0, 2);
            let line = |from: i32, to: i32| {
                area.draw(&PathElement::new([(x + from, y), (x + to, y)], style))
            };
            match (key, style::is_second(*number)) {
                (Key::Area, _) => {
                    area.draw(&Rectangle::new([(x + 8, y - 6), (x + 22, y + 6)], style))?;
                }
                (_, false) => line(0, 30)?,
                (_, true) => [(0, 9), (13, 22), (26, 30)]
                    .into_iter()
                    .try_for_each(|(from, to)| line(from, to))?,
            }
            match (key, style::is_second(*number)) {
                (Key::Dot, false) => area.draw(&Circle::new((x + 15, y), 4, style))?,
                (Key::Dot, true) => area.draw(&TriangleMarker::new((x + 15, y), 5, style))?,
                _ => {}
            }
            let beside = style::text(SMALL, HPos::Left, VPos::Center);
            area.draw(&Text::new(label.clone(), (x + 36, y), beside))?;
            x += entry(label);
        }
    }
    Ok(())
}
