//! What a panel holds: lines, bands, dots, intervals, cells.

/// Something drawn in the colour of a number.
#[derive(Clone, Debug)]
pub(crate) struct Layer {
    /// Number of its colour: the same thing has the same one in all figures.
    pub number: usize,
    /// What is drawn.
    pub mark: Mark,
}

/// What is drawn, in the values of the axes.
#[derive(Clone, Debug)]
pub(crate) enum Mark {
    /// Between a lower and an upper line: where, from, to.
    Band(Vec<(f64, f64, f64)>),
    /// A cell of a grid: its column and row, how dark it is from 0 to 1, and what stands in it.
    Cells(Vec<(usize, usize, Option<f64>, String)>),
    /// A thin line.
    Thin(Vec<(f64, f64)>),
    /// A thin line, dashed.
    Dashed(Vec<(f64, f64)>),
    /// A line.
    Line(Vec<(f64, f64)>),
    /// Vertical intervals: where, from, to.
    Intervals(Vec<(f64, f64, f64)>),
    /// Dots.
    Dots(Vec<(f64, f64)>),
    /// Rings, [`RING`] pixels across.
    Rings(Vec<(f64, f64)>),
}

/// Pixels that a ring takes across, with its rim: to be told from a line where a plot as wide as a
/// page is as narrow as a phone.
pub(crate) const RING: u32 = 14;

impl Layer {
    /// A mark in the colour of a number.
    pub fn new(number: usize, mark: Mark) -> Self {
        Self { number, mark }
    }

    /// What is drawn first lies below.
    pub(super) fn depth(&self) -> u8 {
        match self.mark {
            Mark::Band(_) | Mark::Cells(_) => 0,
            Mark::Thin(_) => 1,
            Mark::Dashed(_) => 2,
            Mark::Line(_) => 3,
            Mark::Intervals(_) => 4,
            Mark::Dots(_) => 5,
            Mark::Rings(_) => 6,
        }
    }
}
