//! The screen of a run under way: a thread that draws and reads keys, and who feeds it.
//!
//! A generation may take minutes, so that keys are heeded by a thread of their own. The run leaves
//! each generation in the scene and goes on; frames are drawn a few times a second, however many
//! generations there are.

use std::io;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use ratatui::crossterm::event::Event;

use super::input;
use super::keys::{self, KeyCommand, wish};
use super::layout::ScreenLayout;
use super::puzzle_list::{PuzzleList, PuzzleStatus};
use super::rate_meter::RateMeter;
use super::terminal::{self, TerminalGuard};
use super::throttle::{Speed, Throttle};
use super::view_model::{RunTitle, ViewModel};
use crate::cli::{Exit, deferred_output};
use crate::ga::{GenerationReport, Observer};
use crate::report::Frame;
use crate::util::interrupt::INTERRUPT;

/// Time from one frame to the next.
const TICK: Duration = Duration::from_millis(66);
/// How often, and after the user's wish to end how long, the last frame is waited for.
const LOOK: Duration = Duration::from_millis(10);
const GRACE: Duration = Duration::from_secs(2);

/// The screen of a command that runs.
#[derive(Clone)]
pub struct Screen(Arc<Shared>);

struct Shared {
    scene: Mutex<(ViewModel, RateMeter)>,
    pace: Arc<Throttle>,
    /// Whether there was any generation, and whether there is nothing more to come.
    told: AtomicBool,
    over: AtomicBool,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Screen {
    /// Takes the terminal over, where it is one that can show a screen. With a `list` there is a
    /// pane for it.
    ///
    /// # Errors
    /// What the system says.
    pub fn open(pace: Arc<Throttle>, list: bool) -> io::Result<Self> {
        let stage = TerminalGuard::enter()?;
        let scene = ViewModel::new(list.then(|| PuzzleList::of(None)));
        let scene = Mutex::new((scene, RateMeter::new()));
        let [told, over] = [false; 2].map(AtomicBool::new);
        let shared = Arc::new(Shared { scene, pace, told, over, thread: Mutex::default() });
        let viewer = Viewer { shared: shared.clone(), view: ScreenLayout::of_terminal(keys::LIVE) };
        let thread = thread::Builder::new().name("screen".to_owned());
        let thread = thread.spawn(move || viewer.show(stage))?;
        *shared.thread.lock().unwrap_or_else(PoisonError::into_inner) = Some(thread);
        Ok(Self(shared))
    }

    /// Another run begins.
    pub fn begin(&self, title: RunTitle) {
        let mut scene = self.0.scene();
        scene.0.begin(title);
        scene.1 = RateMeter::new();
    }

    /// A puzzle of the list is done.
    pub fn done(&self, name: &str, verdict: PuzzleStatus) {
        if let Some(queue) = &mut self.0.scene().0.queue {
            queue.done(name, verdict);
        }
    }

    /// How many puzzles the list has.
    pub fn count(&self, total: u64) {
        if let Some(queue) = &mut self.0.scene().0.queue {
            queue.total = Some(total);
        }
    }

    /// All runs have ended: leaves the last frame, if there is any, until a key is pressed, and
    /// gives the terminal back.
    pub fn finish(&self) {
        if let Some(queue) = &mut self.0.scene().0.queue
            && !INTERRUPT.asked()
        {
            queue.end();
        }
        self.0.over.store(true, Ordering::Relaxed);
        let thread = self.0.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(thread) = thread else { return };
        let mut asked = None;
        while !thread.is_finished() {
            if INTERRUPT.asked() && asked.get_or_insert_with(Instant::now).elapsed() > GRACE {
                // It reads of a terminal that hung up.
                return terminal::restore();
            }
            thread::sleep(LOOK);
        }
        // One that panicked has given the terminal back, and said why.
        let _ = thread.join();
    }
}

impl Observer for Screen {
    fn generation(&mut self, report: &GenerationReport<'_>) -> ControlFlow<()> {
        let (scene, meter) = &mut *self.0.scene();
        meter.note(report);
        scene.take(Frame::from(report), report.board);
        self.0.told.store(true, Ordering::Relaxed);
        ControlFlow::Continue(())
    }

