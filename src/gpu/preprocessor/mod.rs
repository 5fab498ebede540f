//! Kernels put together from the files under `shaders/`.
//!
//! Two kinds of line in a file are not WGSL:
//!
//! - `#include "random/philox.wgsl"` stands for a file, by its path under `shaders/`;
//! - `#choose select` stands for what Rust gives under that name: files, such as the part of an
//!   operator, or text that it writes, such as constants.
//!
//! Whatever a file needs it asks for itself. A file, and a choice, comes once in a kernel however
//! often it is asked for, so that files may ask for each other: the order of declarations means
//! nothing in WGSL. A line that cannot be resolved is a [`ShaderError`].
//!
//! ```
//! use evodoku::gpu_engine::{ShaderDefines, philox_constants};
//!
//! let choices = ShaderDefines::default().text("philox", philox_constants());
//! let kernel = choices.kernel("random/philox.wgsl")?;
//! assert!(kernel.contains("fn philox("));
//! assert!(ShaderDefines::default().kernel("random/philox.wgsl").is_err());
//! # Ok::<(), evodoku::gpu_engine::ShaderError>(())
//! ```

mod bindings;
mod constants;

use include_dir::{Dir, include_dir};
use thiserror::Error;

pub(crate) use bindings::{Access, Binding, bind_group, declare, layout};
pub use constants::philox_constants;
pub(crate) use constants::{constants, stage_constants};

/// The folder of shaders, as it was when the program was compiled.
static FILES: Dir = include_dir!("$CARGO_MANIFEST_DIR/shaders");

/// Files and texts that Rust gives for the choices of kernels, by their names.
#[derive(Clone, Debug, Default)]
pub struct ShaderDefines {
    chosen: Vec<(&'static str, Chosen)>,
}

#[derive(Clone, Debug)]
enum Chosen {
    File(&'static str),
    Text(String),
}

/// Why a kernel could not be put together.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ShaderError {
    /// A file is asked for that is not there.
    #[error("{file}:{line}: there is no shader '{wanted}'")]
    NoFile {
        /// Who asks, and in which line.
        file: String,
        /// The line, from 1.
        line: usize,
        /// The file that is asked for.
        wanted: String,
    },
    /// A choice was not made.
    #[error("{file}:{line}: nothing was chosen for '{name}'")]
    NotChosen {
        /// Who asks.
        file: String,
        /// The line, from 1.
        line: usize,
        /// The name of the choice.
        name: String,
    },
    /// A line begins as if it asked for something.
    #[error("{file}:{line}: '{text}' is neither #include \"FILE\" nor #choose NAME")]
    Unreadable {
        /// Where it stands.
        file: String,
        /// The line, from 1.
        line: usize,
        /// The line's text.
        text: String,
    },
}

impl ShaderDefines {
    /// Gives a file for a name.
    pub fn file(mut self, name: &'static str, path: &'static str) -> Self {
        self.chosen.push((name, Chosen::File(path)));
        self
    }

    /// Gives text for a name.
    pub fn text(mut self, name: &'static str, text: impl Into<String>) -> Self {
        self.chosen.push((name, Chosen::Text(text.into())));
        self
    }

    /// The kernel of a file, by its path under `shaders/`.
    ///
    /// # Errors
    /// [`ShaderError`] when something that it asks for is not there.
    pub fn kernel(&self, path: &str) -> Result<String, ShaderError> {
        self.assemble("kernel", &format!("#include \"{path}\""))
    }

    /// The kernel of a text; errors call it `name`.
    ///
    /// # Errors
    /// As [`kernel`](Self::kernel).
    pub fn assemble(&self, name: &str, text: &str) -> Result<String, ShaderError> {
        let mut kernel = Assembly { choices: self, asked: Vec::new(), text: String::new() };
        kernel.add(name, text)?;
        Ok(kernel.text)
    }
}

/// A kernel that is being put together.
struct Assembly<'a> {
    choices: &'a ShaderDefines,
    /// Files and choices that have come.
    asked: Vec<String>,
    text: String,
}

