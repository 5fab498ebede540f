//! Where runs happen, as people write it: `auto`, `cpu`, `gpu-score`, `gpu`, `gpu:0`, `gpu:0,1`.

use std::str::FromStr;

use super::{Backend, BackendError};
#[cfg(feature = "gpu")]
use crate::gpu;
use crate::util::named_enum::{UnknownName, named};

named! {
    /// The processors that breed and score.
    pub enum Place {
        /// The fastest of all.
        Auto = "auto",
        /// The CPU; no graphics driver is loaded.
        Cpu = "cpu",
        /// The CPU breeds, GPUs score.
        GpuScore = "gpu-score",
        /// GPUs breed and score, and boards never leave them.
        Gpu = "gpu",
    }
}

/// A place and adapters.
///
/// ```
/// use evodoku::{Place, Target};
///
/// let target: Target = "gpu:0".parse()?;
/// assert_eq!((target.place, target.ids.as_deref()), (Place::Gpu, Some("0")));
/// assert!("gpus".parse::<Target>().is_err());
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Who breeds and scores.
    pub place: Place,
    /// The ids of adapters, separated by commas; the best real GPU by default.
    pub ids: Option<String>,
}

impl FromStr for Target {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // The PCI bus id of an adapter has colons too.
        let (word, ids) = match text.split_once(':') {
            Some((_, "")) => return Err("write an adapter after the colon, as in gpu:0".to_owned()),
            Some((word, ids)) => (word, Some(ids.to_owned())),
            None => (text, None),
        };
        match word.parse().map_err(|error: UnknownName| error.to_string())? {
            Place::Cpu if ids.is_some() => Err("cpu takes no adapter".to_owned()),
            place => Ok(Self { place, ids }),
        }
    }
}

impl Target {
    /// Opens the backend.
    ///
    /// # Errors
    /// When there is no GPU of the id, or it cannot be opened.
    pub fn open(&self) -> Result<Backend, BackendError> {
        let ids = self.adapters();
        let mut ids = ids.iter().map(String::as_str);
        let (first, more) = (ids.next(), ids.len() > 0);
        let open = match self.place {
            Place::Cpu => return Ok(Backend::cpu()),
            Place::Auto if more => return Err(BackendError::SeveralForAuto),
            Place::Auto if first.is_none() => return Ok(Backend::auto()),
            Place::Auto => Backend::auto_on_id,
            Place::GpuScore => Backend::gpu_score,
            Place::Gpu => Backend::gpu,
        };
        let others = ids.map(|id| open(Some(id))).collect::<Result<Vec<_>, _>>();
        Ok(Backend::multi(open(first)?, others?))
    }

    /// The id of each adapter that is named.
    pub(crate) fn adapters(&self) -> Vec<String> {
        let Some(ids) = &self.ids else { return Vec::new() };
        // Names of adapters may have commas.
        #[cfg(feature = "gpu")]
        if ids.contains(',') && gpu::find(&gpu::adapters(), ids).is_err() {
            return ids.split(',').map(str::to_owned).collect();
        }
        vec![ids.clone()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_a_word_and_adapters_after_a_colon() {
        let of = |text: &str| text.parse::<Target>().map(|Target { place, ids }| (place, ids));
        assert_eq!(of("cpu"), Ok((Place::Cpu, None)));
        assert_eq!(of("gpu:0,1"), Ok((Place::Gpu, Some("0,1".to_owned()))));
        let bus = "0000:01:00.0".to_owned();
        assert_eq!(of("gpu-score:0000:01:00.0"), Ok((Place::GpuScore, Some(bus))));
        assert_eq!(of("auto"), Ok((Place::Auto, None)));
        for refused in ["", "gpus", "cpu:0", "gpu:", ":0"] {
            assert!(of(refused).is_err(), "{refused}");
        }
    }
}
