//! The curve of a run: best, mean and worst fitness by generation.
//!
//! A run of any length has at most [`MOST_BINS`] bins: when they are full, each two are merged. A bin keeps
//! the lowest and the highest best of its generations, so that no peak between two restarts is lost.

use std::mem;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};
use ratatui::symbols::Marker;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Axis, Block, Chart, Dataset, GraphType, Widget};

use crate::report::Frame;

/// The most bins of a curve.
const MOST_BINS: usize = 1024;

const BEST: Color = Color::Green;
const MEAN: Color = Color::Magenta;
const WORST: Color = Color::Blue;

/// Generations that are drawn as one.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Bin {
    /// The lowest and the highest of their bests.
    best: [u16; 2],
    worst: u16,
    /// The sum of their means, and their number.
    means: f64,
    count: u32,
    /// Restarts up to the last of them.
    restarts: u32,
}

impl Bin {
    fn merge(self, next: Self) -> Self {
        Self {
            best: [self.best[0].min(next.best[0]), self.best[1].max(next.best[1])],
            worst: self.worst.max(next.worst),
            means: self.means + next.means,
            count: self.count + next.count,
            restarts: next.restarts,
        }
    }

    fn mean(&self) -> f64 {
        self.means / f64::from(self.count)
    }
}

/// Fitness by generation.
#[derive(Clone, Debug)]
pub struct Curve {
    bins: Vec<Bin>,
    /// Generations of a full bin.
    width: u32,
}

impl Default for Curve {
    fn default() -> Self {
        Self { bins: Vec::new(), width: 1 }
    }
}

impl Curve {
    /// Adds the next generation, of a population of this size.
    pub fn push(&mut self, frame: &Frame, population: u32) {
        let bin = Bin {
            best: [frame.best; 2],
            worst: frame.worst,
            means: frame.sum as f64 / f64::from(population.max(1)),
            count: 1,
            restarts: frame.restart,
        };
        match self.bins.last_mut().filter(|last| last.count < self.width) {
            Some(last) => *last = last.merge(bin),
            None => self.bins.push(bin),
        }
        if self.bins.len() > MOST_BINS {
            self.width = self.width.saturating_mul(2);
            let merged = |pair: &[Bin]| pair.iter().copied().reduce(Bin::merge);
            self.bins = self.bins.chunks(2).filter_map(merged).collect();
        }
    }

    /// The first generation of a bin.
    fn generation(&self, bin: usize) -> f64 {
        bin as f64 * f64::from(self.width)
    }

    /// A point for each bin.
    fn points(&self, figure: impl Fn(&Bin) -> f64) -> Vec<(f64, f64)> {
        self.bins.iter().enumerate().map(|(at, bin)| (self.generation(at), figure(bin))).collect()
    }

    /// Draws the curve with its axes.
    pub fn draw(&self, area: Rect, buffer: &mut Buffer) {
        let top = self.bins.iter().map(|bin| bin.worst).max().unwrap_or(0).max(1);
        // The axis starts at 0 unless all of the curve is far from it.
        let low = self.bins.iter().map(|bin| bin.best[0]).min().unwrap_or(0);
        let low = if low > top / 2 { f64::from(low) } else { 0.0 };
        let [lowest, highest] = [0, 1].map(|end| self.points(|bin| bin.best[end].into()));
        let best: Vec<(f64, f64)> =
            lowest.into_iter().zip(highest).flat_map(|(low, high)| [low, high]).collect();
        let (mean, worst) = (self.points(Bin::mean), self.points(|bin| bin.worst.into()));
        let (mut before, mut restarts) = (0, Vec::new());
        for (at, bin) in self.bins.iter().enumerate() {
            if mem::replace(&mut before, bin.restarts) < bin.restarts {
                restarts.push((self.generation(at), low));
            }
        }

        let mut title = vec![Span::raw(" fitness: ")];
        let mut sets = Vec::new();
        for (name, colour, points) in
            [("best", BEST, &best), ("mean", MEAN, &mean), ("worst", WORST, &worst)]
        {
            title.extend([Span::styled(name, Style::new().fg(colour)), Span::raw(" ")]);
            let set = Dataset::default().marker(Marker::Braille).graph_type(GraphType::Line);
            // The best is drawn last, over the others.
            sets.insert(0, set.style(Style::new().fg(colour)).data(points));
        }
        if !restarts.is_empty() {
            title.push(Span::raw("• restart "));
            let set = Dataset::default().marker(Marker::Dot).graph_type(GraphType::Scatter);
            sets.push(set.data(&restarts));
        }
        let axis = |low: f64, high: f64, label: String| {
            Axis::default().bounds([low, high]).labels([Line::raw(low.to_string()), label.into()])
        };
        let last = self.generation(self.bins.len().saturating_sub(1)).max(1.0);
        Chart::new(sets)
            .block(Block::bordered().title(Line::from(title)))
            .legend_position(None)
            .x_axis(axis(0.0, last, format!("generation {last}")))
            .y_axis(axis(low, top.into(), top.to_string()))
            .render(area, buffer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_run_keeps_its_peaks() {
        let mut curve = Curve::default();
        for generation in 0..10_000u32 {
            let best = if generation == 7_777 { 99 } else { 5 };
            let restart = generation / 1_000;
            let frame =
                Frame { generation, restart, best, worst: 200, sum: 60, ..Frame::default() };
            curve.push(&frame, 6);
        }
        assert!(curve.bins.len() <= MOST_BINS, "{}", curve.bins.len());
        assert_eq!(curve.bins.iter().map(|bin| bin.count).sum::<u32>(), 10_000);
        assert_eq!(curve.bins.iter().map(|bin| bin.best[1]).max(), Some(99));
        assert!(curve.bins.iter().all(|bin| bin.best[0] == 5));
        let peak = curve.bins.iter().position(|bin| bin.best[1] == 99).unwrap();
        let (from, to) = (curve.generation(peak), curve.generation(peak + 1));
        assert!((from..to).contains(&7_777.0), "{from} to {to}");
        assert!(curve.points(Bin::mean).iter().all(|(_, y)| *y == 10.0));
    }
}
