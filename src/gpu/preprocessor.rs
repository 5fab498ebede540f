//! The preprocessor of WGSL: kernels put together from the files under `shaders/`.
//!
//! Two kinds of line in a file are not WGSL:
//!
//! - `#include "random/philox.wgsl"` inserts a file, by its path under `shaders/`;
//! - `#choose select` inserts the text that Rust gives under that name: the file of an operator, or
//!   constants that Rust knows.
//!
//! A file includes everything that it needs. A file, and a choice, is inserted once in a kernel however
//! often it is named, so that files may include each other: the order of declarations means
//! nothing in WGSL. A line that cannot be resolved is a [`ShaderError`].

use std::collections::{HashMap, HashSet};

use include_dir::{Dir, include_dir};
use thiserror::Error;

use crate::random::philox::{MULTIPLIER, ROUNDS, WEYL};
use crate::random::{StreamStage, WHOLE_POPULATION};

/// The folder of shaders at the time when the program was compiled.
static FILES: Dir = include_dir!("$CARGO_MANIFEST_DIR/shaders");

/// The texts that `#choose` lines insert, by their names.
#[derive(Clone, Debug, Default)]
pub struct ShaderDefines {
    texts: HashMap<&'static str, String>,
}

/// A line of a kernel that could not be resolved.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{file}:{line}: {problem}")]
pub struct ShaderError {
    /// The file, or the name of the text, that holds the line.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The reason, as in `there is no shader 'select.wgsl'`.
    pub problem: String,
}

impl ShaderDefines {
    /// Sets the text that `#choose name` inserts to the file at `path` under `shaders/`.
    pub fn file(self, name: &'static str, path: &str) -> Self {
        self.text(name, format!("#include \"{path}\""))
    }

    /// Sets the text that `#choose name` inserts.
    pub fn text(mut self, name: &'static str, text: impl Into<String>) -> Self {
        self.texts.insert(name, text.into());
        self
    }

    /// Returns the kernel of the file at `path` under `shaders/`.
    ///
    /// # Errors
    /// [`ShaderError`] for a line that includes a file that does not exist, chooses a name without a text,
    /// or is no such line but begins with `#`.
    pub fn kernel(&self, path: &str) -> Result<String, ShaderError> {
        self.assemble("kernel", &format!("#include \"{path}\""))
    }

    /// Returns the kernel of a text, which errors call `name`.
    ///
    /// # Errors
    /// As [`kernel`](Self::kernel).
    pub fn assemble(&self, name: &str, text: &str) -> Result<String, ShaderError> {
        let mut assembly =
            Assembly { defines: self, inserted: HashSet::new(), kernel: String::new() };
        assembly.add(name, text)?;
        Ok(assembly.kernel)
    }
}

/// Returns whether there is a file at `path` under `shaders/`.
pub(crate) fn has_shader(path: &str) -> bool {
    FILES.contains(path)
}

/// A kernel of which a part is put together.
struct Assembly<'a> {
    defines: &'a ShaderDefines,
    /// The names of the files and texts in the kernel.
    inserted: HashSet<String>,
    kernel: String,
}

impl<'a> Assembly<'a> {
    /// Adds `text`, which errors call `file`, and everything that it inserts.
    fn add(&mut self, file: &str, text: &str) -> Result<(), ShaderError> {
        for (number, line) in (1..).zip(text.lines()) {
            if !line.trim_start().starts_with('#') {
                self.kernel.push_str(line);
                self.kernel.push('\n');
                continue;
            }
            let error = |problem| ShaderError { file: file.to_owned(), line: number, problem };
            let (name, text) = self.resolve(line.trim()).map_err(error)?;
            if self.inserted.insert(name.clone()) {
                self.kernel.push_str(&format!("// {name}\n"));
                self.add(&name, text)?;
                self.kernel.push('\n');
            }
        }
        Ok(())
    }

    /// The name and the text of the file or choice that a line inserts, or the problem with the line.
    fn resolve(&self, line: &str) -> Result<(String, &'a str), String> {
        if let Some(path) = line.strip_prefix("#include \"").and_then(|path| path.strip_suffix('"'))
        {
            let file = FILES.get_file(path).and_then(|file| file.contents_utf8());
            let text = file.ok_or_else(|| format!("there is no shader '{path}'"))?;
            return Ok((format!("shaders/{path}"), text));
        }
        match line.strip_prefix("#choose ") {
            Some(name) if !name.starts_with('"') => match self.defines.texts.get(name.trim()) {
                Some(text) => Ok((name.trim().to_owned(), text)),
                None => Err(format!("nothing was chosen for '{}'", name.trim())),
            },
            _ => Err(format!("'{line}' is neither #include \"FILE\" nor #choose NAME")),
        }
    }
}

