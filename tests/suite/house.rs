//! The structure of `src`: which folder may import which, and how large the whole may be.
//!
//! `src/core` is a crate of its own, `evodoku_core`; a folder may have files in both crates.
//!
//! One file imports another where a path in it, in a `use` or in the code, ends at an item that the
//! other file defines. A name that passes through a `pub use` counts for the file that defines it.
//! Tests, `mod` lines and the `pub use` of what lies below a `mod.rs` are no imports.
//!
//! The lists below hold what breaks a rule today. They have to be exact, so that they only shrink:
//! whoever fixes an entry deletes it. `cargo test --test suite house -- --nocapture` prints the counts.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use pathfinding::directed::strongly_connected_components::strongly_connected_components;
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use crate::support::root;

/// The folders of `src`, lowest first: a name and what is on disk today. A file imports from
/// its own row and from rows above it, never from a row below.
const ORDER: &[&[(&str, &[&str])]] = &[
    &[("util", &["files at the top", "util"])],
    &[("board", &["board"])],
    &[("random", &["random"])],
    &[("format", &["format"])],
    &[("gpu", &["gpu"])],
    &[("fitness", &["fitness"])],
    &[("ga", &["ga"])],
    &[("gpu_engine", &["gpu_engine"])],
    &[("exact", &["exact"]), ("generate", &["generate"]), ("statistics", &["statistics"])],
    &[("run", &["run"])],
    &[("store", &["store"])],
    &[("report", &["report"])],
    &[("experiment", &["experiment"]), ("tune", &["tune"]), ("bench", &["bench"])],
    &[("mpi", &["mpi"])],
    &[("cli", &["cli"])],
    &[("lib", &["lib.rs", "main.rs"])],
];

/// Imports against this order: from, to.
const AGAINST_ORDER: &[(&str, &str)] = &[];

/// Circles of files that import each other, each in a paragraph. Two files of one folder may.
const CIRCLES: &str = "";

/// Types and traits that are defined more than once.
const DEFINED_TWICE: &str = "";

/// Rust files. The bounds are lowered as the tree shrinks.
const MOST_FILES: usize = 378;
/// Lines that are neither test, comment nor blank.
const MOST_CODE_LINES: usize = 41_215;
/// Lines of one file, tests included.
const LONGEST_FILE: usize = 466;
/// Most crates in the default build on Linux, this one included.
const MOST_CRATES: usize = 166;
/// Imports that are found at least, so that no rule holds because nothing was read.
const FEWEST_IMPORTS: usize = 4_000;

/// Macros whose lines declare a module and re-export what it defines.
const REGISTRIES: [&str; 1] = ["family"];
/// The macro that declares a list of such lines, by a name under which another module calls `family`.
const LIST: &str = "family_list";

// --- Files and their lines ---

/// Path and text of every Rust file under `src`, sorted.
static SOURCES: LazyLock<Vec<(String, String)>> = LazyLock::new(|| {
    fn collect(folder: &Path, into: &mut Vec<(String, String)>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                collect(&path, into);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let name = path.strip_prefix(root()).unwrap().to_str().unwrap().replace('\\', "/");
                into.push((name, fs::read_to_string(path).unwrap()));
            }
        }
    }
    let mut sources = Vec::new();
    collect(&root().join("src"), &mut sources);
    sources.sort();
    sources
});

fn is_test_file(path: &str) -> bool {
    path.ends_with("/tests.rs") || path.ends_with("_tests.rs") || path.contains("/tests/")
}

/// The lines of a file before its tests, and the number of all lines. The text after the last line
/// break counts as a line, even if it is empty.
fn lines_before_tests<'a>(path: &str, text: &'a str) -> (Vec<&'a str>, usize) {
    let mut lines: Vec<&str> = text.split('\n').collect();
    let all = lines.len();
    let opens_tests = |pair: &[&str]| {
        let module = pair[1].strip_prefix("mod ").and_then(|rest| rest.strip_suffix(" {"));
        pair[0].starts_with("#[cfg(test)]") && module.is_some()
    };
    let end = if is_test_file(path) { Some(0) } else { lines.windows(2).position(opens_tests) };
    lines.truncate(end.unwrap_or(all));
    (lines, all)
}

/// The type or trait that a line defines.
fn defined_type(line: &str) -> Option<&str> {
    let mut words = line.trim_start().splitn(2, ' ');
    let (mut first, mut rest) = (words.next()?, words.next()?);
    if first.starts_with("pub") {
        // `pub(in a::b)` has a blank before its bracket closes.
        let after = if first.contains('(') { line.trim_start().split_once(") ")?.1 } else { rest };
        (first, rest) = after.split_once(' ')?;
    }
    let name = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next()?;
    let defines = ["struct", "enum", "trait", "union"].contains(&first);
    (defines && !name.is_empty()).then_some(name)
}

/// First words of paths that lead out of the crate, besides its dependencies.
const EXTERNAL: &str = "std core alloc clippy rustfmt bool char str u8 u16 u32 u64 u128 usize \
                        i8 i16 i32 i64 i128 isize f32 f64";

// --- Modules and names ---

/// The meaning of a name within a module.
enum Binding {
    /// The module defines it.
    Item,
    /// A module below this one, by its number.
    Module(usize),
    /// A `use` brings it, by this path.
    Use(Vec<String>),
}

