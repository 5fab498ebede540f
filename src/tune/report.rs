//! What a tuning came to, as a document, and as a file for `--config`.

use serde_json::{Map, Value, json};

use super::Tuning;
use super::irace::Iteration;
use super::space::{Dimension, Domain};
use super::tuning::Tuned;
use super::validation::ValidationPair;
use crate::experiment::line_of;
use crate::plural::counted;
use crate::report::{Columns, Document, Fact, Table, origin};

/// A tuning that is done, to be exported.
#[derive(Clone, Copy, Debug)]
pub struct TuneReport<'a> {
    /// What was tuned.
    pub tuning: &'a Tuning,
    /// What it came to.
    pub tuned: &'a Tuned,
}

impl TuneReport<'_> {
    /// The winner as a file for `--config`.
    ///
    /// # Errors
    /// What the writer of TOML says.
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

    /// What the winner gains, in a sentence.
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

    fn runs(&self) -> Vec<Columns> {
        let cost = |cost: &f64| (cost * 1e3).round() / 1e3;
        let row = |(run, paid): &(super::store::TrialRecord, f64)| {
            Columns(vec![
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
}

impl Document for TuneReport<'_> {
    fn kind(&self) -> &'static str {
        "tune"
    }

    fn title(&self) -> String {
        self.tuning.spec().name.clone()
    }

    fn question(&self) -> String {
        let spec = self.tuning.spec();
        let names: Vec<&str> = spec.space.dimensions.iter().map(|one| one.name).collect();
        format!("Which {} of {} cost least?", names.join(", "), spec.settings.preset)
    }

    fn answer(&self) -> Vec<String> {
        let runs: u64 = self.tuned.iterations.iter().map(|one| one.runs).sum();
        let (winner, runs) = (self.winner(), counted(runs, "run"));
        let puzzles = counted(self.training() as u64, "training puzzle");
        let won = format!("Of {runs} on {puzzles} {winner} cost least.");
        [won].into_iter().chain(self.gain()).collect()
    }

    fn facts(&self) -> Vec<(&'static str, Fact)> {
        let spec = self.tuning.spec();
        let mut facts = origin(self.kind()).to_vec();
        let puzzles = |block: usize| -> Vec<String> {
            let puzzles = spec.puzzles.blocks[block].puzzles.iter();
            puzzles.map(|puzzle| puzzle.value.name.clone()).collect()
        };
        facts.extend([
            ("tuning", Fact::of(&spec.name)),
            ("method", Fact::of(spec.settings.preset)),
            ("fixed", Fact::of(&spec.settings.overrides)),
            (
                "space",
                Fact::List(spec.space.dimensions.iter().map(|one| dimension(one, self)).collect()),
            ),
            ("training", Fact::of(puzzles(0))),
            ("validation", Fact::of(puzzles(1))),
            ("budget_runs", Fact::of(spec.budget.runs)),
            ("budget_work", Fact::of(spec.budget.work)),
            ("cost", Fact::of(spec.cost.of)),
            ("penalty", Fact::of(spec.cost.penalty)),
            ("test", Fact::of(spec.rules.test)),
            ("level", Fact::of(spec.rules.level)),
            ("first_test", Fact::of(spec.rules.first_test)),
            ("seed", Fact::of(spec.seed)),
            (
                "iterations",
                Fact::List(self.tuned.iterations.iter().map(|it| iteration(it, self)).collect()),
            ),
            ("winner", Fact::Value(values(&self.tuned.values))),
            ("winner_is_default", Fact::of(self.tuned.number == 1)),
            ("validated", Fact::List(self.tuned.validated.iter().map(validated).collect())),
            ("ratio", Fact::of(self.tuned.gain.map(|gain| gain.ratio))),
            ("ratio_low", Fact::of(self.tuned.gain.map(|gain| gain.low))),
            ("ratio_high", Fact::of(self.tuned.gain.map(|gain| gain.high))),
        ]);
        facts
    }

    fn list(&self) -> &'static str {
        "runs"
    }

    fn records(&self) -> Vec<String> {
        self.runs().iter().map(line_of).collect()
    }

    fn columns(&self) -> Vec<&'static str> {
        self.runs().first().map(Columns::names).unwrap_or_default()
    }

    fn rows(&self) -> Vec<Vec<String>> {
        self.runs().iter().map(Columns::texts).collect()
    }

    fn tables(&self) -> Vec<Table> {
        [self.parameters(), self.iterations()].into_iter().chain(self.validation()).collect()
    }

    fn remarks(&self) -> Vec<String> {
        Vec::new()
    }

    #[cfg(feature = "plot")]
    fn plots(&self) -> Vec<crate::report::Plot> {
        Vec::new()
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

fn dimension(one: &Dimension, report: &TuneReport<'_>) -> Columns {
    let (kind, from, to, scale, names) = match &one.domain {
        Domain::Whole { from, to, log } => ("whole", json!(from), json!(to), Some(*log), None),
        Domain::Real { from, to, log } => ("real", json!(from), json!(to), Some(*log), None),
        Domain::Names(names) => ("names", Value::Null, Value::Null, None, Some(names)),
    };
    let others = &report.tuning.spec().space.dimensions;
    let when = one
        .when
        .iter()
        .map(|condition| (others[condition.dimension].name.to_owned(), json!(condition.values)));
    Columns(vec![
        ("parameter", json!(one.name)),
        ("kind", json!(kind)),
        ("from", from),
        ("to", to),
        ("scale", json!(scale.map(|log| if log { "log" } else { "linear" }))),
        ("values", json!(names)),
        ("when", Value::Object(when.collect::<Map<_, _>>())),
    ])
}

fn iteration(one: &Iteration, report: &TuneReport<'_>) -> Columns {
    let space = &report.tuning.spec().space;
    let elite = |elite: &super::race::CandidateResult| {
        json!({
            "candidate": elite.number,
            "set": values(&space.texts(&elite.candidate)),
            "blocks": elite.costs.len(),
            "mean_cost": elite.mean(),
        })
    };
    Columns(vec![
        ("iteration", json!(one.number)),
        ("candidates", json!(one.candidates)),
        ("new", json!(one.new)),
        ("runs", json!(one.runs)),
        ("work", json!(one.work)),
        ("elites", one.elites.iter().map(elite).collect()),
    ])
}

fn validated(one: &ValidationPair) -> Columns {
    Columns(vec![
        ("puzzle", json!(one.puzzle)),
        ("runs", json!(one.default.costs.len())),
        ("default_solved", json!(one.default.solved)),
        ("winner_solved", json!(one.winner.solved)),
        ("default_cost", json!(one.default.mean())),
        ("winner_cost", json!(one.winner.mean())),
    ])
}
