//! Figures below each other, as one SVG.

use plotters::prelude::{IntoDrawingArea, SVGBackend};

use super::panel::{Area, Drawn, HEIGHT, WIDTH, clear};

/// Something that can be drawn, as wide as all others.
pub(crate) trait Figure {
    /// Its height in pixels.
    fn height(&self) -> u32;

    /// Draws it into an area of its height, or of more.
    fn draw(&self, area: &Area<'_>) -> Drawn;
}

/// The figures from top to bottom, as SVG text; nothing but white if there are none.
pub(crate) fn svg<'a>(figures: impl IntoIterator<Item = &'a dyn Figure>) -> String {
    let figures: Vec<&dyn Figure> =
        figures.into_iter().filter(|figure| figure.height() > 0).collect();
    let height: u32 = figures.iter().map(|figure| figure.height()).sum();
    let mut text = String::new();
    {
        let size = (WIDTH, height.max(HEIGHT));
        let root = SVGBackend::with_string(&mut text, size).into_drawing_area();
        let drawn = clear(&root).and_then(|()| {
            let mut rest = root.clone();
            for figure in &figures {
                let (area, below) = rest.split_vertically(figure.height());
                figure.draw(&area)?;
                rest = below;
            }
            root.present()
        });
        // Drawing into a string does not fail.
        debug_assert!(drawn.is_ok(), "{drawn:?}");
    }
    text
}
