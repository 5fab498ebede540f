//! The terminal while a screen is shown: taken over, and given back whatever happens.
//!
//! The screen is drawn on stderr, where progress is drawn too: stdout is for solutions, and may go
//! elsewhere. There is one terminal, and so one state of it: whoever ends the program (a panic, a
//! second interrupt, the end of a run) gives it back with [`restore`].

use std::env;
use std::io::{self, BufWriter, IsTerminal, Stderr};
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, Once, PoisonError};
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

use super::layout::ScreenLayout;
use super::view_model::ViewModel;
use crate::cli::deferred_output;

/// Columns and lines that a screen takes at least.
const LEAST: (u16, u16) = (20, 6);
/// Bytes that are written at once.
const FRAME: usize = 1 << 16;
/// How long, and how often, a frame that is being drawn is waited for.
const LOOK: Duration = Duration::from_millis(10);
const LOOKS: usize = 20;

/// Whether the terminal is taken over.
static TAKEN: AtomicBool = AtomicBool::new(false);
/// Held by who draws, so that nothing is drawn once the terminal is given back.
static DRAWING: Mutex<()> = Mutex::new(());

/// Whether there is a terminal that can show a screen.
pub fn is_fit() -> bool {
    let dumb = env::var_os("TERM").is_some_and(|term| term == "dumb" || term.is_empty());
    let fits = |(columns, lines)| columns >= LEAST.0 && lines >= LEAST.1;
    !dumb && io::stderr().is_terminal() && size().is_ok_and(fits)
}

/// Draws on stderr what is another than before.
type Drawer = Terminal<CrosstermBackend<BufWriter<Stderr>>>;

/// A terminal that is taken over.
pub struct TerminalGuard {
    terminal: Drawer,
}

/// A terminal on which nothing stands yet. Its own way to forget what it drew would ask the terminal
/// where the cursor is, and wait for an answer that may not come.
fn blank() -> io::Result<Drawer> {
    Terminal::new(CrosstermBackend::new(BufWriter::with_capacity(FRAME, io::stderr())))
}

impl TerminalGuard {
    /// Takes the terminal over.
    ///
    /// # Errors
    /// What the system says; the terminal is then as it was.
    pub fn enter() -> io::Result<Self> {
        static HOOK: Once = Once::new();
        HOOK.call_once(|| {
            let before = panic::take_hook();
            panic::set_hook(Box::new(move |panic| {
                restore();
                before(panic);
            }));
        });
        let stage = Self { terminal: blank()? };
        take()?;
        Ok(stage)
    }

    /// Draws a frame, which a terminal that can shows at once, unless it was given back meanwhile.
    ///
    /// # Errors
    /// What the system says.
    pub fn draw(&mut self, scene: &ViewModel, view: &mut ScreenLayout) -> io::Result<()> {
        let _drawing = DRAWING.lock().unwrap_or_else(PoisonError::into_inner);
        if TAKEN.load(Ordering::SeqCst) {
            queue!(self.terminal.backend_mut(), BeginSynchronizedUpdate)?;
            let drawn = self.terminal.draw(|canvas| view.draw(canvas, scene)).map(|_| ());
            execute!(self.terminal.backend_mut(), EndSynchronizedUpdate)?;
            drawn?;
        }
        Ok(())
    }

    /// Forgets what was drawn, so that all of it is drawn anew.
    ///
    /// # Errors
    /// What the system says.
    pub fn redraw(&mut self) -> io::Result<()> {
        execute!(io::stderr(), Clear(ClearType::All))?;
        self.terminal = blank()?;
        Ok(())
    }

    /// Gives the terminal back for as long as something is done, and draws all anew afterwards.
    ///
    /// # Errors
    /// What the system says.
    pub fn aside(&mut self, act: impl FnOnce()) -> io::Result<()> {
        restore();
        act();
        take()?;
        self.redraw()
    }

    /// Stops the program and all that it is piped to, as Ctrl-Z does elsewhere.
    ///
    /// # Errors
    /// What the system says.
    #[cfg(unix)]
    pub fn suspend(&mut self) -> io::Result<()> {
        self.aside(|| {
            // Where it cannot be stopped it goes on.
            let _ = rustix::process::kill_current_process_group(rustix::process::Signal::TSTP);
        })
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
    deferred_output::hold();
    TAKEN.store(true, Ordering::SeqCst);
    Ok(())
}

/// Gives the terminal back, if it was taken, and writes what was said meanwhile.
pub fn restore() {
    if !TAKEN.swap(false, Ordering::SeqCst) {
        return;
    }
    // Whoever panics while drawing holds the lock: then nobody waits for it for long.
    let free = || DRAWING.try_lock().is_ok();
    (0..LOOKS).take_while(|_| !free()).for_each(|_| thread::sleep(LOOK));
    // Nobody is left to be told of what fails here.
    let _ = execute!(io::stderr(), EndSynchronizedUpdate, LeaveAlternateScreen, Show);
    let _ = disable_raw_mode();
    deferred_output::release();
}
