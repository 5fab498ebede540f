//! A panel: axes with units, lines, a legend beside them.

use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::{
    Cartesian2d, ChartBuilder, ChartContext, Circle, Color, DashedLineSeries, DrawingArea,
    DrawingAreaErrorKind, LineSeries, PathElement, RGBColor, SVGBackend, ShapeStyle, Text, WHITE,
};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{IntoFont, TextStyle};

use indicatif::HumanCount;

use super::figure::Figure;

/// Width of the plot in pixels.
pub(crate) const WIDTH: u32 = 900;
/// Height of a panel in pixels.
pub(crate) const HEIGHT: u32 = 400;
/// Width of the legend in pixels.
const LEGEND: u32 = 230;
/// Letters of a legend's line.
const LETTERS: usize = 29;
const LABELS: i32 = 14;
const INK: RGBColor = RGBColor(40, 40, 40);
pub(crate) const GRID: RGBColor = RGBColor(225, 225, 225);

/// Colours that people with any colour vision can tell apart: M. Okabe and K. Ito, *Color
/// universal design*, 2008; its yellow, too light for a line on white, is brown here.
const COLORS: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
    RGBColor(130, 90, 44),
];

pub(crate) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;
/// What drawing comes to.
pub(crate) type Drawn = Result<(), DrawingAreaErrorKind<std::io::Error>>;

/// Axes and lines.
pub(crate) struct Panel {
    pub title: String,
    pub x: Axis,
    pub y: Axis,
    pub lines: Vec<Curve>,
}

/// A line and how it looks.
pub(crate) struct Curve {
    /// Its line in the legend, or nothing.
    pub label: String,
    /// Number of its colour.
    pub color: usize,
    pub points: Vec<(f64, f64)>,
    /// Vertical bars: where, from, to.
    pub bars: Vec<(f64, f64, f64)>,
    pub stroke: Stroke,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stroke {
    Solid,
    Dashed,
    /// A dot at each point.
    Dots,
    /// A dot at each point, where it is.
    Marked,
}

impl Curve {
    pub fn new(label: String, color: usize, points: Vec<(f64, f64)>) -> Self {
        Self { label, color, points, bars: Vec::new(), stroke: Stroke::Solid }
    }

    fn color(&self) -> RGBColor {
        color(self.color)
    }
}

/// The colour of this number.
pub(crate) fn color(number: usize) -> RGBColor {
    COLORS[number % COLORS.len()]
}

/// An axis: where it begins and ends, and where it is marked.
pub(crate) struct Axis {
    name: &'static str,
    low: f64,
    high: f64,
    logarithmic: bool,
    ticks: Vec<f64>,
}

impl Axis {
    /// From 0 to `high`.
    pub fn linear(name: &'static str, high: f64) -> Self {
        let step = step(high);
        let ticks = (0..).map(|tick| f64::from(tick) * step).take_while(|tick| *tick <= high);
        Self { name, low: 0.0, high, logarithmic: false, ticks: ticks.collect() }
    }

    /// From 0 to 100.
    pub fn percent(name: &'static str) -> Self {
        Self { high: 104.0, ..Self::linear(name, 100.0) }
    }

    /// Around all `values`, which are above 0.
    pub fn logarithmic(name: &'static str, values: impl IntoIterator<Item = f64>) -> Self {
        let (low, high) = values
            .into_iter()
            .fold((f64::INFINITY, 1.0_f64), |(low, high), value| (low.min(value), high.max(value)));
        let (low, high) = (low.min(high) / 1.3, high * 1.3);
        let marks = if high / low > 50.0 { vec![1.0] } else { vec![1.0, 2.0, 5.0] };
        let mut ticks: Vec<f64> = (low.log10().floor() as i32..=high.log10().ceil() as i32)
            .flat_map(|decade| marks.iter().map(move |mark| mark * 10f64.powi(decade)))
            .filter(|tick| (low..=high).contains(tick))
            .collect();
        if ticks.is_empty() {
            ticks.push((low * high).sqrt().round());
        }
        Self { name, low, high, logarithmic: true, ticks }
    }

    /// Marked at these values instead, if they are few.
    pub fn marked_at(mut self, values: &[u32]) -> Self {
        if values.len() <= 8 {
            self.ticks = values.iter().copied().map(f64::from).collect();
        }
        self
    }

    /// What lies before a logarithmic axis is drawn where it begins.
    fn at(&self, value: f64) -> f64 {
        if self.logarithmic { value.max(self.low).log10() } else { value }
    }
}

/// The text of a tick, short enough to stand beside an axis.
fn marked(tick: f64) -> String {
    match tick.round() as u64 {
        tick if tick >= 10_000_000 && tick.is_multiple_of(1_000_000) => {
            format!("{} M", HumanCount(tick / 1_000_000))
        }
        tick => HumanCount(tick).to_string(),
    }
}

/// A round step that marks an axis up to six times.
fn step(high: f64) -> f64 {
    let decade = 10f64.powf((high / 6.0).log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * decade);
    steps.into_iter().find(|step| high / step <= 6.0).unwrap_or(high).max(1.0)
}

/// Paints everything white.
pub(crate) fn clear(area: &Area<'_>) -> Drawn {
    area.fill(&WHITE)
}

impl Figure for Panel {
    fn title(&self) -> String {
        self.title.clone()
    }

    fn height(&self) -> u32 {
        HEIGHT
    }

