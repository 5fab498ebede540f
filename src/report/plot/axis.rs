//! An axis: where it begins and ends, and where it is marked.
//!
//! It is a coordinate of plotters, which draws its line, marks and labels. Plotters' own linear and
//! logarithmic coordinates are two types: a chart for each pair of them would be compiled four times, and
//! their logarithmic one marks some ranges once or not at all.

use std::ops::Range;

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use plotters::coord::types::RangedCoordf64;

use crate::util::quantity;

/// Generations from which on their axis is logarithmic: most changes are in the first ones.
const LONG: u32 = 200;

/// An axis with its name and marks.
#[derive(Clone, Debug)]
pub(crate) struct Axis {
    /// Its name.
    pub name: String,
    low: f64,
    high: f64,
    logarithmic: bool,
    /// Marks and what they are called, where these are given.
    marks: Option<Vec<(f64, String)>>,
}

impl Axis {
    /// From 0 to `high`.
    pub fn linear(name: impl Into<String>, high: f64) -> Self {
        let high = if high > 0.0 { high } else { 1.0 };
        Self { name: name.into(), low: 0.0, high, logarithmic: false, marks: None }
    }

    /// Around all `values`, which are above 0.
    pub fn logarithmic(name: impl Into<String>, values: impl IntoIterator<Item = f64>) -> Self {
        let values = values.into_iter().filter(|value| *value > 0.0);
        let (low, high) = values
            .fold((f64::INFINITY, 0.0_f64), |(low, high), value| (low.min(value), high.max(value)));
        let (low, high) = if low <= high { (low / 1.3, high * 1.3) } else { (1.0, 10.0) };
        Self { name: name.into(), low, high, logarithmic: true, marks: None }
    }

    /// An axis of generations, from 0 to `last`, which is logarithmic where there are many, unless it `is_linear`:
    /// restarts would be hatching at the end of a logarithmic one.
    pub fn generations(last: u32, is_linear: bool) -> Self {
        let high = f64::from(last.max(1));
        if is_linear || last <= LONG {
            return Self::linear("generation", high);
        }
        let name = "generation (log; 0 at the left)".to_owned();
        Self { name, low: 0.8, high, logarithmic: true, marks: None }
    }

    /// A place for each name.
    pub fn names(name: impl Into<String>, names: &[String]) -> Self {
        let marks = names.iter().enumerate().map(|(at, name)| (at as f64 + 0.5, name.clone()));
        let marks = Some(marks.collect());
        Self { marks, ..Self::linear(name, names.len() as f64) }
    }

    /// From `high` at its beginning to 0, without marks: pixels from the top.
    pub fn pixels(high: u32) -> Self {
        let (low, high) = (high.into(), 0.0);
        Self { name: String::new(), low, high, logarithmic: false, marks: Some(Vec::new()) }
    }

    /// Marked at these values, if they are few.
    pub fn marked_at(mut self, values: &[u32]) -> Self {
        if values.len() <= 8 {
            let mark = |value: &u32| (f64::from(*value), shown(f64::from(*value)));
            self.marks = Some(values.iter().map(mark).collect());
        }
        self
    }

    /// The place of a value between the beginning, 0, and the end, 1; values beyond are at the end.
    pub fn share(&self, value: f64) -> f64 {
        let share = if self.logarithmic {
            (value.max(self.low) / self.low).ln() / (self.high / self.low).ln()
        } else {
            (value - self.low) / (self.high - self.low)
        };
        share.clamp(0.0, 1.0)
    }

    /// The value at a share of the axis.
    pub fn value(&self, share: f64) -> f64 {
        if self.logarithmic {
            self.low * (self.high / self.low).powf(share)
        } else {
            self.low + share * (self.high - self.low)
        }
    }

    /// The places of at most `most` marks.
    fn places(&self, most: usize) -> Vec<f64> {
        if let Some(marks) = &self.marks {
            return marks.iter().map(|(at, _)| *at).collect();
        }
        let most = most.max(2);
        if !self.logarithmic || self.high / self.low < 4.0 {
            // Counts have no halves.
            let most = if self.high >= 1.0 { most.min(self.high as usize + 1) } else { most };
            return RangedCoordf64::from(self.low..self.high).key_points(most);
        }
        let within = |factors: &[f64]| -> Vec<f64> {
            let decades = self.low.log10().floor() as i32..=self.high.log10().ceil() as i32;
            decades
                .flat_map(|decade| factors.iter().map(move |factor| factor * 10f64.powi(decade)))
                .filter(|place| (self.low..=self.high).contains(place))
                .collect()
        };
        let some =
            |all: Vec<f64>| all.iter().copied().step_by(all.len().max(1).div_ceil(most)).collect();
        let fine = within(&[1.0, 2.0, 5.0]);
        [fine.clone(), some(within(&[1.0])), some(fine)]
            .into_iter()
            .find(|places| (2..=most).contains(&places.len()))
            .unwrap_or_else(|| vec![self.low, self.high])
    }
}