/// The thing at the end of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    /// An item, by the number of the file that defines it.
    Item(usize),
    /// A module, by its number.
    Module(usize),
    /// Something of another crate.
    External,
}

/// A file, or a module in braces within a file.
struct Module {
    file: usize,
    parent: Option<usize>,
    /// A name has several meanings where a function has the name of its module, for example.
    names: HashMap<String, Vec<Binding>>,
    /// Paths of `use path::*`.
    globs: Vec<Vec<String>>,
}

/// A path in the text of a module.
struct Mention {
    module: usize,
    path: Vec<String>,
    line: usize,
    form: Form,
}

enum Form {
    /// In an expression, a type, an attribute or the arguments of a macro.
    Code,
    /// In a `use`, with the name that it brings; a `*` brings no single name.
    Use { public: bool, name: Option<String> },
    /// In a line of a registry.
    Registry,
}

/// The surroundings of tokens.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// The top of a module, or the arguments of a macro there: keywords define names.
    Items,
    /// The arguments of a macro of [`REGISTRIES`].
    Registry,
    /// The inside of an item.
    Body,
    /// The rules of a macro, which may be used elsewhere: only paths from `crate` have a meaning.
    MacroRules,
}

/// One file imports another.
#[derive(Clone, Debug)]
struct Import {
    from: usize,
    to: usize,
    line: usize,
    path: String,
}

/// All modules of a crate with their names, and every path.
#[derive(Default)]
struct Crate {
    files: Vec<String>,
    modules: Vec<Module>,
    mentions: Vec<Mention>,
    /// The words in the code of each file, without its `use` lines.
    words: Vec<HashSet<String>>,
    /// Types, traits and modules that a macro defines wherever it is called, by the macro's name.
    macros: HashMap<String, Vec<String>>,
    /// Paths in the lines of each [`LIST`], by its name.
    lists: HashMap<String, Vec<Vec<String>>>,
    /// Calls of macros at the top of modules: module and macro.
    calls: Vec<(usize, String)>,
    /// The root of each library of this project, by its name in paths.
    libraries: HashMap<&'static str, usize>,
    external: HashSet<String>,
}

impl Crate {
    fn new(sources: &[(String, String)], dependencies: &[String]) -> Self {
        let mut this = Self::default();
        this.external.extend(EXTERNAL.split_whitespace().map(str::to_owned));
        this.external.extend(dependencies.iter().map(|name| name.replace('-', "_")));
        let mut places: Vec<_> = sources
            .iter()
            .filter(|(path, _)| !is_test_file(path))
            .map(|(path, text)| (module_path(path), path, text))
            .collect();
        places.sort_by_key(|(place, ..)| place.len());
        let mut numbers: HashMap<Vec<&str>, usize> = HashMap::new();
        for (file, (place, path, _)) in places.iter().enumerate() {
            let is_library = path.ends_with("/lib.rs");
            let parent = place.split_last().filter(|_| !is_library).map(|(name, parent)| {
                let number = numbers.get(parent);
                (*number.unwrap_or_else(|| panic!("{path}: its folder has no mod.rs")), *name)
            });
            let module = this.add_module(file, parent);
            this.files.push((*path).clone());
            this.words.push(HashSet::new());
            if is_library {
                let name = if place.is_empty() { "evodoku" } else { "evodoku_core" };
                this.libraries.insert(name, module);
            }
            // The root of a crate has no parent; `main.rs` is one of its own.
            if !(place.is_empty() && path.ends_with("main.rs")) {
                numbers.insert(place.clone(), module);
            }
        }
        for (module, (_, path, text)) in places.iter().enumerate() {
            let tokens: TokenStream =
                text.parse().unwrap_or_else(|error| panic!("{path}: {error}"));
            this.walk(tokens, module, Place::Items);
        }
        for (module, mut name) in std::mem::take(&mut this.calls) {
            if let Some(paths) = this.lists.get(&name).cloned() {
                for path in paths {
                    this.bind(module, &path[path.len() - 1].clone(), Binding::Use(path));
                }
                name = "family".to_owned();
            }
            for item in this.macros.get(&name).cloned().unwrap_or_default() {
                this.bind(module, &item, Binding::Item);
            }
        }
        this
    }

    fn add_module(&mut self, file: usize, parent: Option<(usize, &str)>) -> usize {
        let number = self.modules.len();
        if let Some((parent, name)) = parent {
            self.bind(parent, name, Binding::Module(number));
        }
        let parent = parent.map(|(parent, _)| parent);
        self.modules.push(Module { file, parent, names: HashMap::new(), globs: Vec::new() });
        number
    }

    fn bind(&mut self, module: usize, name: &str, binding: Binding) {
        self.modules[module].names.entry(name.to_owned()).or_default().push(binding);
    }

