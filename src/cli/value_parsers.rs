//! Value parsers of flags: whole numbers, intervals, rates, times, and names.

use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::util::named_enum::NamedEnum;
use crate::util::quantity;

/// Reads a whole number in a range, as in `1000` or `1k`; `u64::MAX` is no upper bound.
pub fn whole<T: FromStr>(range: RangeInclusive<u64>) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let number = quantity::whole(text).filter(|number| range.contains(number));
        let number = number.and_then(|number| number.to_string().parse().ok());
        number.ok_or_else(|| match range.clone().into_inner() {
            (start, u64::MAX) => {
                format!("it takes a whole number from {start} to 2^64 - 1, as in 1000 or 1k")
            }
            (start, end) => format!("it takes a whole number from {start} to {end}"),
        })
    }
}

/// Reads numbers with commas between them.
pub fn numbers<T>(
    one: impl Fn(&str) -> Result<T, String> + Clone,
) -> impl Fn(&str) -> Result<Vec<T>, String> + Clone {
    move |text| {
        let items = quantity::items(text)?;
        let several = if items.len() == 1 { ", or several, as in 1k,10k,1M" } else { "" };
        items.into_iter().map(|item| one(item).map_err(|error| error + several)).collect()
    }
}

/// Reads how often something is done.
pub fn every(text: &str) -> Result<quantity::Interval, &'static str> {
    quantity::every(text).ok_or(
        "it takes a time up to 1000000000 s, as in 30s or 2min, or 1 to 4294967295 generations, as in 100g",
    )
}

/// Reads a rate a second.
pub fn per_second(text: &str) -> Result<f64, &'static str> {
    let rate = quantity::real(text).filter(|rate| (1e-3..=1e9).contains(rate));
    rate.ok_or("it takes 0.001 to 1000000000, as in 10 or 0.5")
}

/// Reads a time: `60`, `60s`, `250ms` or `2min`.
pub fn time(text: &str) -> Result<Duration, &'static str> {
    let seconds = quantity::seconds(text).filter(|seconds| (0.0..=1e9).contains(seconds));
    seconds
        // However short, it is a limit: only 0 is none.
        .map(|time| Duration::from_secs_f64(time).max(Duration::from_nanos((time > 0.0).into())))
        .ok_or("it takes a time from 0 to 1000000000 s, as in 60, 60s or 2min")
}

/// A parser of the names of an enum, which `--help` and the completions of shells show.
pub fn known<T: NamedEnum + Clone + Send + Sync + 'static>() -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(T::NAMES).try_map(|name| name.parse::<T>())
}
