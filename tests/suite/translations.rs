//! Every shader in the languages that drivers take: SPIR-V, Metal's and DirectX's.
//!
//! With the versions that today's drivers get. What Apple's compiler and Microsoft's make of the text
//! only their machines tell; SPIR-V is held against its standard by `spirv-val` where that is
//! installed.

use std::env;
use std::error::Error;
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use evodoku::board::{Geometry, SearchSpace};
use evodoku::ga::Config;
use evodoku::gpu_engine::{AdapterInfo, supported_presets};
use evodoku::internals::{BoardReading, ScoreShader, USED_FEATURES, shaders};
use naga::Module;
use naga::back::{hlsl, msl, spv};
use naga::proc::{BoundsCheckPolicies, BoundsCheckPolicy};
use naga::valid::ModuleInfo;
use rayon::prelude::*;

use crate::attacks::shaders::least_adapter;
use crate::shaders::{device_configs, kernels, valid};

/// All shaders of the GPU engine and of scoring on boards of these boxes, each once.
fn every_shader() -> Vec<String> {
    let mut all = Vec::new();
    for (rows, cols) in [(3, 3), (4, 4), (5, 5)] {
        let geometry = Geometry::new(rows, cols).unwrap();
        all.extend(kernels(geometry, &device_configs(geometry)).into_keys());
        let scoring = |reading: &BoardReading| ScoreShader::new(geometry, *reading).unwrap().source;
        all.extend(BoardReading::ALL.iter().map(scoring));
    }
    all.sort();
    all.dedup();
    all
}

/// As the program has it done: an index beyond the end is made the last one.
fn checks() -> BoundsCheckPolicies {
    BoundsCheckPolicies { index: BoundsCheckPolicy::Restrict, ..Default::default() }
}

/// The text that Metal's compiler takes.
fn to_metal(
    module: &Module,
    info: &ModuleInfo,
    lang_version: (u8, u8),
) -> Result<String, msl::Error> {
    let options = msl::Options {
        lang_version,
        bounds_check_policies: checks(),
        zero_initialize_workgroup_memory: false,
        ..Default::default()
    };
    let pipeline = msl::PipelineOptions::default();
    msl::write_string(module, info, &options, &pipeline).map(|(text, _)| text)
}

/// The text that DirectX's compiler takes.
fn to_direct_x(module: &Module, info: &ModuleInfo) -> Result<String, hlsl::Error> {
    let options = hlsl::Options {
        shader_model: hlsl::ShaderModel::V6_0,
        zero_initialize_workgroup_memory: false,
        ..Default::default()
    };
    let mut text = String::new();
    hlsl::Writer::new(&mut text, &options, &hlsl::PipelineOptions::default())
        .write(module, info, None)?;
    Ok(text)
}

/// The bytes that a Vulkan driver takes.
fn to_spirv(module: &Module, info: &ModuleInfo) -> Result<Vec<u8>, spv::Error> {
    let options = spv::Options {
        lang_version: (1, 6),
        bounds_check_policies: checks(),
        zero_initialize_workgroup_memory: spv::ZeroInitializeWorkgroupMemoryMode::None,
        ..Default::default()
    };
    let words = spv::write_vec(module, info, &options, None)?;
    Ok(words.into_iter().flat_map(u32::to_le_bytes).collect())
}

/// The SPIR-V of a shader, which goes into the other languages too.
fn translated(source: &str) -> Result<Vec<u8>, Box<dyn Error + Send + Sync>> {
    let (module, info) = valid(source);
    assert!(to_metal(&module, &info, (2, 0))?.contains("kernel void"), "{source}");
    assert!(to_direct_x(&module, &info)?.contains("numthreads"), "{source}");
    Ok(to_spirv(&module, &info)?)
}

/// Whether the validator of SPIR-V is installed.
fn has_validator() -> bool {
    match Command::new("spirv-val").arg("--version").output() {
        Ok(output) => output.status.success(),
        Err(error) => error.kind() != ErrorKind::NotFound,
    }
}

/// What the validator says against a module.
fn objection(module: &[u8]) -> io::Result<Option<String>> {
    let mut validator = Command::new("spirv-val");
    validator.args(["--target-env", "vulkan1.3", "-"]);
    validator.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut validator = validator.spawn()?;
    if let Some(mut input) = validator.stdin.take() {
        input.write_all(module)?;
    }
    let output = validator.wait_with_output()?;
    let said = [output.stdout, output.stderr].concat();
    Ok((!output.status.success()).then(|| String::from_utf8_lossy(&said).into_owned()))
}

#[test]
fn every_shader_is_translated_for_every_driver() {
    let shaders = every_shader();
    let all: Result<Vec<_>, _> = shaders.par_iter().map(|source| translated(source)).collect();
    let modules = all.unwrap();
    assert!(modules.len() > 100, "{} shaders", modules.len());
    if !has_validator() {
        // A test cannot say that it was skipped; what goes past `eprintln!` is shown.
        let skipped = "SKIPPED: spirv-val is not installed, so SPIR-V is not validated";
        writeln!(io::stderr(), "{skipped}").unwrap();
        return;
    }
    let said: io::Result<Vec<_>> = modules.par_iter().map(|module| objection(module)).collect();
    for (said, source) in said.unwrap().into_iter().zip(&shaders) {
        assert_eq!(said, None, "{source}");
    }
}

/// What `scripts/count-instructions` counts: the shaders of presets and of scoring, as they are and as Metal's
/// compiler takes them.
#[test]
#[ignore = "writes files for scripts/count-instructions"]
fn kernels_are_written() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(env::var_os("EVODOKU_KERNELS").ok_or("EVODOKU_KERNELS is not set")?);
    let write = |name: String, source: &str| -> Result<(), Box<dyn Error>> {
        let (module, info) = valid(source);
        fs::write(folder.join(format!("{name}.wgsl")), source)?;
        Ok(fs::write(folder.join(format!("{name}.metal")), to_metal(&module, &info, (2, 4))?)?)
    };
    // As much memory as cards have.
    let mut adapter = AdapterInfo { features: USED_FEATURES, ..least_adapter() };
    adapter.limits.max_compute_workgroup_storage_size = 48 << 10;
    for (rows, cols) in [(3, 3), (4, 4), (5, 5)] {
        let geometry = Geometry::new(rows, cols)?;
        let shader = ScoreShader::new(geometry, BoardReading::Staged)?;
        write(format!("{geometry}-score"), &shader.source)?;
        for preset in supported_presets() {
            let space = SearchSpace::blank(geometry);
            for shader in shaders(&space, &Config::of(preset, &space), &adapter)? {
                write(format!("{geometry}-{preset}-{}", shader.entry), &shader.source)?;
            }
        }
    }
    Ok(())
}
