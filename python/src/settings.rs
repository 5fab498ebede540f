//! The algorithm and its parameters, as keyword arguments.

use std::sync::Arc;

use evodoku_library::board::{Geometry, SearchSpace};
use evodoku_library::ga::{Config, ConfigError, CustomOperators, Overrides, Preset, RunSettings};
use evodoku_library::{Backend, Target};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::boards::is_bool;
use crate::history::warn;
use crate::operators::PythonOperators;
use crate::{failed, invalid};

/// The preset of a name, in which underscores are hyphens.
fn preset_of(name: &str) -> PyResult<Preset> {
    name.replace('_', "-").parse().map_err(invalid)
}

/// A preset, with the parameters and functions that keyword arguments set.
pub struct Settings {
    pub settings: RunSettings,
    pub operators: PythonOperators,
}

impl Settings {
    /// Reads the keyword arguments of a run.
    ///
    /// # Errors
    /// `TypeError` if a name is not a parameter, `ValueError` if a parameter does not take its value.
    pub fn new(preset: &str, parameters: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let preset = preset_of(preset)?;
        let mut settings = RunSettings::of(preset);
        let mut operators = PythonOperators::default();
        for (name, value) in parameters.into_iter().flatten() {
            let name: String = name.extract()?;
            let parameter = Config::parameter(&name).map_err(|error| unknown(&name, &error))?.name;
            let text = if value.is_callable() {
                match operators.set(parameter, value.unbind())? {
                    Some(none) => none.to_owned(),
                    None => continue,
                }
            } else {
                text(parameter, &value)?
            };
            settings.overrides.merge(&Overrides::parse(parameter, &text).map_err(invalid)?);
        }
        Ok(Self { settings, operators })
    }

    /// Warns of parameters that were set and have no effect in runs on boards of a geometry.
    ///
    /// # Errors
    /// The exception that Python raises instead of a warning, if its warning filters say so.
    pub fn warn_of_idle(&self, py: Python<'_>, geometry: Geometry) -> PyResult<()> {
        // An invalid configuration is refused by the run.
        let Ok(config) = self.settings.config(&SearchSpace::blank(geometry)) else { return Ok(()) };
        let set = self.settings.overrides.parameters();
        for parameter in set.filter(|parameter| !(parameter.applies)(&config)) {
            warn(py, &format!("{} has no effect in this run", parameter.name))?;
        }
        Ok(())
    }

    /// The functions that replace operators of the configuration.
    pub fn custom(&self) -> CustomOperators {
        let operators = Some(&self.operators).filter(|operators| !operators.is_empty());
        let generation = operators.map(|operators| Arc::new(operators.clone()) as Arc<_>);
        CustomOperators { generation, ..CustomOperators::default() }
    }
}

/// Converts a value to the text that the command line reads.
fn text(name: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    if value.is_instance_of::<PyString>() {
        return Ok(value.to_string());
    }
    // Also numbers of numpy, but neither truth values nor arrays.
    let is_bool = is_bool(value)?;
    if !is_bool && value.get_type().name()? != "ndarray" {
        if let Ok(whole) = value.extract::<i128>() {
            return Ok(whole.to_string());
        }
        if let Ok(float) = value.extract::<f64>() {
            // What has no fraction is written as an integer.
            let is_whole = float.fract() == 0.0 && float.abs() < 1e15;
            return Ok(if is_whole { format!("{float:.0}") } else { float.to_string() });
        }
    }
    let names = match name {
        "selection" | "crossover" | "mutation" => "a name or a function",
        _ => "a number or a name",
    };
    // Other libraries take None or False for 'nothing is done'.
    let is_off = value.is_none() || is_bool;
    let off = if is_off { "; 'none' switches an operator off" } else { "" };
    Err(PyTypeError::new_err(format!("{name} is {}: it takes {names}{off}", value.repr()?)))
}

