//! A recording, looked at generation by generation, forwards and backwards.

use std::io;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use ratatui::crossterm::event::Event;

use super::input;
use super::keys::{self, KeyCommand, wish};
use super::layout::ScreenLayout;
use super::puzzle_list::{PuzzleList, PuzzleStatus};
use super::svg::picture;
use super::terminal::TerminalGuard;
use super::throttle::Speed;
use super::view_model::{RunTitle, ViewModel};
use crate::report::{RecordedRun, RecordingFile};
use crate::util::interrupt::INTERRUPT;

/// How long a wait for a key goes on until it is looked whether the user wants the end.
const LOOK: Duration = Duration::from_millis(100);

/// A recording and the generation of it that is looked at.
pub struct Player {
    recorded: RecordingFile,
    run: usize,
    /// The frame in the run.
    frame: usize,
    board: Vec<u8>,
    pub scene: ViewModel,
}

impl Player {
    /// At the first generation of a recording, which has one.
    pub fn new(recorded: RecordingFile) -> Self {
        let (board, scene) = (Vec::new(), ViewModel::default());
        let mut player = Self { recorded, run: 0, frame: 0, board, scene };
        player.go(0, 0);
        player
    }

    /// Runs of the recording.
    pub fn runs(&self) -> &[RecordedRun] {
        &self.recorded.runs
    }

    /// Goes to a frame of a run, or to its last one.
    pub fn go(&mut self, run: usize, frame: usize) {
        let Some(found) = self.recorded.runs.get(run) else { return };
        let last = frame.min(found.frames.len().saturating_sub(1));
        self.board.clone_from(&found.puzzle.givens);
        self.scene.begin(RunTitle::recorded(&found.facts, &found.puzzle));
        (self.run, self.frame) = (run, 0);
        self.scene.queue = self.queue();
        self.scene.remark = self
            .recorded
            .torn
            .map(|line| format!("the recording cannot be read from line {line} on"));
        self.take(0);
        (1..=last).for_each(|frame| self.take(frame));
    }

    /// Takes in the next frame of the run.
    fn take(&mut self, frame: usize) {
        let found = self.recorded.runs.get(self.run).and_then(|run| run.frames.get(frame));
        let Some(recorded) = found else { return };
        recorded.apply(&mut self.board);
        self.scene.take(recorded.frame.clone(), &self.board);
        self.scene.look();
        self.frame = frame;
    }

    /// Goes on to the next generation; false at the last one.
    pub fn next(&mut self) -> bool {
        let frames = self.recorded.runs.get(self.run).map_or(0, |run| run.frames.len());
        if self.frame + 1 < frames {
            self.take(self.frame + 1);
        } else if self.run + 1 < self.recorded.runs.len() {
            self.go(self.run + 1, 0);
        } else {
            return false;
        }
        true
    }

    /// Goes back to the generation before.
    pub fn previous(&mut self) {
        match self.frame.checked_sub(1) {
            Some(frame) => self.go(self.run, frame),
            None if self.run > 0 => self.go(self.run - 1, usize::MAX),
            None => {}
        }
    }

    /// The runs before this one, where there are several.
    fn queue(&self) -> Option<PuzzleList> {
        let runs = &self.recorded.runs;
        if runs.len() < 2 {
            return None;
        }
        let mut queue = PuzzleList::of(Some(runs.len() as u64));
        for run in &runs[..self.run] {
            let solved = run.end.as_ref().is_some_and(|end| end.fitness == 0);
            let verdict = if solved { PuzzleStatus::Solved } else { PuzzleStatus::Unsolved };
            queue.done(&run.facts.name, verdict);
        }
        Some(queue)
    }

    /// The screen as SVG, with so many columns and lines.
    pub fn picture(&self, most: f64, columns: u16, lines: u16) -> String {
        let speed = Speed { most: Some(most), paused: false };
        let (speed, state) = (speed.text(), self.state(speed));
        let mut view =
            ScreenLayout { keys: keys::RECORDED, speed, state, ..ScreenLayout::default() };
        picture(&self.scene, &mut view, columns, lines)
    }

    /// Plays it on the terminal until the viewer has seen enough.
    ///
    /// # Errors
    /// What the system says.
    pub fn show(mut self, most: f64) -> io::Result<()> {
        let mut stage = TerminalGuard::enter()?;
        let mut speed = Speed { most: Some(most), paused: false };
        let mut view = ScreenLayout::of_terminal(keys::RECORDED);
        let mut due = Instant::now() + speed.interval();
        while !INTERRUPT.asked() {
            view.speed = speed.text();
            view.state = self.state(speed);
            stage.draw(&self.scene, &mut view)?;
            let now = Instant::now();
            let wait = if speed.paused { LOOK } else { due.saturating_duration_since(now) };
            if let Some(typed) = input::next(wait.min(LOOK))? {
                if let Event::Key(key) = typed
                    && let Some(wish) = wish(key, view.is_scrolled())
                    && self.heed(&mut stage, &mut view, &mut speed, wish)?.is_break()
                {
                    break;
                }
            } else if !speed.paused && Instant::now() >= due {
                speed.paused = !self.next();
                due = Instant::now() + speed.interval();
            }
        }
        Ok(())
    }

    fn state(&self, speed: Speed) -> String {
        let run = &self.recorded.runs[self.run];
        let (number, frames) = (self.frame + 1, run.frames.len());
        let what = match (&run.end, speed.paused) {
            (Some(end), _) if number == frames => format!("ended: {}", end.stop_reason),
            (None, _) if number == frames => "the recording ends".to_owned(),
            (_, true) => "paused".to_owned(),
            (_, false) => "playing".to_owned(),
        };
        format!("{what}, {number} of {frames}")
    }

    fn heed(
        &mut self,
        stage: &mut TerminalGuard,
        view: &mut ScreenLayout,
        speed: &mut Speed,
        wish: KeyCommand,
    ) -> io::Result<ControlFlow<()>> {
        match wish {
            KeyCommand::Quit => return Ok(ControlFlow::Break(())),
            #[cfg(unix)]
            KeyCommand::Suspend => stage.suspend()?,
            KeyCommand::Redraw => stage.redraw()?,
            KeyCommand::Pause => speed.paused = !speed.paused,
            KeyCommand::Faster => speed.faster(),
            KeyCommand::Slower => speed.slower(),
            KeyCommand::Next | KeyCommand::Previous | KeyCommand::First | KeyCommand::Last => {
                speed.paused = true;
                match wish {
                    KeyCommand::Next => drop(self.next()),
                    KeyCommand::Previous => self.previous(),
                    KeyCommand::First => self.go(0, 0),
                    _ => self.go(self.recorded.runs.len() - 1, usize::MAX),
                }
            }
            other => view.heed(other),
        }
        Ok(ControlFlow::Continue(()))
    }
}
