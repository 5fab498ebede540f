//! A measurement, and its columns in JSON and CSV.

use serde_json::{Value, json};

use super::plan::{BenchTarget, BenchTask, Metric};
use crate::board::Geometry;
use crate::report::{Row, rounded};
use crate::statistics::{Quantiles, Samples};
use crate::util::named_enum::named;

named! {
    /// A phase of a generation, or of scoring.
    pub enum GenerationPhase {
        /// Select, cross, mutate, improve.
        Breeding = "breeding",
        /// Upload of boards to the device.
        Upload = "upload",
        /// Scoring itself.
        Kernel = "kernel",
        /// Readback of scores.
        Readback = "readback",
        /// Planning, replacement and statistics, and waits between the phases.
        Rest = "rest",
    }
}

/// The result of a task.
#[derive(Clone, Debug, PartialEq)]
pub struct Measurement {
    /// The task.
    pub task: BenchTask,
    /// The boards' shape.
    pub shape: Geometry,
    /// Boards of a repetition: individuals, or the children of a generation.
    pub boards: u32,
    /// Repetitions that were counted.
    pub samples: usize,
    /// Seconds of a repetition.
    pub seconds: Quantiles,
    /// The limit in bytes a second, measured in the same run.
    pub limit: Option<f64>,
    /// Median seconds of breeding on the CPU.
    pub breed: Option<f64>,
    /// Median seconds of uploads.
    pub upload: Option<f64>,
    /// Median seconds of scoring; for a generation that the device breeds, of all phases.
    pub kernel: Option<f64>,
    /// Median seconds of readbacks.
    pub readback: Option<f64>,
    /// Median seconds of the adapter's kernel alone, over boards that are on it already.
    pub kernel_alone: Option<f64>,
}

