//! Every shader of every shape, checked without a device: it is valid, holds no float, needs no more
//! parentheses, and each of its loops counts up to a constant.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use evodoku::board::{Geometry, MAX_SIDE, MIN_SIDE, Presolve, Puzzle, SearchSpace, presolve};
use evodoku::complete_board;
use evodoku::format::load;
use evodoku::ga::breeder::Breeder;
use evodoku::ga::local_search::LocalSearch;
use evodoku::ga::{Config, CustomOperators, Overrides, Parameter, Preset, RunError};
use evodoku::gpu_engine::{AdapterInfo, AdapterKind, Features, supported_presets};
use evodoku::internals::{BoardReading, ScoreShader, ShaderForm};
use evodoku::internals::{ShaderDefines, USED_FEATURES, philox_choices, shaders};
use evodoku::random::{GenerationRng, StreamStage};
use naga::valid::{
    Capabilities, ModuleInfo, ShaderStages, SubgroupOperationSet, ValidationFlags, Validator,
};
use naga::{
    AddressSpace, BinaryOperator, Block, Expression, Function, Handle, LocalVariable, Module,
    ScalarKind, Statement, TypeInner,
};
use rayon::prelude::*;

use crate::attacks::shaders::least_adapter;
use crate::precedence::unclear;

fn every_shape() -> impl Iterator<Item = Geometry> {
    (MIN_SIDE..=MAX_SIDE).flat_map(Geometry::of_side)
}

fn parse(source: &str) -> Module {
    naga::front::wgsl::parse_str(source)
        .unwrap_or_else(|error| panic!("{}", error.emit_to_string(source)))
}

/// Parses and validates.
pub fn valid(source: &str) -> (Module, ModuleInfo) {
    let module = parse(source);
    let mut validator =
        Validator::new(ValidationFlags::all(), Capabilities::SUBGROUP | Capabilities::SHADER_INT64);
    validator.subgroup_stages(ShaderStages::COMPUTE);
    validator.subgroup_operations(SubgroupOperationSet::all());
    let info = validator.validate(&module).unwrap();
    (module, info)
}

/// Parses, validates and lints.
fn check(source: &str) -> Module {
    assert_eq!(unclear(source), None, "parentheses are missing");
    let (module, _) = valid(source);
    lint(&module);
    module
}

/// Holds no float, and loops that count alone.
fn lint(module: &Module) {
    for (_, kind) in module.types.iter() {
        assert!(!is_float(&kind.inner), "{:?}", kind.inner);
    }
    let entries = module.entry_points.iter().map(|entry| &entry.function);
    for function in module.functions.iter().map(|(_, function)| function).chain(entries) {
        check_loops(module, function);
    }
}

fn is_float(kind: &TypeInner) -> bool {
    let scalar = kind.scalar();
    scalar
        .is_some_and(|scalar| matches!(scalar.kind, ScalarKind::Float | ScalarKind::AbstractFloat))
}

/// Every loop starts by leaving once a variable reaches a constant, and changes it nowhere but in
/// its last step.
fn check_loops(module: &Module, function: &Function) {
    for statement in flat(&function.body) {
        let Statement::Loop { body, continuing, .. } = statement else { continue };
        let counter = counter(module, function, body).expect("a loop without a bound");
        let stores = |block: &Block| {
            let to = |statement: &&Statement| match statement {
                Statement::Store { pointer, .. } => variable(function, *pointer) == Some(counter),
                _ => false,
            };
            flat(block).into_iter().filter(to).count()
        };
        assert_eq!((stores(body), stores(continuing)), (0, 1), "an uneven count");
    }
}

/// All statements of a block, those inside others included.
fn flat(block: &Block) -> Vec<&Statement> {
    let mut all = Vec::new();
    for statement in block {
        all.push(statement);
        match statement {
            Statement::Block(inner) => all.extend(flat(inner)),
            Statement::If { accept, reject, .. } => {
                all.extend(flat(accept));
                all.extend(flat(reject));
            }
            Statement::Switch { cases, .. } => {
                cases.iter().for_each(|case| all.extend(flat(&case.body)));
            }
            Statement::Loop { body, continuing, .. } => {
                all.extend(flat(body));
                all.extend(flat(continuing));
            }
            _ => {}
        }
    }
    all
}

