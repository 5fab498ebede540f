//! The report of a tuning, and its winner as a file for `--config`.

use serde_json::{Map, Value, json};

use super::Tuning;
use super::irace::Iteration;
use super::space::{Dimension, Domain};
use super::tuning::Tuned;
use super::validation::ValidationPair;
use crate::report::{Field, OnDemand, Report, Row, Table, version_fields};
use crate::store::json_line;
use crate::util::quantity::counted;

/// A tuning that is done.
#[derive(Clone, Copy, Debug)]
pub struct TuneSummary<'a> {
    /// The tuning.
    pub tuning: &'a Tuning,
    /// Its result.
    pub tuned: &'a Tuned,
}

impl TuneSummary<'_> {
    /// Its report.
    pub fn report(&self) -> Report<'_> {
        Report {
            kind: "tune",
            title: self.tuning.spec().name.clone(),
            question: OnDemand::new(|| self.question()),
            answer: OnDemand::new(|| self.answer()),
            fields: OnDemand::new(|| self.fields()),
            list: "runs",
            records: OnDemand::new(|| self.runs().iter().map(json_line).collect()),
            rows: OnDemand::new(|| self.runs().into()),
            tables: OnDemand::new(|| self.tables()),
            ..Report::default()
        }
    }

    /// Tables for people.
    pub fn tables(&self) -> Vec<Table> {
        [self.parameters(), self.iterations()].into_iter().chain(self.validation()).collect()
    }

    /// The winner as a file for `--config`.
    ///
    /// # Errors
    /// The error of the writer of TOML.
    pub fn config(&self) -> Result<String, toml::ser::Error> {
        let settings = &self.tuned.settings;
        let set = toml::to_string(&settings.overrides)?;
        let gain = self.gain().map(|text| format!("# {text}\n")).unwrap_or_default();
        let name = &self.tuning.spec().name;
        Ok(format!(
            "# What `evodoku tune` found: {name}.\n{gain}preset = \"{}\"\n{set}",
            settings.preset
        ))
    }

    /// The gain of the winner, in a sentence.
    pub(super) fn gain(&self) -> Option<String> {
        let found = self.tuned.gain?;
        let verdict = match (found.low, found.high) {
            (_, high) if high < 1.0 => "less",
            (low, _) if low > 1.0 => "more",
            _ => "not told apart",
        };
        Some(format!(
            "On {} it costs {:.2} of what the default does (95 % {:.2} to {:.2}: {verdict}).",
            counted(self.tuned.validated.len() as u64, "other puzzle"),
            found.ratio,
            found.low,
            found.high
        ))
    }

    fn winner(&self) -> String {
        match self.tuned.values.as_slice() {
            [] => "the default configuration".to_owned(),
            values => {
                let values: Vec<String> =
                    values.iter().map(|(name, value)| format!("{name} {value}")).collect();
                values.join(", ")
            }
        }
    }

    fn training(&self) -> usize {
        self.tuning.spec().puzzles.blocks[0].puzzles.len()
    }

    fn runs(&self) -> Vec<Row> {
        let cost = |cost: &f64| (cost * 1e3).round() / 1e3;
        let row = |(run, paid): &(super::journal::TrialRecord, f64)| {
            Row(vec![
                ("list", json!(if run.validation { "validation" } else { "training" })),
                ("place", json!(run.place)),
                ("puzzle", json!(run.puzzle)),
                ("set", json!(run.set)),
                ("seed", json!(run.seed)),
                ("solved", json!(run.solved())),
                ("stop_reason", json!(run.stop_reason)),
                ("fitness", json!(run.fitness)),
                ("work", json!(run.work)),
                ("cost", json!(cost(paid))),
                ("seconds", json!(run.seconds)),
            ])
        };
        self.tuned.records.iter().map(row).collect()
    }

    fn question(&self) -> String {
        let spec = self.tuning.spec();
        let names: Vec<&str> = spec.space.dimensions.iter().map(|one| one.name).collect();
        format!("Which {} of {} cost least?", names.join(", "), spec.settings.preset)
    }

    /// The answer in short.
    pub fn answer(&self) -> Vec<String> {
        let runs: u64 = self.tuned.iterations.iter().map(|one| one.runs).sum();
        let (winner, runs) = (self.winner(), counted(runs, "run"));
        let puzzles = counted(self.training() as u64, "training puzzle");
        let won = format!("Of {runs} on {puzzles} {winner} cost least.");
        [won].into_iter().chain(self.gain()).collect()
    }

    fn fields(&self) -> Vec<(&'static str, Field)> {
        let spec = self.tuning.spec();
        let mut fields = version_fields("tune");
        let puzzles = |block: usize| -> Vec<String> {
            let puzzles = spec.puzzles.blocks[block].puzzles.iter();
            puzzles.map(|puzzle| puzzle.value.name.clone()).collect()
        };
        fields.extend([
            ("tuning", Field::of(&spec.name)),
            ("method", Field::of(spec.settings.preset)),
            ("fixed", Field::of(&spec.settings.overrides)),
            (
                "space",
                Field::List(spec.space.dimensions.iter().map(|one| dimension(one, self)).collect()),
            ),
            ("training", Field::of(puzzles(0))),
            ("validation", Field::of(puzzles(1))),
            ("budget_runs", Field::of(spec.budget.runs)),
            ("budget_work", Field::of(spec.budget.work)),
            ("cost", Field::of(spec.cost.of)),
            ("penalty", Field::of(spec.cost.penalty)),
            ("test", Field::of(spec.rules.test)),
            ("level", Field::of(spec.rules.level)),
            ("first_test", Field::of(spec.rules.first_test)),
            ("seed", Field::of(spec.seed)),
            (
                "iterations",
                Field::List(self.tuned.iterations.iter().map(|it| iteration(it, self)).collect()),
            ),
            ("winner", Field::Value(values(&self.tuned.values))),
            ("winner_is_default", Field::of(self.tuned.number == 1)),
            ("validated", Field::List(self.tuned.validated.iter().map(validated).collect())),
            ("ratio", Field::of(self.tuned.gain.map(|gain| gain.ratio))),
            ("ratio_low", Field::of(self.tuned.gain.map(|gain| gain.low))),
            ("ratio_high", Field::of(self.tuned.gain.map(|gain| gain.high))),
        ]);
        fields
    }
}

