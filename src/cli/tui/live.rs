//! The screen of a live run: a thread that draws and reads keys, and an observer that feeds it.
//!
//! A generation may take minutes, so a separate thread reads the keys. The run adds each generation to
//! the view model and continues; frames are drawn a few times a second, however many generations there are.

use std::io;
use std::ops::ControlFlow;
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use ratatui::crossterm::event::Event;

use super::keys::{self, KeyCommand, next_event};
use super::terminal::{self, TerminalGuard};
use super::throttle::{Speed, Throttle};
use super::view_model::{PuzzleList, PuzzleStatus, RunTitle, ViewModel};
use crate::cli::exit::Exit;
use crate::ga::{GenerationReport, Observer};
use crate::report::Frame;
use crate::util::interrupt::INTERRUPT;
use crate::util::lock;
use crate::util::threads::spawn;

/// The time from one frame to the next.
const TICK: Duration = Duration::from_millis(66);
/// The time between two looks whether the thread has ended, and how long it is awaited after an interrupt.
const LOOK: Duration = Duration::from_millis(10);
const GRACE: Duration = Duration::from_secs(2);

/// The screen of a running command.
#[derive(Clone)]
pub struct Screen(Arc<Shared>);

/// The state that the runs and the thread share.
struct Shared {
    model: Mutex<ViewModel>,
    throttle: Arc<Throttle>,
    /// Whether there was a generation.
    has_frame: AtomicBool,
    /// Whether all runs have ended.
    is_over: AtomicBool,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Screen {
    /// Takes the terminal over. With `list` there is a pane for a list of puzzles.
    ///
    /// # Errors
    /// The error of the system.
    pub fn open(throttle: Arc<Throttle>, list: bool) -> io::Result<Self> {
        let guard = TerminalGuard::enter(keys::LIVE)?;
        let shared = Arc::new(Shared {
            model: Mutex::new(ViewModel::new(list.then(PuzzleList::default))),
            throttle,
            has_frame: AtomicBool::new(false),
            is_over: AtomicBool::new(false),
            thread: Mutex::default(),
        });
        let viewer = shared.clone();
        let thread = spawn("screen", move || viewer.show(guard))?;
        *lock(&shared.thread) = Some(thread);
        Ok(Self(shared))
    }

    /// Starts another run.
    pub fn begin(&self, title: RunTitle) {
        lock(&self.0.model).begin(title);
    }

    /// Adds a finished puzzle to the list.
    pub fn done(&self, name: &str, status: PuzzleStatus) {
        self.change_list(|list| list.push(name, status));
    }

    /// Sets the number of puzzles of the list.
    pub fn count(&self, total: u64) {
        self.change_list(|list| list.total = Some(total));
    }

    fn change_list(&self, change: impl FnOnce(&mut PuzzleList)) {
        if let Some(list) = &mut lock(&self.0.model).list {
            change(list);
        }
    }

    /// Ends the screen after all runs: shows the last frame, if there is one, until a key is pressed, then
    /// restores the terminal.
    pub fn finish(&self) {
        if !INTERRUPT.is_requested() {
            self.change_list(|list| {
                list.total.get_or_insert(list.done);
            });
        }
        self.0.is_over.store(true, Ordering::Relaxed);
        let thread = lock(&self.0.thread).take();
        let Some(thread) = thread else { return };
        let mut interrupted = None;
        while !thread.is_finished() {
            if INTERRUPT.is_requested()
                && interrupted.get_or_insert_with(Instant::now).elapsed() > GRACE
            {
                // It reads from a terminal that hung up.
                return terminal::restore();
            }
            thread::sleep(LOOK);
        }
        // A thread that panicked has restored the terminal and printed its message.
        let _ = thread.join();
    }
}

impl Observer for Screen {
    fn on_generation(&mut self, report: &GenerationReport<'_>) -> ControlFlow<()> {
        lock(&self.0.model).add(Frame::from(report), report.board, Some(report.elapsed));
        self.0.has_frame.store(true, Ordering::Relaxed);
        ControlFlow::Continue(())
    }

    fn on_warning(&mut self, message: &str) {
        lock(&self.0.model).remark = Some(format!("warning: {message}"));
    }

    fn wants_distinct(&self) -> bool {
        true
    }
}

impl Shared {
    fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    /// Draws frames until all runs are over and a key is pressed, or an interrupt.
    fn show(&self, mut guard: TerminalGuard) {
        let is_shown = || {
            !self.is_over() || (self.has_frame.load(Ordering::Relaxed) && !INTERRUPT.is_requested())
        };
        // If the terminal fails, the screen ends and the run continues.
        while is_shown() && self.tick(&mut guard).is_ok_and(|ended| ended.is_continue()) {}
    }

    /// Draws a frame, and carries out commands until the next frame is due.
    fn tick(&self, guard: &mut TerminalGuard) -> io::Result<ControlFlow<()>> {
        let model = {
            let mut model = lock(&self.model);
            let drawn = model.clone();
            model.note_drawn();
            drawn
        };
        let speed = self.throttle.speed();
        guard.layout.speed = speed.to_string();
        guard.layout.state = self.state(&model, speed);
        guard.layout.is_over = self.is_over();
        guard.draw(&model)?;
        let due = Instant::now() + TICK;
        while let Some(Event::Key(key)) = next_event(due.saturating_duration_since(Instant::now()))?
        {
            let ended = match KeyCommand::of(key, guard.layout.is_scrollable()) {
                Some(command) => self.apply(guard, command)?,
                None if self.is_over() && key.is_press() => ControlFlow::Break(()),
                None => continue,
            };
            if ended.is_break() {
                return Ok(ended);
            }
            if self.is_over() || due <= Instant::now() {
                break;
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// The state of the run in words.
    fn state(&self, model: &ViewModel, speed: Speed) -> String {
        let state = match self.is_over() {
            true if model.list.is_some() => return "all done".to_owned(),
            true if model.frame.as_ref().is_some_and(|frame| frame.best_so_far == 0) => "solved",
            true => "ended",
            false if INTERRUPT.is_requested() => "ending",
            false if speed.paused => "paused",
            false => "running",
        };
        match &model.frame {
            Some(frame) => format!("{state}, generation {}", frame.generation),
            None => state.to_owned(),
        }
    }

    fn apply(&self, guard: &mut TerminalGuard, command: KeyCommand) -> io::Result<ControlFlow<()>> {
        let throttle = &self.throttle;
        match command {
            KeyCommand::Quit if self.is_over() => return Ok(ControlFlow::Break(())),
            KeyCommand::Quit if INTERRUPT.is_requested() => {
                terminal::restore();
                process::exit(Exit::Interrupted as i32);
            }
            KeyCommand::Quit => INTERRUPT.request(),
            KeyCommand::Pause => throttle.change(|speed| speed.paused = !speed.paused),
            KeyCommand::Next => throttle.step(),
            KeyCommand::Faster => throttle.change(Speed::faster),
            KeyCommand::Slower => throttle.change(Speed::slower),
            other => guard.apply(other)?,
        }
        Ok(ControlFlow::Continue(()))
    }
}