/// Names that other programs use for arguments, each with the name used here.
const OTHER_NAMES: [(&str, &str); 19] = [
    ("box", "Puzzle(..., box=...)"),
    ("budget", "max_work"),
    ("callback", "a loop over the Evolution, or solve(..., callback=...)"),
    ("cxpb", "crossover_rate"),
    ("device", "on"),
    ("elitism", "elites"),
    ("generations", "max_generations"),
    ("max_evaluations", "max_work"),
    ("max_iter", "max_generations"),
    ("mutpb", "mutation_rate"),
    ("n_gen", "max_generations"),
    ("n_jobs", "threads"),
    ("ngen", "max_generations"),
    ("num_generations", "max_generations"),
    ("pop_size", "population"),
    ("population_size", "population"),
    ("random_seed", "seed"),
    ("random_state", "seed"),
    ("timeout", "time_limit"),
];

/// The exception for a name that is not a parameter.
fn unknown(name: &str, error: &ConfigError) -> PyErr {
    let other = OTHER_NAMES.iter().find(|(other, _)| *other == name);
    PyTypeError::new_err(match other {
        Some((_, own)) => format!("there is no parameter '{name}': use {own}"),
        None => format!("{error}; evodoku.parameters() lists them"),
    })
}

/// Converts the value of a parameter to a Python object.
pub fn number_or_name<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    if let Ok(whole) = text.parse::<u64>() {
        return whole.into_bound_py_any(py);
    }
    match text.parse::<f64>() {
        Ok(float) => float.into_bound_py_any(py),
        Err(_) => text.into_bound_py_any(py),
    }
}

/// The backend that `on` names.
pub fn backend(on: &str) -> PyResult<Backend> {
    let target: Target =
        on.parse().map_err(|error| PyValueError::new_err(format!("on: {error}")))?;
    target.open().map_err(failed)
}

/// The presets.
///
/// Returns
/// -------
/// dict of str to str
///     A description of each preset, by name.
#[pyfunction]
pub fn presets(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let all = PyDict::new(py);
    for preset in Preset::ALL {
        all.set_item(preset.to_string(), preset.description())?;
    }
    Ok(all)
}

/// The parameters that have an effect in a preset.
///
/// Parameters
/// ----------
/// preset : str, default "memetic"
///     The algorithm.
///
/// Returns
/// -------
/// dict of str to dict
///     Maps the name of each parameter to a dict with its ``value``, ``unit``, ``range`` and ``description``.
///     With some presets, the value depends on the puzzle.
///
/// Examples
/// --------
/// >>> evodoku.parameters("boxes")["population"]["value"]
/// 5000
#[pyfunction]
#[pyo3(signature = (preset = "memetic"))]
pub fn parameters<'py>(py: Python<'py>, preset: &str) -> PyResult<Bound<'py, PyDict>> {
    let preset = preset_of(preset)?;
    let config = evodoku_library::ga::presets::config(preset);
    let all = PyDict::new(py);
    for parameter in Config::PARAMETERS.iter().filter(|one| (one.applies)(&config)) {
        let one = PyDict::new(py);
        one.set_item("value", number_or_name(py, &(parameter.get)(&config))?)?;
        one.set_item("unit", parameter.unit)?;
        one.set_item("range", (parameter.range)())?;
        let description = parameter.description.split_whitespace().collect::<Vec<_>>().join(" ");
        one.set_item("description", description)?;
        all.set_item(parameter.name, one)?;
    }
    Ok(all)
}

/// The graphics adapters that ``on`` may name.
///
/// Returns
/// -------
/// list of str
///     The names of the adapters. The index of a name in the list is the ID of the adapter.
#[pyfunction]
pub fn devices(py: Python<'_>) -> Vec<String> {
    #[cfg(feature = "gpu")]
    return py.detach(|| {
        let adapters = evodoku_library::gpu_engine::adapters();
        adapters.into_iter().map(|adapter| adapter.info.name).collect()
    });
    #[cfg(not(feature = "gpu"))]
    {
        let _ = py;
        Vec::new()
    }
}
