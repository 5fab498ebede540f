//! A recording, shown generation by generation, forwards and backwards.

use std::io;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use ratatui::crossterm::event::Event;

use super::keys::{self, KeyCommand, next_event};
use super::layout::ScreenLayout;
use super::svg::picture;
use super::terminal::TerminalGuard;
use super::throttle::Speed;
use super::view_model::{PuzzleList, PuzzleStatus, RunTitle, ViewModel};
use crate::report::{RecordedRun, RecordingFile};
use crate::util::interrupt::INTERRUPT;

/// The longest wait for a key before the interrupt is polled.
const LOOK: Duration = Duration::from_millis(100);

/// A recording at one of its generations.
pub struct Player {
    recording: RecordingFile,
    run: usize,
    /// The frame in the run.
    frame: usize,
    board: Vec<u8>,
    model: ViewModel,
}

impl Player {
    /// A recording at its first generation.
    pub fn new(recording: RecordingFile) -> Self {
        let (board, model) = (Vec::new(), ViewModel::default());
        let mut player = Self { recording, run: 0, frame: 0, board, model };
        player.seek(0, 0);
        player
    }

    /// The runs of the recording.
    pub fn runs(&self) -> &[RecordedRun] {
        &self.recording.runs
    }

    /// Goes to a frame of a run, or to its last one.
    pub fn seek(&mut self, run: usize, frame: usize) {
        let Some(found) = self.recording.runs.get(run) else { return };
        let last = frame.min(found.frames.len().saturating_sub(1));
        self.board.clone_from(&found.puzzle.givens);
        let (facts, puzzle) = (&found.facts, found.puzzle.clone());
        let (preset, population, seed) = (facts.preset, facts.population, facts.seed);
        self.model.begin(RunTitle { puzzle, preset, population, seed, engine: None });
        self.run = run;
        self.model.list = self.list();
        let remark = |line| format!("the recording is damaged from line {line} on");
        self.model.remark = self.recording.torn.map(remark);
        (0..=last).for_each(|frame| self.add(frame));
    }

    /// Adds the next frame of the run.
    fn add(&mut self, frame: usize) {
        let found = self.recording.runs.get(self.run).and_then(|run| run.frames.get(frame));
        let Some(recorded) = found else { return };
        recorded.apply(&mut self.board);
        self.model.add(recorded.frame.clone(), &self.board, None);
        self.frame = frame;
        self.model.note_drawn();
    }

    /// Goes to the next generation; false at the last one.
    fn next(&mut self) -> bool {
        if self.frame + 1 < self.runs()[self.run].frames.len() {
            self.add(self.frame + 1);
        } else if self.run + 1 < self.runs().len() {
            self.seek(self.run + 1, 0);
        } else {
            return false;
        }
        true
    }

    /// Goes to the generation before.
    fn previous(&mut self) {
        match self.frame.checked_sub(1) {
            Some(frame) => self.seek(self.run, frame),
            None if self.run > 0 => self.seek(self.run - 1, usize::MAX),
            None => {}
        }
    }

    /// The runs before this one, if there are several.
    fn list(&self) -> Option<PuzzleList> {
        let runs = self.runs();
        let total = Some(runs.len() as u64);
        let mut list = PuzzleList { total, ..PuzzleList::default() };
        for run in &runs[..self.run] {
            let solved = run.end.as_ref().is_some_and(|end| end.fitness == 0);
            let status = if solved { PuzzleStatus::Solved } else { PuzzleStatus::Unsolved };
            list.push(&run.facts.name, status);
        }
        (runs.len() > 1).then_some(list)
    }

    /// The screen as SVG, with so many columns and lines.
    pub fn picture(&self, most: f64, columns: u16, lines: u16) -> String {
        let speed = Speed { most: Some(most), paused: false };
        let (keys, state) = (keys::RECORDED, self.state(speed));
        let mut layout =
            ScreenLayout { keys, speed: speed.to_string(), state, ..ScreenLayout::default() };
        picture(&self.model, &mut layout, columns, lines)
    }

    /// Plays the recording on the terminal until the viewer quits.
    ///
    /// # Errors
    /// The error of the system.
    pub fn show(mut self, most: f64) -> io::Result<()> {
        let mut guard = TerminalGuard::enter(keys::RECORDED)?;
        let mut speed = Speed { most: Some(most), paused: false };
        let mut due = Instant::now() + speed.interval();
        while !INTERRUPT.is_requested() {
            guard.layout.speed = speed.to_string();
            guard.layout.state = self.state(speed);
            guard.draw(&self.model)?;
            let left = due.saturating_duration_since(Instant::now());
            let wait = if speed.paused { LOOK } else { left.min(LOOK) };
            match next_event(wait)? {
                Some(Event::Key(key)) => {
                    if let Some(command) = KeyCommand::of(key, guard.layout.is_scrollable())
                        && self.apply(&mut guard, &mut speed, command)?.is_break()
                    {
                        break;
                    }
                }
                None if !speed.paused && Instant::now() >= due => {
                    speed.paused = !self.next();
                    due = Instant::now() + speed.interval();
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn state(&self, speed: Speed) -> String {
        let run = &self.runs()[self.run];
        let (number, frames) = (self.frame + 1, run.frames.len());
        let state = match &run.end {
            Some(end) if number == frames => format!("ended: {}", end.stop_reason),
            None if number == frames => "the recording ends".to_owned(),
            _ if speed.paused => "paused".to_owned(),
            _ => "playing".to_owned(),
        };
        format!("{state}, {number} of {frames}")
    }

    fn apply(
        &mut self,
        guard: &mut TerminalGuard,
        speed: &mut Speed,
        command: KeyCommand,
    ) -> io::Result<ControlFlow<()>> {
        match command {
            KeyCommand::Quit => return Ok(ControlFlow::Break(())),
            KeyCommand::Pause => speed.paused = !speed.paused,
            KeyCommand::Faster => speed.faster(),
            KeyCommand::Slower => speed.slower(),
            KeyCommand::Next => drop(self.next()),
            KeyCommand::Previous => self.previous(),
            KeyCommand::First => self.seek(0, 0),
            KeyCommand::Last => self.seek(self.runs().len() - 1, usize::MAX),
            other => guard.apply(other)?,
        }
        let steps = [KeyCommand::Next, KeyCommand::Previous, KeyCommand::First, KeyCommand::Last];
        speed.paused |= steps.contains(&command);
        Ok(ControlFlow::Continue(()))
    }
}