/// Names and values as an object.
fn values(values: &[(&'static str, String)]) -> Value {
    let members = values.iter().map(|(name, value)| {
        let number = value.parse::<f64>().ok().and_then(|_| serde_json::from_str(value).ok());
        ((*name).to_owned(), number.unwrap_or_else(|| json!(value)))
    });
    Value::Object(members.collect::<Map<_, _>>())
}

fn dimension(one: &Dimension, summary: &TuneSummary<'_>) -> Row {
    let (kind, from, to, scale, names) = match &one.domain {
        Domain::Whole { from, to, log } => ("whole", json!(from), json!(to), Some(*log), None),
        Domain::Real { from, to, log } => ("real", json!(from), json!(to), Some(*log), None),
        Domain::Names(names) => ("names", Value::Null, Value::Null, None, Some(names)),
    };
    let others = &summary.tuning.spec().space.dimensions;
    let when = one
        .when
        .iter()
        .map(|condition| (others[condition.dimension].name.to_owned(), json!(condition.values)));
    Row(vec![
        ("parameter", json!(one.name)),
        ("kind", json!(kind)),
        ("from", from),
        ("to", to),
        ("scale", json!(scale.map(|log| if log { "log" } else { "linear" }))),
        ("values", json!(names)),
        ("when", Value::Object(when.collect::<Map<_, _>>())),
    ])
}

fn iteration(one: &Iteration, summary: &TuneSummary<'_>) -> Row {
    let space = &summary.tuning.spec().space;
    let elite = |elite: &super::race::CandidateResult| {
        json!({
            "candidate": elite.number,
            "set": values(&space.texts(&elite.candidate)),
            "blocks": elite.costs.len(),
            "mean_cost": elite.mean(),
        })
    };
    Row(vec![
        ("iteration", json!(one.number)),
        ("candidates", json!(one.candidates)),
        ("new", json!(one.new)),
        ("runs", json!(one.runs)),
        ("work", json!(one.work)),
        ("elites", one.elites.iter().map(elite).collect()),
    ])
}

fn validated(one: &ValidationPair) -> Row {
    Row(vec![
        ("puzzle", json!(one.puzzle)),
        ("runs", json!(one.default.costs.len())),
        ("default_solved", json!(one.default.solved)),
        ("winner_solved", json!(one.winner.solved)),
        ("default_cost", json!(one.default.mean())),
        ("winner_cost", json!(one.winner.mean())),
    ])
}
