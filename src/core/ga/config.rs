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
        /// Number of individuals. Too few lose values that the solution needs; too many make each
        /// generation slow.
        population: u32 = 1_000, in 1..=u32::MAX - 1, unit "individuals", when always;
        /// Parts of the population that evolve separately; 0 chooses the smallest number that keeps the
        /// boards of each within 64 MiB. Many small islands repeat each other's work.
        islands: u32 = 0, in 0..=4_096, unit "islands", when always;
        /// Generations between two migrations; 0 never migrates. Frequent migration makes the
        /// islands one population; rare migration keeps them varied.
        migration_interval: u32 = 10, in 0..=u32::MAX, unit "generations",
            when |c| c.islands != 1;
        /// Individuals that each island sends to the next in a migration. Many make the islands alike.
        migrants: u32 = 100, in 0..=1_000_000, unit "individuals",
            when |c| c.islands != 1 && c.migration_interval > 0;
        /// How much is derived from the givens before the first generation. A stronger level leaves less
        /// to search and takes milliseconds; probing solves most puzzles made for people.
        presolve: Presolve = Presolve::Probing, in (), unit "", when always;
        /// How a board is represented, and so which duplicates cannot occur.
        encoding: Encoding = Encoding::Candidates, in (), unit "", when always;
        /// How parents are selected, and so how strong the selection pressure is.
        selection: Selection = Selection::Tournament, in (), unit "", when always;
        /// Which slots are neighbours; a child's parents are neighbours of its slot. A ring spreads a
        /// good board slowly and keeps the population varied, a torus is faster, panmictic is instant.
        topology: Topology = Topology::Ring, in (), unit "",
            when |c| c.selection == Selection::LocalTournament;
        /// How far from its slot a child's parents may be: slots on a ring, rows and columns on
        /// a torus. A small radius spreads a good board slowly and keeps the population varied; a
        /// large one spreads it fast.
        radius: u32 = 3, in 0..=1_000_000, unit "slots",
            when |c| c.selection == Selection::LocalTournament && c.topology != Topology::Panmictic;
        /// Which of four candidates becomes the second parent, by its distance from the first.
        /// Children of near parents resemble them; far parents keep the population varied, but
        /// their children resemble neither.
        mate: MatingPreference = MatingPreference::Any, in (), unit "",
            when |c| matches!(c.selection, Selection::LocalTournament | Selection::Tournament);
        /// Members of a tournament. 1 does not select at all; with too many, a few individuals are
        /// the parents of all children.
        tournament: u32 = 5, in 1..=MAX_MEMBERS, unit "individuals",
            when |c| c.selection == Selection::Tournament;
        /// Share of the population whose best members become parents. Too small a share loses
        /// variety; too large a share hardly selects.
        best_share: f64 = 0.25, in 0.0..=1.0, unit "of the population",
            when |c| c.selection == Selection::Truncation && c.pool == 0;
        /// Exact number of best members that become parents, at most all; 0 uses best_share.
        pool: u32 = 0, in 0..=u32::MAX, unit "individuals",
            when |c| c.selection == Selection::Truncation;
        /// Parents drawn at random from the whole population, with replacement, as a share of it.
        /// They keep variety; too many hardly select.
        random_share: f64 = 0.25, in 0.0..=1.0, unit "of the population",
            when |c| c.selection == Selection::Truncation;
        /// How the parents in the pool are paired.
        pairing: Pairing = Pairing::Couples, in (), unit "",
            when |c| c.selection == Selection::Truncation;
        /// Children per couple. (best_share + random_share) / 2 * children must be 1.
        children: u32 = 4, in 1..=1_000_000, unit "per couple",
            when |c| c.selection == Selection::Truncation && c.pairing != Pairing::Random;
        /// How two parents are crossed.
        crossover: Crossover = Crossover::None, in (), unit "", when always;
        /// Probability that a couple is crossed; otherwise each child is a copy of one parent. A low
        /// rate keeps what a parent has found and makes few new boards.
        crossover_rate: f64 = 1.0, in 0.0..=1.0, unit "per couple",
            when |c| c.crossover != Crossover::None;
        /// The cells that come together from one parent where the parents differ. Whole units keep
        /// more of what each parent found; single cells mix more.
        inherit: Inherit = Inherit::Cells, in (), unit "",
            when |c| c.crossover == Crossover::Agreement;
        /// Probability that a cell in which the parents differ is redrawn from its candidates. Too high
        /// a rate forgets what the parents found; at 0 no new value appears.
        redraw_rate: f64 = 0.0, in 0.0..=1.0, unit "per cell",
            when |c| c.crossover == Crossover::Agreement;
        /// How a child is changed at random.
        mutation: Mutation = Mutation::None, in (), unit "", when always;
        /// Probability that a child is mutated; with mutation reset, that a cell is. Too low and
        /// the population runs out of new boards; too high and it loses what it found.
        mutation_rate: f64 = 0.5, in 0.0..=1.0, unit "per child, or per cell",
            when |c| c.mutation != Mutation::None;
        /// The mutation rate of children of two equally fit parents; 0 uses mutation_rate. Such parents
        /// are common where the population is alike. A low rate lets copies take over; a high rate undoes
        /// what the population agrees on.
        alike_rate: f64 = 0.0, in 0.0..=1.0, unit "per child, or per cell",
            when |c| c.mutation != Mutation::None;
        /// Units in which mutation reshuffle puts values back in random order, at most all; the others do not change.
        /// With many, a child resembles its parent little.
        changed_units: u32 = 1, in 1..=64, unit "units",
            when |c| c.mutation == Mutation::Reshuffle;
        /// Share of the blanks that keep their values. If it is too small, a child resembles its parent
        /// little; if it is too large, nothing changes.
        keep_share: f64 = 0.95, in 0.0..=1.0, unit "of the blanks",
            when |c| c.mutation == Mutation::PartialShuffle && c.shuffle == 0;
        /// Number of blanks to shuffle, at most all; with mutation reshuffle, in each changed unit. 0 uses
        /// keep_share, and with mutation reshuffle two blanks.
        shuffle: u32 = 0, in 0..=4_096, unit "blanks",
            when |c| matches!(c.mutation, Mutation::PartialShuffle | Mutation::Reshuffle);
        /// Mutants made of each child; the best becomes the child. If there are several, each mutant
        /// costs a move.
        mutants: u32 = 1, in 1..=1_000_000, unit "per child",
            when |c| c.mutation != Mutation::None;
        /// The local search that each child goes through.
        local_search: LocalSearch = LocalSearch::None, in (), unit "", when always;
        /// Exchanges tried per child. More tries make better children that cost more, until most
        /// tries are wasted.
        tries: u32 = 60, in 0..=1_000_000_000, unit "per child",
            when |c| c.local_search == LocalSearch::ExchangeDescent;
        /// Steps of tabu search per child. More steps make better children that cost more; too many
        /// spend the budget on a few children.
        tabu_steps: u32 = 100_000, in 0..=1_000_000_000, unit "steps per child",
            when |c| c.local_search == LocalSearch::Tabu;
        /// For a random number of steps below this, plus those of tenure_share, a cell may not take back
        /// a value that it gave up. With too few, the search goes round in circles; with too many,
        /// it misses values that it needs.
        tenure_random: u32 = 10, in 0..=1_000_000, unit "steps",
            when |c| c.local_search == LocalSearch::Tabu;
        /// Steps for which a cell may not take back a value, in addition to the random ones, as a share
        /// of the number of cells in conflict.
        tenure_share: u32 = 300, in 0..=100_000, unit "thousandths of the conflicting cells",
            when |c| c.local_search == LocalSearch::Tabu;
        /// Proposals of eviction search per child. More proposals make better children that cost more.
        /// Large boards need one long search: many short ones do not replace it.
        proposals: u64 = 100_000_000, in 0..=1_000_000_000_000, unit "proposals per child",
            when |c| c.local_search == LocalSearch::Eviction;
        /// Proposals in which eta, the probability of evicting a second cell, falls by a factor of
        /// e near the melting point; it rises an eighth as fast. With too few, boards freeze in
        /// disorder; with too many, they are molten for most of the search.
        eta_proposals: u64 = 100_000_000, in 1..=1_000_000_000_000_000, unit "proposals",
            when |c| c.local_search == LocalSearch::Eviction;
        /// Unassigned cells above which a board counts as molten, as a share of the free cells; eta
        /// falls while a board is molten and rises otherwise. With too many, boards stay molten; with
        /// too few, they freeze in disorder.
        unassigned_share: u32 = 40, in 0..=1_000, unit "thousandths of the free cells",
            when |c| c.local_search == LocalSearch::Eviction;
        /// Which individuals and children form the next population.
        replacement: Replacement = Replacement::Generational, in (), unit "", when always;
        /// Best individuals that survive a generation. Too many stop all progress.
        elites: u32 = 1, in 0..=u32::MAX, unit "individuals",
            when |c| c.replacement == Replacement::Elitist;
        /// Children per generation, as a share of the population. A small share changes little at a
        /// time; at 1 nobody survives.
        worst_share: f64 = 0.1, in 0.0..=1.0, unit "of the population",
            when |c| c.replacement.is_steady() && c.offspring == 0;
        /// Exact number of children per generation, at most the population; 0 uses worst_share. Few suit
        /// an expensive local search, because later children build on them.
        offspring: u32 = 0, in 0..=u32::MAX, unit "children",
            when |c| c.replacement.is_steady();
        /// Least number of cells in which two individuals must differ. With too few, copies take over;
        /// with too many, good boards are refused.
        distance: u32 = 1, in 0..=4_096, unit "cells",
            when |c| c.replacement == Replacement::KeepDistance;
        /// Generations without improvement after which the whole population is drawn again; 0 never
        /// restarts. Too few cut off runs that would have succeeded; too many waste time.
        restart_after: u32 = 0, in 0..=u32::MAX, unit "generations", when always;
        /// How generations without improvement are counted.
        restart_rule: RestartRule = RestartRule::NoBetterBest, in (), unit "",
            when |c| c.restart_after > 0;
        /// Best individuals that survive a restart. Each one leads the new population back to where
        /// the old one searched.
        restart_elites: u32 = 0, in 0..=u32::MAX, unit "individuals",
            when |c| c.restart_after > 0;
        /// The run ends after this many generations; 0 sets no limit.
        max_generations: u32 = 10_000, in 0..=u32::MAX - 1, unit "generations", when always;
        /// The run ends after the generation in which its work (evaluations plus moves) reaches this;
        /// 0 sets no limit.
        max_work: u64 = 0, in 0..=u64::MAX, unit "evaluations and moves", when always;
        /// The run ends after this time; 0 sets no limit. A run that is stopped by time is not
        /// reproducible.
        time_limit: f64 = 0.0, in 0.0..=1.0e9, unit "seconds", when always;
        /// Generations between two estimates of the number of distinct boards in traces; 0 makes none.
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

