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
            format!(".{name}{{fill:{colour}}}path.{name}{{stroke:{colour}}}")
        };
        COLOURS.iter().map(rule).collect()
    };
    let (light, dark) = (sheet(false), sheet(true));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" xml:space=\"preserve\" viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\">\n\
         <title>The screen of evodoku solve --watch</title>\n\
         <style>text{{font:14px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;white-space:pre}}\
         .bold{{font-weight:bold}}.line{{text-decoration:underline}}path.frame{{fill:none}}{light}\
         @media(prefers-color-scheme:dark){{{dark}}}</style>\n\
         <rect class=\"ground\" width=\"100%\" height=\"100%\" rx=\"8\"/>\n"
    );
    let mut frames: BTreeMap<&str, String> = BTreeMap::new();
    let mut dots: BTreeMap<&str, String> = BTreeMap::new();
    for y in 0..area.height {
        let row: Vec<&Cell> = (0..area.width).filter_map(|x| buffer.cell((x, y))).collect();
        let mut x = 0;
        while x < row.len() {
            let cell = row[x];
            let is_alike = |other: &&&Cell| {
                (other.fg, other.modifier) == (cell.fg, cell.modifier) && !is_path(symbol(other))
            };
            let length = row[x..].iter().take_while(is_alike).count();
            if length > 0 {
                text(&mut svg, &row[x..x + length], x, y);
            } else if is_braille(symbol(cell)) {
                braille(dots.entry(ink(cell)).or_default(), symbol(cell), place(x, y));
            } else {
                frame(frames.entry(ink(cell)).or_default(), symbol(cell), place(x, y));
            }
            x += length.max(1);
        }
    }
    for (colour, path) in frames {
        let _ = writeln!(svg, "<path class=\"frame {colour}\" d=\"{path}\"/>");
    }
    for (colour, path) in dots {
        let _ = writeln!(svg, "<path class=\"{colour}\" stroke=\"none\" d=\"{path}\"/>");
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

fn symbol(cell: &Cell) -> char {
    cell.symbol().chars().next().unwrap_or(' ')
}

fn is_braille(c: char) -> bool {
    ('\u{2800}'..='\u{28ff}').contains(&c)
}

/// Whether a character is drawn as a path.
fn is_path(c: char) -> bool {
    is_braille(c) || arms(c).is_some()
}

/// Draws cells of one style as text, on its ground.
fn text(svg: &mut String, run: &[&Cell], x: usize, y: u16) {
    let Some(first) = run.first() else { return };
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

/// The dots of a Braille pattern: its bits count down the left column, then the right one, and the
/// lowest row is bits 6 and 7 (Unicode Standard, chapter 21).
fn braille(path: &mut String, c: char, (left, top): (f64, f64)) {
    const ROWS: [(u32, u32); 8] = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3)];
    let bits = c as u32 & 0xff;
    for (_, (column, row)) in ROWS.iter().enumerate().filter(|(bit, _)| bits >> bit & 1 == 1) {
        let x = left + WIDTH * (0.25 + 0.5 * f64::from(*column)) - 1.0;
        let y = top + HEIGHT * (0.125 + 0.25 * f64::from(*row)) - 1.0;
        let _ = write!(path, "M{x:.1} {y:.1}h2v2h-2z");
    }
}

/// Whether a frame goes from the middle of its cell to the left, right, up and down.
fn arms(c: char) -> Option<[bool; 4]> {
    Some(match c {
        '─' => [true, true, false, false],
        '│' => [false, false, true, true],
        '┌' => [false, true, false, true],
        '┐' => [true, false, false, true],
        '└' => [false, true, true, false],
        '┘' => [true, false, true, false],
        '┼' => [true; 4],
        _ => return None,
    })
}

fn frame(path: &mut String, c: char, (left, top): (f64, f64)) {
    let [to_left, to_right, up, down] = arms(c).unwrap_or_default();
    let (x, y) = (left + WIDTH / 2.0, top + HEIGHT / 2.0);
    if to_left || to_right {
        let from = if to_left { left } else { x };
        let to = if to_right { left + WIDTH } else { x };
        let _ = write!(path, "M{from:.1} {y:.1}H{to:.1}");
    }
    if up || down {
        let from = if up { top } else { y };
        let to = if down { top + HEIGHT } else { y };
        let _ = write!(path, "M{x:.1} {from:.1}V{to:.1}");
    }
}
