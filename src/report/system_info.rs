//! The machine: processor, caches, memory.

use std::fs;
use std::path::Path;

use serde::Serialize;
use sysinfo::{CpuRefreshKind, MemoryRefreshKind, RefreshKind, System};

use crate::util::quantity;

/// The folder in which Linux describes the caches of the first core.
const CACHES: &str = "/sys/devices/system/cpu/cpu0/cache";

/// A machine as far as it describes itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SystemInfo {
    /// The processor's name.
    pub cpu: Option<String>,
    /// Threads that it runs at once, as far as this process may use them.
    pub cores: usize,
    /// Operating system and architecture.
    pub system: String,
    /// Bytes of memory.
    pub memory_bytes: Option<u64>,
    /// Bytes of the caches that a core of the first kind reaches.
    pub cache_bytes: Caches,
}

/// Bytes of each cache; nothing where the system does not tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Caches {
    /// First level, for data.
    pub l1: Option<u64>,
    /// Second level.
    pub l2: Option<u64>,
    /// Third level.
    pub l3: Option<u64>,
}

impl SystemInfo {
    /// Describes this machine.
    pub fn here() -> Self {
        let wanted = RefreshKind::nothing()
            .with_cpu(CpuRefreshKind::nothing())
            .with_memory(MemoryRefreshKind::nothing().with_ram());
        let system = System::new_with_specifics(wanted).ok();
        let cpu = system.as_ref().and_then(|system| system.cpus().first());
        Self {
            cpu: cpu.map(|cpu| cpu.brand().trim().to_owned()).filter(|name| !name.is_empty()),
            cores: crate::util::threads::cores(),
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            memory_bytes: system.map(|system| system.total_memory()).filter(|bytes| *bytes > 0),
            cache_bytes: Caches::described(Path::new(CACHES)),
        }
    }
}

impl Caches {
    /// As a folder with `index0/level`, `index0/type` and `index0/size` describes them.
    fn described(folder: &Path) -> Self {
        let mut caches = Self::default();
        for index in fs::read_dir(folder).into_iter().flatten().flatten() {
            let read = |name| fs::read_to_string(index.path().join(name)).unwrap_or_default();
            if read("type").trim() == "Instruction" {
                continue;
            }
            // `48K` and `1M` are powers of 1,024.
            let bytes = quantity::whole(&format!("{}i", read("size").trim()));
            match read("level").trim() {
                "1" => caches.l1 = bytes,
                "2" => caches.l2 = bytes,
                "3" => caches.l3 = bytes,
                _ => {}
            }
        }
        caches
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn caches_are_read_as_linux_describes_them() {
        let folder = tempfile::tempdir().unwrap();
        for (index, level, kind, size) in [
            ("index0", "1", "Data", "48K\n"),
            ("index1", "1", "Instruction", "32K\n"),
            ("index2", "2", "Unified", "1M\n"),
            ("index3", "3", "Unified", "what\n"),
        ] {
            let path = folder.path().join(index);
            fs::create_dir(&path).unwrap();
            for (name, text) in [("level", level), ("type", kind), ("size", size)] {
                fs::write(path.join(name), text).unwrap();
            }
        }
        let caches = Caches::described(folder.path());
        assert_eq!(caches, Caches { l1: Some(48 << 10), l2: Some(1 << 20), l3: None });
        assert_eq!(Caches::described(&folder.path().join("none")), Caches::default());
    }

    #[test]
    fn this_machine_has_a_core() {
        let machine = SystemInfo::here();
        assert!(machine.cores >= 1);
        assert!(machine.memory_bytes.is_none_or(|bytes| bytes > 1 << 20));
    }
}