impl Assembly<'_> {
    /// Adds a file's text, and all that it asks for.
    fn add(&mut self, file: &str, text: &str) -> Result<(), ShaderError> {
        for (number, line) in (1..).zip(text.lines()) {
            let Some(directive) = line.trim_start().strip_prefix('#') else {
                self.text.push_str(line);
                self.text.push('\n');
                continue;
            };
            let here = || (file.to_owned(), number);
            let (word, argument) = directive.split_once(' ').unwrap_or((directive, ""));
            let argument = argument.trim();
            let quoted = argument.strip_prefix('"').and_then(|path| path.strip_suffix('"'));
            match (word, quoted) {
                ("include", Some(path)) => self.include(path, here)?,
                ("choose", None) if !argument.is_empty() => self.choose(argument, here)?,
                _ => {
                    let ((file, line), text) = (here(), line.trim().to_owned());
                    return Err(ShaderError::Unreadable { file, line, text });
                }
            }
        }
        Ok(())
    }

    /// Whether a file or a choice is asked for the first time.
    fn is_new(&mut self, asked: &str) -> bool {
        let is_new = !self.asked.iter().any(|known| known == asked);
        if is_new {
            self.asked.push(asked.to_owned());
        }
        is_new
    }

    fn include(
        &mut self,
        path: &str,
        here: impl Fn() -> (String, usize),
    ) -> Result<(), ShaderError> {
        let Some(text) = FILES.get_file(path).and_then(|file| file.contents_utf8()) else {
            let (file, line) = here();
            return Err(ShaderError::NoFile { file, line, wanted: path.to_owned() });
        };
        let name = format!("shaders/{path}");
        if self.is_new(&name) {
            self.text.push_str(&format!("// {name}\n"));
            self.add(&name, text)?;
            self.text.push('\n');
        }
        Ok(())
    }

    fn choose(
        &mut self,
        name: &str,
        here: impl Fn() -> (String, usize),
    ) -> Result<(), ShaderError> {
        let choices = self.choices;
        match choices.chosen.iter().find(|(known, _)| *known == name) {
            Some((_, Chosen::File(path))) => self.include(path, here),
            Some((_, Chosen::Text(text))) => {
                if self.is_new(name) {
                    self.add(name, text)?;
                    self.text.push('\n');
                }
                Ok(())
            }
            None => {
                let (file, line) = here();
                Err(ShaderError::NotChosen { file, line, name: name.to_owned() })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_file_and_each_choice_comes_once() {
        let choices = ShaderDefines::default()
            .text("one", "#choose two\nconst ONE = TWO;")
            .text("two", "#choose one\nconst TWO = 2u;")
            .file("part", "score/joined.wgsl");
        let text = "#choose one\n#choose two\n#choose part\n#include \"score/joined.wgsl\"";
        let kernel = choices.assemble("kernel", text).unwrap();
        for once in ["const ONE", "const TWO", "fn joined("] {
            assert_eq!(kernel.matches(once).count(), 1, "{kernel}");
        }
        assert!(!kernel.contains('#'), "{kernel}");
    }

    #[test]
    fn what_is_not_resolved_is_an_error_that_names_its_place() {
        let choices = ShaderDefines::default().text("given", "\n#choose none");
        for (text, told) in [
            ("fn f() {}\n#choose select", "kernel:2: nothing was chosen for 'select'"),
            ("#choose given", "given:2: nothing was chosen for 'none'"),
            ("#include \"no/such.wgsl\"", "kernel:1: there is no shader 'no/such.wgsl'"),
            ("#include no/such.wgsl", "kernel:1: '#include no/such.wgsl' is neither"),
            ("\n  #choose", "kernel:2: '#choose' is neither"),
            ("#chose select", "kernel:1: '#chose select' is neither"),
            ("#include \"random/philox.wgsl\"", "shaders/random/philox.wgsl:5: nothing was"),
        ] {
            let error = choices.assemble("kernel", text).unwrap_err().to_string();
            assert!(error.starts_with(told), "{error}");
        }
    }
}