    fn walk(&mut self, tokens: TokenStream, module: usize, place: Place) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while at < tokens.len() {
            at = self.token(&tokens, at, module, place);
        }
    }

    /// Reads what begins at a token, and says where the next begins.
    fn token(&mut self, tokens: &[TokenTree], at: usize, module: usize, place: Place) -> usize {
        if is_cfg_test(&tokens[at..]) {
            return at + item_length(&tokens[at..]);
        }
        let inner = if place == Place::Items { Place::Body } else { place };
        let word = match &tokens[at] {
            TokenTree::Group(group) => {
                self.walk(group.stream(), module, inner);
                return at + 1;
            }
            // `::std::x` leads out of the crate, `<T>::x` belongs to a type.
            _ if is_colons(&tokens[at..]) => return at + 2 + path_at(&tokens[at + 2..]).1,
            TokenTree::Ident(word) => word,
            _ => return at + 1,
        };
        let line = word.span().start().line;
        let next = |offset: usize| tokens.get(at + offset);
        let names_items = matches!(place, Place::Items | Place::Registry);
        match word.to_string().as_str() {
            "macro_rules" if is_punct(next(1), '!') => {
                if let (Some(name), Some(TokenTree::Group(rules))) = (next(2), next(3)) {
                    let name = name.to_string();
                    self.bind(module, &name, Binding::Item);
                    defined_in_rules(rules.stream(), self.macros.entry(name).or_default());
                    self.walk(rules.stream(), module, Place::MacroRules);
                }
                return at + 4;
            }
            "mod" if place == Place::Items => {
                if let (Some(name), Some(TokenTree::Group(content))) = (next(1), next(2)) {
                    let file = self.modules[module].file;
                    let child = self.add_module(file, Some((module, &name.to_string())));
                    self.walk(content.stream(), child, Place::Items);
                    return at + 3;
                }
                return at + 2;
            }
            // `impl Trait + use<'a>` is another thing.
            "use" if place != Place::MacroRules && !is_punct(next(1), '<') => {
                let is_end = |token: &TokenTree| is_punct(Some(token), ';');
                let length = tokens[at..].iter().position(is_end).expect("a use ends");
                self.use_tree(&tokens[at + 1..at + length], &[], module, is_public(&tokens[..at]));
                return at + length;
            }
            "struct" | "enum" | "union" | "trait" | "fn" | "const" | "static" | "type"
                if names_items =>
            {
                match next(1) {
                    // `const unsafe fn`: the name follows a later keyword.
                    Some(TokenTree::Ident(name)) if name != "fn" && name != "unsafe" => {
                        self.bind(module, &name.to_string(), Binding::Item);
                        return at + 2;
                    }
                    _ => return at + 1,
                }
            }
            _ => {}
        }
        let (path, length) = path_at(&tokens[at..]);
        let end = at + length;
        if place != Place::Registry && !(at > 0 && is_punct(tokens.get(at - 1), '.')) {
            let file = self.modules[module].file;
            self.words[file].insert(path[0].clone());
        }
        if let (Some(TokenTree::Group(content)), true, true) =
            (tokens.get(end + 1), is_punct(tokens.get(end), '!'), place == Place::Items)
        {
            let name = path[path.len() - 1].clone();
            if name == LIST {
                self.list(content.stream(), module);
                return end + 2;
            }
            let is_registry = REGISTRIES.contains(&name.as_str());
            let place = if is_registry { Place::Registry } else { Place::Items };
            self.calls.push((module, name));
            self.mention(module, path, line, Form::Code);
            self.walk(content.stream(), module, place);
            return end + 2;
        }
        match place {
            Place::Registry if path.len() > 1 => {
                self.bind(module, &path[path.len() - 1], Binding::Use(path.clone()));
                self.mention(module, path, line, Form::Registry);
            }
            Place::MacroRules if path[0] != "crate" => {}
            _ => self.mention(module, path, line, Form::Code),
        }
        end
    }

    /// Reads a [`LIST`]: its name, the enum, and the path at the end of each line.
    fn list(&mut self, tokens: TokenStream, module: usize) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let name = tokens[0].to_string();
        self.bind(module, &name, Binding::Item);
        let family = tokens.iter().position(|token| token.to_string() == "enum").unwrap() + 1;
        self.bind(module, &tokens[family].to_string(), Binding::Item);
        let Some(TokenTree::Group(lines)) = tokens.last() else { panic!("{name} has no lines") };
        let lines: Vec<TokenTree> = lines.stream().into_iter().collect();
        let paths = lines.split(|token| is_punct(Some(token), ',')).filter_map(|line| {
            let at = line.iter().position(|token| is_punct(Some(token), '>'))? + 1;
            Some(path_at(&line[at..]).0).filter(|path| path.len() > 1)
        });
        self.lists.insert(name, paths.collect());
    }

    /// Keeps a path. A single word needs none: it is of this module, or a `use` has brought it.
    fn mention(&mut self, module: usize, path: Vec<String>, line: usize, form: Form) {
        if path.len() > 1 {
            self.mentions.push(Mention { module, path, line, form });
        }
    }

    /// Reads the trees of a `use` that follow `before`, separated by commas.
    fn use_tree(&mut self, trees: &[TokenTree], before: &[String], module: usize, public: bool) {
        for tree in trees.split(|token| is_punct(Some(token), ',')) {
            let (mut path, mut name, mut line) = (before.to_vec(), None, 0);
            if is_colons(tree) {
                path.push("::".to_owned());
            }
            let mut tokens = tree.iter();
            let mut is_leaf = !tree.is_empty();
            while let Some(token) = tokens.next() {
                line = token.span().start().line;
                match token {
                    TokenTree::Group(inner) => {
                        let inner: Vec<TokenTree> = inner.stream().into_iter().collect();
                        self.use_tree(&inner, &path, module, public);
                        is_leaf = false;
                    }
                    TokenTree::Ident(word) if word == "as" => {
                        name = tokens.next().map(TokenTree::to_string);
                    }
                    TokenTree::Ident(word) => path.push(plain(&word.to_string())),
                    TokenTree::Punct(mark) if mark.as_char() == '*' => {
                        self.modules[module].globs.push(path.clone());
                        let form = Form::Use { public, name: None };
                        self.mentions.push(Mention { module, path: path.clone(), line, form });
                        is_leaf = false;
                    }
                    _ => {}
                }
            }
            if !is_leaf {
                continue;
            }
            if path.len() > 1 && path[path.len() - 1] == "self" {
                path.pop();
            }
            let name = name.unwrap_or_else(|| path[path.len() - 1].clone());
            self.bind(module, &name, Binding::Use(path.clone()));
            let form = Form::Use { public, name: Some(name) };
            self.mentions.push(Mention { module, path, line, form });
        }
    }

    /// Resolves a path within a module, to nothing if it is not known.
    fn resolve(&self, module: usize, path: &[String]) -> Vec<Target> {
        self.follow(module, path, &mut Vec::new())
    }

    /// Resolves a path. `passed` holds the names that are being looked up, each with its module.
    fn follow(
        &self,
        module: usize,
        path: &[String],
        passed: &mut Vec<(usize, String)>,
    ) -> Vec<Target> {
        let mut targets = match path[0].as_str() {
            "::" => return vec![Target::External],
            "crate" => vec![Target::Module(self.crate_root(module))],
            "self" | "super" => self.step(module, &path[0], passed),
            first => match self.lookup(module, first, passed) {
                found if !found.is_empty() => found,
                _ if self.libraries.contains_key(first) => {
                    vec![Target::Module(self.libraries[first])]
                }
                _ if self.external.contains(first) => return vec![Target::External],
                _ => return Vec::new(),
            },
        };
        for name in &path[1..] {
            // A name may be that of a module and of an item: a path goes on in the module.
            let is_module = |target: &Target| matches!(target, Target::Module(_));
            if targets.iter().any(is_module) {
                targets.retain(is_module);
            }
            targets = targets
                .into_iter()
                .flat_map(|target| match target {
                    Target::Module(module) => self.step(module, name, passed),
                    // The rest is a variant, or otherwise belongs to the item.
                    other => vec![other],
                })
                .collect();
        }
        targets
    }

    fn step(&self, module: usize, name: &str, passed: &mut Vec<(usize, String)>) -> Vec<Target> {
        match name {
            "self" => vec![Target::Module(module)],
            "super" => self.modules[module].parent.map(Target::Module).into_iter().collect(),
            _ => self.lookup(module, name, passed),
        }
    }

    fn lookup(&self, module: usize, name: &str, passed: &mut Vec<(usize, String)>) -> Vec<Target> {
        // In `pub use law::law` the first word is the module: the `use` itself is not followed again.
        let is_again = passed.iter().any(|(at, passed)| *at == module && passed == name);
        passed.push((module, name.to_owned()));
        let here = &self.modules[module];
        let mut targets = Vec::new();
        for binding in here.names.get(name).into_iter().flatten() {
            match binding {
                Binding::Item => targets.push(Target::Item(here.file)),
                Binding::Module(module) => targets.push(Target::Module(*module)),
                Binding::Use(_) if is_again => {}
                Binding::Use(path) => targets.extend(self.follow(module, path, passed)),
            }
        }
        // A `*` may bring a function that has the name of its module.
        if !is_again && targets.iter().all(|target| matches!(target, Target::Module(_))) {
            for glob in &here.globs {
                for target in self.follow(module, glob, passed) {
                    if let Target::Module(module) = target {
                        targets.extend(self.lookup(module, name, passed));
                    }
                }
            }
        }
        passed.pop();
        targets
    }

    fn crate_root(&self, module: usize) -> usize {
        self.modules[module].parent.map_or(module, |parent| self.crate_root(parent))
    }

    /// Gives all imports, and the paths that lead nowhere.
    fn imports(&self) -> (Vec<Import>, Vec<String>) {
        let (mut imports, mut lost) = (Vec::new(), Vec::new());
        for Mention { module, path, line, form } in &self.mentions {
            let (from, line) = (self.modules[*module].file, *line);
            let targets = self.resolve(*module, path);
            let path = path.join("::");
            // `T` in `T::new` may be a type parameter, or a type of the prelude.
            if targets.is_empty() && !path.starts_with(char::is_uppercase) {
                lost.push(format!("{}:{line}: {path}", self.files[from]));
            }
            let files: BTreeSet<usize> = targets
                .into_iter()
                .filter_map(
                    |target| if let Target::Item(file) = target { Some(file) } else { None },
                )
                .collect();
            for to in files {
                if to != from && !self.is_re_export(from, to, form) {
                    imports.push(Import { from, to, line, path: path.clone() });
                }
            }
        }
        (imports, lost)
    }

    /// Tells whether the head of a folder only passes on a name of a file below it. A private `use`
    /// does so, too, where the head's own code has no such word: it is there for its children.
    fn is_re_export(&self, from: usize, to: usize, form: &Form) -> bool {
        let is_head = ["/mod.rs", "/lib.rs"].iter().any(|name| self.files[from].ends_with(name));
        let is_below = self.files[to].starts_with(&format!("{}/", directory(&self.files[from])));
        let passes_on = match form {
            Form::Code => false,
            Form::Registry => true,
            Form::Use { name: Some(name), .. } => !self.words[from].contains(name),
            Form::Use { name: None, public } => *public,
        };
        is_head && is_below && passes_on
    }
}

