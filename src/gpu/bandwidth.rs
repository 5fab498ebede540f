//! The bandwidths of the bus to a device and of its memory, the limits to which the rate of scoring is
//! compared.
//!
//! A pass ends when the device is done, so a rate is `bytes / time`. A first pass, which accesses all memory
//! for the first time, is not counted.

use std::time::Duration;

use wgpu::BufferUsages;

use super::transfer::{buffer, encoder};
use super::{Device, DeviceError, UploadRing};
use crate::util::clock::Instant;
use crate::util::named_enum::named;

/// Fewest and most copies in a pass of [`copy_times`]: enough that the cost of a submission is negligible.
const COPIES: u32 = 8;
const MOST_COPIES: u32 = 1_000;
/// The least time of such a pass.
const PASS: Duration = Duration::from_millis(20);

named! {
    /// How data is copied to the device.
    pub enum UploadPath {
        /// Through staging buffers that are created once and used in turn.
        Ring = "ring",
        /// By one `queue.write_buffer` of all data, which allocates memory for each call.
        WriteBuffer = "write-buffer",
    }
}

/// Uploads `data`, a multiple of four bytes, `passes` times, and returns the time of each pass.
///
/// # Errors
/// A fault of the device, for example when the buffer is larger than it allows.
pub fn upload_times(
    device: &Device,
    data: &[u8],
    path: UploadPath,
    passes: usize,
) -> Result<Vec<Duration>, DeviceError> {
    if !data.len().is_multiple_of(4) {
        let text = format!("a length of {} bytes is not a multiple of four", data.len());
        return Err(DeviceError::Driver(text));
    }
    let usage = BufferUsages::STORAGE | BufferUsages::COPY_DST;
    let target =
        device.guarded(|device| buffer(device, "upload target", data.len() as u64, usage))?;
    let mut ring = UploadRing::new(device)?;
    times(passes, || {
        match path {
            UploadPath::Ring => pollster::block_on(ring.upload(data, &target, 0))?,
            UploadPath::WriteBuffer => device.queue().write_buffer(&target, 0, data),
        }
        device.finish(device.queue().submit([]))
    })
}

/// Copies `bytes` bytes, a multiple of four, from one buffer of the device to another, and returns
/// the time of a copy in each of `passes` passes. A copy reads and writes: `2 * bytes` move.
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
        let mut encoder = encoder(device, "copies");
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

/// The time of each of `passes` passes, after one that is not counted.
fn times(
    passes: usize,
    mut pass: impl FnMut() -> Result<(), DeviceError>,
) -> Result<Vec<Duration>, DeviceError> {
    let mut timed = |_| {
        let start = Instant::now();
        pass().map(|()| start.elapsed())
    };
    timed(0)?;
    (0..passes).map(timed).collect()
}
