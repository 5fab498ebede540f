//! A frame of the screen as SVG, drawn by the same code as on a terminal.
//!
//! Text stays text; frames and curves, which fonts draw with gaps, are paths. There are colours for a light
//! and for a dark ground, of which the settings of the viewer choose one, and the picture paints its ground.

use std::collections::BTreeMap;
use std::fmt::Write;

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};

use super::layout::ScreenLayout;
use super::view_model::ViewModel;

/// The size of a cell and of the margin, in points.
const WIDTH: f64 = 8.4;
const HEIGHT: f64 = 17.0;
const MARGIN: f64 = 10.0;
/// The baseline of text in its cell.
const BASELINE: f64 = 12.8;

/// Colours: a name, and the values on a light and on a dark ground.
const COLOURS: [(&str, &str, &str); 6] = [
    ("ink", "#1f2328", "#e6edf3"),
    ("red", "#c0272d", "#ff7b72"),
    ("green", "#116329", "#7ee787"),
    ("magenta", "#8250df", "#d2a8ff"),
    ("blue", "#0550ae", "#79c0ff"),
    ("ground", "#f6f8fa", "#0d1117"),
];

/// Draws the screen with so many columns and lines.
pub fn picture(model: &ViewModel, layout: &mut ScreenLayout, columns: u16, lines: u16) -> String {
    let Ok(mut terminal) = Terminal::new(TestBackend::new(columns, lines));
    let Ok(_) = terminal.draw(|canvas| layout.draw(canvas, model));
    svg(terminal.backend().buffer())
}

fn svg(buffer: &Buffer) -> String {
    let area = buffer.area;
    let width = f64::from(area.width) * WIDTH + 2.0 * MARGIN;
    let height = f64::from(area.height) * HEIGHT + 2.0 * MARGIN;
    let sheet = |is_dark: bool| -> String {
        let rule = |(name, light, dark): &(&str, &str, &str)| {
            let colour = if is_dark { dark } else { light };
            format!(".{name}{{fill:{colour}}}")
        };
        COLOURS.iter().map(rule).collect()
    };
    let (light, dark) = (sheet(false), sheet(true));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" xml:space=\"preserve\" viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\">\n\
         <title>The screen of evodoku solve --watch</title>\n\
         <style>text{{font:14px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;white-space:pre}}\
         .bold{{font-weight:bold}}.line{{text-decoration:underline}}{light}\
         @media(prefers-color-scheme:dark){{{dark}}}</style>\n\
         <rect class=\"ground\" width=\"100%\" height=\"100%\" rx=\"8\"/>\n"
    );
    let mut paths: BTreeMap<&str, String> = BTreeMap::new();
    for (y, row) in (0..).zip(buffer.content.chunks(area.width.into())) {
        let style = |cell: &Cell| (cell.fg, cell.modifier, rectangles(cell).is_empty());
        let mut x = 0;
        for run in row.chunk_by(|one, other| style(one) == style(other)) {
            if rectangles(&run[0]).is_empty() {
                text(&mut svg, run, x, y);
            } else {
                let path = paths.entry(ink(&run[0])).or_default();
                (x..).zip(run).for_each(|(x, cell)| draw(path, cell, x, y));
            }
            x += run.len();
        }
    }
    for (colour, path) in paths {
        let _ = writeln!(svg, "<path class=\"{colour}\" d=\"{path}\"/>");
    }
    svg + "</svg>\n"
}

/// The upper left corner of a cell.
fn place(x: usize, y: u16) -> (f64, f64) {
    (MARGIN + x as f64 * WIDTH, MARGIN + f64::from(y) * HEIGHT)
}

fn colour(cell: &Cell) -> &'static str {
    match cell.fg {
        Color::Red => "red",
        Color::Green => "green",
        Color::Magenta => "magenta",
        Color::Blue => "blue",
        _ => "ink",
    }
}

/// The colour of the text of a cell.
fn ink(cell: &Cell) -> &'static str {
    if cell.modifier.contains(Modifier::REVERSED) { "ground" } else { colour(cell) }
}

/// Draws cells of one style as text, on its ground.
fn text(svg: &mut String, run: &[Cell], x: usize, y: u16) {
    let first = &run[0];
    let (left, top) = place(x, y);
    let whole: String = run.iter().map(|cell| cell.symbol()).collect();
    if first.modifier.contains(Modifier::REVERSED) {
        let width = run.len() as f64 * WIDTH;
        let colour = colour(first);
        let _ = writeln!(
            svg,
            "<rect class=\"{colour}\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{HEIGHT}\"/>"
        );
    }
    let text = whole.trim();
    if text.is_empty() {
        return;
    }
    let before = whole.chars().take_while(|c| *c == ' ').count();
    let (left, top) = (left + before as f64 * WIDTH, top + BASELINE);
    let length = text.chars().count() as f64 * WIDTH;
    let bold = if first.modifier.contains(Modifier::BOLD) { " bold" } else { "" };
    let line = if first.modifier.contains(Modifier::UNDERLINED) { " line" } else { "" };
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let _ = writeln!(
        svg,
        "<text class=\"{}{bold}{line}\" x=\"{left:.1}\" y=\"{top:.1}\" textLength=\"{length:.1}\">{text}</text>",
        ink(first)
    );
}

/// Draws a cell as rectangles.
fn draw(path: &mut String, cell: &Cell, x: usize, y: u16) {
    let (left, top) = place(x, y);
    for [x, y, width, height] in rectangles(cell) {
        let (x, y) = (left + x, top + y);
        let _ = write!(path, "M{x:.1} {y:.1}h{width:.1}v{height:.1}h-{width:.1}z");
    }
}

/// The parts of a frame or a Braille pattern: the left, top, width and height of each in its cell. Other
/// characters are drawn as text, and have none.
fn rectangles(cell: &Cell) -> Vec<[f64; 4]> {
    /// The bits of a Braille pattern count down the left column, then the right one, and the lowest row is
    /// bits 6 and 7 (Unicode Standard, chapter 21).
    const DOTS: [(f64, f64); 8] =
        [(0., 0.), (0., 1.), (0., 2.), (1., 0.), (1., 1.), (1., 2.), (0., 3.), (1., 3.)];
    // The lines of a frame are 1 wide, and cross in the middle of the cell.
    let (x, y) = ((WIDTH - 1.0) / 2.0, (HEIGHT - 1.0) / 2.0);
    let (left, right) = ([0.0, y, x + 1.0, 1.0], [x, y, WIDTH - x, 1.0]);
    let (up, down) = ([x, 0.0, 1.0, y + 1.0], [x, y, 1.0, HEIGHT - y]);
    match cell.symbol().chars().next() {
        Some('─') => vec![[0.0, y, WIDTH, 1.0]],
        Some('│') => vec![[x, 0.0, 1.0, HEIGHT]],
        Some('┌') => vec![right, down],
        Some('┐') => vec![left, down],
        Some('└') => vec![right, up],
        Some('┘') => vec![left, up],
        Some('┼') => vec![left, right, up, down],
        Some(pattern @ '\u{2800}'..='\u{28ff}') => {
            let dots = (0..).zip(DOTS).filter(|(bit, _)| pattern as u32 >> bit & 1 == 1);
            let dot = |(_, (column, row))| {
                [WIDTH * (0.25 + 0.5 * column) - 1.5, HEIGHT * (0.125 + 0.25 * row) - 1.5, 3.0, 3.0]
            };
            dots.map(dot).collect()
        }
        _ => Vec::new(),
    }
}
