//! The index of planned runs: each is found by its puzzle, method, parameters and seed.
//!
//! A run is its puzzle, its method, all of its parameters and its seed. Neither the number of its
//! cell nor a name counts, so that a stored run is found again in a plan with more seeds, puzzles,
//! methods or values. Of an exact method the time limit is the only parameter.

use std::collections::HashMap;

use super::record::ExperimentRecord;
use super::{Cell, Fingerprint, Method, Plan};
use crate::format;
use crate::ga::{Config, Preset};

/// What the runs of a cell have in common: the shape and the puzzle, the method, and all parameters as JSON.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct RunKey([String; 4]);

impl RunKey {
    /// The key of a preset's runs.
    pub fn evolved(shape: &str, puzzle: &str, preset: Preset, config: &Config) -> Self {
        // Every name is a string and every number finite: nothing here can fail.
        let config = serde_json::to_string(config).unwrap_or_default();
        Self([shape, puzzle, preset.name(), &config].map(str::to_owned))
    }

    /// The key of an exact method's runs.
    pub fn exact(shape: &str, puzzle: &str, method: &str, time_limit: f64) -> Self {
        Self([shape, puzzle, method, &time_limit.to_string()].map(str::to_owned))
    }

    fn of(cell: &Cell) -> Self {
        let geometry = cell.puzzle.geometry;
        let puzzle = format::line(geometry, &cell.puzzle.givens);
        let shape = geometry.to_string();
        match cell.method {
            Method::Preset(preset) => Self::evolved(&shape, &puzzle, preset, &cell.config),
            Method::Exact(method) => {
                Self::exact(&shape, &puzzle, method.name(), cell.config.time_limit)
            }
        }
    }
}

/// The fingerprint of a run of a cell with this seed, which no other run has.
pub(super) fn fingerprint(cell: &Cell, seed: u64) -> String {
    let mut fingerprint = Fingerprint::new();
    for field in RunKey::of(cell).0 {
        fingerprint.field(field.as_bytes());
    }
    fingerprint.field(&seed.to_le_bytes());
    fingerprint.text()
}

/// The cells of a plan by the keys of their runs.
pub(super) struct RunIndex<'p> {
    /// The plan.
    pub plan: &'p Plan,
    cells: HashMap<RunKey, Vec<usize>>,
}

impl<'p> RunIndex<'p> {
    /// Those of a plan.
    pub fn of(plan: &'p Plan) -> Self {
        let mut cells: HashMap<RunKey, Vec<usize>> = HashMap::new();
        for (number, cell) in plan.cells.iter().enumerate() {
            cells.entry(RunKey::of(cell)).or_default().push(number);
        }
        Self { plan, cells }
    }

    /// What an unplanned run has changed from the nearest cell of its puzzle and preset, in words:
    /// `, with max_work 1000 instead of 2000`.
    pub fn changed(&self, record: &ExperimentRecord) -> Option<String> {
        let ExperimentRecord::Evolved(record) = record else { return None };
        let run = &record.run;
        let is_alike = |cell: &&Cell| {
            cell.method == Method::Preset(run.preset)
                && format::line(cell.puzzle.geometry, &cell.puzzle.givens) == run.puzzle
        };
        let differences = |cell: &Cell| -> Vec<String> {
            let values = Config::PARAMETERS.iter();
            let values = values.map(|it| (it.name, (it.get)(&run.config), (it.get)(&cell.config)));
            let different = values.filter(|(_, stored, planned)| stored != planned);
            different.map(|(name, was, is)| format!("{name} {was} instead of {is}")).collect()
        };
        let cells = self.plan.cells.iter().filter(is_alike).map(differences);
        let nearest = cells.min_by_key(Vec::len).filter(|nearest| !nearest.is_empty())?;
        Some(format!(", with {}", nearest.join(", ")))
    }

    /// The cell and the number in the plan of a run with this seed, if it is planned; an exact
    /// method's has none. Of several it is the one that was `stored` under the cell's number, else one that is `free`.
    pub fn find(
        &self,
        key: &RunKey,
        seed: Option<u64>,
        stored: usize,
        free: impl Fn(usize) -> bool,
    ) -> Option<(usize, usize)> {
        let number = |cell: &usize| {
            let found = &self.plan.cells[*cell];
            let place = seed.map_or(0, |seed| seed.wrapping_sub(found.first_seed));
            (place < found.seeds.into()).then(|| (*cell, found.first_run + place as usize))
        };
        let cells = self.cells.get(key)?;
        let mut found = cells.iter().filter_map(number);
        let preferred = found.clone().find(|(cell, _)| *cell == stored);
        preferred.or_else(|| found.clone().find(|(_, run)| free(*run))).or_else(|| found.next())
    }
}
