//! The terminal while a screen is shown: taken over, and restored however the program ends.
//!
//! The screen is drawn on stderr, like progress bars: stdout is for solutions, and may be a file or a pipe.
//! There is one terminal, so its state is global: a panic, a second interrupt and the end of a run all call
//! [`restore`]. A signal that ends the process, such as SIGQUIT or the SIGSEGV of a driver, has less done for it:
//!
//! ```text
//! signal -> handler: leaves the screen, sets the modes before it
//!        -> a fault: it comes again, to the handler before this one
//!        -> a signal that was sent: it is raised again, to end the process
//! ```

use std::env;
use std::io::{self, BufWriter, IsTerminal, Stderr};
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, Once, OnceLock};
use std::thread;
use std::time::Duration;

use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::{Hide, Show};
use ratatui::crossterm::terminal::{
    BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate, EnterAlternateScreen,
    LeaveAlternateScreen, disable_raw_mode, enable_raw_mode, size,
};
use ratatui::crossterm::{execute, queue};
use ratatui::layout::Rect;
use ratatui::{Terminal, TerminalOptions, Viewport};

use super::keys::KeyCommand;
use super::layout::ScreenLayout;
use super::view_model::ViewModel;
use crate::cli::output::{defer_output, is_stderr_colored, release_output};
use crate::util::lock;

/// The least columns and lines of a screen.
const LEAST: (u16, u16) = (20, 6);
/// The most that are drawn: a terminal may say that it has 32,767 of each, and each cell takes memory.
const MOST: (u16, u16) = (1_000, 300);
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
    /// The part of the terminal that is drawn.
    area: Rect,
    pub layout: ScreenLayout,
}

/// A drawer that knows of no frame. `Terminal::clear` instead would ask the terminal for the position of the
/// cursor, and wait for an answer that may not come.
fn blank(area: Rect) -> io::Result<Drawer> {
    let backend = CrosstermBackend::new(BufWriter::with_capacity(FRAME, io::stderr()));
    Terminal::with_options(backend, TerminalOptions { viewport: Viewport::Fixed(area) })
}

/// The part of the terminal that is drawn.
fn area() -> io::Result<Rect> {
    let (columns, lines) = size()?;
    Ok(Rect::new(0, 0, columns.min(MOST.0), lines.min(MOST.1)))
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
        let area = area()?;
        let guard = Self { terminal: blank(area)?, area, layout };
        #[cfg(unix)]
        signals::catch();
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
            if area()? != self.area {
                self.redraw()?;
            }
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
        self.area = area()?;
        self.terminal = blank(self.area)?;
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

/// The signals that end a process without a chance to [`restore`] the terminal.
#[cfg(unix)]
mod signals {
    use libc::{c_int, c_void, sigaction, siginfo_t};
    use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};

    use super::*;

    const SIGNALS: [c_int; 15] = {
        use libc::*;
        [
            SIGABRT, SIGALRM, SIGBUS, SIGFPE, SIGILL, SIGIO, SIGPROF, SIGQUIT, SIGSEGV, SIGSYS,
            SIGTRAP, SIGUSR1, SIGUSR2, SIGVTALRM, SIGXCPU,
        ]
    };

    /// The handler of each before the screen, and the modes of the terminal.
    static BEFORE: [OnceLock<sigaction>; SIGNALS.len()] =
        [const { OnceLock::new() }; SIGNALS.len()];
    static MODES: OnceLock<Termios> = OnceLock::new();

    /// Installs the handlers, unless they are.
    pub fn catch() {
        if let Ok(modes) = tcgetattr(io::stderr()) {
            let _ = MODES.set(modes);
        }
        for (signal, before) in SIGNALS.into_iter().zip(&BEFORE) {
            before.get_or_init(|| install(signal));
        }
    }

    #[expect(unsafe_code, reason = "the standard library handles no signals")]
    fn install(signal: c_int) -> sigaction {
        // SAFETY: a zeroed action is valid, and the handler calls what may be called by one.
        unsafe {
            let (mut action, mut before): (sigaction, sigaction) =
                (std::mem::zeroed(), std::mem::zeroed());
            action.sa_sigaction = handle as *const () as usize;
            // After an overflow there is only the other stack.
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            sigaction(signal, &action, &mut before);
            before
        }
    }

    #[expect(unsafe_code, reason = "the standard library handles no signals")]
    extern "C" fn handle(signal: c_int, info: *mut siginfo_t, _: *mut c_void) {
        if TAKEN.swap(false, Ordering::SeqCst) {
            let _ = rustix::io::write(io::stderr(), b"\x1b[?2026l\x1b[?1049l\x1b[?25h");
            if let Some(modes) = MODES.get() {
                let _ = tcsetattr(io::stderr(), OptionalActions::Now, modes);
            }
        }
        let before = SIGNALS.iter().zip(&BEFORE).find(|(known, _)| **known == signal);
        // SAFETY: these may be called by a handler, and the system passes a valid `info`.
        unsafe {
            match before.and_then(|(_, before)| before.get()) {
                // A fault comes again by itself, and with its place.
                Some(before) if (*info).si_code > 0 => {
                    sigaction(signal, before, std::ptr::null_mut());
                }
                _ => {
                    libc::signal(signal, libc::SIG_DFL);
                    libc::raise(signal);
                }
            }
        }
    }
}
