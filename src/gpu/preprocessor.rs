//! The preprocessor of WGSL: kernels put together from the files under `shaders/`.
//!
//! Three kinds of line in a file are not WGSL:
//!
//! - `#include "random/philox.wgsl"` inserts a file, by its path under `shaders/`;
//! - `#choose select` inserts the text that Rust gives under that name: the file of an operator, or
//!   constants that Rust knows;
//! - `#repeat at BOARD_WORDS` repeats the lines up to its `#end` for `at` = 0, 1, ... below a constant that Rust
//!   gives. They are written out, with a constant `at`, where that is short: wgpu adds a counter to each loop, so that a
//!   driver does not know its turns. Otherwise they become a loop.
//!
//! A file includes everything that it needs. A file, and a choice, is inserted once in a kernel however
//! often it is named, so that files may include each other: the order of declarations means
//! nothing in WGSL. A line that cannot be resolved is a [`ShaderError`].

use std::collections::{HashMap, HashSet};

use include_dir::{Dir, include_dir};
use thiserror::Error;
use wgpu::Features;

use crate::random::philox::{MULTIPLIER, ROUNDS, WEYL};
use crate::random::{StreamStage, WHOLE_POPULATION};

/// The folder of shaders at the time when the program was compiled.
static FILES: Dir = include_dir!("$CARGO_MANIFEST_DIR/shaders");
/// Most copies of lines that are repeated: enough for the words of a board of 9x9. The compile time of drivers grows
/// with the square of the text.
const MOST_COPIES: usize = 24;

/// The texts that `#choose` lines insert, by their names.
#[derive(Clone, Debug, Default)]
pub struct ShaderDefines {
    texts: HashMap<&'static str, String>,
    keeps_loops: bool,
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

    /// Has lines that are repeated become loops, however few: for software drivers, which run loops as fast and compile
    /// slowly.
    pub fn with_loops(self) -> Self {
        Self { keeps_loops: true, ..self }
    }

    /// Returns the kernel of the file at `path` under `shaders/`.
    ///
    /// # Errors
    /// [`ShaderError`] for a line that includes a file that does not exist, chooses a name without a text, repeats
    /// by an unknown constant or without an end, or is no such line but begins with `#`.
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

    /// The value of a constant in the texts.
    fn constant(&self, name: &str) -> Option<usize> {
        let declaration = format!("const {name} = ");
        let values = self.texts.values().filter_map(|text| text.split_once(&declaration));
        values.filter_map(|(_, rest)| rest.split_once("u;")?.0.parse().ok()).next()
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
        let lines: Vec<(usize, &str)> = (1..).zip(text.lines()).collect();
        self.add_lines(file, &lines, if self.defines.keeps_loops { 1 } else { MOST_COPIES })
    }

    /// Adds numbered lines of `file`, those that are repeated at most `copies` times.
    fn add_lines(
        &mut self,
        file: &str,
        lines: &[(usize, &str)],
        copies: usize,
    ) -> Result<(), ShaderError> {
        let mut lines = lines.iter();
        while let Some((number, line)) = lines.next() {
            if !line.trim_start().starts_with('#') {
                self.kernel.push_str(line);
                self.kernel.push('\n');
                continue;
            }
            let error = |problem| ShaderError { file: file.to_owned(), line: *number, problem };
            if let Some(repeat) = line.trim().strip_prefix("#repeat ") {
                let (variable, name) = repeat.split_once(' ').unwrap_or((repeat, ""));
                let count = self.defines.constant(name);
                let count = count.ok_or_else(|| error(format!("unknown constant '{name}'")))?;
                let body = lines.as_slice();
                let end = end_of_repeat(body).ok_or_else(|| error("#end is missing".to_owned()))?;
                lines = body[end + 1..].iter();
                self.repeat(file, &body[..end], variable, count, copies)?;
                continue;
            }
            let (name, text) = self.resolve(line.trim()).map_err(error)?;
            if self.inserted.insert(name.clone()) {
                self.kernel.push_str(&format!("// {name}\n"));
                self.add(&name, text)?;
                self.kernel.push('\n');
            }
        }
        Ok(())
    }

