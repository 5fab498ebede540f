//! The terminal while a screen is shown: taken over, and restored however the program ends.
//!
//! The screen is drawn on stderr, like progress bars: stdout is for solutions, and may be a file or a pipe.
//! There is one terminal, so its state is global: a panic, a second interrupt and the end of a run all call
//! [`restore`].

use std::env;
use std::io::{self, BufWriter, IsTerminal, Stderr};
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, Once};
use std::thread;
use std::time::Duration;

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::{Hide, Show};
use ratatui::crossterm::terminal::{
    BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate, EnterAlternateScreen,
    LeaveAlternateScreen, disable_raw_mode, enable_raw_mode, size,
};
use ratatui::crossterm::{execute, queue};

use super::keys::KeyCommand;
use super::layout::ScreenLayout;
use super::view_model::ViewModel;
use crate::cli::output::{defer_output, is_stderr_colored, release_output};
use crate::util::lock;

/// The least columns and lines of a screen.
const LEAST: (u16, u16) = (20, 6);
/// Bytes that are written at once.
const FRAME: usize = 1 << 16;
/// The time between two looks whether a frame is complete, and their number.
const LOOK: Duration = Duration::from_millis(10);
const LOOKS: usize = 20;

/// Whether the terminal is taken over.
static TAKEN: AtomicBool = AtomicBool::new(false);
/// Locked while a frame is drawn, so that nothing is drawn once the terminal is restored.
static DRAWING: Mutex<()> = Mutex::new(());

/// Whether stderr is a terminal that can show a screen.
pub fn is_fit() -> bool {
    let dumb = env::var_os("TERM").is_some_and(|term| term == "dumb" || term.is_empty());
    let fits = |(columns, lines)| columns >= LEAST.0 && lines >= LEAST.1;
    !dumb && io::stderr().is_terminal() && size().is_ok_and(fits)
}

/// Draws the cells that differ from the last frame.
type Drawer = Terminal<CrosstermBackend<BufWriter<Stderr>>>;

/// A terminal that is taken over, and the layout of its screen.
pub struct TerminalGuard {
    terminal: Drawer,
    pub layout: ScreenLayout,
}

/// A drawer that knows of no frame. `Terminal::clear` instead would ask the terminal for the position of the
/// cursor, and wait for an answer that may not come.
fn blank() -> io::Result<Drawer> {
    Terminal::new(CrosstermBackend::new(BufWriter::with_capacity(FRAME, io::stderr())))
}

impl TerminalGuard {
    /// Takes the terminal over for a screen with these keys.
    ///
    /// # Errors
    /// The error of the system; the terminal is then unchanged.
    pub fn enter(keys: &'static str) -> io::Result<Self> {
        static HOOK: Once = Once::new();
        HOOK.call_once(|| {
            let before = panic::take_hook();
            panic::set_hook(Box::new(move |panic| {
                restore();
                before(panic);
            }));
        });
        let layout = ScreenLayout { keys, plain: !is_stderr_colored(), ..ScreenLayout::default() };
        let guard = Self { terminal: blank()?, layout };
        take()?;
        Ok(guard)
    }

    /// Draws a frame, at once where the terminal can, unless the terminal is restored.
    ///
    /// # Errors
    /// The error of the system.
    pub fn draw(&mut self, model: &ViewModel) -> io::Result<()> {
        let _drawing = lock(&DRAWING);
        if TAKEN.load(Ordering::SeqCst) {
            queue!(self.terminal.backend_mut(), BeginSynchronizedUpdate)?;
            let drawn = self.terminal.draw(|canvas| self.layout.draw(canvas, model)).map(|_| ());
            execute!(self.terminal.backend_mut(), EndSynchronizedUpdate)?;
            drawn?;
        }
        Ok(())
    }

    /// Carries out a command that every screen has.
    ///
    /// # Errors
    /// The error of the system.
    pub fn apply(&mut self, command: KeyCommand) -> io::Result<()> {
        match command {
            // Stops the program and all that it is piped to.
            #[cfg(unix)]
            KeyCommand::Suspend => {
                restore();
                // If it cannot be stopped it continues.
                let _ = rustix::process::kill_current_process_group(rustix::process::Signal::TSTP);
                take()?;
                self.redraw()
            }
            KeyCommand::Redraw => self.redraw(),
            other => {
                self.layout.apply(other);
                Ok(())
            }
        }
    }

    /// Draws all cells again in the next frame.
    fn redraw(&mut self) -> io::Result<()> {
        execute!(io::stderr(), Clear(ClearType::All))?;
        self.terminal = blank()?;
        Ok(())
    }
}

impl Drop for TerminalGuard {
    fn drop(&mut self) {
        restore();
    }
}

fn take() -> io::Result<()> {
    enable_raw_mode()?;
    if let Err(error) = execute!(io::stderr(), EnterAlternateScreen, Hide) {
        let _ = disable_raw_mode();
        return Err(error);
    }
    defer_output();
    TAKEN.store(true, Ordering::SeqCst);
    Ok(())
}

/// Restores the terminal, if it is taken over, and writes the deferred text.
pub fn restore() {
    if !TAKEN.swap(false, Ordering::SeqCst) {
        return;
    }
    // A thread that panicked while drawing holds the lock: the wait has an end.
    let free = || DRAWING.try_lock().is_ok();
    (0..LOOKS).take_while(|_| !free()).for_each(|_| thread::sleep(LOOK));
    // An error has no place where it could be reported.
    let _ = execute!(io::stderr(), EndSynchronizedUpdate, LeaveAlternateScreen, Show);
    let _ = disable_raw_mode();
    release_output();
}
