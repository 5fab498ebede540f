//! A figure: something that can be drawn, as wide as all others.

use plotters::prelude::{IntoDrawingArea, SVGBackend};

use super::panel::{Area, Drawn, WIDTH, clear};

/// Something that can be drawn.
pub(crate) trait Figure {
    /// What it shows.
    fn title(&self) -> String;

    /// Its height in pixels.
    fn height(&self) -> u32;

    /// Draws it into an area of its height.
    fn draw(&self, area: &Area<'_>) -> Drawn;
}

/// The figure as SVG text.
pub(crate) fn svg(figure: &dyn Figure) -> String {
    let mut text = String::new();
    {
        let size = (WIDTH, figure.height());
        let root = SVGBackend::with_string(&mut text, size).into_drawing_area();
        let drawn = clear(&root).and_then(|()| figure.draw(&root)).and_then(|()| root.present());
        // Drawing into a string does not fail.
        debug_assert!(drawn.is_ok(), "{drawn:?}");
    }
    text
}
