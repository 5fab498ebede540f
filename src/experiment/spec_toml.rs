//! Tables of a spec's TOML, in which every name and value knows its line.
//!
//! A table is read key by key; a key that nothing has read is refused.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::ops::{Range, RangeInclusive};
use std::path::Path;
use std::str::FromStr;

use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::{Located, SpecError, SpecPlace};
use crate::ga::Config;
use crate::util::memory::read_settings;
use crate::util::named_enum::{nearest, suggestion};

/// A name and its values.
pub(crate) type NamedList = (Located<String>, Vec<Located<String>>);

/// Values of keys as text, each with its place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SpecValues(BTreeMap<&'static str, Vec<Located<String>>>);

impl SpecValues {
    /// Sets the values of a key, which may be none.
    pub fn set(&mut self, key: &'static str, values: Vec<Located<String>>) {
        self.0.insert(key, values);
    }

    /// Takes the values of keys that are not set here from `defaults`.
    pub fn inherit(&mut self, defaults: &Self) {
        for (key, values) in &defaults.0 {
            self.0.entry(key).or_insert_with(|| values.clone());
        }
    }

    /// All values of a key.
    pub fn list(&self, key: &str) -> &[Located<String>] {
        self.0.get(key).map_or(&[], Vec::as_slice)
    }

    /// The value of a key that has one.
    pub fn one(&self, key: &str) -> Option<&Located<String>> {
        self.list(key).first()
    }

    /// The number under a key, as `read` reads it, or `default` if the key is not set.
    ///
    /// # Errors
    /// [`SpecError`] if it is no number within `range`.
    pub fn number<T: Copy + PartialOrd + Display>(
        &self,
        key: &'static str,
        read: fn(&str) -> Option<T>,
        default: T,
        range: RangeInclusive<T>,
    ) -> Result<T, SpecError> {
        let Some(text) = self.one(key) else { return Ok(default) };
        let number = read(&text.value).filter(|number| range.contains(number));
        number.ok_or_else(|| {
            let (given, least, most) = (&text.value, range.start(), range.end());
            text.refused(format_args!("{key} is '{given}', but it takes {least} to {most}"))
        })
    }

    /// The value that the name under a key stands for, if the key is set.
    ///
    /// # Errors
    /// [`SpecError`] if it is no such name.
    pub fn named<T: FromStr<Err: Display>>(&self, key: &str) -> Result<Option<T>, SpecError> {
        let value =
            |text: &Located<String>| text.value.parse().map_err(|error| text.refused(error));
        self.one(key).map(value).transpose()
    }
}

/// The text of a spec's file.
///
/// # Errors
/// [`SpecError`] when it cannot be read, or would fill memory.
pub(crate) fn spec_text(path: &Path) -> Result<String, SpecError> {
    let place = || SpecPlace(path.display().to_string());
    read_settings(path).map_err(|error| place().refused(format_args!("cannot be read: {error}")))
}

/// A spec's text, and the name of its file.
#[derive(Clone, Copy)]
struct SpecText<'a> {
    text: &'a str,
    file: &'a str,
}

impl SpecText<'_> {
    fn place(&self, at: Range<usize>) -> SpecPlace {
        let before = self.text.bytes().take(at.start);
        let line = 1 + before.filter(|byte| *byte == b'\n').count();
        SpecPlace(format!("{}, line {line}", self.file))
    }

    /// The number or name under a key as text.
    fn one(
        &self,
        key: &str,
        value: &Spanned<DeValue<'_>>,
        expected: &str,
    ) -> Result<Located<String>, SpecError> {
        let place = self.place(value.span());
        let value = match value.get_ref() {
            DeValue::String(text) => text.to_string(),
            DeValue::Integer(digits) => i128::from_str_radix(digits.as_str(), digits.radix())
                .map_or_else(|_| digits.to_string(), |number| number.to_string()),
            DeValue::Float(digits) => digits
                .as_str()
                .parse()
                .map_or_else(|_| digits.to_string(), |number: f64| number.to_string()),
            other => return Err(place.unexpected(key, other, expected)),
        };
        Ok(Located { value, place })
    }

    /// The value under a key, or the values of a list.
    fn list(
        &self,
        key: &str,
        value: &Spanned<DeValue<'_>>,
    ) -> Result<Vec<Located<String>>, SpecError> {
        match value.get_ref() {
            DeValue::Array(list) => {
                list.iter().map(|one| self.one(key, one, "a number or a name")).collect()
            }
            _ => Ok(vec![self.one(key, value, "a number, a name, or a list of them")?]),
        }
    }
}

impl SpecPlace {
    fn unexpected(&self, key: &str, value: &DeValue<'_>, expected: &str) -> SpecError {
        let kind = value.type_str();
        self.refused(format_args!("{key} is of type {kind}, but it takes {expected}"))
    }
}

/// A table of a spec.
pub(crate) struct SpecTable<'a> {
    /// Where it begins.
    pub place: SpecPlace,
    /// Its name in messages: `a block`.
    what: &'static str,
    text: SpecText<'a>,
    table: DeTable<'a>,
    /// The keys that it may have.
    keys: Vec<&'static str>,
}

/// The values under a key of any name.
pub(crate) enum SpecEntry<'a> {
    /// A value, or a list of them.
    Values(Vec<Located<String>>),
    /// A table.
    Table(SpecTable<'a>),
}

