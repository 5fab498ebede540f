//! The curve of a run: best, mean and worst fitness by generation.
//!
//! However long a run, it has at most [`MOST`] bins: when they are full, two become one. A bin keeps
//! the lowest and the highest best of its generations, so that no peak between two restarts is lost.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};
use ratatui::symbols::Marker;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Axis, Block, Chart, Dataset, GraphType, Widget};

use crate::report::Frame;

/// Bins at most.
const MOST: usize = 1024;

const BEST: Color = Color::Green;
const MEAN: Color = Color::Magenta;
const WORST: Color = Color::Blue;

/// Generations that are drawn as one.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Bin {
    /// The lowest and the highest of their bests.
    best: [u16; 2],
    worst: u16,
    /// The sum of their means, and how many they are.
    mean: f64,
    count: u32,
    /// Restarts up to the last of them.
    restarts: u32,
}

impl Bin {
    fn merge(self, next: Self) -> Self {
        Self {
            best: [self.best[0].min(next.best[0]), self.best[1].max(next.best[1])],
            worst: self.worst.max(next.worst),
            mean: self.mean + next.mean,
            count: self.count + next.count,
            restarts: next.restarts,
        }
    }
}

/// Fitness by generation.
#[derive(Clone, Debug)]
pub struct Curve {
    bins: Vec<Bin>,
    /// Generations that go into a bin.
    width: u32,
}

impl Default for Curve {
    fn default() -> Self {
        Self { bins: Vec::new(), width: 1 }
    }
}

impl Curve {
    /// Adds the next generation, of so many individuals.
    pub fn push(&mut self, frame: &Frame, population: u32) {
        let bin = Bin {
            best: [frame.best; 2],
            worst: frame.worst,
            mean: frame.sum as f64 / f64::from(population.max(1)),
            count: 1,
            restarts: frame.restart,
        };
        match self.bins.last_mut().filter(|last| last.count < self.width) {
            Some(last) => *last = last.merge(bin),
            None => self.bins.push(bin),
        }
        if self.bins.len() > MOST {
            self.width = self.width.saturating_mul(2);
            let pairs = self.bins.chunks(2);
            let merge = |pair: &[Bin]| pair[1..].iter().fold(pair[0], |one, next| one.merge(*next));
            self.bins = pairs.map(merge).collect();
        }
    }

    /// The generation that a bin begins with.
    fn generation(&self, bin: usize) -> f64 {
        bin as f64 * f64::from(self.width)
    }

    /// A point a bin.
    fn points(&self, figure: impl Fn(&Bin) -> f64) -> Vec<(f64, f64)> {
        self.bins.iter().enumerate().map(|(at, bin)| (self.generation(at), figure(bin))).collect()
    }

    /// Draws it with its axes.
    pub fn draw(&self, area: Rect, buffer: &mut Buffer) {
        let top = self.bins.iter().map(|bin| bin.worst).max().unwrap_or(0).max(1);
        // The axis begins with 0 unless all of the curve is far from it.
        let low = self.bins.iter().map(|bin| bin.best[0]).min().unwrap_or(0);
        let low = if low > top / 2 { f64::from(low) } else { 0.0 };
        let mut best = Vec::new();
        for (at, bin) in self.bins.iter().enumerate() {
            let generation = self.generation(at);
            best.extend(bin.best.map(|best| (generation, f64::from(best))));
        }
        let mean = self.points(|bin| bin.mean / f64::from(bin.count));
        let worst = self.points(|bin| bin.worst.into());
        let before =
            self.bins.iter().scan(0, |last, bin| Some(std::mem::replace(last, bin.restarts)));
        let restarts = self.bins.iter().zip(before).enumerate();
        let restarts: Vec<(f64, f64)> = restarts
            .filter(|(_, (bin, before))| bin.restarts > *before)
            .map(|(at, _)| (self.generation(at), low))
            .collect();

        let last = self.generation(self.bins.len().saturating_sub(1)).max(1.0);
        let line = |points, colour| {
            let set = Dataset::default().marker(Marker::Braille).graph_type(GraphType::Line);
            set.style(Style::new().fg(colour)).data(points)
        };
        let mut sets = vec![line(&worst, WORST), line(&mean, MEAN), line(&best, BEST)];
        let mut title = vec![Span::raw(" fitness: ")];
        for (name, colour) in [("best", BEST), ("mean", MEAN), ("worst", WORST)] {
            title.extend([Span::styled(name, Style::new().fg(colour)), Span::raw(" ")]);
        }
        if !restarts.is_empty() {
            title.push(Span::raw("• restart "));
            let set = Dataset::default().marker(Marker::Dot).graph_type(GraphType::Scatter);
            sets.push(set.data(&restarts));
        }
        let labels = |first: String, last: String| [Line::raw(first), Line::raw(last)];
        Chart::new(sets)
            .block(Block::bordered().title(Line::from(title)))
            .legend_position(None)
            .x_axis(
                Axis::default()
                    .bounds([0.0, last])
                    .labels(labels("0".to_owned(), format!("generation {last}"))),
            )
            .y_axis(
                Axis::default()
                    .bounds([low, top.into()])
                    .labels(labels(low.to_string(), top.to_string())),
            )
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
        assert!(curve.bins.len() <= MOST, "{}", curve.bins.len());
        assert_eq!(curve.bins.iter().map(|bin| bin.count).sum::<u32>(), 10_000);
        assert_eq!(curve.bins.iter().map(|bin| bin.best[1]).max(), Some(99));
        assert!(curve.bins.iter().all(|bin| bin.best[0] == 5));
        let peak = curve.bins.iter().position(|bin| bin.best[1] == 99).unwrap();
        let (from, to) = (curve.generation(peak), curve.generation(peak + 1));
        assert!((from..to).contains(&7_777.0), "{from} to {to}");
        assert!(
            curve.points(|bin| bin.mean / f64::from(bin.count)).iter().all(|(_, y)| *y == 10.0)
        );
    }
}
