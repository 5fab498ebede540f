//! A measured line, and its columns as JSON and CSV have them.

use serde_json::{Value, json};

use super::{BenchTask, EngineKind, Metric, Samples};
use crate::board::Geometry;
use crate::report::Row;
use crate::statistics::Quantiles;
use crate::util::named_enum::named;

named! {
    /// A part of a generation, or of scoring.
    pub enum GenerationPhase {
        /// Select, cross, mutate, improve.
        Breeding = "breeding",
        /// Boards on their way to the device.
        Upload = "upload",
        /// Scoring itself.
        Kernel = "kernel",
        /// Scores on their way back.
        Readback = "readback",
        /// Planning, replacement and statistics, and waits between the parts.
        Rest = "rest",
    }
}

/// What was measured, and what came out.
#[derive(Clone, Debug, PartialEq)]
pub struct Measurement {
    /// What was measured.
    pub task: BenchTask,
    /// The boards' shape.
    pub shape: Geometry,
    /// Boards of a repetition: individuals, or a generation's children.
    pub boards: u32,
    /// Repetitions that were counted.
    pub samples: usize,
    /// Seconds of a repetition.
    pub seconds: Quantiles,
    /// Bytes a second that could go through at most, measured in the same run.
    pub limit: Option<f64>,
    /// Median seconds of breeding on the host.
    pub breed: Option<f64>,
    /// Median seconds of uploads.
    pub upload: Option<f64>,
    /// Median seconds of scoring, and on the device of all else too.
    pub kernel: Option<f64>,
    /// Median seconds of readbacks.
    pub readback: Option<f64>,
    /// Median seconds of the adapter's kernel over boards that are on it already, with nothing
    /// else under way.
    pub kernel_alone: Option<f64>,
}

impl Measurement {
    /// The columns of exports.
    pub const COLUMNS: [&str; 23] = [
        "what",
        "evaluator",
        "engine",
        "simd",
        "threads",
        "shape",
        "preset",
        "population",
        "boards_per_second",
        "bytes_per_second",
        "limit_bytes_per_second",
        "breed_seconds",
        "upload_seconds",
        "kernel_seconds",
        "readback_seconds",
        "kernel_alone_seconds",
        "children_per_second",
        "samples",
        "seconds",
        "seconds_best",
        "seconds_lower_quartile",
        "seconds_upper_quartile",
        "seconds_worst",
    ];

    /// The line of a task that was measured at least once. `crosses` says whether boards cross to
    /// a device and back.
    pub(super) fn of(
        task: BenchTask,
        shape: Geometry,
        boards: u32,
        samples: &Samples,
        limit: Option<f64>,
        crosses: bool,
    ) -> Option<Self> {
        let scored = task.what != Metric::Upload;
        let bred = task.what == Metric::Generation;
        let on_host = task.engine == Some(EngineKind::Host);
        Some(Self {
            task,
            shape,
            boards,
            samples: samples.len(),
            seconds: samples.seconds()?,
            limit,
            // The device tells one time for breeding and scoring.
            breed: samples.part(|parts| parts.breed).filter(|_| bred && on_host),
            upload: if scored {
                samples.part(|parts| parts.score.upload).filter(|_| crosses)
            } else {
                samples.seconds().map(|seconds| seconds.median)
            },
            kernel: samples.part(|parts| parts.score.kernel).filter(|_| scored),
            readback: samples.part(|parts| parts.score.readback).filter(|_| scored && crosses),
            kernel_alone: None,
        })
    }

    /// Boards that went through a second, by the median.
    pub fn boards_per_second(&self) -> f64 {
        rate(self.boards.into(), self.seconds.median)
    }

    /// The quartiles of that, the slower one first.
    pub fn rate_quartiles(&self) -> (f64, f64) {
        let Quantiles { lower_quartile, upper_quartile, .. } = self.seconds;
        (rate(self.boards.into(), upper_quartile), rate(self.boards.into(), lower_quartile))
    }

    /// Bytes of packed boards a second; a generation has none, since it is not bound by them.
    pub fn bytes_per_second(&self) -> Option<f64> {
        (self.task.what != Metric::Generation)
            .then(|| self.boards_per_second() * self.shape.stride() as f64)
    }

    /// Boards that the adapter's kernel alone scores in a second.
    pub fn kernel_boards_per_second(&self) -> Option<f64> {
        self.kernel_alone.map(|seconds| rate(self.task.population.into(), seconds))
    }

    /// Bytes a second as a share of the limit.
    pub fn share(&self) -> Option<f64> {
        Some(self.bytes_per_second()? / self.limit?)
    }

    /// Half the distance of the quartiles, as a share of the median.
    pub fn spread(&self) -> f64 {
        let Quantiles { lower_quartile, median, upper_quartile, .. } = self.seconds;
        (upper_quartile - lower_quartile) / 2.0 / median.max(1e-12)
    }

