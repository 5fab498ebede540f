//! Facets: small panels in rows with the same axes, below a title, a caption and a legend.

use plotters::prelude::{ChartBuilder, TRANSPARENT, Text};
use plotters::style::text_anchor::{HPos, VPos};

use super::legend::{LegendKey, legend, legend_height};
use super::style::{self, GRID, INK};
use super::{Axis, Chart, DrawArea, DrawResult, Layer, PlotMark, WIDTH, layer};

/// Pixels left of a figure's words, and right of them.
pub(super) const MARGIN: i32 = 20;
/// Pixels of the title, and of a line of the caption.
const TITLE: i32 = 34;
pub(super) const LINE: i32 = 17;
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
    /// The title.
    pub title: String,
    /// The meaning of lines and marks.
    pub caption: String,
    /// The axes of all panels.
    pub x: Axis,
    pub y: Axis,
    /// One for each puzzle.
    pub panels: Vec<Panel>,
    /// Numbers of colours, and what has them; nothing where there is nothing to tell apart.
    pub legend: Vec<(usize, String)>,
}

/// A pair of axes with its layers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Panel {
    /// The title.
    pub title: String,
    /// The layers.
    pub layers: Vec<Layer>,
    /// A remark, such as why it is empty.
    pub note: String,
}

impl Facets {
    /// Pixels of a panel's horizontal axis.
    pub fn pixels(panels: usize) -> u32 {
        (WIDTH / columns(panels)).saturating_sub((LEFT + RIGHT) as u32)
    }

    fn head(&self) -> i32 {
        below_words(&self.caption) + legend_height(&self.legend) + 6
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
        area: &DrawArea<'_>,
        panel: &Panel,
        titles: i32,
        (left, bottom): (bool, bool),
    ) -> DrawResult {
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
        layers.into_iter().try_for_each(|layer| layer::layer(&mut chart, layer))?;
        for (at, line) in (0..).zip(style::lines(&panel.note, SMALL, across - LEFT)) {
            let top = height as i32 / 2 - 10 + at * LINE;
            let centred = style::text(SMALL, HPos::Center, VPos::Center);
            area.draw(&Text::new(line, (middle, top), centred))?;
        }
        Ok(())
    }
}

impl Chart for Facets {
    fn title(&self) -> String {
        self.title.clone()
    }

    fn height(&self) -> u32 {
        let rows = self.panels.len().div_ceil(columns(self.panels.len()) as usize) as i32;
        let (titles, panel) = self.row();
        (self.head() + rows * (titles + panel) + 12) as u32
    }

    fn draw(&self, area: &DrawArea<'_>) -> DrawResult {
        words(area, &self.title, &self.caption)?;
        legend(area, below_words(&self.caption), &self.legend, self.key())?;
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
    /// The keys of the legend.
    fn key(&self) -> LegendKey {
        let mut layers = self.panels.iter().flat_map(|panel| &panel.layers);
        if layers.any(|layer| matches!(layer.mark, PlotMark::Dots(_))) {
            LegendKey::Dot
        } else {
            LegendKey::Line
        }
    }
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
pub(super) fn words(area: &DrawArea<'_>, title: &str, below: &str) -> DrawResult {
    let style = style::text(BIG, HPos::Left, VPos::Top);
    area.draw(&Text::new(title.to_owned(), (MARGIN, 10), style))?;
    for (at, line) in (0..).zip(caption(below)) {
        let style = style::text(SMALL, HPos::Left, VPos::Top);
        area.draw(&Text::new(line, (MARGIN, TITLE + at * LINE), style))?;
    }
    Ok(())
}

/// The top of what follows a title and a caption.
pub(super) fn below_words(below: &str) -> i32 {
    TITLE + caption(below).len() as i32 * LINE
}

fn caption(text: &str) -> Vec<String> {
    if text.is_empty() { Vec::new() } else { style::lines(text, SMALL, WIDTH as i32 - 2 * MARGIN) }
}
