//! The curve of a run: best, mean and worst fitness by generation.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};
use ratatui::symbols::Marker;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Axis, Block, Chart, Dataset, GraphType, Widget};

use crate::report::{Frame, HistoryPoint};
use crate::store::FitnessHistory;

const BEST: Color = Color::Green;
const MEAN: Color = Color::Magenta;
const WORST: Color = Color::Blue;

/// Fitness by generation.
#[derive(Clone, Debug)]
pub struct Curve(FitnessHistory);

impl Default for Curve {
    fn default() -> Self {
        // A fine history has more points than a terminal has columns.
        Self(FitnessHistory::new(true))
    }
}

impl Curve {
    /// Adds the next generation, of a population of this size.
    pub fn push(&mut self, frame: &Frame, population: u32) {
        self.0.take(HistoryPoint {
            generation: frame.generation,
            best: frame.best,
            mean: frame.sum as f64 / f64::from(population.max(1)),
            worst: frame.worst,
            distinct: frame.distinct,
            restart: frame.restart,
        });
    }

    /// Draws the curve with its axes.
    pub fn draw(&self, area: Rect, buffer: &mut Buffer) {
        let points = self.0.clone().finish();
        let line = |figure: fn(&HistoryPoint) -> f64| -> Vec<(f64, f64)> {
            points.iter().map(|point| (point.generation.into(), figure(point))).collect()
        };
        let best = line(|point| point.best.into());
        let (mean, worst) = (line(|point| point.mean), line(|point| point.worst.into()));
        let top = points.iter().map(|point| point.worst).max().unwrap_or(0).max(1);
        // The axis starts at 0 unless all of the curve is far from it.
        let low = points.iter().map(|point| point.best).min().unwrap_or(0);
        let low = if low > top / 2 { f64::from(low) } else { 0.0 };
        let restarts = points.windows(2).filter(|pair| pair[1].restart > pair[0].restart);
        let restarts: Vec<(f64, f64)> =
            restarts.map(|pair| (pair[1].generation.into(), low)).collect();

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
        let last = points.last().map_or(1, |point| point.generation.max(1));
        Chart::new(sets)
            .block(Block::bordered().title(Line::from(title)))
            .legend_position(None)
            .x_axis(axis(0.0, last.into(), format!("generation {last}")))
            .y_axis(axis(low, top.into(), top.to_string()))
            .render(area, buffer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_run_has_its_peak_and_its_restarts() {
        let mut curve = Curve::default();
        for generation in 0..10_000u32 {
            let best = if generation == 7_777 { 99 } else { 5 };
            let restart = generation / 4_000;
            let frame =
                Frame { generation, restart, best, worst: 200, sum: 60, ..Frame::default() };
            curve.push(&frame, 6);
        }
        let area = Rect::new(0, 0, 100, 20);
        let mut buffer = Buffer::empty(area);
        curve.draw(area, &mut buffer);
        let text: String = buffer.content.iter().map(|cell| cell.symbol()).collect();
        assert!(text.contains("generation 9999"), "{text}");
        assert_eq!(text.matches('•').count(), 3, "one in the title: {text}");
        let points = curve.0.finish();
        assert!(points.len() < 5_000, "{}", points.len());
        assert!(points.iter().any(|point| (point.generation, point.best) == (7_777, 99)));
        assert!(points.iter().all(|point| point.mean == 10.0));
    }
}