    fn draw(&self, area: &Area<'_>) -> Drawn {
        let (left, right) = area.split_horizontally(WIDTH - LEGEND);
        area.draw(&Text::new(self.title.clone(), (78, 12), style(16)))?;
        let mut chart = ChartBuilder::on(&left)
            .margin_top(42)
            .margin_left(78)
            .margin_right(12)
            .margin_bottom(56)
            .build_cartesian_2d(
                self.x.at(self.x.low)..self.x.at(self.x.high),
                self.y.at(self.y.low)..self.y.at(self.y.high),
            )?;
        self.axes(&left, &chart)?;
        for line in &self.lines {
            self.line(&mut chart, line)?;
        }
        self.legend(&right)
    }
}

impl Panel {
    fn axes(&self, area: &Area<'_>, chart: &Chart<'_, '_>) -> Drawn {
        // Pixels of the chart, and of a point in it, within the area.
        let (x_range, y_range) = chart.plotting_area().get_pixel_range();
        let (origin_x, origin_y) = area.get_base_pixel();
        let (left, right) = (x_range.start - origin_x, x_range.end - origin_x);
        let (top, bottom) = (y_range.start - origin_y, y_range.end - origin_y);
        let pixel = |x: f64, y: f64| {
            let (x, y) = chart.plotting_area().map_coordinate(&(x, y));
            (x - origin_x, y - origin_y)
        };
        let anchored = |horizontal, vertical| style(LABELS).pos(Pos::new(horizontal, vertical));
        let mut free = i32::MIN;
        for tick in &self.x.ticks {
            let (x, _) = pixel(self.x.at(*tick), self.y.at(self.y.low));
            area.draw(&PathElement::new([(x, top), (x, bottom)], GRID))?;
            let text = marked(*tick);
            // About eight pixels a digit: labels keep off each other.
            let half = 4 * text.len() as i32;
            if x - half < free {
                continue;
            }
            free = x + half + 6;
            area.draw(&Text::new(text, (x, bottom + 6), anchored(HPos::Center, VPos::Top)))?;
        }
        for tick in &self.y.ticks {
            let (_, y) = pixel(self.x.at(self.x.low), self.y.at(*tick));
            area.draw(&PathElement::new([(left, y), (right, y)], GRID))?;
            let text = marked(*tick);
            area.draw(&Text::new(text, (left - 8, y), anchored(HPos::Right, VPos::Center)))?;
        }
        area.draw(&PathElement::new([(left, top), (left, bottom), (right, bottom)], INK))?;
        let middle = ((left + right) / 2, bottom + 30);
        area.draw(&Text::new(self.x.name, middle, anchored(HPos::Center, VPos::Top)))?;
        let turned = ("sans-serif", LABELS)
            .into_font()
            .transform(plotters::style::FontTransform::Rotate270)
            .color(&INK)
            .pos(Pos::new(HPos::Center, VPos::Top));
        area.draw(&Text::new(self.y.name, (16, (top + bottom) / 2), turned))
    }

    fn line(&self, chart: &mut Chart<'_, '_>, line: &Curve) -> Drawn {
        let color = line.color();
        // Intervals of different lines stand side by side, with their dots.
        let aside = if line.stroke == Stroke::Dots {
            let width = self.x.at(self.x.high) - self.x.at(self.x.low);
            (line.color as f64 - (self.lines.len() - 1) as f64 / 2.0) * width / 150.0
        } else {
            0.0
        };
        let x_at = |x: f64| self.x.at(x) + aside;
        let points: Vec<(f64, f64)> =
            line.points.iter().map(|(x, y)| (x_at(*x), self.y.at(*y))).collect();
        let thick = ShapeStyle { color: color.to_rgba(), filled: true, stroke_width: 2 };
        let thin = ShapeStyle { color: color.mix(0.65), filled: true, stroke_width: 1 };
        if line.stroke == Stroke::Dashed {
            chart.draw_series(DashedLineSeries::new(points, 5, 4, thin))?;
            return Ok(());
        }
        let bars = line.bars.iter().map(|(x, low, high)| {
            let x = x_at(*x);
            PathElement::new([(x, *low), (x, *high)], ShapeStyle { stroke_width: 2, ..thin })
        });
        chart.draw_series(bars)?;
        chart.draw_series(LineSeries::new(points.clone(), thick))?;
        if matches!(line.stroke, Stroke::Dots | Stroke::Marked) {
            chart.draw_series(points.iter().map(|point| Circle::new(*point, 4, thick)))?;
        }
        Ok(())
    }

    fn legend(&self, area: &Area<'_>) -> Drawn {
        let named = self.lines.iter().filter(|line| !line.label.is_empty());
        for (row, line) in named.enumerate() {
            let y = 52 + 22 * row as i32;
            let thick = ShapeStyle { color: line.color().to_rgba(), filled: true, stroke_width: 3 };
            area.draw(&PathElement::new([(4, y), (26, y)], thick))?;
            let style = style(13).pos(Pos::new(HPos::Left, VPos::Center));
            area.draw(&Text::new(shortened(&line.label), (32, y), style))?;
        }
        Ok(())
    }
}

pub(crate) fn style(size: i32) -> TextStyle<'static> {
    ("sans-serif", size).into_font().color(&INK)
}

/// The label, its middle left out where it is too long for the legend.
fn shortened(label: &str) -> String {
    let letters: Vec<char> = label.chars().collect();
    if letters.len() <= LETTERS {
        return label.to_owned();
    }
    let start: String = letters[..LETTERS / 3].iter().collect();
    let end: String = letters[letters.len() - (LETTERS - LETTERS / 3 - 1)..].iter().collect();
    format!("{start}…{end}")
}
