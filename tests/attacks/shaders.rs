//! Any configuration of any shape: the kernels that are put together for it are valid, or what has no
//! kernel is named.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, PoisonError};

use arbitrary::{Result, Unstructured};
use evodoku::board::SearchSpace;
use evodoku::ga::{Config, Overrides, Parameter, Preset, RunSettings};
use evodoku::gpu_engine::{AdapterInfo, AdapterKind, Features, Limits};
use evodoku::internals::shaders;
use evodoku::internals::{BoardReading, ScoreShader};
use naga::valid::{Capabilities, ShaderStages, SubgroupOperationSet, ValidationFlags, Validator};

use super::boards::geometry;

pub fn attack(data: &[u8]) {
    let _ = assembled(&mut Unstructured::new(data));
}

/// An adapter with what every adapter has.
pub fn least_adapter() -> AdapterInfo {
    AdapterInfo {
        index: 0,
        name: String::new(),
        kind: AdapterKind::Integrated,
        backend: "Vulkan",
        driver: String::new(),
        pci_bus_id: None,
        limits: Limits::default(),
        features: Features::empty(),
    }
}

fn assembled(bytes: &mut Unstructured<'_>) -> Result<()> {
    let geometry = geometry(bytes)?;
    if let Ok(shader) = ScoreShader::new(geometry, *bytes.choose(BoardReading::ALL)?) {
        check(&shader.source);
    }
    let space = SearchSpace::blank(geometry);
    let mut settings = RunSettings::of(*bytes.choose(Preset::ALL)?);
    for _ in 0..bytes.int_in_range(0..=8)? {
        let parameter = bytes.choose(Config::PARAMETERS)?;
        if let Some(set) = value(parameter, bytes)? {
            settings.overrides.merge(&set);
        }
    }
    let Ok(config) = settings.config(&space) else { return Ok(()) };
    let mut adapter = least_adapter();
    adapter.limits.max_compute_workgroup_storage_size = bytes.int_in_range(16..=256)? << 10;
    adapter.limits.max_compute_invocations_per_workgroup = *bytes.choose(&[256, 512, 1_024])?;
    adapter.features.set(Features::SUBGROUP, bytes.arbitrary()?);
    adapter.features.set(Features::SHADER_INT64, bytes.arbitrary()?);
    match shaders(&space, &config, &adapter) {
        Ok(kernels) => kernels.iter().for_each(|kernel| check(&kernel.source)),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    Ok(())
}

/// A value of a parameter: a number, or one of another preset.
fn value(parameter: &Parameter, bytes: &mut Unstructured<'_>) -> Result<Option<Overrides>> {
    let space = SearchSpace::blank(geometry(bytes)?);
    let text = match bytes.int_in_range(0..=2)? {
        0 => bytes.arbitrary::<u32>()?.to_string(),
        1 => bytes.arbitrary::<u8>()?.to_string(),
        _ => (parameter.get)(&Config::of(*bytes.choose(Preset::ALL)?, &space)),
    };
    Ok(Overrides::parse(parameter.name, &text).ok())
}

/// Finds that a kernel is valid, once for all that differ from it in numbers of the same length in bits
/// alone: naga takes its time, and most inputs have kernels of others.
fn check(source: &str) {
    static VALID: Mutex<BTreeSet<(u32, usize, u64)>> = Mutex::new(BTreeSet::new());
    let class = class(source);
    let valid = || VALID.lock().unwrap_or_else(PoisonError::into_inner);
    if valid().contains(&class) {
        return;
    }
    let module = naga::front::wgsl::parse_str(source)
        .unwrap_or_else(|error| panic!("{}", error.emit_to_string(source)));
    let mut validator =
        Validator::new(ValidationFlags::all(), Capabilities::SUBGROUP | Capabilities::SHADER_INT64);
    validator.subgroup_stages(ShaderStages::COMPUTE);
    validator.subgroup_operations(SubgroupOperationSet::all());
    validator.validate(&module).unwrap_or_else(|error| panic!("{error:?}\n{source}"));
    valid().insert(class);
}

/// What tells a kernel from those that differ in numbers of the same length alone.
fn class(source: &str) -> (u32, usize, u64) {
    let is_constant = |line: &&str| line.starts_with("const ");
    let (constants, rest): (Vec<&str>, Vec<&str>) = source.lines().partition(is_constant);
    let (rest, mut hasher) = (rest.concat(), DefaultHasher::new());
    for constant in constants {
        for word in constant.split([' ', ',', '(', ')', ';']) {
            match word.trim_end_matches('u').parse::<u128>() {
                // Small ones are lengths and shifts.
                Ok(number) if number > 9 => number.ilog2().hash(&mut hasher),
                _ => word.hash(&mut hasher),
            }
        }
    }
    (crc32fast::hash(rest.as_bytes()), rest.len(), hasher.finish())
}