/// The variable that a loop's first statement compares with a constant, to break.
fn counter(module: &Module, function: &Function, body: &Block) -> Option<Handle<LocalVariable>> {
    let first = body.iter().find(|statement| !matches!(statement, Statement::Emit(_)))?;
    let Statement::If { condition, reject, .. } = first else { return None };
    if !matches!(reject.iter().next(), Some(Statement::Break)) {
        return None;
    }
    let expressions = &function.expressions;
    let Expression::Binary { op: BinaryOperator::Less, left, right } = expressions[*condition]
    else {
        return None;
    };
    let constant = match expressions[right] {
        Expression::Literal(_) => true,
        Expression::Constant(constant) => module.constants.try_get(constant).is_ok(),
        _ => false,
    };
    match expressions[left] {
        Expression::Load { pointer } if constant => variable(function, pointer),
        _ => None,
    }
}

fn variable(function: &Function, pointer: Handle<Expression>) -> Option<Handle<LocalVariable>> {
    match function.expressions[pointer] {
        Expression::LocalVariable(variable) => Some(variable),
        _ => None,
    }
}

#[test]
fn the_shaders_of_every_shape_are_valid() {
    for geometry in every_shape() {
        for reading in BoardReading::ALL {
            let module = check(&ScoreShader::new(geometry, *reading).unwrap().source);
            assert_eq!(module.entry_points[0].name, "score");
        }
    }
}

#[test]
fn both_forms_of_small_and_large_shapes_are_valid() {
    for (rows, cols) in [(2, 2), (2, 3), (3, 3), (4, 4), (2, 16), (3, 11), (8, 8)] {
        let geometry = Geometry::new(rows, cols).unwrap();
        for form in ShaderForm::ALL {
            for reading in BoardReading::ALL {
                check(&ScoreShader::with_form(geometry, *reading, *form).unwrap().source);
            }
        }
    }
}

#[test]
fn workgroup_memory_stays_within_what_every_adapter_has() {
    for geometry in every_shape() {
        let shader = ScoreShader::new(geometry, BoardReading::Staged).unwrap();
        let module = check(&shader.source);
        let bytes: u32 = module
            .global_variables
            .iter()
            .filter(|(_, variable)| variable.space == AddressSpace::WorkGroup)
            .map(|(_, variable)| module.types[variable.ty].inner.size(module.to_ctx()))
            .sum();
        assert!(bytes <= 16 << 10, "{geometry}: {bytes}");
        let threads = module.entry_points[0].workgroup_size[0] as usize;
        let boards = if bytes > 0 { threads } else { 2 * threads };
        assert_eq!(shader.workgroup_boards, boards, "{geometry}");
        let is_small = ShaderForm::of(geometry, BoardReading::Direct) == ShaderForm::StraightLine;
        assert!(bytes > 0 || !is_small, "{geometry} is not staged");
    }
}

#[test]
fn straight_lines_hold_no_loop_and_no_array() {
    let readings = |geometry| BoardReading::ALL.iter().map(move |reading| (geometry, *reading));
    for (geometry, reading) in every_shape().flat_map(readings) {
        if ShaderForm::of(geometry, reading) != ShaderForm::StraightLine {
            continue;
        }
        let module = check(&ScoreShader::new(geometry, reading).unwrap().source);
        for (_, function) in module.functions.iter() {
            assert!(!format!("{:?}", function.body).contains("Loop"), "{geometry}");
            for (_, local) in function.local_variables.iter() {
                let kind = &module.types[local.ty].inner;
                assert!(!matches!(kind, TypeInner::Array { .. }), "{geometry}");
            }
        }
    }
}

#[test]
fn the_generator_is_valid() {
    for features in [Features::empty(), Features::SHADER_INT64] {
        let choices = philox_choices(ShaderDefines::default(), features);
        check(&choices.kernel("random/philox.wgsl").unwrap());
    }
}

