//! The runs of a command that have ended, in a file beside its checkpoint. It only grows; each checkpoint says how
//! much of it counts:
//!
//! ```text
//! FILE.runs   title │ run │ run │ run │ run │ r
//! FILE.1            these ──────┘           │  the run that a kill tore
//! FILE              and these ──────────────┘
//! ```
//!
//! So neither memory nor the time of a checkpoint grows with a list.

use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use super::RunId;
use crate::ga::Outcome;
use crate::store::{AppendLog, FitnessHistory, LogOffset, OutputError, OutputFile, begins_with};

/// The first bytes of a file. They begin as those of a checkpoint.
const TITLE: &[u8] = b"evodoku checkpoint of runs that have ended\n";
/// Bytes of the length before each run.
const LENGTH: usize = size_of::<u32>();
/// Bytes that are not in the file yet after which a checkpoint is written, though none is due.
const MOST_PENDING: usize = 1 << 20;

/// A run that has ended.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CompletedRun {
    /// Its puzzle's place and its number.
    pub id: RunId,
    /// The [fingerprint](crate::store::fingerprint) of its puzzle.
    pub puzzle: u32,
    /// How it ended.
    pub outcome: Outcome,
    /// Its fitness by generation, where an export draws it.
    pub history: Option<FitnessHistory>,
}

/// The runs that have ended.
#[derive(Debug, Default)]
pub struct CompletedRuns {
    /// How much of the file counts; none until it is written.
    pub offset: Option<LogOffset>,
    /// Runs that are not in the file yet.
    pending: Vec<u8>,
    /// The file to which runs are appended; none after a failed write.
    log: Option<AppendLog>,
    /// The file as it was written last, or as the command resumed from it.
    earlier: Option<File>,
    /// The runs in `earlier`, in the order of their puzzles.
    places: Vec<RunPlace>,
}

/// A run in the file of a checkpoint that the command resumed from.
#[derive(Debug)]
struct RunPlace {
    id: RunId,
    puzzle: u32,
    /// The byte where its length stands.
    start: u64,
}

/// Whether there is no file beside a checkpoint, or one of runs that have ended.
pub fn are_runs_or_blank(path: &Path) -> bool {
    begins_with(path, TITLE)
}

/// The file beside a checkpoint.
pub fn runs_path(checkpoint: &Path) -> PathBuf {
    checkpoint.with_added_extension("runs")
}

impl CompletedRun {
    /// Its bytes, after their length.
    ///
    /// # Errors
    /// When it has more than 4 GiB.
    pub fn encode(&self) -> io::Result<Vec<u8>> {
        let run = postcard::to_stdvec(self).map_err(io::Error::other)?;
        let length = u32::try_from(run.len()).map_err(io::Error::other)?;
        Ok([&length.to_le_bytes()[..], &run].concat())
    }

    /// The next run, after its length, and the number of bytes of both.
    ///
    /// # Errors
    /// When the bytes end in it, or are no run.
    pub fn decode(from: &mut impl Read) -> io::Result<(Self, u64)> {
        let mut length = [0; LENGTH];
        from.read_exact(&mut length)?;
        let (length, mut bytes) = (u32::from_le_bytes(length).into(), Vec::new());
        from.take(length).read_to_end(&mut bytes)?;
        let run = postcard::from_bytes(&bytes).map_err(io::Error::other)?;
        Ok((run, LENGTH as u64 + length))
    }
}

impl CompletedRuns {
    /// Those up to an offset of the file, which is not open yet.
    pub fn until(offset: Option<LogOffset>) -> Self {
        Self { offset, ..Self::default() }
    }

    /// Where the runs of a checkpoint may be: beside what it leads to, if it is a link; those of the checkpoint before the
    /// last also beside the last.
    pub fn paths(checkpoint: &Path) -> Vec<PathBuf> {
        let checkpoint = &OutputFile::named(checkpoint).target;
        let is_before = checkpoint.extension().is_some_and(|ending| ending == "1");
        let other = is_before.then(|| runs_path(&checkpoint.with_extension("")));
        [runs_path(checkpoint)].into_iter().chain(other).collect()
    }

