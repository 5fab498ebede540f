//! How fast data comes to a device, and how fast it moves there: the limits that scoring is held
//! against.
//!
//! A pass ends when the device is done, so a rate is `bytes / time`. One pass that is not counted
//! goes before: it touches all memory for the first time.

use std::time::{Duration, Instant};

use wgpu::{BufferUsages, CommandEncoderDescriptor};

use super::staging::buffer;
use super::{Device, DeviceError, UploadRing};
use crate::util::named_enum::named;

/// Copies in a pass of [`copy_times`] at least, and at most: so many that what a submission costs hardly
/// counts.
const COPIES: u32 = 8;
const MOST_COPIES: u32 = 1_000;
/// How long a pass of them is to take at least.
const PASS: Duration = Duration::from_millis(20);

named! {
    /// The way of data to the device.
    pub enum UploadPath {
        /// Staging buffers that are made once and take turns.
        Ring = "ring",
        /// `queue.write_buffer` of all data at once, with memory of its own for each call.
        WriteBuffer = "write-buffer",
    }
}

/// Uploads `data`, a multiple of four bytes, `passes` times, and tells how long each took.
///
/// # Errors
/// An error of the driver, as of a buffer larger than it allows.
pub fn upload_times(
    device: &Device,
    data: &[u8],
    path: UploadPath,
    passes: usize,
) -> Result<Vec<Duration>, DeviceError> {
    if !data.len().is_multiple_of(4) {
        let text = format!("{} bytes are no multiple of four", data.len());
        return Err(DeviceError::Driver(text));
    }
    let usage = BufferUsages::STORAGE | BufferUsages::COPY_DST;
    let target =
        device.guarded(|device| buffer(device, "upload target", data.len() as u64, usage))?;
    let mut ring = UploadRing::new(device)?;
    times(passes, || {
        match path {
            UploadPath::Ring => ring.upload(data, &target, 0)?,
            UploadPath::WriteBuffer => device.queue().write_buffer(&target, 0, data),
        }
        device.finish(device.queue().submit([]))
    })
}

/// Copies `bytes` bytes, a multiple of four, from one buffer of the device to another, and tells
/// how long a copy took in each of `passes` passes. A copy reads and writes: `2 * bytes` move.
///
/// # Errors
/// As [`upload_times`].
pub fn copy_times(
    device: &Device,
    bytes: u64,
    passes: usize,
) -> Result<Vec<Duration>, DeviceError> {
    let usage = BufferUsages::STORAGE | BufferUsages::COPY_SRC | BufferUsages::COPY_DST;
    let [from, to] = device
        .guarded(|device| ["copied", "copy"].map(|name| buffer(device, name, bytes, usage)))?;
    let copy = |copies: u32| {
        let label = CommandEncoderDescriptor { label: Some("copies") };
        let mut encoder = device.handle().create_command_encoder(&label);
        for _ in 0..copies {
            encoder.copy_buffer_to_buffer(&from, 0, &to, 0, bytes);
        }
        device.finish(device.queue().submit([encoder.finish()]))
    };
    let first = times(1, || copy(COPIES))?[0];
    let longer = PASS.as_secs_f64() / first.as_secs_f64().max(1e-9);
    let copies = ((longer * f64::from(COPIES)) as u32).clamp(COPIES, MOST_COPIES);
    let mut times = times(passes, || copy(copies))?;
    times.iter_mut().for_each(|time| *time /= copies);
    Ok(times)
}

/// How long each of `passes` passes takes, after one that is not counted.
fn times(
    passes: usize,
    mut pass: impl FnMut() -> Result<(), DeviceError>,
) -> Result<Vec<Duration>, DeviceError> {
    pass()?;
    (0..passes)
        .map(|_| {
            let start = Instant::now();
            pass()?;
            Ok(start.elapsed())
        })
        .collect()
}