    /// Adds lines `count` times, or a loop of them if that is more than `copies` times.
    fn repeat(
        &mut self,
        file: &str,
        lines: &[(usize, &str)],
        variable: &str,
        count: usize,
        copies: usize,
    ) -> Result<(), ShaderError> {
        if count > copies {
            let head =
                format!("for (var {variable} = 0u; {variable} < {count}u; {variable}++) {{\n");
            self.kernel.push_str(&head);
            self.add_lines(file, lines, copies)?;
            self.kernel.push_str("}\n");
            return Ok(());
        }
        for number in 0..count {
            self.kernel.push_str(&format!("{{\nconst {variable} = {number}u;\n"));
            self.add_lines(file, lines, copies / count)?;
            self.kernel.push_str("}\n");
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
            _ => Err(format!(
                "'{line}' is not one of #include \"FILE\", #choose NAME and #repeat NAME COUNT"
            )),
        }
    }
}

/// The place of the `#end` of lines that are repeated, behind those of others in them.
fn end_of_repeat(lines: &[(usize, &str)]) -> Option<usize> {
    let mut open = 1;
    lines.iter().position(|(_, line)| {
        match line.trim() {
            "#end" => open -= 1,
            line if line.starts_with("#repeat ") => open += 1,
            _ => {}
        }
        open == 0
    })
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

/// Adds what `random/philox.wgsl` chooses: the constants of the generator, and how an adapter with these features
/// multiplies.
pub fn philox_choices(choices: ShaderDefines, features: Features) -> ShaderDefines {
    // The generator, and what is added to its key each round.
    let rounds = constants(&[("PHILOX_ROUNDS", ROUNDS as usize)]);
    let pairs =
        pair_constant("PHILOX_MULTIPLIER", MULTIPLIER) + &pair_constant("PHILOX_WEYL", WEYL);
    let product = match features.contains(Features::SHADER_INT64) {
        true => "random/product/by_words.wgsl",
        false => "random/product/by_halves.wgsl",
    };
    choices.text("philox", rounds + &pairs).file("product", product)
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
    fn lines_are_repeated_with_a_constant_or_in_a_loop() {
        let constants = constants(&[("TWO", 2), ("MANY", MOST_COPIES), ("MORE", MOST_COPIES + 1)]);
        let choices = ShaderDefines::default().text("constants", constants);
        let repeated = |text| choices.assemble("kernel", text).unwrap();
        let two = "{\nconst a = 0u;\nf(a);\n}\n{\nconst a = 1u;\nf(a);\n}\n";
        assert_eq!(repeated("#repeat a TWO\nf(a);\n#end"), two);
        assert_eq!(repeated("#repeat a MANY\nf(a);\n#end").matches("f(a)").count(), MOST_COPIES);
        let many = format!("for (var a = 0u; a < {}u; a++) {{\nf(a);\n}}\n", MOST_COPIES + 1);
        assert_eq!(repeated("#repeat a MORE\nf(a);\n#end"), many);
        // The lines within are as many times as many.
        let nested = repeated("#repeat a TWO\n#repeat b MANY\nf(a, b);\n#end\n#end\ng();");
        let inner = format!("for (var b = 0u; b < {MOST_COPIES}u; b++)");
        assert_eq!(nested.matches(&inner).count(), 2);
        assert!(nested.ends_with("}\ng();\n"), "{nested}");
        let kept = choices.with_loops().assemble("kernel", "#repeat a TWO\nf(a);\n#end").unwrap();
        assert!(kept.starts_with("for (var a = 0u; a < 2u; a++) {\nf(a);\n}"), "{kept}");
    }

    #[test]
    fn a_line_that_is_not_resolved_is_an_error_with_its_place() {
        let choices = ShaderDefines::default()
            .text("given", "\n#choose none")
            .text("count", constants(&[("COUNT", 2)]));
        for (text, error) in [
            ("fn f() {}\n#choose select", "kernel:2: nothing was chosen for 'select'"),
            ("#choose given", "given:2: nothing was chosen for 'none'"),
            ("#include \"no/such.wgsl\"", "kernel:1: there is no shader 'no/such.wgsl'"),
            ("#include no/such.wgsl", "kernel:1: '#include no/such.wgsl' is not one"),
            ("\n  #choose", "kernel:2: '#choose' is not one"),
            ("#chose select", "kernel:1: '#chose select' is not one"),
            ("#repeat at CELLS\n#end", "kernel:1: unknown constant 'CELLS'"),
            ("\n#repeat at COUNT\n", "kernel:2: #end is missing"),
            ("#end", "kernel:1: '#end' is not one"),
            ("#repeat at COUNT\n\n#choose no\n#end", "kernel:3: nothing was chosen for 'no'"),
            ("#include \"random/philox.wgsl\"", "shaders/random/philox.wgsl:5: nothing was"),
        ] {
            let got = choices.assemble("kernel", text).unwrap_err().to_string();
            assert!(got.starts_with(error), "{got}");
        }
    }
}