/// A number short enough for the mark of an axis: `250`, `5,000`, `20 k`, `1.5 M`.
fn shown(value: f64) -> String {
    let (divisor, unit) = match value {
        value if value >= 1e9 => (1e9, " G"),
        value if value >= 1e6 => (1e6, " M"),
        value if value >= 1e4 => (1e3, " k"),
        _ => (1.0, ""),
    };
    let number = value / divisor;
    if number >= 1e3 {
        return format!("{}{unit}", quantity::count(number.round() as u64));
    }
    let text = format!("{number:.2}");
    format!("{}{unit}", text.trim_end_matches('0').trim_end_matches('.'))
}

impl Ranged for Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (from, to): (i32, i32)) -> i32 {
        from + (self.share(*value) * f64::from(to - from)).round() as i32
    }

    fn key_points<H: KeyPointHint>(&self, hint: H) -> Vec<f64> {
        self.places(hint.bold_points())
    }

    fn range(&self) -> Range<f64> {
        self.low..self.high
    }
}

impl ValueFormatter<f64> for Axis {
    fn format_ext(&self, value: &f64) -> String {
        let given = self.marks.iter().flatten().find(|(at, _)| at == value);
        given.map_or_else(|| shown(*value), |(_, name)| name.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks(axis: &Axis, most: usize) -> Vec<String> {
        axis.places(most).iter().map(|place| axis.format_ext(place)).collect()
    }

    #[test]
    fn every_range_has_marks_that_are_round_and_few() {
        let spans = |low: f64, high: f64| Axis::logarithmic("x", [low * 1.3, high / 1.3]);
        assert_eq!(marks(&spans(3.0, 150.0), 6), ["5", "10", "20", "50", "100"]);
        assert_eq!(marks(&spans(70.0, 130.0), 5), ["80", "100", "120"]);
        assert_eq!(marks(&spans(0.8, 2e6), 8), ["1", "10", "100", "1,000", "10 k", "100 k", "1 M"]);
        for (low, high) in [(1.0, 50.0), (9.0, 11.0), (200.0, 900.0), (1.0, 1e12), (5.0, 5.1)] {
            for most in 3..10 {
                let count = spans(low, high).places(most).len();
                assert!((2..=most).contains(&count), "{low} to {high}: {count} of {most}");
            }
        }
        assert_eq!(marks(&spans(192e3, 6.2e6), 4), ["200 k", "1 M", "5 M"], "not the ends");
        assert_eq!(marks(&Axis::linear("x", 47.0), 6), ["0", "10", "20", "30", "40"]);
        assert_eq!(marks(&Axis::linear("x", 3.0), 9), ["0", "1", "2", "3"]);
        assert_eq!(marks(&Axis::linear("x", 100.0), 6), ["0", "20", "40", "60", "80", "100"]);
    }

    #[test]
    fn values_come_back_from_where_they_lie() {
        for axis in [Axis::linear("x", 7.0), Axis::logarithmic("x", [3.0, 4_000.0])] {
            for share in [0.0, 0.25, 1.0] {
                assert!((axis.share(axis.value(share)) - share).abs() < 1e-9);
            }
        }
        let axis = Axis::generations(1_000, false);
        assert_eq!((axis.share(0.0), axis.share(1_000.0)), (0.0, 1.0));
        assert_eq!(axis.name, "generation (log; 0 at the left)");
        assert_eq!(Axis::generations(1_000, true).share(500.0), 0.5);
        assert_eq!(Axis::generations(200, false).share(100.0), 0.5);
        for (last, marked) in [(0, 1), (1, 1), (7, 7)] {
            let all: Vec<String> = (0..=marked).map(|mark| mark.to_string()).collect();
            assert_eq!(marks(&Axis::generations(last, false), 9), all);
        }
        assert_eq!(marks(&Axis::generations(20, false), 5), ["0", "5", "10", "15", "20"]);
    }
}
