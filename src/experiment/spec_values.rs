//! The values of a spec: numbers and names, lists of them, and blocks.

use std::fmt;

use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use super::spec_parser::Written;

/// A number or a name, as text.
pub(crate) struct Scalar(pub String);

/// A list of numbers and names, or one that stands for a list of one.
pub(crate) enum OneOrMany {
    One(Scalar),
    Several(Vec<Spanned<Scalar>>),
}

/// The blocks of a spec.
pub(super) struct BlockList(pub Vec<Spanned<Written>>);

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match deserializer.deserialize_any(SpecValues { lists: false })? {
            OneOrMany::One(scalar) => Ok(scalar),
            OneOrMany::Several(_) => Err(Error::custom(SpecValues { lists: false }.expected())),
        }
    }
}

impl<'de> Deserialize<'de> for OneOrMany {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(SpecValues { lists: true })
    }
}

impl<'de> Deserialize<'de> for BlockList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(BlockTables)
    }
}

/// Takes numbers and names, and lists of them where there may be any.
struct SpecValues {
    lists: bool,
}

impl SpecValues {
    fn expected(&self) -> &'static str {
        if self.lists { "a number, a name, or a list of them" } else { "a number or a name" }
    }
}

impl<'de> Visitor<'de> for SpecValues {
    type Value = OneOrMany;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expected())
    }

    fn visit_str<E>(self, text: &str) -> Result<OneOrMany, E> {
        Ok(OneOrMany::One(Scalar(text.to_owned())))
    }

    fn visit_i64<E>(self, number: i64) -> Result<OneOrMany, E> {
        Ok(OneOrMany::One(Scalar(number.to_string())))
    }

    fn visit_f64<E>(self, number: f64) -> Result<OneOrMany, E> {
        Ok(OneOrMany::One(Scalar(number.to_string())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut values: A) -> Result<OneOrMany, A::Error> {
        if !self.lists {
            return Err(Error::invalid_type(serde::de::Unexpected::Seq, &self));
        }
        let mut list = Vec::new();
        while let Some(value) = values.next_element()? {
            list.push(value);
        }
        Ok(OneOrMany::Several(list))
    }
}

/// Takes blocks.
struct BlockTables;

impl<'de> Visitor<'de> for BlockTables {
    type Value = BlockList;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("tables, as in [[block]]")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut tables: A) -> Result<BlockList, A::Error> {
        let mut blocks = Vec::new();
        while let Some(table) = tables.next_element()? {
            blocks.push(table);
        }
        Ok(BlockList(blocks))
    }
}