/// Gives the path of the module that a file is.
fn module_path(path: &str) -> Vec<&str> {
    let inner = path.strip_prefix("src/").unwrap().strip_suffix(".rs").unwrap();
    let mut names: Vec<&str> = inner.split('/').collect();
    if names == ["main"] || ["lib", "mod"].contains(&names[names.len() - 1]) {
        names.pop();
    }
    names
}

fn directory(path: &str) -> &str {
    path.rsplit_once('/').unwrap().0
}

fn is_punct(token: Option<&TokenTree>, mark: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == mark)
}

fn is_colons(tokens: &[TokenTree]) -> bool {
    is_punct(tokens.first(), ':') && is_punct(tokens.get(1), ':')
}

fn plain(word: &str) -> String {
    word.trim_start_matches("r#").to_owned()
}

/// Reads the path at the start of the tokens, and counts its tokens.
fn path_at(tokens: &[TokenTree]) -> (Vec<String>, usize) {
    let (mut path, mut at) = (Vec::new(), 0);
    while let Some(TokenTree::Ident(word)) = tokens.get(at) {
        path.push(plain(&word.to_string()));
        at += 1;
        let goes_on =
            is_colons(&tokens[at..]) && matches!(tokens.get(at + 2), Some(TokenTree::Ident(_)));
        if !goes_on {
            break;
        }
        at += 2;
    }
    (path, at)
}

