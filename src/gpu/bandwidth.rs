//! The bandwidths of the bus to a device and of its memory, the limits to which the rate of scoring is
//! compared.
//!
//! A pass ends when the device is done, so a rate is `bytes / time`. A first pass, which accesses all memory
//! for the first time, is not counted.

use std::time::Duration;

use wgpu::BufferUsages;

use super::transfer::{Staging, buffer, encoder};
use super::{Device, DeviceError, UploadRing};
use crate::util::clock::Instant;

/// Uses of a buffer in device memory.
const BOTH_WAYS: BufferUsages =
    BufferUsages::STORAGE.union(BufferUsages::COPY_SRC).union(BufferUsages::COPY_DST);
/// Fewest and most copies in a pass of [`copy_times`]: enough that the cost of a submission is negligible.
const COPIES: u32 = 8;
const MOST_COPIES: u32 = 1_000;
/// The least time of such a pass.
const PASS: Duration = Duration::from_millis(20);

/// Returns a function that uploads `data`, a multiple of four bytes, through an [`UploadRing`], and returns the time.
///
/// # Errors
/// A fault of the device, for example when the buffer is larger than it allows.
pub fn upload_pass<'a>(
    device: &'a Device,
    data: &'a [u8],
) -> Result<impl FnMut() -> Result<Duration, DeviceError> + 'a, DeviceError> {
    let size = data.len() as u64;
    let target = device.guarded(|device| buffer(device, "upload target", size, BOTH_WAYS))?;
    let mut ring = UploadRing::new(device)?;
    Ok(move || {
        let start = Instant::now();
        pollster::block_on(ring.upload(data, &target, 0))?;
        device.finish(device.queue().submit([]))?;
        Ok(start.elapsed())
    })
}

/// Returns the shortest times of `passes` passes for each of the two copies of an upload: the threads of the pool
/// write `data`, a multiple of four bytes, to a staging buffer, and the device copies it from there.
///
/// # Errors
/// As [`upload_pass`].
pub fn staging_times(
    device: &Device,
    data: &[u8],
    passes: usize,
) -> Result<[Duration; 2], DeviceError> {
    let size = data.len() as u64;
    let target = device.guarded(|device| buffer(device, "upload target", size, BOTH_WAYS))?;
    let mut staging = Staging::new(device, size, false)?;
    let mut best = [Duration::MAX; 2];
    for _ in 0..=passes {
        let written = staging.write(device, data)?;
        let copied = copy(device, [&staging.buffer, &target], COPIES)?;
        staging.submitted(device, device.queue().submit([]));
        best = [best[0].min(written), best[1].min(copied)];
    }
    Ok(best)
}

/// Copies `bytes` bytes, a multiple of four, from one buffer of the device to another, and returns
/// the time of a copy in each of `passes` passes. A copy reads and writes: `2 * bytes` move.
///
/// # Errors
/// As [`upload_pass`].
pub fn copy_times(
    device: &Device,
    bytes: u64,
    passes: usize,
) -> Result<Vec<Duration>, DeviceError> {
    let [from, to] = device
        .guarded(|device| ["copied", "copy"].map(|name| buffer(device, name, bytes, BOTH_WAYS)))?;
    copy(device, [&from, &to], COPIES)?;
    let longer = PASS.as_secs_f64() / copy(device, [&from, &to], COPIES)?.as_secs_f64().max(1e-9);
    let copies = (longer as u32).clamp(COPIES, MOST_COPIES);
    copy(device, [&from, &to], copies)?;
    (0..passes).map(|_| copy(device, [&from, &to], copies)).collect()
}

/// The time of a copy from one buffer to all of another, out of several.
fn copy(
    device: &Device,
    [from, to]: [&wgpu::Buffer; 2],
    copies: u32,
) -> Result<Duration, DeviceError> {
    let start = Instant::now();
    let mut encoder = encoder(device, "copies");
    for _ in 0..copies {
        encoder.copy_buffer_to_buffer(from, 0, to, 0, to.size());
    }
    device.finish(device.queue().submit([encoder.finish()]))?;
    Ok(start.elapsed() / copies)
}