    /// Each part that applies and its share of the time. Parts that overlap have more than the
    /// whole among them; what no part has is the rest.
    pub fn parts(&self) -> Vec<(GenerationPhase, f64)> {
        let parts = [
            (GenerationPhase::Breeding, self.breed),
            (GenerationPhase::Upload, self.upload),
            (GenerationPhase::Kernel, self.kernel),
            (GenerationPhase::Readback, self.readback),
        ];
        let share = |seconds: f64| seconds / self.seconds.median.max(1e-12);
        let mut shares: Vec<(GenerationPhase, f64)> =
            parts.into_iter().filter_map(|(part, seconds)| Some((part, share(seconds?)))).collect();
        let all: f64 = shares.iter().map(|(_, share)| share).sum();
        shares.push((GenerationPhase::Rest, (1.0 - all).max(0.0)));
        shares
    }

    /// The part that takes longest.
    pub fn limited_by(&self) -> Option<GenerationPhase> {
        self.parts().into_iter().max_by(|a, b| a.1.total_cmp(&b.1)).map(|(part, _)| part)
    }

    /// All columns in order; what does not apply is null.
    pub(super) fn columns(&self) -> Row {
        let BenchTask { what, evaluator, engine, simd, threads, preset, population } = self.task;
        let bred = what == Metric::Generation;
        let values = [
            json!(what),
            json!(evaluator),
            json!(engine),
            json!(simd),
            json!(threads),
            json!(self.shape.to_string()),
            json!(preset),
            json!(population),
            whole(Some(self.boards_per_second())),
            whole(self.bytes_per_second()),
            whole(self.limit),
            seconds(self.breed),
            seconds(self.upload),
            seconds(self.kernel),
            seconds(self.readback),
            seconds(self.kernel_alone),
            whole(bred.then(|| self.boards_per_second())),
            json!(self.samples),
            seconds(Some(self.seconds.median)),
            seconds(Some(self.seconds.best)),
            seconds(Some(self.seconds.lower_quartile)),
            seconds(Some(self.seconds.upper_quartile)),
            seconds(Some(self.seconds.worst)),
        ];
        Row(Self::COLUMNS.into_iter().zip(values).collect())
    }
}

fn rate(count: f64, seconds: f64) -> f64 {
    count / seconds.max(1e-12)
}

/// A whole number, or null.
pub(super) fn whole(figure: Option<f64>) -> Value {
    figure.map_or(Value::Null, |figure| json!(figure.round() as u64))
}

/// Seconds down to the nanosecond, or null.
pub(super) fn seconds(figure: Option<f64>) -> Value {
    figure.map_or(Value::Null, |figure| json!((figure * 1e9).round() / 1e9))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::bench::{Sample, StoppingRule};
    use crate::fitness::{GenerationTimes, PhaseTimes, SimdLevel};
    use crate::ga::Preset;

    fn line(task: BenchTask, crosses: bool) -> Measurement {
        let mut samples = Samples::new(StoppingRule { warm_up: 0, ..StoppingRule::default() });
        let millis = Duration::from_millis;
        let score = PhaseTimes { upload: millis(30), kernel: millis(20), readback: millis(10) };
        samples.note(Sample {
            time: millis(100),
            parts: GenerationTimes { breed: millis(60), score },
        });
        let shape = Geometry::new(3, 3).unwrap();
        Measurement::of(task, shape, task.population, &samples, Some(16.8e6), crosses).unwrap()
    }

    fn given(line: &Measurement) -> Vec<&'static str> {
        let columns = line.columns().0.into_iter();
        columns.filter(|(_, value)| !value.is_null()).map(|(name, _)| name).collect()
    }

    #[test]
    fn rates_follow_from_the_median() {
        let mut line = line(BenchTask::gpu_score(10_000), true);
        assert_eq!(line.boards_per_second(), 100_000.0);
        assert_eq!(line.bytes_per_second(), Some(8.4e6));
        assert_eq!(line.share(), Some(0.5));
        assert_eq!(line.kernel_boards_per_second(), None);
        line.kernel_alone = Some(0.02);
        assert_eq!(line.kernel_boards_per_second(), Some(500_000.0));
    }

    #[test]
    fn the_longest_part_limits_and_overlap_leaves_no_rest() {
        let task = BenchTask::generation(10_000, Preset::Boxes, None, 2);
        let line = line(task, true);
        assert_eq!(line.limited_by(), Some(GenerationPhase::Breeding));
        let parts = line.parts();
        assert_eq!(parts.len(), 5);
        assert_eq!(parts.last(), Some(&(GenerationPhase::Rest, 0.0)));
    }

    #[test]
    fn what_does_not_apply_is_null() {
        let score = line(BenchTask::cpu_score(10, SimdLevel::Scalar, 1), false);
        for name in ["engine", "preset", "breed_seconds", "upload_seconds", "children_per_second"] {
            assert!(!given(&score).contains(&name), "{name}");
        }
        let generation = line(BenchTask::generation(10, Preset::Boxes, None, 2), true);
        for name in ["simd", "bytes_per_second"] {
            assert!(!given(&generation).contains(&name), "{name}");
        }
        assert!(given(&generation).contains(&"children_per_second"));
        let upload = line(BenchTask::upload(10, super::super::BenchTarget::Ring), true);
        for name in ["kernel_seconds", "readback_seconds", "threads"] {
            assert!(!given(&upload).contains(&name), "{name}");
        }
        assert!(given(&upload).contains(&"upload_seconds"));
    }
}