/// Every configuration that is a preset of the device with one choice changed, and one of those
/// choices that the change brings with it: all that host and device both take.
pub fn device_configs(geometry: Geometry) -> Vec<Config> {
    let space = SearchSpace::blank(geometry);
    let has_names = |parameter: &&Parameter| (parameter.range)().contains(", ");
    let choices = || Config::PARAMETERS.iter().filter(has_names);
    let with = |config: &Config, parameter: &Parameter| -> Vec<Config> {
        let set =
            |name: &str| config.clone().with(&Overrides::parse(parameter.name, name).unwrap());
        (parameter.range)().split(", ").map(set).collect()
    };
    let mut all = Vec::new();
    for preset in supported_presets() {
        let base = Config { population: 256, ..Config::of(preset, &space) };
        for changed in choices().flat_map(|parameter| with(&base, parameter)) {
            let new = |parameter: &&Parameter| {
                (parameter.applies)(&changed) && !(parameter.applies)(&base)
            };
            all.extend(choices().filter(new).flat_map(|parameter| with(&changed, parameter)));
            all.push(changed);
        }
    }
    // The tables of some operators would be large for a large board.
    let usual = SearchSpace::blank(Geometry::new(3, 3).unwrap());
    let is_taken = |config: &Config| {
        let refused = matches!(shaders(&space, config, &least_adapter()), Err(RunError::Engine(_)));
        !refused && Breeder::new(&usual, config, CustomOperators::none()).is_ok()
    };
    all.retain(is_taken);
    all
}

/// An adapter with what every adapter has, one with what kernels have other forms for (subgroups, words of 64 bits
/// and more memory), and a software driver.
fn adapters() -> [AdapterInfo; 3] {
    let mut more = AdapterInfo { features: USED_FEATURES, ..least_adapter() };
    more.limits.max_compute_workgroup_storage_size = 1 << 20;
    let software = AdapterInfo { kind: AdapterKind::Software, ..more.clone() };
    [least_adapter(), more, software]
}

/// The GPU engine's kernels of a shape by their texts, each once, with their entry points: for
/// boards without givens, which take the most memory, and for such as have few blanks.
pub fn kernels(geometry: Geometry, configs: &[Config]) -> BTreeMap<String, &'static str> {
    let spaces = [SearchSpace::blank(geometry), nearly_complete(geometry)];
    let adapters = adapters();
    let forms: Vec<_> = spaces
        .iter()
        .flat_map(|space| adapters.iter().map(move |adapter| (space, adapter)))
        .collect();
    let all = configs.iter().flat_map(|config| {
        // Other kernels have one form for all puzzles.
        let is_searched = matches!(config.local_search, LocalSearch::Tabu | LocalSearch::Eviction);
        let forms = if is_searched { &forms[..] } else { &forms[..adapters.len()] };
        forms.iter().flat_map(|(space, adapter)| shaders(space, config, adapter).unwrap())
    });
    all.map(|shader| (shader.source, shader.entry)).collect()
}

/// A board that has its first row blanked.
fn nearly_complete(geometry: Geometry) -> SearchSpace {
    let mut board = vec![0; geometry.stride()];
    complete_board(
        geometry,
        &mut board,
        &mut GenerationRng::new(9, 0).draws(StreamStage::Initialise, 0),
    );
    let mut puzzle = Puzzle::blank(geometry);
    let rest = puzzle.givens.iter_mut().zip(board).skip(geometry.side());
    rest.for_each(|(given, value)| *given = value);
    presolve(&puzzle, Presolve::None).unwrap()
}

#[test]
fn puzzles_of_a_shape_share_all_kernels() {
    let [one, other] = ["easter-monster", "ai-escargot"].map(|name| {
        let space = presolve(&load(name, None).unwrap().puzzle, Presolve::Singles).unwrap();
        let config = Config::of(Preset::Memetic, &space);
        let sources = shaders(&space, &config, &least_adapter()).unwrap();
        (config, sources.into_iter().map(|shader| shader.source).collect::<Vec<_>>())
    });
    assert_ne!(one.0.tabu_steps, other.0.tabu_steps);
    assert_ne!(one.0.distance, other.0.distance);
    assert_eq!(one.1, other.1);
}

