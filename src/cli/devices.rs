//! `evodoku devices`: the graphics adapters of this machine, and the shader that scores on them.

use anyhow::Result;
use clap::Args;
use indicatif::BinaryBytes;

use super::Exit;
use super::output::{Logger, print, wrapped};
use super::table::TextTable;
use crate::board::Geometry;
use crate::fitness::{BoardReading, ScoreShader};
use crate::gpu::{AdapterInfo, Features, adapters, hint};
use crate::run::first_working;
use crate::util::quantity::count;

/// List the GPUs and their limits
#[derive(Debug, Args)]
pub struct Devices {
    /// Print the WGSL shader that scores boards of this box shape
    #[arg(long, value_name = "RxC")]
    shader: Option<Geometry>,
}

const HEADER: [&str; 12] = [
    "auto", "index", "name", "type", "backend", "driver", "PCI", "binding", "buffer", "workgroups",
    "shared", "timestamps",
];

/// The meaning of the columns of limits.
const COLUMNS: &str = "\
binding: maximum bytes of a buffer that a shader can address; buffer: maximum bytes of a buffer;
workgroups: maximum in one dimension of a dispatch; shared: maximum memory of a workgroup;
timestamps: whether the device can time a kernel";

impl Devices {
    pub fn run(self, notes: Logger) -> Result<Exit> {
        match self.shader {
            Some(geometry) => print(&ScoreShader::new(geometry, BoardReading::Staged)?.source)?,
            None => print(&list(notes))?,
        };
        Ok(Exit::Done)
    }
}

fn list(notes: Logger) -> String {
    let adapters = adapters();
    if let Some(hint) = hint(&adapters) {
        notes.say(hint);
    }
    if adapters.is_empty() {
        notes.say("no graphics adapter was found; boards are scored on the CPU");
        return String::new();
    }
    let auto = first_working(&adapters).map(|device| device.adapter().index);
    let spare = &["PCI", "timestamps", "shared", "workgroups", "driver", "buffer", "binding"];
    let mut rows = TextTable::new(&HEADER, &["name", "driver"], spare);
    for adapter in &adapters {
        rows.row(row(&adapter.info, auto.as_ref().ok().copied()));
    }
    let taken = match auto {
        Ok(index) => format!("auto uses adapter {index} if it is faster than the CPU"),
        Err(refused) if refused.is_empty() => {
            "auto uses the CPU: there are only software drivers".to_owned()
        }
        Err(refused) => format!("auto uses the CPU: {}", refused.join(", ")),
    };
    format!("{rows}\n\n{}{}", wrapped(COLUMNS, ""), wrapped(&taken, ""))
}

fn row(info: &AdapterInfo, auto: Option<usize>) -> [String; HEADER.len()] {
    let limits = &info.limits;
    [
        if auto == Some(info.index) { "*" } else { "" }.to_owned(),
        info.index.to_string(),
        info.name.clone(),
        info.kind.to_string(),
        info.backend.to_string(),
        info.driver.clone(),
        info.pci_bus_id.clone().unwrap_or_default(),
        BinaryBytes(limits.max_storage_buffer_binding_size).to_string(),
        BinaryBytes(limits.max_buffer_size).to_string(),
        count(limits.max_compute_workgroups_per_dimension.into()),
        BinaryBytes(limits.max_compute_workgroup_storage_size.into()).to_string(),
        if info.features.contains(Features::TIMESTAMP_QUERY) { "yes" } else { "no" }.to_owned(),
    ]
}
