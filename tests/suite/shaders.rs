//! Every shader of every shape, checked without a device: it is valid, holds no float, and each
//! of its loops counts up to a constant.

use evodoku::board::{Geometry, MAX_SIDE, MIN_SIDE};
use evodoku::device::{self, shaders, supported_presets};
use evodoku::evolve::improvement::Improvement;
use evodoku::evolve::replacement::Replacement;
use evodoku::evolve::{Config, Preset};
use evodoku::score::{Reading, STRAIGHT_CELLS, ScoreShader, ShaderForm};
use naga::valid::{Capabilities, ValidationFlags, Validator};
use naga::{
    AddressSpace, BinaryOperator, Block, Expression, Function, Handle, LocalVariable, Module,
    ScalarKind, Statement, TypeInner,
};

fn every_shape() -> impl Iterator<Item = Geometry> {
    (MIN_SIDE..=MAX_SIDE).flat_map(Geometry::of_side)
}

/// Parses, validates and lints.
fn check(source: &str) -> Module {
    let module = naga::front::wgsl::parse_str(source)
        .unwrap_or_else(|error| panic!("{}", error.emit_to_string(source)));
    Validator::new(ValidationFlags::all(), Capabilities::empty()).validate(&module).unwrap();
    for (_, kind) in module.types.iter() {
        assert!(!is_float(&kind.inner), "{:?}", kind.inner);
    }
    let entries = module.entry_points.iter().map(|entry| &entry.function);
    for function in module.functions.iter().map(|(_, function)| function).chain(entries) {
        check_loops(&module, function);
    }
    module
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
        for reading in Reading::ALL {
            let module = check(&ScoreShader::new(geometry, *reading).source);
            assert_eq!(module.entry_points[0].name, "score");
        }
    }
}

#[test]
fn both_forms_of_small_and_large_shapes_are_valid() {
    for (rows, cols) in [(2, 2), (2, 3), (3, 3), (4, 4), (2, 16), (3, 11), (8, 8)] {
        let geometry = Geometry::new(rows, cols).unwrap();
        for form in ShaderForm::ALL {
            for reading in Reading::ALL {
                check(&ScoreShader::with_form(geometry, *reading, *form).source);
            }
        }
    }
}

#[test]
fn workgroup_memory_stays_within_what_every_adapter_has() {
    for geometry in every_shape() {
        let shader = ScoreShader::new(geometry, Reading::Staged);
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
        let small = geometry.cells() <= STRAIGHT_CELLS;
        assert!(bytes > 0 || !small, "{geometry} is not staged");
    }
}

#[test]
fn straight_lines_hold_no_loop_and_no_array() {
    for geometry in every_shape().filter(|geometry| geometry.cells() <= STRAIGHT_CELLS) {
        let module = check(&ScoreShader::new(geometry, Reading::Direct).source);
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
    check(device::PHILOX.1);
}

/// Configurations that between them hold every operator that has a twin on the device.
fn device_configs() -> Vec<Config> {
    let memetic =
        Config { improvement: Improvement::ExchangeDescent, ..Config::of(Preset::Memetic) };
    let mut all: Vec<Config> = supported_presets().into_iter().map(Config::of).collect();
    for (preset, name, value) in [
        (Preset::Boxes, "pairing", "random"),
        (Preset::Boxes, "pairing", "neighbours"),
        (Preset::Boxes, "crossover", "one-point"),
        (Preset::Boxes, "encoding", "columns"),
        (Preset::Boxes, "mutation", "reshuffle"),
        (Preset::Boxes, "mutation", "none"),
        (Preset::Cells, "crossover", "one-unit"),
        (Preset::Cells, "crossover", "none"),
        (Preset::Cells, "mutation", "redraw-two"),
        (Preset::RowsSus, "selection", "sus-per-parent"),
        (Preset::Cells, "crossover", "agreement"),
        (Preset::Memetic, "topology", "torus"),
        (Preset::Tabu, "selection", "truncation"),
    ] {
        let mut config = Config::of(preset);
        config.set(name, value).unwrap();
        all.push(config);
    }
    all.push(Config {
        replacement: Replacement::KeepDistance,
        population: 256,
        ..Config::of(Preset::Tabu)
    });
    all.push(memetic);
    all
}

#[test]
fn the_shaders_of_the_device_engine_are_valid() {
    for (rows, cols) in [(2, 2), (2, 3), (3, 3), (4, 4), (5, 5), (3, 11), (8, 8)] {
        let geometry = Geometry::new(rows, cols).unwrap();
        for config in device_configs() {
            for shader in shaders(geometry, &config, 16 << 10).unwrap() {
                assert_eq!(check(&shader.source).entry_points[0].name, shader.entry);
            }
        }
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
        let refused = std::panic::catch_unwind(|| check(bad));
        assert!(refused.is_err(), "{bad}");
    }
}