/// The content of an attribute at the start of the tokens.
fn attribute(tokens: &[TokenTree]) -> Option<&Group> {
    match tokens {
        [mark, TokenTree::Group(group), ..] if is_punct(Some(mark), '#') => Some(group),
        _ => None,
    }
}

fn is_cfg_test(tokens: &[TokenTree]) -> bool {
    attribute(tokens).is_some_and(|group| {
        let text: String = group.stream().to_string().split_whitespace().collect();
        text == "cfg(test)" || text.starts_with("cfg(all(test,")
    })
}

/// Counts the tokens of an item and of its attributes.
fn item_length(tokens: &[TokenTree]) -> usize {
    let mut at = 0;
    while attribute(&tokens[at..]).is_some() {
        at += 2;
    }
    let words = tokens[at..].iter().map_while(|token| match token {
        TokenTree::Ident(word) => Some(word.to_string()),
        // The brackets of `pub(crate)`.
        TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => {
            Some(String::new())
        }
        _ => None,
    });
    let words: Vec<String> = words.collect();
    let has = |keyword: &str| words.iter().any(|word| word == keyword);
    let ends_with_semicolon =
        ["use", "static"].iter().any(|keyword| has(keyword)) || has("const") && !has("fn");
    let is_end = |token: &TokenTree| match token {
        TokenTree::Group(group) => !ends_with_semicolon && group.delimiter() == Delimiter::Brace,
        other => is_punct(Some(other), ';'),
    };
    tokens[at..].iter().position(is_end).map_or(tokens.len(), |end| at + end + 1)
}

/// Collects the types, traits and modules that the rules of a macro name themselves.
fn defined_in_rules(rules: TokenStream, into: &mut Vec<String>) {
    let tokens: Vec<TokenTree> = rules.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        match (token, tokens.get(at + 1)) {
            (TokenTree::Group(group), _) => defined_in_rules(group.stream(), into),
            (TokenTree::Ident(word), Some(TokenTree::Ident(name)))
                if ["struct", "enum", "union", "trait", "mod"].iter().any(|key| word == key) =>
            {
                into.push(name.to_string());
            }
            _ => {}
        }
    }
}

/// Tells whether the tokens before an item end with `pub`, or `pub(crate)` and the like.
fn is_public(before: &[TokenTree]) -> bool {
    let is_pub = |token: &TokenTree| matches!(token, TokenTree::Ident(word) if word == "pub");
    match before {
        [.., last] if is_pub(last) => true,
        [.., first, TokenTree::Group(_)] => is_pub(first),
        _ => false,
    }
}

// --- Rules ---

/// Gives the row in [`ORDER`] and the name of a file's folder.
fn folder(path: &str) -> (usize, &'static str) {
    let inner = path.strip_prefix("src/core/").unwrap_or(&path["src/".len()..]);
    let name = match inner.split_once('/') {
        Some((folder, _)) => folder,
        None if ["lib.rs", "main.rs"].contains(&inner) => inner,
        None => "files at the top",
    };
    for (row, folders) in ORDER.iter().enumerate() {
        if let Some((known, _)) = folders.iter().find(|(_, on_disk)| on_disk.contains(&name)) {
            return (row, known);
        }
    }
    panic!("{path}: ORDER in tests/suite/house.rs has no folder {name}");
}

/// Finds the pairs of folders whose imports go against the order, with these imports.
fn against_order(files: &[String], imports: &[Import]) -> BTreeMap<String, Vec<String>> {
    let mut pairs: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for Import { from, to, line, path } in imports {
        let (from, to) = (&files[*from], &files[*to]);
        let ((from_row, from_name), (to_row, to_name)) = (folder(from), folder(to));
        if to_row > from_row {
            let pair = pairs.entry(format!("(\"{from_name}\", \"{to_name}\")")).or_default();
            pair.push(format!("{from}:{line}: {path}"));
        }
    }
    pairs
}

