//! How fast scoring, breeding and uploads are, compared with the limits of the machine.
//!
//! Every figure is a median of repetitions, with its spread ([`measure`](crate::statistics::measure)). Each rate has a
//! limit that was measured in the same run: for the CPU the rate at which the same threads read the same
//! bytes ([`read_rate`](bandwidth::read_rate)), for an adapter the slower
//! of the two copies of an upload.

mod bandwidth;
mod board_kind;
mod measurement;
mod plan;
mod plot;
mod report;
mod results;
mod session;
mod workload;

pub use board_kind::BoardKind;
pub use plan::{BenchPlan, Metric};
pub use results::BenchResults;
pub use session::run;
pub use workload::score;

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::fitness::SimdLevel;
    use crate::ga::Preset;
    use crate::report::SystemInfo;
    use crate::util::interrupt::Interrupt;

    #[test]
    fn a_bench_without_an_adapter_tells_of_the_cpu() -> Result<(), Box<dyn std::error::Error>> {
        let plan = BenchPlan {
            shape: "2x3".parse()?,
            what: Metric::ALL.to_vec(),
            populations: vec![1_000],
            simd: vec![SimdLevel::best()],
            threads: vec![1],
            presets: vec![Preset::Boxes],
            chunk: None,
            seed: 1,
            budget: Duration::from_millis(10),
        };
        plan.check()?;
        let mut results = BenchResults::new(plan, SystemInfo::here(), None);
        run(&mut results, None, &Interrupt::new(), &mut |_, _, _| {})?;
        let rates: Vec<f64> =
            results.measurements.iter().map(|line| line.boards_per_second()).collect();
        assert_eq!(rates.len(), 2); // scoring on the CPU, and a generation
        let question = "How many boards of 2x3 boxes does this machine score and breed a second?";
        assert_eq!(results.question(), question);
        let answer = results.answer();
        assert_eq!(answer.len(), 2);
        for (text, what) in
            answer.iter().zip(["Scoring: highest rate ", "Generations: highest rate "])
        {
            assert!(
                text.starts_with(what) && text.ends_with(" at a population of 1,000."),
                "{text}"
            );
        }
        Ok(())
    }
}