/// Consecutive sections of a buffer of words. The constants of kernels with their names hold their first words.
#[derive(Clone, Debug)]
pub(crate) struct BufferSections {
    starts: Vec<(&'static str, usize)>,
    /// The word after the last section.
    pub(crate) end: usize,
}

impl BufferSections {
    /// No section yet; the first one begins at word `start`.
    pub(crate) fn new(start: usize) -> Self {
        Self { starts: Vec::new(), end: start }
    }

    /// Appends a section of `words` words.
    pub(crate) fn add(mut self, name: &'static str, words: usize) -> Self {
        self.starts.push((name, self.end));
        self.end += words;
        self
    }

    /// The word after each section.
    pub(crate) fn ends(&self) -> impl Iterator<Item = usize> {
        self.starts.iter().skip(1).map(|(_, start)| *start).chain([self.end])
    }

    /// Declares the first words, and `others`, as constants in WGSL.
    pub(crate) fn constants(&self, others: &[(&str, usize)]) -> String {
        constants(&[&self.starts, others].concat())
    }
}

/// Declares `words` as constants in WGSL.
pub(crate) fn constants(words: &[(&str, usize)]) -> String {
    words.iter().map(|(name, word)| format!("const {name} = {word}u;\n")).collect()
}

/// Declares a pair of words as a constant in WGSL.
pub(crate) fn pair_constant(name: &str, [x, y]: [u32; 2]) -> String {
    format!("const {name} = vec2<u32>({x:#X}u, {y:#X}u);\n")
}

/// Returns the text that `random/philox.wgsl` chooses as `philox`: the constants of the generator.
pub fn philox_constants() -> String {
    // The generator, and what is added to its key each round.
    let rounds = constants(&[("PHILOX_ROUNDS", ROUNDS as usize)]);
    rounds + &pair_constant("PHILOX_MULTIPLIER", MULTIPLIER) + &pair_constant("PHILOX_WEYL", WEYL)
}

/// The text that `random/draws.wgsl` chooses as `stages`: the purposes of draws.
pub(crate) fn stage_constants() -> String {
    // The purposes of draws, and the slot of draws for the whole population.
    constants(&[
        ("INITIALISE", StreamStage::Initialise as usize),
        ("PLAN", StreamStage::Plan as usize),
        ("SELECT", StreamStage::Select as usize),
        ("CROSS", StreamStage::Cross as usize),
        ("MUTATE", StreamStage::Mutate as usize),
        ("IMPROVE", StreamStage::Improve as usize),
        ("REPLACE", StreamStage::Replace as usize),
        ("MIGRATE", StreamStage::Migrate as usize),
        ("COUPLE", StreamStage::Couple as usize),
        ("WHOLE_POPULATION", WHOLE_POPULATION as usize),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_file_and_each_choice_is_inserted_once() {
        let choices = ShaderDefines::default()
            .text("one", "#choose two\nconst ONE = TWO;")
            .text("two", "#choose one\nconst TWO = 2u;")
            .file("part", "fitness/joined.wgsl");
        let text = "#choose one\n#choose two\n#choose part\n#include \"fitness/joined.wgsl\"";
        let kernel = choices.assemble("kernel", text).unwrap();
        for once in ["const ONE", "const TWO", "fn joined("] {
            assert_eq!(kernel.matches(once).count(), 1, "{kernel}");
        }
        assert!(!kernel.contains('#'), "{kernel}");
    }

    #[test]
    fn a_line_that_is_not_resolved_is_an_error_with_its_place() {
        let choices = ShaderDefines::default().text("given", "\n#choose none");
        for (text, error) in [
            ("fn f() {}\n#choose select", "kernel:2: nothing was chosen for 'select'"),
            ("#choose given", "given:2: nothing was chosen for 'none'"),
            ("#include \"no/such.wgsl\"", "kernel:1: there is no shader 'no/such.wgsl'"),
            ("#include no/such.wgsl", "kernel:1: '#include no/such.wgsl' is neither"),
            ("\n  #choose", "kernel:2: '#choose' is neither"),
            ("#chose select", "kernel:1: '#chose select' is neither"),
            ("#include \"random/philox.wgsl\"", "shaders/random/philox.wgsl:5: nothing was"),
        ] {
            let got = choices.assemble("kernel", text).unwrap_err().to_string();
            assert!(got.starts_with(error), "{got}");
        }
    }
}
