//! A board on the screen: givens are bold, changed cells green and underlined, duplicates red with a star.
//!
//! ```text
//! 5  1* 9 │ 3  .. │
//! 1* 2  7 │ ..
//! ────────┼─
//! ```

use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};

use crate::board::{BLANK, Geometry};
use crate::format::duplicates;

/// A board to draw.
pub struct Board<'a> {
    pub geometry: Geometry,
    pub cells: &'a [u8],
    pub givens: &'a [u8],
    /// Cells that changed.
    pub changed: &'a [bool],
}

/// Columns and lines that a board takes.
pub fn size(geometry: Geometry) -> (u16, u16) {
    let columns = geometry.side() * (digits(geometry) + 1) + 2 * (geometry.stacks() - 1);
    (columns as u16, (geometry.side() + geometry.bands() - 1) as u16)
}

/// Columns of a value.
fn digits(geometry: Geometry) -> usize {
    geometry.side().to_string().len()
}

impl Board<'_> {
    /// Its lines.
    pub fn lines(&self) -> Vec<Line<'static>> {
        let geometry = self.geometry;
        let (rows, cols) = (geometry.box_rows(), geometry.box_cols());
        let marks = duplicates(geometry, self.cells);
        let boxed = "─".repeat(cols * (digits(geometry) + 1));
        let frame = vec![boxed; geometry.stacks()].join("┼─");
        let mut lines = Vec::new();
        for row in 0..geometry.side() {
            if row > 0 && row % rows == 0 {
                lines.push(Line::raw(frame.clone()));
            }
            let mut spans = Vec::new();
            for col in 0..geometry.side() {
                if col > 0 && col % cols == 0 {
                    spans.push(Span::raw("│ "));
                }
                let cell = row * geometry.side() + col;
                spans.extend(self.cell(cell, marks.get(cell) == Some(&true)));
            }
            lines.push(Line::from(spans));
        }
        lines
    }

    /// A value and the character after it.
    fn cell(&self, cell: usize, is_duplicate: bool) -> [Span<'static>; 2] {
        let value = self.cells.get(cell).map_or(BLANK, |value| *value);
        let mut style = Style::new();
        if self.givens.get(cell).is_some_and(|given| *given != BLANK) {
            style = style.add_modifier(Modifier::BOLD);
        }
        if self.changed.get(cell) == Some(&true) {
            style = style.fg(Color::Green).add_modifier(Modifier::UNDERLINED);
        }
        let mut mark = Span::raw(" ");
        if is_duplicate {
            style = style.fg(Color::Red);
            mark = Span::styled("*", Style::new().fg(Color::Red));
        }
        let text = if value == BLANK { ".".to_owned() } else { value.to_string() };
        // Only the value is underlined.
        let blanks = " ".repeat(digits(self.geometry).saturating_sub(text.len()));
        [Span::styled(blanks + &text, style), mark]
    }
}
