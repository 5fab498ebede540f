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
pub fn upload<'a>(
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

/// Copies `bytes` bytes, a multiple of four, from one buffer to another of the device, and returns
/// the time of a copy in each of `passes` passes. The first buffer is one of the device too, so that a copy reads
/// and writes its memory and `2 * bytes` move, or with `over_bus` one that the host writes.
///
/// # Errors
/// As [`upload`].
pub fn copy_times(
    device: &Device,
    bytes: u64,
    over_bus: bool,
    passes: usize,
) -> Result<Vec<Duration>, DeviceError> {
    let [mut from, to] = device
        .guarded(|device| ["copied", "copy"].map(|name| buffer(device, name, bytes, BOTH_WAYS)))?;
    if over_bus {
        from = Staging::new(device, bytes, false)?.buffer;
        from.unmap();
    }
    let timed = |copies: u32| {
        let start = Instant::now();
        let mut encoder = encoder(device, "copies");
        for _ in 0..copies {
            encoder.copy_buffer_to_buffer(&from, 0, &to, 0, bytes);
        }
        device.finish(device.queue().submit([encoder.finish()]))?;
        Ok::<_, DeviceError>(start.elapsed())
    };
    timed(COPIES)?;
    let longer = PASS.as_secs_f64() / timed(COPIES)?.as_secs_f64().max(1e-9);
    let copies = ((longer * f64::from(COPIES)) as u32).clamp(COPIES, MOST_COPIES);
    timed(copies)?;
    (0..passes).map(|_| Ok(timed(copies)? / copies)).collect()
}
