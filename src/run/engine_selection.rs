//! Which engine carries a run out where any could: `auto`.
//!
//! A run is the same on every engine, so that nothing but time decides. Each carries out some of the first
//! generations, and the fastest carries out the rest. Engines that take 9, 4 and 5 ms a generation: all are
//! measured for 64 generations or 100 ms, whichever ends first, and the second carries out the rest.
//!
//! The first generation of each is not measured: pipelines are compiled and the population is handed
//! over then. An engine whose device failed is not taken.

use std::time::Duration;

use crate::fitness::Pipeline;
use crate::ga::{
    Config, CpuEngine, Engine, EngineStatus, GenerationRequest, GenerationStats, IslandSink,
    PopulationSnapshot, Run, RunError,
};
use crate::gpu_engine::PipelineCache;
use crate::util::clock::Instant;
use crate::util::{memory, quantity};

/// Fewer children a generation leave most of a GPU idle whatever they cost.
pub const FEWEST_CHILDREN: u32 = 256;

/// An engine is measured for so long, but not for more generations than [`MOST_MEASURED`].
const MEASURED: Duration = Duration::from_millis(100);
const MOST_MEASURED: u32 = 64;
/// Generations at a time meanwhile: a device can submit several at once.
const AT_A_TIME: u32 = 16;

/// Children of a generation.
pub fn children(config: &Config) -> u32 {
    config.replacement.offspring(config)
}

/// Whether a GPU comes into question for a run of this configuration.
pub fn is_worth_a_gpu(config: &Config) -> bool {
    children(config) >= FEWEST_CHILDREN
}

/// Engines of one run, of which the fastest continues it.
pub struct AutoEngine<'a> {
    engines: Vec<(String, Box<dyn Engine + 'a>)>,
    /// The number of the engine that carried out the last generation.
    current: usize,
    /// Until an engine is taken.
    trial: Option<EngineTrial>,
    /// Time of all steps.
    spent: Duration,
    log: &'a (dyn Fn(&str) + Sync),
}

impl<'a> AutoEngine<'a> {
    /// The CPU with `pipeline`, the CPU with the GPU's `scoring`, and the GPU, as far as they could be made.
    ///
    /// # Errors
    /// When the CPU cannot carry out the run.
    pub fn new(
        run: &Run<'a>,
        pipeline: &'a mut Pipeline,
        scoring: Result<&'a mut Pipeline, RunError>,
        gpu: Result<impl Engine + 'a, RunError>,
        kernels: &PipelineCache,
        log: &'a (dyn Fn(&str) + Sync),
    ) -> Result<Self, RunError> {
        let adapter = &kernels.device.adapter().name;
        let cpu = CpuEngine::new(run, pipeline)?;
        let scored = scoring.and_then(|pipeline| {
            // A second population in addition to the first.
            memory::check("auto", 2 * run.memory_needed())?;
            CpuEngine::new(run, pipeline).map(|engine| Box::new(engine) as Box<dyn Engine>)
        });
        let mut engines: Vec<(String, Box<dyn Engine + 'a>)> =
            vec![("the CPU".to_owned(), Box::new(cpu))];
        let gpu = gpu.map(|engine| Box::new(engine) as _);
        let others = [(format!("the CPU (scored on {adapter})"), scored), (adapter.clone(), gpu)];
        for (name, engine) in others {
            match engine {
                Ok(engine) => engines.push((name, engine)),
                Err(error) => log(&format!("auto does not try {name}: {error}")),
            }
        }
        let trial = Some(EngineTrial::new(engines.len()));
        Ok(Self { engines, current: 0, trial, spent: Duration::ZERO, log })
    }

    fn engine(&self) -> &dyn Engine {
        &*self.engines[self.current].1
    }

    fn engine_mut(&mut self) -> &mut (dyn Engine + 'a) {
        &mut *self.engines[self.current].1
    }

    /// Hands the population over to an engine before a generation.
    fn switch_to(&mut self, engine: usize, generation: u32) -> Result<(), RunError> {
        if engine != self.current && generation > 0 {
            let state = self.engine_mut().snapshot()?;
            self.engines[engine].1.restore(&state)?;
        }
        self.current = engine;
        Ok(())
    }

    /// Leaves the others for the fastest engine, and says so.
    fn take_fastest(&mut self, seconds: &[f64], generation: u32) -> Result<(), RunError> {
        let by_time = |a: &usize, b: &usize| seconds[*a].total_cmp(&seconds[*b]);
        let fastest = (0..seconds.len()).min_by(by_time).unwrap_or(0);
        self.switch_to(fastest, generation)?;
        let time = |seconds: f64| {
            if seconds.is_finite() { quantity::time(seconds) } else { "failed".to_owned() }
        };
        let (name, engine) = self.engines.remove(fastest);
        let mut text =
            format!("auto continues with {name}: {} per generation", time(seconds[fastest]));
        let others = (0..seconds.len()).filter(|other| *other != fastest);
        for (other, (name, _)) in others.zip(&self.engines) {
            text += &format!("; {name} {}", time(seconds[other]));
        }
        (self.engines, self.current) = (vec![(name, engine)], 0);
        (self.log)(&text);
        Ok(())
    }
}

impl Engine for AutoEngine<'_> {
    fn step(&mut self, wanted: &GenerationRequest<'_>) -> Result<bool, RunError> {
        let mut generations = wanted.generations;
        let has_failed = self.engine().status().degraded_by.is_some();
        if let Some(trial) = &mut self.trial {
            match trial.next(self.spent, wanted.generation, has_failed) {
                Some((engine, most)) => {
                    self.switch_to(engine, wanted.generation)?;
                    generations = generations.min(most);
                }
                None => {
                    let seconds = std::mem::take(&mut trial.seconds);
                    self.trial = None;
                    self.take_fastest(&seconds, wanted.generation)?;
                }
            }
        }
        let start = Instant::now();
        let stepped = self.engine_mut().step(&GenerationRequest { generations, ..*wanted });
        self.spent += start.elapsed();
        stepped
    }

