//! An output that is no file: a pipe or a device, whose reader may be long in coming.
//!
//! Opening a pipe waits for who reads it, and writing waits when it is full, whatever the user wants
//! meanwhile. So a thread of its own opens it and writes, and whoever waits for that looks whether
//! the user still does.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use super::output_file::STDOUT;
use crate::util::interrupt::INTERRUPT;

/// How long a reader may take once everything is to end.
const GRACE: Duration = Duration::from_millis(500);

/// A pipe or a device that is open.
#[derive(Debug)]
pub struct Pipe {
    texts: Sender<Vec<u8>>,
    /// The result of opening it, and then of each write.
    written: Receiver<io::Result<()>>,
}

impl Pipe {
    /// Opens it, and waits for its reader.
    ///
    /// # Errors
    /// The error of the system, or `BrokenPipe` when no reader comes before the program is to end.
    pub fn open(path: &Path) -> io::Result<Self> {
        let path = path.to_owned();
        let (texts, to_write) = channel::<Vec<u8>>();
        let (done, written) = channel();
        thread::spawn(move || {
            let mut file = match opened(&path) {
                Ok(file) => file,
                Err(error) => return drop(done.send(Err(error))),
            };
            let mut gone = done.send(Ok(())).is_err();
            while let (false, Ok(text)) = (gone, to_write.recv()) {
                let written = file.write_all(&text).and_then(|()| file.flush());
                gone = done.send(written).is_err();
            }
        });
        let stream = Self { texts, written };
        stream.wait()?;
        Ok(stream)
    }

    fn wait(&self) -> io::Result<()> {
        let unread = || io::Error::new(io::ErrorKind::BrokenPipe, "nobody reads it");
        INTERRUPT.receive(&self.written, GRACE).unwrap_or_else(|| Err(unread()))
    }
}

fn opened(path: &Path) -> io::Result<Box<dyn Write>> {
    if path == Path::new(STDOUT) {
        return Ok(Box::new(Stdout));
    }
    Ok(Box::new(OpenOptions::new().write(true).open(path)?))
}

/// Stdout, which others may stop reading.
struct Stdout;

impl Write for Stdout {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        match io::stdout().lock().write_all(text) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
            _ => Ok(text.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match io::stdout().lock().flush() {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
            _ => Ok(()),
        }
    }
}

impl Write for Pipe {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        // A thread that has gone has said why.
        let _ = self.texts.send(text.to_vec());
        self.wait()?;
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