impl<'a> SpecTable<'a> {
    /// Parses the text of `file`, whose table messages call `what`.
    ///
    /// # Errors
    /// [`SpecError`] with the line of the first thing that is no TOML.
    pub fn parse(text: &'a str, file: &'a str, what: &'static str) -> Result<Self, SpecError> {
        let text = SpecText { text, file };
        let table = DeTable::parse(text.text).map_err(|error| {
            text.place(error.span().unwrap_or_default()).refused(error.message())
        })?;
        let place = text.place(0..0);
        Ok(Self { place, what, text, table: table.into_inner(), keys: Vec::new() })
    }

    /// The table that stands under a key.
    fn under(
        text: SpecText<'a>,
        key: &str,
        value: Spanned<DeValue<'a>>,
        what: &'static str,
        expected: &str,
    ) -> Result<Self, SpecError> {
        let place = text.place(value.span());
        match value.into_inner() {
            DeValue::Table(table) => Ok(Self { place, what, text, table, keys: Vec::new() }),
            other => Err(place.unexpected(key, &other, expected)),
        }
    }

    fn take(&mut self, key: &'static str) -> Option<Spanned<DeValue<'a>>> {
        self.keys.push(key);
        self.table.remove(key)
    }

    /// The value under a key, or the values of a list.
    ///
    /// # Errors
    /// [`SpecError`] if it is something else.
    pub fn list(&mut self, key: &'static str) -> Result<Option<Vec<Located<String>>>, SpecError> {
        self.take(key).map(|value| self.text.list(key, &value)).transpose()
    }

    /// The values of these keys, each of which has one.
    ///
    /// # Errors
    /// [`SpecError`] if one is no number and no name.
    pub fn values(&mut self, keys: &[&'static str]) -> Result<SpecValues, SpecError> {
        let mut values = SpecValues::default();
        for key in keys {
            if let Some(value) = self.take(key) {
                values.set(key, vec![self.text.one(key, &value, "a number or a name")?]);
            }
        }
        Ok(values)
    }

    /// The entries of the table `key` in the order in which they are written; messages call a table among them
    /// `what`.
    ///
    /// # Errors
    /// [`SpecError`] if it is something else.
    pub fn entries(
        &mut self,
        key: &'static str,
        what: &'static str,
    ) -> Result<Vec<(Located<String>, SpecEntry<'a>)>, SpecError> {
        let (text, Some(value)) = (self.text, self.take(key)) else { return Ok(Vec::new()) };
        let table = Self::under(text, key, value, what, &format!("a table, as in [{key}]"))?.table;
        let mut entries: Vec<_> = table.into_iter().collect();
        entries.sort_by_key(|(name, _)| name.span().start);
        let entry = |(name, value): (Spanned<DeString<'a>>, Spanned<DeValue<'a>>)| {
            let place = text.place(name.span());
            let name = Located { value: name.into_inner().into_owned(), place };
            let entry = if value.get_ref().is_table() {
                SpecEntry::Table(Self::under(text, key, value, what, what)?)
            } else {
                SpecEntry::Values(text.list(&name.value, &value)?)
            };
            Ok((name, entry))
        };
        entries.into_iter().map(entry).collect()
    }

    /// The names of the table `key` and the values of each.
    ///
    /// # Errors
    /// [`SpecError`] if it is something else.
    pub fn lists(&mut self, key: &'static str) -> Result<Vec<NamedList>, SpecError> {
        let list = |(name, entry): (Located<String>, SpecEntry<'_>)| match entry {
            SpecEntry::Values(values) => Ok((name, values)),
            SpecEntry::Table(table) => {
                let what = "a number, a name, or a list of them";
                Err(table
                    .place
                    .refused(format_args!("{} takes {what}, but a table was given", name.value)))
            }
        };
        self.entries(key, "a table")?.into_iter().map(list).collect()
    }

    /// The tables of the list `key`, each of which messages call `what`.
    ///
    /// # Errors
    /// [`SpecError`] if it is something else.
    pub fn tables(
        &mut self,
        key: &'static str,
        what: &'static str,
    ) -> Result<Vec<Self>, SpecError> {
        let (text, Some(value)) = (self.text, self.take(key)) else { return Ok(Vec::new()) };
        let (place, expected) = (text.place(value.span()), format!("tables, as in [[{key}]]"));
        match value.into_inner() {
            DeValue::Array(list) => {
                list.into_iter().map(|one| Self::under(text, key, one, what, &expected)).collect()
            }
            other => Err(place.unexpected(key, &other, &expected)),
        }
    }

    /// Checks that every key was read.
    ///
    /// # Errors
    /// [`SpecError`] with the first that was not.
    pub fn finish(self) -> Result<(), SpecError> {
        let Some(first) = self.table.keys().min_by_key(|key| key.span().start) else {
            return Ok(());
        };
        let given = first.get_ref();
        let hint = match nearest(given, self.keys.iter().copied()) {
            None if Config::parameter(given).is_ok() => {
                " (parameters belong under [parameters])".to_owned()
            }
            None => format!(" (there are {})", self.keys.join(", ")),
            nearest => suggestion(&nearest),
        };
        let place = self.text.place(first.span());
        Err(place.refused(format_args!("there is no key '{given}' in {}{hint}", self.what)))
    }
}