impl Measurement {
    /// The result of a task that was measured at least once.
    pub(super) fn of(
        task: BenchTask,
        shape: Geometry,
        boards: u32,
        samples: &Samples,
        limit: Option<f64>,
    ) -> Option<Self> {
        // Boards cross to an adapter.
        let crosses = task.evaluator != BenchTarget::Cpu && task.engine != Some(BenchTarget::Gpu);
        let scored = task.what != Metric::Upload;
        let bred = task.what == Metric::Generation;
        let on_cpu = task.engine == Some(BenchTarget::Cpu);
        Some(Self {
            task,
            shape,
            boards,
            samples: samples.count(),
            seconds: samples.seconds()?,
            limit,
            // The device measures one time for breeding and scoring.
            breed: samples.part(|parts| parts.breed).filter(|_| bred && on_cpu),
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

    /// Boards a second, by the median.
    pub fn boards_per_second(&self) -> f64 {
        rate(self.boards.into(), self.seconds.median)
    }

    /// The quartiles of boards a second, the slower one first.
    pub fn rate_quartiles(&self) -> (f64, f64) {
        let Quantiles { lower_quartile, upper_quartile, .. } = self.seconds;
        (rate(self.boards.into(), upper_quartile), rate(self.boards.into(), lower_quartile))
    }

    /// Bytes of packed boards a second; none for a generation, which they do not limit.
    pub fn bytes_per_second(&self) -> Option<f64> {
        (self.task.what != Metric::Generation)
            .then(|| self.boards_per_second() * self.shape.stride() as f64)
    }

    /// Boards a second that the adapter's kernel alone scores.
    pub fn kernel_boards_per_second(&self) -> Option<f64> {
        self.kernel_alone.map(|seconds| rate(self.task.population.into(), seconds))
    }

    /// Bytes a second as a share of the limit.
    pub fn share(&self) -> Option<f64> {
        Some(self.bytes_per_second()? / self.limit?)
    }

    /// Boards a second at the limit.
    pub fn limit_rate(&self) -> Option<f64> {
        Some(self.limit? / self.shape.stride() as f64)
    }

    /// Half the distance of the quartiles, as a share of the median.
    pub fn spread(&self) -> f64 {
        let Quantiles { lower_quartile, median, upper_quartile, .. } = self.seconds;
        (upper_quartile - lower_quartile) / 2.0 / median.max(1e-12)
    }

    /// Each phase that applies and its share of the time, the rest last. The shares of phases that overlap
    /// add up to more than 1.
    pub fn phases(&self) -> Vec<(GenerationPhase, f64)> {
        let phases = [
            (GenerationPhase::Breeding, self.breed),
            (GenerationPhase::Upload, self.upload),
            (GenerationPhase::Kernel, self.kernel),
            (GenerationPhase::Readback, self.readback),
        ];
        let share = |(phase, seconds): (GenerationPhase, Option<f64>)| {
            Some((phase, seconds? / self.seconds.median.max(1e-12)))
        };
        let mut shares: Vec<(GenerationPhase, f64)> =
            phases.into_iter().filter_map(share).collect();
        let all: f64 = shares.iter().map(|(_, share)| share).sum();
        shares.push((GenerationPhase::Rest, (1.0 - all).max(0.0)));
        shares
    }

    /// The share of a phase, if it applies.
    pub fn share_of(&self, phase: GenerationPhase) -> Option<f64> {
        self.phases().into_iter().find(|(known, _)| *known == phase).map(|(_, share)| share)
    }

    /// The longest phase.
    pub fn limited_by(&self) -> Option<GenerationPhase> {
        self.phases().into_iter().max_by(|a, b| a.1.total_cmp(&b.1)).map(|(phase, _)| phase)
    }

    /// All columns in order; a value that does not apply is null.
    pub(super) fn columns(&self) -> Row {
        Row(COLUMNS.iter().map(|(name, value)| (*name, value(self))).collect())
    }
}

/// The name of a column and its value.
type MeasurementColumn = (&'static str, fn(&Measurement) -> Value);

/// The columns of exports.
pub(super) const COLUMNS: [MeasurementColumn; 23] = [
    ("what", |line| json!(line.task.what)),
    ("evaluator", |line| json!(line.task.evaluator)),
    ("engine", |line| json!(line.task.engine)),
    ("simd", |line| json!(line.task.simd)),
    ("threads", |line| json!(line.task.threads)),
    ("shape", |line| json!(line.shape.to_string())),
    ("preset", |line| json!(line.task.preset)),
    ("population", |line| json!(line.task.population)),
    ("boards_per_second", |line| whole(Some(line.boards_per_second()))),
    ("bytes_per_second", |line| whole(line.bytes_per_second())),
    ("limit_bytes_per_second", |line| whole(line.limit)),
    ("breed_seconds", |line| rounded(line.breed, DIGITS)),
    ("upload_seconds", |line| rounded(line.upload, DIGITS)),
    ("kernel_seconds", |line| rounded(line.kernel, DIGITS)),
    ("readback_seconds", |line| rounded(line.readback, DIGITS)),
    ("kernel_alone_seconds", |line| rounded(line.kernel_alone, DIGITS)),
    ("children_per_second", |line| {
        whole((line.task.what == Metric::Generation).then(|| line.boards_per_second()))
    }),
    ("samples", |line| json!(line.samples)),
    ("seconds", |line| rounded(Some(line.seconds.median), DIGITS)),
    ("seconds_best", |line| rounded(Some(line.seconds.best), DIGITS)),
    ("seconds_lower_quartile", |line| rounded(Some(line.seconds.lower_quartile), DIGITS)),
    ("seconds_upper_quartile", |line| rounded(Some(line.seconds.upper_quartile), DIGITS)),
    ("seconds_worst", |line| rounded(Some(line.seconds.worst), DIGITS)),
];

/// Digits of seconds behind the point: nanoseconds.
const DIGITS: i32 = 9;

fn rate(count: f64, seconds: f64) -> f64 {
    count / seconds.max(1e-12)
}

/// A whole number, or null.
pub(super) fn whole(figure: Option<f64>) -> Value {
    figure.map_or(Value::Null, |figure| json!(figure.round() as u64))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::fitness::{GenerationTimes, PhaseTimes, SimdLevel};
    use crate::ga::Preset;
    use crate::statistics::{Sample, StoppingRule};

    fn line(task: BenchTask) -> Measurement {
        let mut samples = Samples::new(StoppingRule { warm_up: 0, ..StoppingRule::default() });
        let millis = Duration::from_millis;
        let score = PhaseTimes { upload: millis(30), kernel: millis(20), readback: millis(10) };
        samples
            .add(Sample { time: millis(100), parts: GenerationTimes { breed: millis(60), score } });
        let shape = Geometry::new(3, 3).unwrap();
        Measurement::of(task, shape, task.population, &samples, Some(16.8e6)).unwrap()
    }

    fn given(line: &Measurement) -> Vec<&'static str> {
        let columns = line.columns().0.into_iter();
        columns.filter(|(_, value)| !value.is_null()).map(|(name, _)| name).collect()
    }

    #[test]
    fn rates_follow_from_the_median() {
        let mut line = line(BenchTask::new(Metric::Score, BenchTarget::Gpu, 10_000));
        assert_eq!(line.boards_per_second(), 100_000.0);
        assert_eq!(line.bytes_per_second(), Some(8.4e6));
        assert_eq!(line.share(), Some(0.5));
        assert_eq!(line.kernel_boards_per_second(), None);
        line.kernel_alone = Some(0.02);
        assert_eq!(line.kernel_boards_per_second(), Some(500_000.0));
    }

    #[test]
    fn the_longest_phase_limits_and_overlap_leaves_no_rest() {
        let task = BenchTask::generation(10_000, Preset::Boxes, None, 2);
        let line = line(task);
        assert_eq!(line.limited_by(), Some(GenerationPhase::Breeding));
        let phases = line.phases();
        assert_eq!(phases.len(), 5);
        assert_eq!(phases.last(), Some(&(GenerationPhase::Rest, 0.0)));
    }

    #[test]
    fn what_does_not_apply_is_null() {
        let score = line(BenchTask::cpu_score(10, SimdLevel::Scalar, 1));
        for name in ["engine", "preset", "breed_seconds", "upload_seconds", "children_per_second"] {
            assert!(!given(&score).contains(&name), "{name}");
        }
        let generation = line(BenchTask::generation(10, Preset::Boxes, None, 2));
        for name in ["simd", "bytes_per_second"] {
            assert!(!given(&generation).contains(&name), "{name}");
        }
        assert!(given(&generation).contains(&"children_per_second"));
        let upload = line(BenchTask::new(Metric::Upload, BenchTarget::Gpu, 10));
        for name in ["kernel_seconds", "readback_seconds", "simd"] {
            assert!(!given(&upload).contains(&name), "{name}");
        }
        assert!(given(&upload).contains(&"upload_seconds"));
    }
}
