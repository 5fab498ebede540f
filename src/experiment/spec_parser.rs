//! A spec's TOML, turned into drafts in which everything knows its line.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::ops::Range;
use std::path::Path;

use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use toml::Spanned;
use toml::de::DeTable;

use super::spec_values::{BlockList, OneOrMany, Scalar};
use super::{Located, RawBlock, SpecError, SpecErrorKind, SpecPlace};
use crate::util::memory::read_settings;
use crate::util::named_enum::nearest;

/// Declares what a table of a spec may hold.
macro_rules! table {
    ($( $key:ident: $type:ty, )*) => {
        /// A block, or what stands above all blocks.
        #[derive(Deserialize)]
        pub(super) struct Written {
            $( $key: Option<Spanned<$type>>, )*
            #[serde(flatten)]
            unknown: BTreeMap<String, IgnoredAny>,
        }

        const KEYS: &[&str] = &[$( stringify!($key), )*];
    };
}

table! {
    name: Scalar,
    puzzles: OneOrMany,
    methods: OneOrMany,
    // Another word for methods.
    presets: OneOrMany,
    parameters: BTreeMap<Spanned<String>, Spanned<OneOrMany>>,
    seeds: Scalar,
    first_seed: Scalar,
    time_limit: Scalar,
    least_generations: Scalar,
    dig: Scalar,
    step: Scalar,
    until: Scalar,
    block: BlockList,
}

/// A spec before its blocks inherit what stands above them.
pub(super) struct RawSpec {
    /// The keys above all blocks.
    pub top: RawBlock,
    /// Its blocks.
    pub blocks: Vec<RawBlock>,
}

/// The text of a spec's file.
///
/// # Errors
/// [`SpecError`] when it cannot be read, or would fill memory.
pub(crate) fn spec_text(path: &Path) -> Result<String, SpecError> {
    read_settings(path).map_err(|error| SpecError {
        place: SpecPlace::File(path.display().to_string()),
        refusal: SpecErrorKind::Syntax(format!("cannot be read: {error}")),
    })
}

/// Reads the text of `file`.
pub(super) fn read(text: &str, file: &str) -> Result<RawSpec, SpecError> {
    let reader = Reader { text, file };
    let mut written: Written = reader.parse()?;
    let blocks = written.block.take().map(|blocks| blocks.into_inner().0).unwrap_or_default();
    let top = reader.draft(written, RawBlock::at(reader.place(0..0)), None)?;
    let block = |(number, block): (usize, Spanned<Written>)| {
        let draft = RawBlock::at(reader.place(block.span()));
        let written = block.into_inner();
        if let Some(inner) = &written.block {
            let place = reader.place(inner.span());
            return Err(SpecError { place, refusal: SpecErrorKind::Nested });
        }
        reader.draft(written, draft, Some(number))
    };
    let blocks = blocks.into_iter().enumerate().map(block).collect::<Result<_, _>>()?;
    Ok(RawSpec { top, blocks })
}

/// The text, to find lines in.
pub(crate) struct Reader<'a> {
    /// The text.
    pub text: &'a str,
    /// What its file is called.
    pub file: &'a str,
}

impl Reader<'_> {
    /// What it holds.
    ///
    /// # Errors
    /// [`SpecError`] with the line of the first thing that is no TOML, or is of another kind.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T, SpecError> {
        toml::from_str(self.text).map_err(|error| SpecError {
            place: self.place(error.span().unwrap_or_default()),
            refusal: SpecErrorKind::Syntax(error.message().to_owned()),
        })
    }

    /// The line of some of it.
    pub fn place(&self, at: Range<usize>) -> SpecPlace {
        let before = self.text.bytes().take(at.start);
        let line = 1 + before.filter(|byte| *byte == b'\n').count();
        SpecPlace::Line { file: self.file.to_owned(), line }
    }

    /// What a table says, in an empty draft. `block` is the number of the table's block.
    fn draft(
        &self,
        written: Written,
        draft: RawBlock,
        block: Option<usize>,
    ) -> Result<RawBlock, SpecError> {
        if let Some(given) = written.unknown.into_keys().next() {
            let place = self.place(self.key(block, &given).unwrap_or_default());
            let nearest = nearest(&given, KEYS.iter().copied());
            return Err(SpecError { place, refusal: SpecErrorKind::UnknownKey { given, nearest } });
        }
        let one = |scalar: Option<Spanned<Scalar>>| scalar.map(|scalar| self.placed(scalar));
        let many = |list: Option<Spanned<OneOrMany>>| list.map(|list| self.list(list));
        let methods = match (written.methods, written.presets) {
            (Some(_), Some(presets)) => {
                let (place, refusal) =
                    (self.place(presets.span()), SpecErrorKind::Twice("methods".to_owned()));
                return Err(SpecError { place, refusal });
            }
            (methods, presets) => many(methods.or(presets)),
        };
        // The last parameter written is the fastest.
        let mut parameters: Vec<(usize, Located<String>, Vec<Located<String>>)> = Vec::new();
        if let Some(limit) = written.time_limit {
            let (start, value) = (limit.span().start, self.placed(limit));
            let name = Located { value: "time_limit".to_owned(), place: value.place.clone() };
            parameters.push((start, name, vec![value]));
        }
        for (name, values) in written.parameters.map(Spanned::into_inner).unwrap_or_default() {
            let (start, place) = (name.span().start, self.place(name.span()));
            let name = Located { value: name.into_inner(), place };
            parameters.push((start, name, self.list(values)));
        }
        parameters.sort_by_key(|(start, ..)| *start);
        Ok(RawBlock {
            name: one(written.name).map(|name| name.value),
            puzzles: written.puzzles.map(|puzzles| self.names(puzzles)),
            methods,
            parameters: parameters.into_iter().map(|(_, name, list)| (name, list)).collect(),
            seeds: one(written.seeds),
            first_seed: one(written.first_seed),
            least_generations: one(written.least_generations),
            dig: one(written.dig),
            step: one(written.step),
            until: one(written.until),
            ..draft
        })
    }

    /// A value with its place.
    pub fn placed(&self, scalar: Spanned<Scalar>) -> Located<String> {
        let place = self.place(scalar.span());
        Located { value: scalar.into_inner().0, place }
    }

    /// The values of a list.
    pub fn list(&self, list: Spanned<OneOrMany>) -> Vec<Located<String>> {
        let place = self.place(list.span());
        self.values(list.into_inner(), place)
    }

    /// A list of what may be files.
    pub fn names(&self, list: Spanned<OneOrMany>) -> Vec<Located<OsString>> {
        let name = |name: Located<String>| Located { value: name.value.into(), place: name.place };
        self.list(list).into_iter().map(name).collect()
    }

    /// The values of a list that begins at a place.
    pub fn values(&self, list: OneOrMany, place: SpecPlace) -> Vec<Located<String>> {
        match list {
            OneOrMany::One(scalar) => vec![Located { value: scalar.0, place }],
            OneOrMany::Several(scalars) => {
                scalars.into_iter().map(|scalar| self.placed(scalar)).collect()
            }
        }
    }

    /// Where a key of a table stands: what is not known is read without its place.
    pub fn key(&self, block: Option<usize>, name: &str) -> Option<Range<usize>> {
        let table = DeTable::parse(self.text).ok()?.into_inner();
        let of = |table: &DeTable<'_>| table.get_key_value(name).map(|(key, _)| key.span());
        match block {
            None => of(&table),
            Some(number) => {
                of(table.get("block")?.get_ref().as_array()?.get(number)?.get_ref().as_table()?)
            }
        }
    }
}