#[test]
fn every_shader_of_the_gpu_engine_is_valid_and_every_file_is_used() {
    let mut used = BTreeSet::new();
    let mut note = |source: &str| {
        let files = source.lines().filter_map(|line| line.strip_prefix("// shaders/"));
        used.extend(files.map(str::to_owned));
    };
    for (rows, cols) in [(3, 3), (8, 8)] {
        let geometry = Geometry::new(rows, cols).unwrap();
        let kernels = kernels(geometry, &device_configs(geometry));
        kernels.par_iter().for_each(|(source, entry)| {
            assert_eq!(check(source).entry_points[0].name, **entry);
        });
        kernels.keys().for_each(|source| note(source));
    }
    for (rows, cols) in [(3, 3), (3, 10), (3, 11), (8, 8)] {
        for reading in BoardReading::ALL {
            let geometry = Geometry::new(rows, cols).unwrap();
            note(&ScoreShader::new(geometry, *reading).unwrap().source);
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders");
    let there: BTreeSet<String> = files(&root, &root).into_iter().collect();
    assert_eq!(used, there);
}

#[test]
fn the_presets_of_the_gpu_engine_are_valid_in_other_shapes() {
    for (rows, cols) in [(2, 2), (2, 3), (4, 4), (5, 5), (3, 11)] {
        let geometry = Geometry::new(rows, cols).unwrap();
        let space = SearchSpace::blank(geometry);
        let presets = supported_presets().into_iter().map(|preset| Config::of(preset, &space));
        for (source, entry) in kernels(geometry, &presets.collect::<Vec<_>>()) {
            assert_eq!(check(&source).entry_points[0].name, entry);
        }
    }
}

/// The files under a folder by their paths below `root`; no folder has more than 15.
fn files(folder: &Path, root: &Path) -> Vec<String> {
    let (mut all, mut here) = (Vec::new(), 0);
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all.extend(files(&path, root));
        } else {
            here += 1;
            let parts = path.strip_prefix(root).unwrap().iter();
            let parts: Vec<&str> = parts.map(|part| part.to_str().unwrap()).collect();
            all.push(parts.join("/"));
        }
    }
    assert!(here <= 15, "{here} files in {}", folder.display());
    all
}

/// A variable without a value is zero, each time that its declaration is reached. Where that is in a loop, Chromium with
/// SwiftShader leaves it as it was in the turn before.
#[test]
fn every_variable_is_given_a_value() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders");
    for file in files(&root, &root) {
        let text = fs::read_to_string(root.join(&file)).unwrap();
        for (number, line) in text.lines().enumerate() {
            let declares = line.trim_start().starts_with("var ") && line.starts_with(' ');
            assert!(!declares || line.contains('='), "{file}:{}: {line}", number + 1);
        }
    }
}

#[test]
fn operators_that_need_parentheses_are_found() {
    for bad in [
        "let x = a | b >> 2u;",
        "let x = a << b + 1u;",
        "let x = (f(a & b + c));",
        "if (a & 1u == 0u) {",
        "let x = array<u32, A | B ^ C>();",
        "x |= y * 2u >> 3u;",
        "return a && b || c;",
        "let x = a[b & c | d];",
    ] {
        assert!(unclear(bad).is_some(), "{bad}");
    }
    for good in [
        "let x = (a | (b >> 2u)) & c;",
        "x |= (a << (b + 1u)) ^ -c ^ ~d;",
        "atomicMax(&block[at], f(&x, -y) + 1u);",
        "if (a << 2u < b + 1u && c == d * 2u) {",
        "var<private> all: array<vec4<u32>, A * B + 1u>;",
        "fn f(a: ptr<function, u32>) -> vec2<u32> { return a & b & c; }",
        "for (var k = 0u; k < N; k++) { k += 1u; } // a | b >> 2u",
    ] {
        assert_eq!(unclear(good), None);
    }
}

#[test]
fn the_lint_finds_floats_and_endless_loops() {
    for bad in [
        "fn f() -> f32 { return 1.0; }",
        "fn f() -> vec2<f32> { return vec2<f32>(); }",
        "fn f() { loop {} }",
        "fn f(n: u32) { for (var i = 0u; i < n; i++) {} }",
        "fn f() { for (var i = 0u; i < 4u; i++) { i = 0u; } }",
        "fn f() { var i = 0u; while (i < 4u) {} }",
    ] {
        // What does not even parse ends the test here: it shows nothing of the lint.
        let module = parse(bad);
        let refused = std::panic::catch_unwind(|| lint(&module));
        assert!(refused.is_err(), "{bad}");
    }
}
