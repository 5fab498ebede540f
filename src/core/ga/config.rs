//! Every parameter of a run, declared once.
//!
//! The table below declares [`Config`], in which every parameter has a value, and [`Overrides`], which
//! hold those that were set. It feeds the command's help, `--set name=value`, `--config FILE.toml`
//! and the configuration in exported JSON.

use std::fmt;
use std::ops::RangeInclusive;
use std::time::Duration;

use super::ConfigError;
use super::operator_names::{
    Crossover, Encoding, Inherit, LocalSearch, MatingPreference, Mutation, Pairing, Preset,
    Replacement, RestartRule, Selection, Topology,
};
use crate::board::Presolve;
use crate::util::named_enum::{NamedEnum, nearest};
use crate::util::quantity;

/// The most members that a tournament may have.
pub const MAX_MEMBERS: u32 = 256;

/// The condition of parameters that have a meaning in every configuration.
fn always(_: &Config) -> bool {
    true
}

/// Declares [`Config`], [`Overrides`] and the list of parameters from one table.
macro_rules! parameters {
    (
        $(#[$attribute:meta])*
        pub struct $config:ident {
            $(
                $(#[doc = $doc:literal])*
                $name:ident: $kind:ty = $default:expr, in $range:expr, unit $unit:literal,
                when $applies:expr;
            )*
        }
        $(#[$set_attribute:meta])*
        pub struct $set:ident;
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct $config {
            /// The preset that the other values started from.
            pub preset: Preset,
            $( $(#[doc = $doc])* pub $name: $kind, )*
        }

        impl $config {
            /// Every parameter's default; presets change most of them.
            pub(super) fn base(preset: Preset) -> Self {
                Self { preset, $( $name: $default, )* }
            }

            /// All parameters, in the order of this file.
            pub const PARAMETERS: &[Parameter] = &[$(
                Parameter {
                    name: stringify!($name),
                    description: concat!($($doc, "\n"),*),
                    unit: $unit,
                    range: || <$kind as Value>::range($range),
                    values: <$kind as Value>::VALUES,
                    get: |config| config.$name.to_string(),
                    applies: $applies,
                    set: |set| set.$name.map(|value| value.to_string()),
                    read: |set, text| {
                        let value = <$kind as Value>::read(stringify!($name), $unit, text, $range)?;
                        set.$name = Some(value);
                        Ok(())
                    },
                },
            )*];

            /// Checks that all values are in range, because a program can set a field to any value.
            ///
            /// # Errors
            /// [`ConfigError::OutOfRange`] names the first parameter that is out of range.
            pub fn check(&self) -> Result<(), ConfigError> {
                $( <$kind as Value>::check(self.$name, stringify!($name), $range)?; )*
                Ok(())
            }

            /// Returns this configuration with the parameters that `set` sets.
            pub fn with(mut self, set: &$set) -> Self {
                $( if let Some(value) = set.$name { self.$name = value; } )*
                self
            }
        }

        $(#[$set_attribute])*
        #[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
        pub struct $set { $(
            $(#[doc = $doc])*
            #[serde(skip_serializing_if = "Option::is_none")]
            pub $name: Option<$kind>,
        )* }

        impl $set {
            /// Sets the parameters that `other` sets. If both set a parameter, it takes the value of `other`.
            pub fn merge(&mut self, other: &Self) {
                $( self.$name = other.$name.or(self.$name); )*
            }
        }
    };
}

parameters! {
    /// The effective configuration of a run. Operators default to those that do nothing: what a
    /// preset does is written in its file.
    pub struct Config {
        /// Individuals. Too few lose what the puzzle needs before it is put together; too many
        /// make each generation slow.
        population: u32 = 1_000, in 1..=u32::MAX - 1, unit "individuals", when always;
        /// Parts of the population that evolve by themselves; 0 takes as many as keep the boards of
        /// each within 64 MiB. Many small ones search apart and find the same things again.
        islands: u32 = 0, in 0..=4_096, unit "islands", when always;
        /// Generations from one migration between islands to the next; 0 never migrates. Often
        /// makes them one population, seldom keeps them varied.
        migration_interval: u32 = 10, in 0..=u32::MAX, unit "generations",
            when |c| c.islands != 1;
        /// Individuals that each island sends to the next at a time. Many make the islands alike.
        migrants: u32 = 100, in 0..=1_000_000, unit "individuals",
            when |c| c.islands != 1 && c.migration_interval > 0;
        /// What is derived from the givens before the first generation. More leaves less to search and
        /// takes milliseconds; probing leaves nothing of most puzzles made for people.
        presolve: Presolve = Presolve::Probing, in (), unit "", when always;
        /// What a board is made of, and so which duplicates cannot occur.
        encoding: Encoding = Encoding::Candidates, in (), unit "", when always;
        /// How parents are found, and so how much better than others they are.
        selection: Selection = Selection::Tournament, in (), unit "", when always;
        /// Which slots are neighbours, from which a child's parents come. A ring spreads a good
        /// board slowly and keeps the population varied, a torus faster, panmictic at once.
        topology: Topology = Topology::Ring, in (), unit "",
            when |c| c.selection == Selection::LocalTournament;
        /// How far from its slot a child's parents may stand: slots on a ring, rows and columns on
        /// a torus. A small radius spreads a good board slowly and keeps the population varied; a
        /// large one spreads it fast.
        radius: u32 = 3, in 0..=1_000_000, unit "slots",
            when |c| c.selection == Selection::LocalTournament && c.topology != Topology::Panmictic;
        /// Which of four candidates becomes the second parent, by its distance from the first.
        /// Near ones have children like themselves; far ones keep the population varied, and
        /// their children fit neither.
        mate: MatingPreference = MatingPreference::Any, in (), unit "",
            when |c| matches!(c.selection, Selection::LocalTournament | Selection::Tournament);
        /// Members of a tournament. One does not select at all; too many leave all parents to a
        /// few individuals.
        tournament: u32 = 5, in 1..=MAX_MEMBERS, unit "individuals",
            when |c| c.selection == Selection::Tournament;
        /// Share of the population whose best members become parents. Too small loses variety, too
        /// large hardly selects.
        best_share: f64 = 0.25, in 0.0..=1.0, unit "of the population",
            when |c| c.selection == Selection::Truncation && c.pool == 0;
        /// Exact number of best members that become parents; 0 goes by best_share.
        pool: u32 = 0, in 0..=u32::MAX, unit "individuals",
            when |c| c.selection == Selection::Truncation;
        /// Parents drawn from the whole population, repeats allowed, as a share of it. Keeps
        /// variety; too large hardly selects.
        random_share: f64 = 0.25, in 0.0..=1.0, unit "of the population",
            when |c| c.selection == Selection::Truncation;
        /// How the parents in the pool meet.
        pairing: Pairing = Pairing::Couples, in (), unit "",
            when |c| c.selection == Selection::Truncation;
        /// Children of a couple. Half of best_share plus random_share, times this, must be 1.
        children: u32 = 4, in 1..=1_000_000, unit "a couple",
            when |c| c.selection == Selection::Truncation && c.pairing != Pairing::Random;
        /// How two parents are crossed.
        crossover: Crossover = Crossover::None, in (), unit "", when always;
        /// Probability that a couple's children are crossed; the others copy one
        /// of them. Low keeps what a parent has found, and makes few new boards.
        crossover_rate: f64 = 1.0, in 0.0..=1.0, unit "a couple",
            when |c| c.crossover != Crossover::None;
        /// What comes from one parent as a whole where the parents differ. Whole units keep more
        /// of what each parent found, single cells mix more.
        inherit: Inherit = Inherit::Cells, in (), unit "",
            when |c| c.crossover == Crossover::Agreement;
        /// Probability that a cell on which the parents differ is redrawn from its candidates. Too
        /// high forgets what the parents found, at 0 no new value comes up.
        redraw_rate: f64 = 0.0, in 0.0..=1.0, unit "a cell",
            when |c| c.crossover == Crossover::Agreement;
        /// How a child is changed at random.
        mutation: Mutation = Mutation::None, in (), unit "", when always;
        /// Probability that a child is mutated; with mutation reset, that a cell is. Too low and
        /// the population runs out of new boards, too high and it loses what it found.
        mutation_rate: f64 = 0.5, in 0.0..=1.0, unit "a child, or a cell",
            when |c| c.mutation != Mutation::None;
        /// Probability that a child of two equally fit parents is mutated, so that the rate rises as the
        /// population becomes alike; 0 goes by mutation_rate. Low lets copies take over, high undoes
        /// what the population agrees on.
        alike_rate: f64 = 0.0, in 0.0..=1.0, unit "a child, or a cell",
            when |c| c.mutation != Mutation::None;
        /// Units of which mutation reshuffle puts values back in random order; it keeps the others. Many
        /// forget the parent.
        changed_units: u32 = 1, in 1..=64, unit "units",
            when |c| c.mutation == Mutation::Reshuffle;
        /// Share of the blanks that keep their values. Too small forgets the parent, too large
        /// changes nothing.
        keep_share: f64 = 0.95, in 0.0..=1.0, unit "of the blanks",
            when |c| c.mutation == Mutation::PartialShuffle && c.shuffle == 0;
        /// Exact number of blanks to shuffle, with mutation reshuffle of each unit that is changed; 0 goes by
        /// keep_share, and takes two of a unit.
        shuffle: u32 = 0, in 0..=4_096, unit "blanks",
            when |c| matches!(c.mutation, Mutation::PartialShuffle | Mutation::Reshuffle);
        /// Mutants made of each child, of which the best is kept; each beyond the first costs a
        /// scoring.
        mutants: u32 = 1, in 1..=1_000_000, unit "a child",
            when |c| c.mutation != Mutation::None;
        /// The local search that a child goes through.
        local_search: LocalSearch = LocalSearch::None, in (), unit "", when always;
        /// Exchanges tried a child. More makes better children that cost more, until most tries
        /// are wasted.
        tries: u32 = 60, in 0..=1_000_000_000, unit "a child",
            when |c| c.local_search == LocalSearch::ExchangeDescent;
        /// Steps of tabu search a child. More makes better children that cost more; too many spend
        /// the budget on a few children.
        tabu_steps: u32 = 100_000, in 0..=1_000_000_000, unit "steps a child",
            when |c| c.local_search == LocalSearch::Tabu;
        /// A value that a cell gave up is forbidden to it for a random number of steps below this,
        /// and by tenure_share. Too few and the search goes round in circles, too many and it
        /// passes by what it needs.
        tenure_random: u32 = 10, in 0..=1_000_000, unit "steps",
            when |c| c.local_search == LocalSearch::Tabu;
        /// Steps that a value is forbidden in addition to the random ones, as a share of the number of
        /// cells in conflict.
        tenure_share: u32 = 300, in 0..=100_000, unit "thousandths of the conflicting cells",
            when |c| c.local_search == LocalSearch::Tabu;
        /// Proposals of eviction search a child. More makes better children that cost more: large
        /// boards come into order slowly, and work that is shared out brings none of them there.
        proposals: u64 = 100_000_000, in 0..=1_000_000_000_000, unit "proposals a child",
            when |c| c.local_search == LocalSearch::Eviction;
        /// Proposals in which eta, the probability of evicting a second cell, falls by a factor of
        /// e near the melting point; it rises an eighth as fast. Too few and boards freeze in disorder, too many and they
        /// are molten for most of the search.
        eta_proposals: u64 = 100_000_000, in 1..=1_000_000_000_000_000, unit "proposals",
            when |c| c.local_search == LocalSearch::Eviction;
        /// Unassigned cells above which a board counts as molten, so that eta falls instead of
        /// rising, as a share of the free ones. With too many it stays molten, with too few it
        /// freezes in disorder.
        unassigned_share: u32 = 40, in 0..=1_000, unit "thousandths of the free cells",
            when |c| c.local_search == LocalSearch::Eviction;
        /// Who survives.
        replacement: Replacement = Replacement::Generational, in (), unit "", when always;
        /// Best individuals that survive a generation. Too many stop the population from moving.
        elites: u32 = 1, in 0..=u32::MAX, unit "individuals",
            when |c| c.replacement == Replacement::Elitist;
        /// Share of the population that children replace in a generation. Small changes little at
        /// a time; 1 keeps nobody.
        worst_share: f64 = 0.1, in 0.0..=1.0, unit "of the population",
            when |c| c.replacement.is_steady() && c.offspring == 0;
        /// Exact number of children a generation; 0 goes by worst_share. Few suit children that
        /// cost much, since the next ones know of them.
        offspring: u32 = 0, in 0..=u32::MAX, unit "children",
            when |c| c.replacement.is_steady();
        /// Cells in which individuals must differ. Too few let copies take over, too many keep
        /// good boards out.
        distance: u32 = 1, in 0..=4_096, unit "cells",
            when |c| c.replacement == Replacement::KeepDistance;
        /// Generations without change for the better after which the whole population is drawn
        /// anew; 0 never does. Too few cut off runs that would have got there, too many wait for
        /// nothing.
        restart_after: u32 = 0, in 0..=u32::MAX, unit "generations", when always;
        /// What counts as no change for the better.
        restart_rule: RestartRule = RestartRule::NoBetterBest, in (), unit "",
            when |c| c.restart_after > 0;
        /// Best individuals that a restart carries over. Any carries the old population's best
        /// region along with them.
        restart_elites: u32 = 0, in 0..=u32::MAX, unit "individuals",
            when |c| c.restart_after > 0;
        /// The run ends after this many generations; 0 sets no bound.
        max_generations: u32 = 10_000, in 0..=u32::MAX - 1, unit "generations", when always;
        /// The run ends after the generation in which evaluations plus moves reach this; 0 sets
        /// no bound.
        max_work: u64 = 0, in 0..=u64::MAX, unit "evaluations and moves", when always;
        /// The run ends after this time; 0 sets no bound. A run that ends by time is not
        /// reproducible.
        time_limit: f64 = 0.0, in 0.0..=1.0e9, unit "seconds", when always;
        /// Traces estimate the number of distinct boards every so many generations; 0 never does.
        distinct_every: u32 = 10, in 0..=u32::MAX, unit "generations", when always;
    }

    /// Parameters that were set; the others are `None`. Values read from text, TOML or JSON are within their
    /// ranges; [`Config::check`] checks any others.
    pub struct Overrides;
}

impl Config {
    /// Returns the parameter of this name; hyphens count as underscores.
    ///
    /// # Errors
    /// [`ConfigError::UnknownParameter`] names the nearest one.
    pub fn parameter(name: &str) -> Result<&'static Parameter, ConfigError> {
        let name = name.trim().replace('-', "_");
        let names = Self::PARAMETERS.iter().map(|parameter| parameter.name);
        Self::PARAMETERS.iter().find(|parameter| parameter.name == name).ok_or_else(|| {
            ConfigError::UnknownParameter { nearest: nearest(&name, names), given: name.clone() }
        })
    }

    /// Returns the time limit, if there is one.
    pub fn time_limit(&self) -> Option<Duration> {
        (self.time_limit > 0.0).then(|| Duration::from_secs_f64(self.time_limit))
    }
}

/// One field of [`Config`], as help, files and reports see it.
#[derive(Debug)]
pub struct Parameter {
    /// Its name, in snake case; users may write hyphens.
    pub name: &'static str,
    /// What it is, and what too high and too low does.
    pub description: &'static str,
    /// The unit of its value, or nothing.
    pub unit: &'static str,
    /// The values it takes.
    pub range: fn() -> String,
    /// The names it takes, with what they mean; none where it takes numbers.
    pub values: &'static [(&'static str, &'static str)],
    /// Its value in a configuration.
    pub get: fn(&Config) -> String,
    /// Whether it means anything in a configuration.
    pub applies: fn(&Config) -> bool,
    /// The value it is set to, if it is.
    pub set: fn(&Overrides) -> Option<String>,
    /// Reads it from text.
    pub(super) read: fn(&mut Overrides, &str) -> Result<(), ConfigError>,
}

/// A type that parameters may have.
trait Value: Sized + fmt::Display {
    /// What bounds it: a range, or nothing for names.
    type Range;

    /// Its names, with what they mean.
    const VALUES: &'static [(&'static str, &'static str)] = &[];

    /// Reads it, in this unit, and refuses what is out of range.
    fn read(
        name: &'static str,
        unit: &str,
        text: &str,
        range: Self::Range,
    ) -> Result<Self, ConfigError>;

    /// Refuses a value that is out of range, which a name never is.
    fn check(self, _name: &'static str, _range: Self::Range) -> Result<(), ConfigError> {
        Ok(())
    }

    /// The range in words.
    fn range(range: Self::Range) -> String;
}

/// The unit of times, which may be written in others.
const SECONDS: &str = "seconds";

macro_rules! number_value {
    ($($number:ty: $quantity:expr),*) => { $(
        impl Value for $number {
            type Range = RangeInclusive<Self>;

            fn read(
                name: &'static str,
                unit: &str,
                text: &str,
                range: Self::Range,
            ) -> Result<Self, ConfigError> {
                let quantity: fn(&str, &str) -> Option<$number> = $quantity;
                if let Some(value) = quantity(text, unit).filter(|value| range.contains(value)) {
                    return Ok(value);
                }
                let (given, mut range) = (text.to_owned(), <Self as Value>::range(range));
                if unit == SECONDS {
                    range += " seconds, or a time as 500ms, 5s or 2min";
                }
                Err(ConfigError::OutOfRange { name, given, range })
            }

            fn check(self, name: &'static str, range: Self::Range) -> Result<(), ConfigError> {
                if range.contains(&self) {
                    return Ok(());
                }
                let given = self.to_string();
                Err(ConfigError::OutOfRange { name, given, range: <Self as Value>::range(range) })
            }

            fn range(range: Self::Range) -> String {
                format!("{} to {}", range.start(), range.end())
            }
        }
    )* };
}

number_value!(
    u32: |text, _| u32::try_from(quantity::whole(text)?).ok(),
    u64: |text, _| quantity::whole(text),
    f64: |text, unit| if unit == SECONDS { quantity::seconds(text) } else { quantity::real(text) }
);

/// Names are values without a range.
impl<T: NamedEnum> Value for T {
    type Range = ();

    const VALUES: &'static [(&'static str, &'static str)] = T::DESCRIPTIONS;

    fn read(name: &'static str, _: &str, text: &str, (): ()) -> Result<Self, ConfigError> {
        text.parse().map_err(|unknown| ConfigError::UnknownValue { name, unknown })
    }

    fn range((): ()) -> String {
        T::NAMES.join(", ")
    }
}
