//! What `--watch` tells where there is no screen: a line now and then.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use crate::cli::output::Logger;
use crate::cli::progress::Account;
use crate::ga::{GenerationReport, Observer};

/// Time from one line to the next at least.
const EVERY: Duration = Duration::from_secs(2);

/// Lines on stderr about a run.
pub struct PlainDisplay {
    name: String,
    notes: Logger,
    account: Account,
    said: Option<Instant>,
}

impl PlainDisplay {
    /// Of a run on the puzzle of that name.
    pub fn new(name: &str, notes: Logger) -> Self {
        Self { name: name.to_owned(), notes, account: Account::default(), said: None }
    }
}

impl Observer for PlainDisplay {
    fn wants_boards(&self) -> bool {
        false
    }

    fn generation(&mut self, report: &GenerationReport<'_>) -> ControlFlow<()> {
        let told = self.account.of(report);
        if self.said.is_none_or(|said| said.elapsed() >= EVERY) {
            self.said = Some(Instant::now());
            self.notes.say(&format!("{}: {told}", self.name));
        }
        ControlFlow::Continue(())
    }

    fn warning(&mut self, message: &str) {
        self.notes.warn(message);
    }
}
