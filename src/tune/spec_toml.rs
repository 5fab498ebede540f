//! The TOML of a tuning spec, as it is written: what every key holds, and where.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use crate::experiment::{OneOrMany, Scalar};

/// A tuning spec.
#[derive(Deserialize)]
pub(super) struct SpecToml {
    pub name: Option<Spanned<Scalar>>,
    pub method: Option<Spanned<Scalar>>,
    pub training: Option<Spanned<OneOrMany>>,
    pub validation: Option<Spanned<OneOrMany>>,
    pub budget: Option<Spanned<Scalar>>,
    pub work: Option<Spanned<Scalar>>,
    pub cost: Option<Spanned<Scalar>>,
    pub penalty: Option<Spanned<Scalar>>,
    pub test: Option<Spanned<Scalar>>,
    pub level: Option<Spanned<Scalar>>,
    pub first_test: Option<Spanned<Scalar>>,
    pub seed: Option<Spanned<Scalar>>,
    pub first_seed: Option<Spanned<Scalar>>,
    pub validation_seeds: Option<Spanned<Scalar>>,
    pub parameters: Option<BTreeMap<Spanned<String>, Spanned<Range>>>,
    #[serde(flatten)]
    pub unknown: BTreeMap<String, IgnoredAny>,
}

/// All keys.
pub(super) const KEYS: [&str; 15] = [
    "name",
    "method",
    "training",
    "validation",
    "budget",
    "work",
    "cost",
    "penalty",
    "test",
    "level",
    "first_test",
    "seed",
    "first_seed",
    "validation_seeds",
    "parameters",
];

/// What a parameter may be.
pub(super) enum Range {
    /// A value, or a list of values.
    Values(OneOrMany),
    /// A table: from one number to another, or values, and when it exists.
    Table(RangeTable),
}

/// A table of a parameter.
#[derive(Default)]
pub(super) struct RangeTable {
    pub from: Option<Spanned<Scalar>>,
    pub to: Option<Spanned<Scalar>>,
    pub scale: Option<Spanned<Scalar>>,
    pub values: Option<Spanned<OneOrMany>>,
    pub when: BTreeMap<Spanned<String>, Spanned<OneOrMany>>,
}

impl<'de> Deserialize<'de> for Range {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Ranges)
    }
}

struct Ranges;

impl<'de> Visitor<'de> for Ranges {
    type Value = Range;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value, a list of values, or a range as in { from = 1, to = 9 }")
    }

    fn visit_str<E>(self, text: &str) -> Result<Range, E> {
        Ok(Range::Values(OneOrMany::One(Scalar(text.to_owned()))))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Range, E> {
        Ok(Range::Values(OneOrMany::One(Scalar(number.to_string()))))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Range, E> {
        Ok(Range::Values(OneOrMany::One(Scalar(number.to_string()))))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut values: A) -> Result<Range, A::Error> {
        let mut list = Vec::new();
        while let Some(value) = values.next_element()? {
            list.push(value);
        }
        Ok(Range::Values(OneOrMany::Several(list)))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Range, A::Error> {
        let mut table = RangeTable::default();
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "from" => table.from = Some(map.next_value()?),
                "to" => table.to = Some(map.next_value()?),
                "scale" => table.scale = Some(map.next_value()?),
                "values" => table.values = Some(map.next_value()?),
                "when" => table.when = map.next_value()?,
                other => {
                    let what = "is none of from, to, scale, values, when";
                    return Err(A::Error::custom(format_args!("'{other}' {what}")));
                }
            }
        }
        Ok(Range::Table(table))
    }
}
