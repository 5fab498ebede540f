//! A run on the fastest of the engines that this machine has.

use std::time::Instant;

use super::super::backend::Maker;
use super::super::balance::FEWEST_CHILDREN;
use super::Choice;
use crate::fitness::{CpuEvaluator, GpuEvaluator, Pipeline};
use crate::ga::{Config, CpuEngine, Engine, Recovering, Relay, Replay, Run, RunError};
use crate::gpu_engine::{GpuEngine, PipelineCache};
use crate::memory;

/// An engine with its name, if it could be made.
type Tried<'e> = (String, Result<Box<dyn Engine + 'e>, RunError>);

/// The CPU, and a GPU that may score or breed.
pub struct Automatic<'a> {
    /// The GPU.
    pub kernels: &'a PipelineCache,
    /// Whether it may breed.
    pub breeds: bool,
    /// Boards that are scored, or bred, at once at most.
    pub chunk: Option<u32>,
    /// Whether what a lost device did is done again on the CPU.
    pub replay: Replay,
    /// Is told in a line what goes on, and why.
    pub tell: &'a dyn Fn(&str),
}

impl Automatic<'_> {
    /// Whether a GPU comes into question for runs of this configuration.
    pub fn is_worth_a_gpu(config: &Config) -> bool {
        config.replacement.offspring(config) >= FEWEST_CHILDREN
    }

    /// Does something with what makes the engine of a run on the threads of the current rayon pool;
    /// `pipeline` scores on the CPU.
    pub fn with_engine<R>(
        &self,
        run: &Run<'_>,
        pipeline: &mut Pipeline,
        body: impl for<'e> FnOnce(Maker<'e>) -> R,
    ) -> R {
        if !Self::is_worth_a_gpu(run.config) || run.space.free.is_empty() {
            return body(Box::new(|| Ok(Box::new(CpuEngine::new(run, pipeline)?))));
        }
        let (geometry, device) = (run.space.geometry(), self.kernels.device());
        let name = &device.adapter().name;
        let chunk = self.chunk.map(|boards| boards as usize);
        let evaluator = match GpuEvaluator::on(device, geometry, chunk) {
            Ok(evaluator) => evaluator,
            Err(error) => {
                (self.tell)(&format!("auto leaves all to the CPU: {name} cannot score ({error})"));
                return body(Box::new(|| Ok(Box::new(CpuEngine::new(run, pipeline)?))));
            }
        };
        let mut scoring = Pipeline::new(Box::new(evaluator));
        let mut spare = Pipeline::new(Box::new(CpuEvaluator::new(geometry, None)));
        body(Box::new(|| {
            let host = CpuEngine::new(run, pipeline)?;
            // A second population beside the first.
            let scored = memory::check("auto", 2 * run.memory_needed())
                .map_err(RunError::from)
                .and_then(|()| CpuEngine::new(run, &mut scoring));
            let mut tried: Vec<Tried<'_>> = vec![(
                format!("the CPU, scored on {name}"),
                scored.map(|engine| Box::new(engine) as _),
            )];
            if self.breeds {
                let engine = GpuEngine::new(run, self.kernels, self.chunk);
                let bred = engine
                    .and_then(|engine| Recovering::new(run, Ok(engine), &mut spare, self.replay));
                tried.push((name.clone(), bred.map(|engine| Box::new(engine) as _)));
            }
            let mut names = vec!["the CPU".to_owned()];
            let mut others = Vec::new();
            for (name, engine) in tried {
                match engine {
                    Ok(engine) => {
                        others.push(engine);
                        names.push(name);
                    }
                    Err(error) => (self.tell)(&format!("auto leaves out {name}: {error}")),
                }
            }
            Ok(Box::new(self.relay(Box::new(host), others, names)))
        }))
    }

    /// The engines, of which the fastest goes on.
    fn relay<'e>(
        &'e self,
        host: Box<dyn Engine + 'e>,
        others: Vec<Box<dyn Engine + 'e>>,
        names: Vec<String>,
    ) -> impl Engine + 'e {
        let mut choice = Choice::new(names.len());
        let mut told = None;
        let start = Instant::now();
        Relay::new(host, others, move |turn| {
            let now = start.elapsed();
            for engine in turn.given_up {
                if choice.leave_out(*engine, now) {
                    (self.tell)(&format!("auto leaves out {}: it failed", names[*engine]));
                }
            }
            let leg = choice.leg(now, turn.generation);
            if let Some(taken) = choice.taken()
                && told != Some(taken)
            {
                told = Some(taken);
                (self.tell)(&decision(&choice, taken, &names));
            }
            leg
        })
    }
}

/// `auto goes on with NAME: 12.5 ms a generation; the CPU 20.1 ms`.
fn decision(choice: &Choice, taken: usize, names: &[String]) -> String {
    let milliseconds = |number: usize| format!("{:.3} ms", 1000.0 * choice.seconds()[number]);
    let others = choice.candidates().iter().filter(|number| **number != taken);
    let others: Vec<String> =
        others.map(|number| format!("; {} {}", names[*number], milliseconds(*number))).collect();
    let (name, time) = (&names[taken], milliseconds(taken));
    format!("auto goes on with {name}: {time} a generation{}", others.concat())
}
