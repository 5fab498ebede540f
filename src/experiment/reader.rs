//! A spec's TOML, turned into drafts in which everything knows its line.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{Draft, Place, Placed, Refusal, SpecError};
use crate::named::nearest;

/// What a spec may hold; `presets` is another word for `methods`.
const KEYS: [&str; 13] = [
    "name",
    "puzzles",
    "methods",
    "presets",
    "parameters",
    "seeds",
    "first_seed",
    "time_limit",
    "least_generations",
    "dig",
    "step",
    "until",
    "block",
];

/// A spec before its blocks inherit what stands above them.
pub(super) struct Document {
    /// The keys above all blocks.
    pub top: Draft,
    /// Its blocks.
    pub blocks: Vec<Draft>,
}

/// Reads the text of `file`.
pub(super) fn read(text: &str, file: &str) -> Result<Document, SpecError> {
    let reader = Reader { text, file };
    let table = DeTable::parse(text).map_err(|error| SpecError {
        place: reader.place(error.span().map_or(0, |span| span.start)),
        refusal: Refusal::Syntax(error.message().to_owned()),
    })?;
    let mut blocks = Vec::new();
    let mut top = Draft::at(reader.place(0));
    for (key, value) in reader.entries(table.get_ref()) {
        if key.value != "block" {
            reader.take(&mut top, &key, value)?;
            continue;
        }
        let tables = value.get_ref().as_array().ok_or_else(|| wrong(&key, BLOCKS, value))?;
        for value in tables {
            let table = value.get_ref().as_table().ok_or_else(|| wrong(&key, BLOCKS, value))?;
            let mut block = Draft::at(reader.place(value.span().start));
            for (key, value) in reader.entries(table) {
                reader.take(&mut block, &key, value)?;
            }
            blocks.push(block);
        }
    }
    Ok(Document { top, blocks })
}

const BLOCKS: &str = "tables, as in [[block]]";

/// The text, to find lines in.
struct Reader<'a> {
    text: &'a str,
    file: &'a str,
}

type Value<'a> = Spanned<DeValue<'a>>;

impl Reader<'_> {
    fn place(&self, at: usize) -> Place {
        let line = 1 + self.text.bytes().take(at).filter(|byte| *byte == b'\n').count();
        Place::Line { file: self.file.to_owned(), line }
    }

    /// Keys and values in the order in which they were written.
    fn entries<'t, 'i>(&self, table: &'t DeTable<'i>) -> Vec<(Placed<String>, &'t Value<'i>)> {
        let mut entries: Vec<_> = table.iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        let placed = |key: &Spanned<_>| self.place(key.span().start);
        entries
            .into_iter()
            .map(|(key, value)| {
                (Placed { value: key.get_ref().to_string(), place: placed(key) }, value)
            })
            .collect()
    }

    /// Puts one key of a table where it belongs.
    fn take(
        &self,
        draft: &mut Draft,
        key: &Placed<String>,
        value: &Value<'_>,
    ) -> Result<(), SpecError> {
        let given = key.value.as_str();
        match given {
            "name" => draft.name = Some(self.one(key, value)?.value),
            "puzzles" => draft.puzzles = Some(self.many(key, value)?),
            "methods" | "presets" if draft.methods.is_some() => {
                return Err(key.refused(Refusal::Twice("methods".to_owned())));
            }
            "methods" | "presets" => draft.methods = Some(self.many(key, value)?),
            "seeds" => draft.seeds = Some(self.one(key, value)?),
            "first_seed" => draft.first_seed = Some(self.one(key, value)?),
            "least_generations" => draft.least_generations = Some(self.one(key, value)?),
            "dig" => draft.dig = Some(self.one(key, value)?),
            "step" => draft.step = Some(self.one(key, value)?),
            "until" => draft.until = Some(self.one(key, value)?),
            "time_limit" => draft.parameters.push((key.clone(), vec![self.one(key, value)?])),
            "parameters" => {
                let table =
                    value.get_ref().as_table().ok_or_else(|| wrong(key, "a table", value))?;
                for (name, value) in self.entries(table) {
                    let values = self.many(&name, value)?;
                    draft.parameters.push((name, values));
                }
            }
            _ => {
                let nearest = nearest(given, KEYS);
                let given = given.to_owned();
                return Err(key.refused(Refusal::UnknownKey { given, nearest }));
            }
        }
        Ok(())
    }

    /// A list, or a value that stands for a list of one.
    fn many(
        &self,
        key: &Placed<String>,
        value: &Value<'_>,
    ) -> Result<Vec<Placed<String>>, SpecError> {
        match value.get_ref() {
            DeValue::Array(values) => values.iter().map(|value| self.one(key, value)).collect(),
            _ => Ok(vec![self.one(key, value)?]),
        }
    }

    fn one(&self, key: &Placed<String>, value: &Value<'_>) -> Result<Placed<String>, SpecError> {
        let place = self.place(value.span().start);
        let text = match value.get_ref() {
            DeValue::String(text) => text.to_string(),
            DeValue::Integer(number) => number.to_string(),
            DeValue::Float(number) => number.to_string(),
            other => {
                return Err(SpecError {
                    place,
                    refusal: Refusal::Type {
                        key: key.value.clone(),
                        wanted: "numbers and names",
                        found: other.type_str(),
                    },
                });
            }
        };
        Ok(Placed { value: text, place })
    }
}

fn wrong(key: &Placed<String>, wanted: &'static str, value: &Value<'_>) -> SpecError {
    let found = value.get_ref().type_str();
    key.refused(Refusal::Type { key: key.value.clone(), wanted, found })
}