    /// Opens the file of a checkpoint, which may be the one before the last.
    ///
    /// # Errors
    /// When it is not as the checkpoint left it.
    pub fn open(&mut self, checkpoint: &Path) -> Result<()> {
        let Some(offset) = self.offset else { return Ok(()) };
        let paths = Self::paths(checkpoint);
        let holds = |path: &&PathBuf| AppendLog::holds(&OutputFile::named(path), offset);
        let Some(path) = paths.iter().find(holds) else {
            let there = paths.iter().find(|path| path.exists());
            let path = there.unwrap_or(&paths[paths.len() - 1]).display();
            let what = if there.is_some() { "was changed" } else { "is missing" };
            bail!("{path} {what}: it holds the finished runs of the checkpoint");
        };
        let shown = path.display();
        let file = File::open(path).with_context(|| format!("cannot read {shown}"))?;
        let mut reader = BufReader::new(&file).take(offset.bytes);
        let mut start = io::copy(&mut reader.by_ref().take(TITLE.len() as u64), &mut io::sink())?;
        while start < offset.bytes {
            let (CompletedRun { id, puzzle, .. }, bytes) = CompletedRun::decode(&mut reader)
                .with_context(|| format!("{shown} is damaged: an entry is not a run"))?;
            self.places.push(RunPlace { id, puzzle, start });
            start += bytes;
        }
        self.places.sort_unstable_by_key(|place| place.id);
        self.earlier = Some(file);
        Ok(())
    }

    /// The places of the runs that the command resumed with, and the fingerprints of their puzzles.
    pub fn puzzles(&self) -> impl ExactSizeIterator<Item = (u64, u32)> {
        self.places.iter().map(|place| (place.id.0, place.puzzle))
    }

    /// A run that the command resumed with.
    ///
    /// # Errors
    /// The error of the system.
    pub fn get(&self, id: RunId) -> io::Result<Option<CompletedRun>> {
        let place = self.places.binary_search_by_key(&id, |place| place.id);
        let (Ok(at), Some(mut file)) = (place, self.earlier.as_ref()) else { return Ok(None) };
        file.seek(SeekFrom::Start(self.places[at].start))?;
        CompletedRun::decode(&mut BufReader::new(file)).map(|(run, _)| Some(run))
    }

    /// Adds a run. Returns whether a checkpoint should be written.
    ///
    /// # Errors
    /// When it is too long for a file.
    pub fn push(&mut self, run: &CompletedRun) -> io::Result<bool> {
        self.pending.append(&mut run.encode()?);
        Ok(self.pending.len() > MOST_PENDING)
    }

    /// Whether no run waits to be written.
    pub fn is_written(&self) -> bool {
        self.pending.is_empty()
    }

    /// Puts all runs on disk, beside the checkpoint that is about to be written. A file that was removed meanwhile is
    /// written anew.
    ///
    /// # Errors
    /// The error of the system: the same runs are written next time.
    pub fn store(&mut self, checkpoint: &Path) -> Result<(), OutputError> {
        if self.pending.is_empty() && (self.offset.is_none() || self.log.is_some()) {
            return Ok(());
        }
        let path = runs_path(checkpoint);
        match self.append(&path) {
            Err(_) if !path.exists() => self.append(&path),
            appended => appended,
        }
    }

    /// Appends the runs that are not in the file yet.
    fn append(&mut self, path: &Path) -> Result<(), OutputError> {
        let (mut log, is_new) = match self.log.take() {
            Some(log) => (log, false),
            None => (self.open_log(path)?, true),
        };
        log.append(&self.pending);
        log.finish();
        match (log.offset(), log.failure()) {
            (_, Some(error)) => return Err(error),
            (offset, None) => self.offset = offset,
        }
        // What is open can be read even if its name is removed.
        if is_new && let Ok(file) = File::open(path) {
            self.earlier = Some(file);
        }
        self.pending.clear();
        self.log = Some(log);
        Ok(())
    }

    /// The file that is written. It begins as that of the checkpoint that the command resumed from.
    fn open_log(&self, path: &Path) -> Result<AppendLog, OutputError> {
        let output = OutputFile::new(path)?;
        if let (Some(mut earlier), Some(offset)) = (self.earlier.as_ref(), self.offset)
            && !AppendLog::holds(&output, offset)
        {
            let copy = |file: &mut File| {
                earlier.rewind()?;
                io::copy(&mut earlier.take(offset.bytes), file).map(drop)
            };
            output.replace_with(copy, || Ok(()))?;
        }
        AppendLog::open(output, TITLE.to_vec(), self.offset)
    }

    /// Removes the file beside a checkpoint that was removed, unless it is something else.
    pub fn remove(checkpoint: &Path) {
        let path = runs_path(checkpoint);
        let _ = are_runs_or_blank(&path).then(|| fs::remove_file(path));
    }
}