    fn summaries(&self) -> &[GenerationStats] {
        self.engine().summaries()
    }

    fn for_each_island(&mut self, take: IslandSink<'_>) -> Result<(), RunError> {
        self.engine_mut().for_each_island(take)
    }

    fn restore(&mut self, state: &PopulationSnapshot) -> Result<(), RunError> {
        self.engine_mut().restore(state)
    }

    fn status(&self) -> EngineStatus<'_> {
        self.engine().status()
    }
}

/// Engines are measured one after the other. There is no clock in here: the caller passes the time.
struct EngineTrial {
    engines: usize,
    /// Seconds a generation of those that were measured.
    seconds: Vec<f64>,
    /// Whether the next one had its first generation.
    is_warm: bool,
    /// When, and with which generation, its measurement began.
    began: Option<(Duration, u32)>,
}

impl EngineTrial {
    fn new(engines: usize) -> Self {
        Self { engines, seconds: Vec::with_capacity(engines), is_warm: false, began: None }
    }

    /// The engine that carries out `generation`, and how many from then on at most, when it is `now`
    /// and the engine at work has failed or not; nothing once all were measured.
    fn next(&mut self, now: Duration, generation: u32, has_failed: bool) -> Option<(usize, u32)> {
        let measured =
            self.began.map(|(began, first)| (now.saturating_sub(began), generation - first));
        let seconds = match measured {
            _ if has_failed && self.is_warm => Some(f64::INFINITY),
            Some((time, done)) if done > 0 && (time >= MEASURED || done >= MOST_MEASURED) => {
                Some(time.as_secs_f64() / f64::from(done))
            }
            _ => None,
        };
        if let Some(seconds) = seconds {
            self.seconds.push(seconds);
            (self.is_warm, self.began) = (false, None);
        }
        let engine = self.seconds.len();
        if engine == self.engines {
            return None;
        }
        if !self.is_warm {
            self.is_warm = true;
            return Some((engine, 1));
        }
        self.began.get_or_insert((now, generation));
        Some((engine, AT_A_TIME))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The measurements of engines that take so many seconds a generation, the first of each a second
    /// more; one that takes none fails.
    fn measured(cost: &[f64]) -> (Vec<f64>, f64) {
        let (mut trial, mut now, mut generation, mut last) =
            (EngineTrial::new(cost.len()), 0.0, 0, None);
        while let Some((engine, most)) = trial.next(
            Duration::from_secs_f64(now),
            generation,
            last.is_some_and(|engine: usize| cost[engine] == 0.0),
        ) {
            now += f64::from(u8::from(last != Some(engine))) + f64::from(most) * cost[engine];
            generation += most;
            last = Some(engine);
        }
        (trial.seconds, now)
    }

    #[test]
    fn each_engine_is_measured_without_its_first_generation() {
        let (seconds, all) = measured(&[0.009, 0.004, 0.0001]);
        for (found, expected) in seconds.iter().zip([0.009, 0.004, 0.0001]) {
            assert!((found - expected).abs() < 1e-6, "{seconds:?}");
        }
        assert!(all < 3.0 + 3.0 * 0.3, "{all}");
    }

    #[test]
    fn an_engine_that_failed_is_the_slowest_of_all() {
        let (seconds, _) = measured(&[0.009, 0.0, 0.001]);
        assert_eq!(seconds[1], f64::INFINITY);
        assert!(seconds[0] < 1.0 && seconds[2] < seconds[0]);
    }
}