impl Parameter {
    /// The choice in `config` for which it means nothing, as in `mutation=none`, if a single one decides.
    fn ignored_by(&self, config: &Config) -> Option<String> {
        let would_apply = |other: &Parameter, value: &str| {
            let mut change = Overrides::default();
            (other.read)(&mut change, value).is_ok()
                && (self.applies)(&config.clone().with(&change))
        };
        let others = Config::PARAMETERS.iter();
        let other = others
            .filter(|other| other.name != self.name)
            .find(|other| other.values.iter().any(|(value, _)| would_apply(other, value)))?;
        Some(format!("{}={}", other.name, (other.get)(config)))
    }

    /// The sentence that it is set and means nothing in `config`.
    pub fn no_effect(&self, config: &Config) -> String {
        let with = self.ignored_by(config).unwrap_or_else(|| "the other parameters".to_owned());
        format!("{} was set, but has no effect with {with}", self.name)
    }
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
    ($($number:ty, $takes:literal: $quantity:expr),*) => { $(
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
                let (given, mut range) = (text.to_owned(), format!($takes, Self::range(range)));
                if unit == SECONDS {
                    range += " seconds, or a time such as 500ms, 5s or 2min";
                }
                Err(ConfigError::OutOfRange { name, given, range })
            }

            fn check(self, name: &'static str, range: Self::Range) -> Result<(), ConfigError> {
                let fits = range.contains(&self);
                if fits { Ok(()) } else { Self::read(name, "", &self.to_string(), range).map(drop) }
            }

            fn range(range: Self::Range) -> String {
                format!("{} to {}", range.start(), range.end())
            }
        }
    )* };
}

number_value!(
    u32, "a whole number from {}": |text, _| u32::try_from(quantity::whole(text)?).ok(),
    u64, "a whole number from {}": |text, _| quantity::whole(text),
    f64, "{}": |text, unit| if unit == SECONDS { quantity::seconds(text) } else { quantity::real(text) }
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
