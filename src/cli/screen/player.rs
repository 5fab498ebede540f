//! A recording, looked at generation by generation, forwards and backwards.

use std::io;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use ratatui::crossterm::event::Event;

use super::keys::{self, Wish, wish};
use super::pace::Speed;
use super::picture::picture;
use super::queue::{Queue, Verdict};
use super::scene::{Scene, Title};
use super::terminal::Stage;
use super::typed;
use super::view::View;
use crate::interrupt::INTERRUPT;
use crate::report::{Recorded, RecordedRun};

/// How long a wait for a key goes on until it is looked whether the user wants the end.
const LOOK: Duration = Duration::from_millis(100);

/// A recording and the generation of it that is looked at.
pub struct Player {
    recorded: Recorded,
    run: usize,
    /// The frame in the run.
    frame: usize,
    board: Vec<u8>,
    pub scene: Scene,
}

impl Player {
    /// At the first generation of a recording, which has one.
    pub fn new(recorded: Recorded) -> Self {
        let (board, scene) = (Vec::new(), Scene::default());
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
        self.scene.begin(Title::recorded(&found.facts, &found.puzzle));
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
    fn queue(&self) -> Option<Queue> {
        let runs = &self.recorded.runs;
        if runs.len() < 2 {
            return None;
        }
        let mut queue = Queue::of(Some(runs.len() as u64));
        for run in &runs[..self.run] {
            let solved = run.end.as_ref().is_some_and(|end| end.fitness == 0);
            let verdict = if solved { Verdict::Solved } else { Verdict::Unsolved };
            queue.done(&run.facts.name, verdict);
        }
        Some(queue)
    }

    /// The screen as SVG, with so many columns and lines.
    pub fn picture(&self, most: f64, columns: u16, lines: u16) -> String {
        let speed = Speed { most: Some(most), paused: false };
        let (speed, state) = (speed.text(), self.state(speed));
        let mut view = View { keys: keys::RECORDED, speed, state, ..View::default() };
        picture(&self.scene, &mut view, columns, lines)
    }

    /// Plays it on the terminal until the viewer has seen enough.
    ///
    /// # Errors
    /// What the system says.
    pub fn show(mut self, most: f64) -> io::Result<()> {
        let mut stage = Stage::enter()?;
        let mut speed = Speed { most: Some(most), paused: false };
        let mut view = View::of_terminal(keys::RECORDED);
        let mut due = Instant::now() + speed.interval();
        while !INTERRUPT.asked() {
            view.speed = speed.text();
            view.state = self.state(speed);
            stage.draw(&self.scene, &mut view)?;
            let now = Instant::now();
            let wait = if speed.paused { LOOK } else { due.saturating_duration_since(now) };
            if let Some(typed) = typed::next(wait.min(LOOK))? {
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
        stage: &mut Stage,
        view: &mut View,
        speed: &mut Speed,
        wish: Wish,
    ) -> io::Result<ControlFlow<()>> {
        match wish {
            Wish::Quit => return Ok(ControlFlow::Break(())),
            #[cfg(unix)]
            Wish::Suspend => stage.suspend()?,
            Wish::Redraw => stage.redraw()?,
            Wish::Pause => speed.paused = !speed.paused,
            Wish::Faster => speed.faster(),
            Wish::Slower => speed.slower(),
            Wish::Next | Wish::Previous | Wish::First | Wish::Last => {
                speed.paused = true;
                match wish {
                    Wish::Next => drop(self.next()),
                    Wish::Previous => self.previous(),
                    Wish::First => self.go(0, 0),
                    _ => self.go(self.recorded.runs.len() - 1, usize::MAX),
                }
            }
            other => view.heed(other),
        }
        Ok(ControlFlow::Continue(()))
    }
}
