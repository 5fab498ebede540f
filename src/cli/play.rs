//! `evodoku play`: a run that was recorded is shown again.

use std::io::{self, IsTerminal};
use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::Args;

use super::Exit;
use super::output::{Logger, print};
use super::tui::{Player, is_fit};
use crate::cli::exit::install_interrupt_handler;
use crate::cli::value_parsers::{per_second, whole};
use crate::format::{grid, marked};
use crate::report::{Frame, OutputFile, RecordedRun, keep_apart, read_recording};
use crate::util::interrupt::INTERRUPT;
use crate::util::quantity::count;

/// Replay a run that solve --record wrote
///
/// On a terminal, the run is shown on the screen of solve --watch, forwards and backwards (press ? for the
/// keys). To a file or pipe, play prints a line for each generation that improved the best board, a line for
/// the last generation, and then the best board. Exit codes: 0, shown; 2, not a recording; 130, interrupted.
#[derive(Debug, Args)]
pub struct Play {
    /// Recording that solve --record wrote; an incomplete recording is shown up to the point where it breaks
    /// off
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Generations per second
    #[arg(long, value_name = "N", default_value = "10", value_parser = per_second)]
    slow: f64,
    /// Draw one generation of the first run as SVG instead of replaying the recording
    #[arg(long, value_name = "FILE.svg")]
    svg: Option<PathBuf>,
    /// Generation to draw (default: the last)
    #[arg(long, value_name = "N", requires = "svg", value_parser = whole::<usize>(0..=u64::MAX))]
    generation: Option<usize>,
    /// Size of the screen that --svg draws, in columns and lines
    #[arg(long, value_name = "CxL", default_value = "100x30", requires = "svg", value_parser = size)]
    size: (u16, u16),
}

/// Reads columns and lines, as in `80x24`.
fn size(text: &str) -> Result<(u16, u16), &'static str> {
    let sides = text.split_once('x').and_then(|(columns, lines)| {
        let side = |text: &str| text.parse().ok().filter(|side| (1..=500).contains(side));
        Some((side(columns)?, side(lines)?))
    });
    sides.ok_or("it takes a number of columns and of lines, each from 1 to 500, as in 80x24")
}

impl Play {
    pub fn run(self, notes: Logger) -> Result<Exit> {
        let svg = self.svg.as_deref().map(OutputFile::new).transpose()?;
        keep_apart(&svg, [self.file.as_path()])?;
        let recorded = read_recording(&self.file)?;
        let torn = recorded.torn;
        let mut player = Player::new(recorded);
        if let Some(svg) = svg {
            let last = player.runs().first().map_or(0, |run| run.frames.len().saturating_sub(1));
            let generation = self.generation.unwrap_or(last);
            ensure!(generation <= last, "{}: the last generation is {last}", self.file.display());
            player.seek(0, generation);
            let (columns, lines) = self.size;
            svg.replace(player.picture(self.slow, columns, lines).as_bytes())?;
        } else if is_fit() && io::stdout().is_terminal() {
            install_interrupt_handler()?;
            player.show(self.slow)?;
            if INTERRUPT.is_requested() {
                return Ok(Exit::Interrupted);
            }
        } else {
            if let Some(line) = torn {
                notes.say(&format!("the recording is damaged from line {line} on"));
            }
            for run in player.runs() {
                if !print(&text(run))? {
                    break;
                }
            }
        }
        Ok(Exit::Done)
    }
}

/// A run in lines: a line for each better board and for the last generation, and then the best board.
fn text(run: &RecordedRun) -> String {
    let facts = &run.facts;
    let mut text = format!(
        "# {}: {}, population {}, seed {}\n",
        facts.name,
        facts.preset,
        count(facts.population.into()),
        facts.seed
    );
    let line = |frame: &Frame| {
        let Frame { generation, restart, best, worst, .. } = frame;
        let mean = frame.sum as f64 / f64::from(facts.population.max(1));
        format!(
            "# generation {generation}, restarts {restart}, best {best}, mean {mean:.1}, worst {worst}\n"
        )
    };
    let mut board = run.puzzle.givens.clone();
    let mut best = (u16::MAX, board.clone());
    for (number, recorded) in (1..).zip(&run.frames) {
        recorded.apply(&mut board);
        let frame = &recorded.frame;
        let is_better = frame.best_so_far < best.0;
        if is_better {
            best = (frame.best_so_far, board.clone());
        }
        if is_better || number == run.frames.len() {
            text += &line(frame);
        }
    }
    if let Some(end) = &run.end {
        text += &format!("# stop reason: {}, fitness {}\n", end.stop_reason, end.fitness);
    }
    let (geometry, (fitness, board)) = (run.puzzle.geometry, &best);
    text + &match fitness {
        0 => grid(geometry, board),
        _ => marked(geometry, board, None),
    }
}