/// Finds the circles of more than two files, or of two folders: names of files, without `src/` and
/// `.rs`, with the imports among them.
fn circles(files: &[String], imports: &[Import]) -> BTreeMap<String, Vec<String>> {
    let mut imported = vec![BTreeSet::new(); files.len()];
    for import in imports {
        imported[import.from].insert(import.to);
    }
    let nodes: Vec<usize> = (0..files.len()).collect();
    let mut found = BTreeMap::new();
    for circle in strongly_connected_components(&nodes, |file| imported[*file].iter().copied()) {
        let is_allowed = match circle[..] {
            [first, second] => directory(&files[first]) == directory(&files[second]),
            _ => circle.len() == 1,
        };
        if is_allowed {
            continue;
        }
        let short = |file: &usize| files[*file]["src/".len()..].trim_end_matches(".rs");
        let mut names: Vec<&str> = circle.iter().map(short).collect();
        names.sort_unstable();
        let inside =
            |import: &&Import| [import.from, import.to].iter().all(|end| circle.contains(end));
        let shown = |Import { from, to, line, path }: &Import| {
            format!("{}:{line}: {path} of {}", files[*from], files[*to])
        };
        found.insert(names.join(" "), imports.iter().filter(inside).map(shown).collect());
    }
    found
}

/// Places that are shown of each entry.
const MOST_PLACES: usize = 30;

/// Finds that a list has exactly the entries that are found. Each is found at some places.
fn assert_exact(list: &str, entries: BTreeSet<String>, found: &BTreeMap<String, Vec<String>>) {
    let mut faults = String::new();
    for (entry, places) in found.iter().filter(|(entry, _)| !entries.contains(*entry)) {
        faults += &format!("\n\nnew: {entry}");
        for place in places.iter().take(MOST_PLACES) {
            faults += &format!("\n    {place}");
        }
        let more = places.len().saturating_sub(MOST_PLACES);
        if more > 0 {
            faults += &format!("\n    and {more} more");
        }
    }
    for entry in entries.iter().filter(|entry| !found.contains_key(*entry)) {
        faults += &format!("\n\nno longer there, delete it from {list}: {entry}");
    }
    assert!(faults.is_empty(), "{list} in tests/suite/house.rs is not what src has{faults}");
}

/// The program's own crate, with its dependencies by name.
static CRATE: LazyLock<Crate> = LazyLock::new(|| {
    let mut dependencies = Vec::new();
    for manifest in ["Cargo.toml", "src/core/Cargo.toml"] {
        let manifest = fs::read_to_string(root().join(manifest)).unwrap();
        let manifest: toml::Table = manifest.parse().unwrap();
        let systems = manifest["target"].as_table().unwrap().values();
        let tables = systems.map(|system| &system["dependencies"]);
        for table in tables.chain([&manifest["dependencies"]]) {
            dependencies.extend(table.as_table().unwrap().keys().cloned());
        }
    }
    Crate::new(&SOURCES, &dependencies)
});

#[test]
fn the_tree_stays_small_and_defines_each_type_once() {
    let (mut code, mut tests, mut longest) = (0, 0, 0);
    let mut types: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (path, text) in SOURCES.iter() {
        let (lines, all) = lines_before_tests(path, text);
        longest = longest.max(all);
        tests += all - lines.len();
        let is_code = |line: &&&str| !line.trim().is_empty() && !line.trim().starts_with("//");
        code += lines.iter().filter(is_code).count();
        for name in lines.into_iter().filter_map(defined_type) {
            types.entry(name.to_owned()).or_default().push(path.clone());
        }
    }
    types.retain(|_, paths| paths.len() > 1);
    let files = SOURCES.len();
    println!(
        "files {files}, code lines {code}, test lines {tests}, longest file {longest}, \
         type names defined twice {}",
        types.len()
    );
    assert!(files <= MOST_FILES, "{files} files, more than {MOST_FILES}");
    assert!(code <= MOST_CODE_LINES, "{code} lines of code, more than {MOST_CODE_LINES}");
    assert!(longest <= LONGEST_FILE, "a file of {longest} lines, more than {LONGEST_FILE}");
    let listed = DEFINED_TWICE.split_whitespace().map(str::to_owned).collect();
    assert_exact("DEFINED_TWICE", listed, &types);
}

/// A newcomer's first command builds them all.
#[cfg(target_os = "linux")]
#[test]
fn the_default_build_has_few_crates() {
    let mut tree = std::process::Command::new(env!("CARGO"));
    tree.args([
        "tree", "--locked", "--package=evodoku", "--edges=normal,build", "--prefix=none",
        "--no-dedupe",
    ]);
    let output = tree.current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let crates: BTreeSet<String> =
        String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect();
    println!("{} crates", crates.len());
    assert!(crates.len() <= MOST_CRATES, "{crates:#?}");
}