    fn warning(&mut self, message: &str) {
        self.0.scene().0.remark = Some(format!("warning: {message}"));
    }

    fn wants_distinct(&self) -> bool {
        true
    }
}

impl Shared {
    /// Nothing that panics is done under the lock.
    fn scene(&self) -> MutexGuard<'_, (ViewModel, RateMeter)> {
        self.scene.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Draws, and heeds keys.
struct Viewer {
    shared: Arc<Shared>,
    view: ScreenLayout,
}

impl Viewer {
    /// Until all is over and a key is pressed, or everything is to end.
    fn show(mut self, mut stage: TerminalGuard) {
        while self.is_wanted() {
            // A terminal that fails has nobody before it; the run goes on.
            match self.tick(&mut stage) {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) | Err(_) => break,
            }
        }
    }

    /// Whether something is to come, or the last frame is to be looked at.
    fn is_wanted(&self) -> bool {
        let told = self.shared.told.load(Ordering::Relaxed);
        !self.is_over() || (told && !INTERRUPT.asked())
    }

    fn is_over(&self) -> bool {
        self.shared.over.load(Ordering::Relaxed)
    }

    /// Draws a frame, and heeds the keys until the next.
    fn tick(&mut self, stage: &mut TerminalGuard) -> io::Result<ControlFlow<()>> {
        if deferred_output::is_much() {
            stage.aside(|| ())?;
        }
        let scene = {
            let (scene, meter) = &mut *self.shared.scene();
            scene.pulse = scene.frame.is_some().then(|| meter.pulse(self.is_over()));
            let shown = scene.clone();
            scene.look();
            shown
        };
        let speed = self.shared.pace.speed();
        self.view.speed = speed.text();
        self.view.state = self.state(&scene, speed);
        stage.draw(&scene, &mut self.view)?;
        let due = Instant::now() + TICK;
        while let Some(typed) = input::next(due.saturating_duration_since(Instant::now()))? {
            let Event::Key(key) = typed else { break };
            let Some(wish) = wish(key, self.view.is_scrolled()) else {
                if self.is_over() && key.is_press() {
                    return Ok(ControlFlow::Break(()));
                }
                continue;
            };
            if self.heed(stage, wish)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
            if self.is_over() || due <= Instant::now() {
                break;
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// What goes on.
    fn state(&self, scene: &ViewModel, speed: Speed) -> String {
        let solved = scene.frame.as_ref().is_some_and(|frame| frame.best_so_far == 0);
        let what = match (self.is_over(), solved) {
            (true, _) if scene.queue.is_some() => return "all done".to_owned(),
            (true, true) => "solved",
            (true, false) => "ended",
            _ if INTERRUPT.asked() => "ending",
            _ if speed.paused => "paused",
            _ => "running",
        };
        match &scene.frame {
            Some(frame) => format!("{what}, generation {}", frame.generation),
            None => what.to_owned(),
        }
    }

    fn heed(&mut self, stage: &mut TerminalGuard, wish: KeyCommand) -> io::Result<ControlFlow<()>> {
        let pace = &self.shared.pace;
        match wish {
            KeyCommand::Quit if self.is_over() => return Ok(ControlFlow::Break(())),
            KeyCommand::Quit if INTERRUPT.asked() => {
                terminal::restore();
                std::process::exit(Exit::Interrupted as i32);
            }
            KeyCommand::Quit => INTERRUPT.ask(),
            #[cfg(unix)]
            KeyCommand::Suspend => stage.suspend()?,
            KeyCommand::Pause => pace.change(|speed| speed.paused = !speed.paused),
            KeyCommand::Next => pace.step(),
            KeyCommand::Faster => pace.change(Speed::faster),
            KeyCommand::Slower => pace.change(Speed::slower),
            KeyCommand::Redraw => stage.redraw()?,
            other => self.view.heed(other),
        }
        Ok(ControlFlow::Continue(()))
    }
}
