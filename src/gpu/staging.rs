//! Buffers that the host writes and the device copies from.
//!
//! `queue.write_buffer` takes new memory of the whole size for every call, which the system has
//! to clear first. A staging buffer is made once; it is mapped, written, unmapped, copied from,
//! and mapped again as soon as the device has copied. With a few of them in a ring the host
//! writes one while the device copies from another.

use std::array;
use std::time::{Duration, Instant};

use wgpu::{BufferUsages, CommandEncoderDescriptor, MapMode, SubmissionIndex};

use super::{CompletionFlag, Device, DeviceError};

/// Bytes of each buffer of a ring: enough for the bus, and little host memory.
const RING_BYTES: u64 = 8 << 20;
/// Buffers of a ring: one is written, one is copied from, one is on its way back.
const RING: usize = 3;

/// A buffer in memory that host and device both reach.
#[derive(Debug)]
pub struct Staging {
    buffer: wgpu::Buffer,
    free: CompletionFlag,
    submission: Option<SubmissionIndex>,
}

impl Staging {
    /// A buffer of `bytes` bytes, ready to be written.
    ///
    /// # Errors
    /// An error of the driver, as of lack of memory.
    pub fn new(device: &Device, bytes: u64) -> Result<Self, DeviceError> {
        let usage = BufferUsages::MAP_WRITE | BufferUsages::COPY_SRC;
        let buffer = device.guarded(|device| buffer(device, "staging", bytes, usage))?;
        let free = CompletionFlag::default();
        free.set();
        Ok(Self { buffer, free, submission: None })
    }

    /// The buffer to record copies from.
    pub fn buffer(&self) -> &wgpu::Buffer {
        &self.buffer
    }

    /// Waits until the device has copied what was written before, and writes `parts` one after
    /// the other, a multiple of four bytes in all. Tells how long the writing took.
    ///
    /// # Errors
    /// Those of [`Device::wait`], and [`DeviceError::Driver`] when the parts do not fit.
    pub fn write(&mut self, device: &Device, parts: &[&[u8]]) -> Result<Duration, DeviceError> {
        if let Some(submission) = self.submission.take() {
            device.wait(&submission, &self.free)?;
        }
        let start = Instant::now();
        let bytes = parts.iter().map(|part| part.len()).sum::<usize>() as u64;
        if bytes > 0 {
            let mut view = self.buffer.slice(..bytes).get_mapped_range_mut().map_err(mapping)?;
            let mut at = 0;
            for part in parts {
                view.slice(at..at + part.len()).copy_from_slice(part);
                at += part.len();
            }
        }
        self.buffer.unmap();
        Ok(start.elapsed())
    }

    /// Says that `submission` copies what was written.
    pub fn submitted(&mut self, submission: SubmissionIndex) {
        self.free.map(&self.buffer, MapMode::Write, self.buffer.size());
        self.submission = Some(submission);
    }
}

/// Staging buffers that take turns.
#[derive(Debug)]
pub struct UploadRing {
    device: Device,
    buffers: [Staging; RING],
    next: usize,
}

impl UploadRing {
    /// A ring on `device`.
    ///
    /// # Errors
    /// As [`Staging::new`].
    pub fn new(device: &Device) -> Result<Self, DeviceError> {
        let [a, b, c] = array::from_fn(|_| Staging::new(device, RING_BYTES));
        Ok(Self { device: device.clone(), buffers: [a?, b?, c?], next: 0 })
    }

    /// Copies `data`, a multiple of four bytes, to `target` from byte
    /// `start` on. The last copies may
    /// still be under way when this returns; later submissions come after them.
    ///
    /// # Errors
    /// Those of [`Staging::write`].
    pub fn upload(
        &mut self,
        data: &[u8],
        target: &wgpu::Buffer,
        start: u64,
    ) -> Result<(), DeviceError> {
        let (device, mut at) = (&self.device, start);
        for part in data.chunks(RING_BYTES as usize) {
            let staging = &mut self.buffers[self.next];
            staging.write(device, &[part])?;
            let label = CommandEncoderDescriptor { label: Some("upload") };
            let mut encoder = device.handle().create_command_encoder(&label);
            let bytes = part.len() as u64;
            encoder.copy_buffer_to_buffer(staging.buffer(), 0, target, at, bytes);
            staging.submitted(device.queue().submit([encoder.finish()]));
            at += bytes;
            self.next = (self.next + 1) % RING;
        }
        device.check()
    }
}

/// A buffer, which is mapped already if the host is to write it.
pub(crate) fn buffer(
    device: &wgpu::Device,
    label: &str,
    size: u64,
    usage: BufferUsages,
) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        size,
        usage,
        mapped_at_creation: usage.contains(BufferUsages::MAP_WRITE),
    })
}

pub(crate) fn mapping(error: wgpu::MapRangeError) -> DeviceError {
    DeviceError::Driver(error.to_string())
}