#[test]
fn folders_and_files_import_in_order() {
    let (imports, lost) = CRATE.imports();
    assert!(lost.is_empty(), "paths that lead nowhere:\n{}", lost.join("\n"));
    let against = against_order(&CRATE.files, &imports);
    let circles = circles(&CRATE.files, &imports);
    println!(
        "imports {}, pairs of folders against the order {}, circles {}",
        imports.len(),
        against.len(),
        circles.len()
    );
    assert!(imports.len() >= FEWEST_IMPORTS, "only {} imports were found", imports.len());
    let shown =
        |import: &Import| format!("{} -> {}", CRATE.files[import.from], CRATE.files[import.to]);
    let shown: HashSet<String> = imports.iter().map(shown).collect();
    for known in [
        "src/main.rs -> src/cli/mod.rs",
        "src/core/board/puzzle.rs -> src/core/board/geometry.rs",
        "src/core/exact/solver.rs -> src/core/board/puzzle.rs",
        "src/core/format/parse.rs -> src/core/format/values.rs",
    ] {
        assert!(shown.contains(known), "not found: {known}");
    }
    let listed = AGAINST_ORDER.iter().map(|pair| format!("{pair:?}")).collect();
    assert_exact("AGAINST_ORDER", listed, &against);
    let words = |circle: &str| circle.split_whitespace().collect::<Vec<_>>().join(" ");
    let listed = CIRCLES.trim().split("\n\n").map(words).filter(|circle| !circle.is_empty());
    assert_exact("CIRCLES", listed.collect(), &circles);
}

// --- How paths are read, shown on small trees ---

/// The imports and the lost paths of a tree of these files, without `src/` and `.rs`.
fn imports_of(files: &[(&str, &str)]) -> (Vec<String>, Vec<String>) {
    let path = |name: &str| format!("src/{name}.rs");
    let sources: Vec<_> =
        files.iter().map(|(name, text)| (path(name), (*text).to_owned())).collect();
    let tree = Crate::new(&sources, &["wgpu".to_owned()]);
    let (imports, lost) = tree.imports();
    let short = |file: usize| tree.files[file]["src/".len()..].trim_end_matches(".rs");
    let shown = |import: &Import| format!("{} -> {}", short(import.from), short(import.to));
    let shown: BTreeSet<String> = imports.iter().map(shown).collect();
    (shown.into_iter().collect(), lost)
}

/// The imports of `a/user`, with this text, from files with an item each.
fn imports_of_user(text: &str) -> Vec<String> {
    let (mut imports, lost) = imports_of(&[
        (
            "lib",
            "mod a; mod b; mod units; pub use b::deep::Deep; pub use units::units; pub const VERSION: u32 = 1;",
        ),
        ("a/mod", "mod other; mod user; pub use other::{Other, other}; use super::units::Unit;"),
        ("a/other", "pub struct Other; pub fn other() {} pub fn spare() {}"),
        ("a/user", text),
        ("b/mod", "pub mod deep; pub use deep::*; pub struct B;"),
        ("b/deep", "pub struct Deep; pub enum Kind { One, Two } pub const fn deep() -> u8 { 1 }"),
        (
            "units",
            "pub struct Unit; pub fn units() {} macro_rules! unit { () => {} } pub(crate) use unit;",
        ),
    ]);
    assert!(lost.is_empty(), "{text}: {lost:?}");
    imports.retain(|import| import.starts_with("a/user -> "));
    imports.iter().map(|import| import["a/user -> ".len()..].to_owned()).collect()
}

#[test]
fn paths_lead_to_the_files_that_define_their_ends() {
    for (text, files) in [
        ("use crate::a::other::Other;", &["a/other"][..]),
        ("use super::other::Other;", &["a/other"]),
        ("use super::Other;", &["a/other"]),
        ("use super::Unit;", &["units"]),
        ("use crate::{VERSION, b::{self, deep::{Deep as D, Kind::*}}};", &["b/deep", "lib"]),
        ("use crate::units;", &["units"]),
        ("use crate::units; fn f() { units::Unit }", &["units"]),
        ("use crate::Deep; use crate::b::Kind;", &["b/deep"]),
        ("use crate::b::*;", &[]),
        ("use crate::b::*; fn f() { B::new() }", &["b/mod"]),
        ("use crate::b; fn f() { b::deep() }", &["b/deep"]),
        ("use crate::b; fn f() { b::deep::deep() }", &["b/deep"]),
        ("fn f() { let x = crate::b::Kind::One; }", &["b/deep"]),
        ("fn f() { use crate::b::deep; println!(\"{}\", [deep::deep()][0]) }", &["b/deep"]),
        (
            "fn f() -> Vec<super::super::b::B> { Vec::<crate::a::Other>::new() }",
            &["a/other", "b/mod"],
        ),
        (
            "#[derive(Debug)] struct S { #[with(crate::a::other)] unit: self::super::Unit }",
            &["a/other", "units"],
        ),
        (
            "mod inner { use super::super::Other; fn f() { crate::units::unit!() } }",
            &["a/other", "units"],
        ),
        ("macro_rules! m { ($a:ident) => { $crate::b::B; super::$a::new() } }", &["b/mod"]),
        ("crate::units::unit! { pub struct Made; } fn f() { self::Made::new() }", &["units"]),
        ("use std::fmt; use wgpu::Device; fn f<T: Default>() -> u8 { T::b(); u8::MAX }", &[]),
        (
            "/// See [crate::b::B].\nfn f() { \"crate::b::B\"; x.b::<u8>(); <u8 as std::B>::b() }",
            &[],
        ),
        (
            "#[cfg(test)] use crate::b::B; #[cfg(test)] mod tests { use crate::Deep; } use super::Unit;",
            &["units"],
        ),
        (
            "#[cfg(test)] pub(super) const fn f() -> u8 { crate::b::deep() } use super::Unit;",
            &["units"],
        ),
        ("#[cfg(feature = \"x\")] use crate::b::B;", &["b/mod"]),
    ] {
        assert_eq!(imports_of_user(text), files, "{text}");
    }
}

