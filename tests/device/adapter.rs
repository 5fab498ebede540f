//! The adapter that GPU tests run on, and what becomes of them where there is none.

use evodoku::gpu_engine::{self, Adapter, AdapterKind};
use libtest_mimic::{Arguments, Conclusion, Failed, Trial};

/// How a test ends.
pub type Outcome = Result<(), Failed>;

/// The adapter that `EVODOKU_TEST_GPU` names, as `--on gpu:ID` does; without it the best one, a
/// software one if need be.
pub fn adapter() -> Result<Adapter, String> {
    let found = find();
    match &found {
        Ok(adapter) => {
            eprintln!("GPU tests run on {} ({})", adapter.info.name, adapter.info.driver);
        }
        Err(text) => eprintln!("GPU tests cannot run: {text}"),
    }
    found
}

fn find() -> Result<Adapter, String> {
    let adapters = gpu_engine::adapters();
    let adapter = match std::env::var("EVODOKU_TEST_GPU") {
        Ok(wanted) => gpu_engine::find(&adapters, &wanted).map_err(|error| error.to_string())?,
        Err(_) => gpu_engine::best(&adapters)
            .or(adapters.first())
            .ok_or_else(|| gpu_engine::AdapterError::NoAdapter.to_string())?,
    };
    Ok(adapter.clone())
}

/// The adapter with the kernels that a graphics card gets: a software driver gets simpler ones, where threads do not
/// work for each other.
pub fn as_a_card(adapter: &Adapter) -> Adapter {
    let mut card = adapter.clone();
    card.info.kind = AdapterKind::Discrete;
    card
}

/// A test that needs a device: shown as ignored without one, unless one is required.
pub fn trial<T: Clone + Send + 'static>(
    name: &str,
    device: &Result<T, String>,
    test: impl FnOnce(&T) -> Outcome + Send + 'static,
) -> Trial {
    let required = std::env::var("EVODOKU_REQUIRE_GPU").is_ok_and(|value| value == "1")
        || std::env::var_os("EVODOKU_TEST_GPU").is_some();
    let ignored = device.is_err() && !required;
    let device = device.clone();
    Trial::test(name, move || test(&device?)).with_ignored_flag(ignored)
}

/// Runs the tests one after the other: a software adapter uses all cores anyway.
pub fn run(trials: Vec<Trial>) -> Conclusion {
    let mut arguments = Arguments::from_args();
    arguments.test_threads = Some(1);
    libtest_mimic::run(&arguments, trials)
}
