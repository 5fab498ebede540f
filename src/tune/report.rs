//! The report of a tuning, its tables, and its winner as a file for `--config`.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::irace::Iteration;
use super::journal::TrialRecord;
use super::race::{CandidateResult, mean};
use super::space::{Dimension, Domain};
use super::spec::{Cost, CostOf};
use super::tuning::{ConfigRuns, Tuned, Tuning, ValidationPair};
use crate::report::plot::{Axis, DotPlot, PlotRow};
use crate::report::{Field, OnDemand, Plot, Report, Row, Table, dash, rounded};
use crate::statistics::wilson;
use crate::store::json_line;
use crate::util::quantity::{count, counted};

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
            title: self.tuning.spec.name.clone(),
            question: OnDemand::new(|| self.question()),
            answer: OnDemand::new(|| self.answer()),
            fields: OnDemand::new(|| self.fields()),
            list: "runs",
            records: OnDemand::new(|| self.runs().iter().map(json_line).collect()),
            rows: OnDemand::new(|| self.runs().into()),
            tables: OnDemand::new(|| self.tables()),
            plots: OnDemand::new(|| self.plot().into_iter().collect()),
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
        let name = &self.tuning.spec.name;
        Ok(format!(
            "# Found by `evodoku tune`: {name}.\n{gain}preset = \"{}\"\n{set}",
            settings.preset
        ))
    }

    /// The gain of the winner, in a sentence.
    fn gain(&self) -> Option<String> {
        let Some(found) = self.tuned.gain else {
            let few = "Validation allows no conclusion: it needs at least 5 runs of each configuration, and a cost above 0.";
            return (!self.tuned.validated.is_empty()).then(|| few.to_owned());
        };
        let verdict = match (found.low, found.high) {
            (_, high) if high < 1.0 => "significantly lower",
            (low, _) if low > 1.0 => "significantly higher",
            (1.0, 1.0) => "all runs cost the same",
            _ => "no significant difference",
        };
        let high = match found.high.is_finite() {
            true => format!("to {:.2}", found.high),
            false => "and above".to_owned(),
        };
        Some(format!(
            "On {}, the cost of the winner is {:.2} times that of the default ({verdict}; 95 % interval {:.2} {high}).",
            counted(self.tuned.validated.len() as u64, "other puzzle"),
            found.share,
            found.low,
        ))
    }

    fn winner(&self) -> String {
        match self.tuned.values.as_slice() {
            [] => "the default configuration, which needs no validation,".to_owned(),
            values => {
                let values: Vec<String> =
                    values.iter().map(|(name, value)| format!("{name} {value}")).collect();
                values.join(", ")
            }
        }
    }

    fn runs(&self) -> Vec<Row> {
        let row = |(run, paid): &(TrialRecord, f64)| {
            Row(vec![
                ("list", json!(if run.validation { "validation" } else { "training" })),
                ("place", json!(run.place)),
                ("puzzle", json!(run.puzzle)),
                ("set", json!(run.set)),
                ("seed", json!(run.seed)),
                ("solved", json!(run.solved(&self.tuning.spec.cost))),
                ("stop_reason", json!(run.stop_reason)),
                ("fitness", json!(run.fitness)),
                ("work", json!(run.work)),
                ("cost", rounded(Some(*paid), 3)),
                ("seconds", json!(run.seconds)),
            ])
        };
        self.tuned.records.iter().map(row).collect()
    }

    fn question(&self) -> String {
        let spec = &self.tuning.spec;
        let names: Vec<&str> = spec.space.dimensions.iter().map(|one| one.name).collect();
        format!("Which values of {} cost least with {}?", names.join(", "), spec.settings.preset)
    }

    /// The answer in short.
    pub fn answer(&self) -> Vec<String> {
        let runs: u64 = self.tuned.iterations.iter().map(|one| one.runs).sum();
        let (winner, runs) = (self.winner(), counted(runs, "run"));
        let trained =
            || self.tuned.records.iter().map(|(run, _)| run).filter(|run| !run.validation);
        let puzzles = trained().map(|run| run.place).collect::<BTreeSet<usize>>().len();
        let puzzles = counted(puzzles as u64, "training puzzle");
        let won = format!("In {runs} on {puzzles}, {winner} had the best mean rank.");
        let cost = &self.tuning.spec.cost;
        let blind = cost.of == CostOf::Work && !trained().any(|run| run.solved(cost));
        let no_run = "No training run was solved within 1.1 times max_work, so all cost the same: raise max_work, or set \
                      cost to fitness.";
        [won].into_iter().chain(blind.then(|| no_run.to_owned())).chain(self.gain()).collect()
    }

    fn fields(&self) -> Vec<(&'static str, Field)> {
        let spec = &self.tuning.spec;
        let puzzles = |block: usize| -> Vec<String> {
            let puzzles = spec.puzzles.blocks[block].puzzles.iter();
            puzzles.map(|puzzle| puzzle.value.name.clone()).collect()
        };
        let space = spec.space.dimensions.iter().map(|one| dimension(one, self));
        let iterations = self.tuned.iterations.iter().map(|one| iteration(one, self));
        vec![
            ("tuning", Field::of(&spec.name)),
            ("method", Field::of(spec.settings.preset)),
            ("fixed", Field::of(&spec.settings.overrides)),
            ("space", Field::List(space.collect())),
            ("training", Field::of(puzzles(0))),
            ("validation", Field::of(puzzles(1))),
            ("budget_runs", Field::of(spec.budget.runs)),
            ("budget_work", Field::of(spec.budget.work)),
            ("cost", Field::of(spec.cost.of)),
            ("penalty", Field::of(spec.cost.penalty)),
            ("level", Field::of(spec.rules.level)),
            ("first_test", Field::of(spec.rules.first_test)),
            ("seed", Field::of(spec.seed)),
            ("iterations", Field::List(iterations.collect())),
            ("winner", Field::Value(values(&self.tuned.values))),
            ("winner_is_default", Field::of(self.tuned.number == 1)),
            ("validated", Field::List(self.tuned.validated.iter().map(validated).collect())),
            ("ratio", Field::of(self.tuned.gain.map(|gain| gain.share))),
            ("ratio_low", Field::of(self.tuned.gain.map(|gain| gain.low))),
            ("ratio_high", Field::of(self.tuned.gain.map(|gain| gain.high))),
        ]
    }

    /// A row for each race.
    fn iterations(&self) -> Table {
        let row = |one: &Iteration| {
            let best = one.elites.first();
            vec![
                one.number.to_string(),
                count(one.candidates as u64),
                count(one.new as u64),
                count(one.runs),
                count(one.work),
                count(one.elites.len() as u64),
                best.map_or_else(dash, |best| count(best.number as u64)),
                best.map_or_else(dash, |best| count(best.costs.len() as u64)),
                best.map_or_else(dash, |best| figure(mean(&best.costs))),
            ]
        };
        let text = "Candidate 1 is the default configuration. A block is a training puzzle with a seed. The columns \
            'blocks' and 'mean cost' describe the best candidate. The mean cost is biased, because the best \
            candidate was chosen on these blocks: report the validation costs instead.";
        Table {
            title: "Iterations".to_owned(),
            header: vec![
                "iteration", "candidates", "new", "runs", "work", "left", "best", "blocks",
                "mean cost",
            ],
            rows: self.tuned.iterations.iter().map(row).collect(),
            notes: vec![text.to_owned()],
        }
    }

    /// A row for each parameter that is tuned.
    fn parameters(&self) -> Table {
        let default = &self.tuning.plan.cells[0];
        let won = |name: &str| self.tuned.values.iter().find(|(known, _)| *known == name);
        let row = |dimension: &Dimension| {
            let before = default.value(dimension.name).unwrap_or_default();
            let after = match self.tuned.number {
                1 => before.clone(),
                _ => won(dimension.name).map_or_else(dash, |(_, value)| value.clone()),
            };
            vec![dimension.name.to_owned(), range(&dimension.domain), before, after]
        };
        let text = "Defaults are those for the first training puzzle. A - means that the winner lacks the parameter.";
        Table {
            title: "Parameters".to_owned(),
            header: vec!["parameter", "range", "default", "winner"],
            rows: self.tuning.spec.space.dimensions.iter().map(row).collect(),
            notes: vec![text.to_owned()],
        }
    }

    /// A row for each validation puzzle; nothing where the default has won.
    fn validation(&self) -> Option<Table> {
        let solved = |tried: &ConfigRuns| format!("{}/{}", tried.solved, tried.costs.len());
        let row = |one: &ValidationPair| {
            let (default, winner) = (mean(&one.default.costs), mean(&one.winner.costs));
            let ratio = winner / default;
            vec![
                one.puzzle.clone(),
                solved(&one.default),
                solved(&one.winner),
                figure(default),
                figure(winner),
                if ratio.is_finite() { format!("{ratio:.2}") } else { dash() },
            ]
        };
        let share = |of: fn(&ValidationPair) -> &ConfigRuns| {
            let tried = self.tuned.validated.iter().map(of);
            let (solved, runs) =
                tried.fold((0, 0), |all, one| (all.0 + one.solved, all.1 + one.costs.len()));
            let interval = wilson(solved, runs)
                .map(|it| format!(" ({:.0} to {:.0} %)", 100.0 * it.low, 100.0 * it.high));
            format!("{solved}/{runs}{}", interval.unwrap_or_default())
        };
        let notes = format!(
            "The default solved {}, the winner {} (95 % Wilson intervals). The interval of the ratio is bootstrapped \
             over puzzles and runs.",
            share(|one| &one.default),
            share(|one| &one.winner)
        );
        (!self.tuned.validated.is_empty()).then(|| Table {
            title: "Validation".to_owned(),
            header: vec![
                "puzzle", "default solved", "winner solved", "default cost", "winner cost", "ratio",
            ],
            rows: self.tuned.validated.iter().map(row).collect(),
            notes: vec![notes],
        })
    }

    /// The costs of the default and of the winner on each validation puzzle.
    fn plot(&self) -> Option<Plot> {
        let validated = &self.tuned.validated;
        let row = |(number, name, tried): (usize, &str, &ConfigRuns)| PlotRow {
            label: name.to_owned(),
            number,
            dots: tried.costs.clone(),
            middle: Some(mean(&tried.costs)),
            note: format!("{}/{} solved", tried.solved, tried.costs.len()),
            ..PlotRow::default()
        };
        let group = |one: &ValidationPair| {
            let rows = [(0, "default", &one.default), (1, "winner", &one.winner)];
            (one.puzzle.clone(), rows.map(row).into())
        };
        let costs =
            validated.iter().flat_map(|one| one.default.costs.iter().chain(&one.winner.costs));
        let (Cost { of, penalty, .. }, costs) = (&self.tuning.spec.cost, costs.copied());
        let name = format!("cost ({of})");
        // A solution has the fitness 0, which has no place on a logarithmic axis.
        let (x, price) = match of {
            CostOf::Fitness => (Axis::linear(name, costs.fold(1.0, f64::max)), String::new()),
            _ => {
                let price =
                    format!("; an unsolved or late run costs at least {penalty} times max_work");
                (Axis::logarithmic(name, costs), price)
            }
        };
        let figure = DotPlot {
            title: "Cost of the default and of the winner".to_owned(),
            caption: format!(
                "Costs on puzzles that were not used for tuning. Each dot is a run{price}. Vertical lines mark the means."
            ),
            x,
            legend: Vec::new(),
            groups: validated.iter().map(group).collect(),
        };
        (!validated.is_empty()).then(|| figure.plot())
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
    let (kind, [from, to], scale, names) = match &one.domain {
        Domain::Range { from, to, log, whole } => {
            let (kind, number): (_, fn(f64) -> Value) = match whole {
                true => ("whole", |end| json!(end as u64)),
                false => ("real", |end| json!(end)),
            };
            (kind, [*from, *to].map(number), Some(if *log { "log" } else { "linear" }), None)
        }
        Domain::Names(names) => ("names", [Value::Null, Value::Null], None, Some(names)),
    };
    let others = &summary.tuning.spec.space.dimensions;
    let when = one.when.iter();
    let when = when.map(|of| (others[of.dimension].name.to_owned(), json!(of.values)));
    Row(vec![
        ("parameter", json!(one.name)),
        ("kind", json!(kind)),
        ("from", from),
        ("to", to),
        ("scale", json!(scale)),
        ("values", json!(names)),
        ("when", Value::Object(when.collect::<Map<_, _>>())),
    ])
}

fn iteration(one: &Iteration, summary: &TuneSummary<'_>) -> Row {
    let space = &summary.tuning.spec.space;
    let elite = |elite: &CandidateResult| {
        json!({
            "candidate": elite.number,
            "set": values(&space.texts(&elite.candidate)),
            "blocks": elite.costs.len(),
            "mean_cost": mean(&elite.costs),
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
        ("default_cost", json!(mean(&one.default.costs))),
        ("winner_cost", json!(mean(&one.winner.costs))),
    ])
}

fn range(domain: &Domain) -> String {
    match domain {
        Domain::Range { from, to, log, .. } => {
            format!("{from} to {to}{}", if *log { ", log" } else { "" })
        }
        Domain::Names(names) => names.join(", "),
    }
}

/// A cost: whole if it is large.
fn figure(cost: f64) -> String {
    if cost >= 100.0 { count(cost.round() as u64) } else { format!("{cost:.2}") }
}