#[test]
fn the_head_of_a_folder_imports_what_it_uses_and_not_what_it_passes_on() {
    let family = "macro_rules! family { () => { mod copies {} } }";
    let head = "mod kept; mod passed; pub use passed::Passed; use passed::hidden; use kept::Kept;
        family! { pub enum Kind: Trait { One = \"one\" => one::One, Two = \"two\" => One, } }
        pub trait Trait: copies::Copy { fn kept() -> Kept; }";
    let (imports, lost) = imports_of(&[
        ("lib", "mod a; pub use a::Passed;"),
        ("main", "fn main() { evodoku::Passed::new() }"),
        ("family", family),
        ("a/mod", head),
        ("a/kept", "pub struct Kept;"),
        ("a/passed", "pub struct Passed; pub fn hidden() {}"),
        ("a/one", "use super::{Kind, One as Same, Trait, hidden}; pub struct One;"),
        ("a/tests", "use super::Kind;"),
    ]);
    assert_eq!(lost, [""; 0]);
    assert_eq!(
        imports,
        ["a/mod -> a/kept", "a/one -> a/mod", "a/one -> a/passed", "main -> a/passed"]
    );
}

#[test]
fn a_list_of_operators_declares_them_where_it_is_called() {
    let list = "family_list! { ones: pub enum Kind: Trait { One = \"one\" => one::One, Two = \"two\" => One, } }";
    let (imports, lost) = imports_of(&[
        ("lib", "mod a; mod family; mod names;"),
        ("family", "macro_rules! family { () => { mod copies {} } } pub(crate) use family;"),
        ("names", list),
        (
            "a/mod",
            "pub use crate::names::Kind; crate::names::ones!(); pub trait Trait: copies::Copy {}",
        ),
        ("a/one", "pub struct One;"),
        ("a/user", "use super::{Kind, One};"),
    ]);
    assert_eq!(lost, [""; 0]);
    assert_eq!(imports, ["a/mod -> names", "a/user -> a/one", "a/user -> names"]);
}

#[test]
fn paths_that_lead_nowhere_are_told() {
    let tree =
        [("lib", "mod a;\nuse crate::b::B;"), ("a", "use super::C;\nfn f() { nothing::f() }")];
    let lost = ["src/lib.rs:2: crate::b::B", "src/a.rs:1: super::C", "src/a.rs:2: nothing::f"];
    assert_eq!(imports_of(&tree).1, lost);
}

#[test]
fn circles_and_steps_against_the_order_are_found() {
    let files = ["src/a/x.rs", "src/a/y.rs", "src/b/z.rs", "src/cli/c.rs", "src/gpu/g.rs"];
    let files = files.map(str::to_owned);
    let found = |pairs: &[(usize, usize)]| {
        let import =
            |&(from, to): &(usize, usize)| Import { from, to, line: 1, path: "p".to_owned() };
        let imports: Vec<Import> = pairs.iter().map(import).collect();
        circles(&files, &imports).into_keys().collect::<Vec<_>>()
    };
    assert_eq!(found(&[(0, 1), (1, 2), (0, 2)]), [""; 0]);
    assert_eq!(found(&[(0, 1), (1, 0)]), [""; 0]);
    assert_eq!(found(&[(0, 2), (2, 0)]), ["a/x b/z"]);
    assert_eq!(found(&[(2, 0), (0, 1), (1, 2)]), ["a/x a/y b/z"]);
    let import = |from, to| Import { from, to, line: 7, path: "crate::C".to_owned() };
    let against = against_order(&files, &[import(4, 3), import(3, 4)]);
    let pair = ("(\"gpu\", \"cli\")".to_owned(), vec!["src/gpu/g.rs:7: crate::C".to_owned()]);
    assert_eq!(against.into_iter().collect::<Vec<_>>(), [pair]);
}

#[test]
#[should_panic(expected = "no longer there, delete it from LIST: old")]
fn an_entry_that_is_no_longer_needed_is_refused() {
    assert_exact("LIST", ["old".to_owned()].into(), &BTreeMap::new());
}

#[test]
fn lines_and_types_are_counted_as_they_stand() {
    let text = "a\n#[cfg(test)]\nmod tests {\n}\n";
    assert_eq!(lines_before_tests("src/a.rs", text), (vec!["a"], 5));
    assert_eq!(lines_before_tests("src/a/tests.rs", "a\nb"), (vec![], 2));
    for (line, name) in [
        ("pub struct Row<T> {", Some("Row")),
        ("    pub(in crate::a) enum Kind {", Some("Kind")),
        ("trait Shape: Sized {", Some("Shape")),
        ("pub(crate) fn structure() {", None),
        ("pub enum $name {", None),
        ("/// struct Row", None),
    ] {
        assert_eq!(defined_type(line), name, "{line}");
    }
}
