//! Buffers that carry data between host and device.
//!
//! `queue.write_buffer` allocates memory of the whole size for every call, which the system has
//! to clear first. A [`Staging`] buffer is created once; it is mapped, written, unmapped, copied from,
//! and mapped again as soon as the device has copied. With a few of them in a ring the host
//! writes one while the device copies from another. If both have the same memory, kernels read the
//! staging buffer itself, and nothing is copied from it. A [`Readback`] buffer is the way back.

use std::array;
use std::time::Duration;

use rayon::prelude::*;
use wgpu::{
    BufferUsages, CommandEncoder, CommandEncoderDescriptor, MapMode, MapRangeError, SubmissionIndex,
};

use super::device::{CompletionFlag, TIMEOUT};
use super::{Device, DeviceError};

use crate::util::clock::Instant;

/// Bytes of each buffer of a ring: enough for the bus, and little host memory.
pub const RING_BYTES: u64 = 8 << 20;
/// Bytes that a thread copies at a time.
const PIECE_BYTES: usize = 256 << 10;
/// Buffers of a ring: one is written, one is copied from, one is being mapped again.
const RING: usize = 3;

/// A buffer that the host writes, and from which the device copies or its kernels read.
#[derive(Debug)]
pub(crate) struct Staging {
    /// The buffer to record copies from, or to bind.
    pub(crate) buffer: wgpu::Buffer,
    free: CompletionFlag,
    submission: Option<SubmissionIndex>,
}

impl Staging {
    /// Creates a buffer of `bytes` bytes, to copy from, and for kernels to read if it is `bound`.
    ///
    /// # Errors
    /// An error of the driver, for example too little memory.
    pub(crate) fn new(device: &Device, bytes: u64, bound: bool) -> Result<Self, DeviceError> {
        let other = if bound { BufferUsages::STORAGE } else { BufferUsages::empty() };
        let usage = BufferUsages::MAP_WRITE | BufferUsages::COPY_SRC | other;
        let buffer = device.guarded(|device| buffer(device, "staging", bytes, usage))?;
        let free = CompletionFlag::default();
        free.set(true);
        Ok(Self { buffer, free, submission: None })
    }

    /// Returns once [`write`](Self::write) need not wait, on a device that is not waited for.
    ///
    /// # Errors
    /// A fault of the device.
    pub(crate) async fn ready(&self, device: &Device) -> Result<(), DeviceError> {
        device.ready(&self.free).await
    }

    /// Waits until the device has read the last contents, writes `data`, a multiple of four bytes, and returns how
    /// long the writing took. All threads of the pool write, because one writes more slowly than a fast bus transfers.
    ///
    /// # Errors
    /// A fault of the device, and [`DeviceError::Driver`] when the length is not a multiple of four.
    ///
    /// # Panics
    /// When the buffer is smaller than the data.
    pub(crate) fn write(&mut self, device: &Device, data: &[u8]) -> Result<Duration, DeviceError> {
        if let Some(submission) = self.submission.take() {
            device.wait(&submission, &self.free, TIMEOUT)?;
        }
        let start = Instant::now();
        let copy = |(number, piece): (usize, &[u8])| {
            let start = (number * PIECE_BYTES) as u64;
            let range = start..start + piece.len() as u64;
            self.buffer.slice(range).get_mapped_range_mut()?.copy_from_slice(piece);
            Ok::<_, MapRangeError>(())
        };
        match data.len() <= PIECE_BYTES {
            true => data.chunks(PIECE_BYTES).enumerate().try_for_each(copy)?,
            false => data.par_chunks(PIECE_BYTES).enumerate().try_for_each(copy)?,
        }
        self.buffer.unmap();
        Ok(start.elapsed())
    }

    /// Notes that `submission` reads the contents.
    pub(crate) fn submitted(&mut self, device: &Device, submission: SubmissionIndex) {
        self.free.map(device, &self.buffer, MapMode::Write, self.buffer.size());
        self.submission = Some(submission);
    }
}

/// Staging buffers that are used in turn.
#[derive(Debug)]
pub struct UploadRing {
    device: Device,
    buffers: [Staging; RING],
    next: usize,
}

impl UploadRing {
    /// Creates a ring on `device`.
    ///
    /// # Errors
    /// An error of the driver, for example too little memory.
    pub fn new(device: &Device) -> Result<Self, DeviceError> {
        let [a, b, c] = array::from_fn(|_| Staging::new(device, RING_BYTES, false));
        Ok(Self { device: device.clone(), buffers: [a?, b?, c?], next: 0 })
    }

    /// Copies `data`, a multiple of four bytes, to `target` from byte `start` on. The last copies may
    /// not be complete when this returns; later submissions come after them.
    ///
    /// # Errors
    /// A fault of the device, and [`DeviceError::Driver`] when `data` is not a multiple of four bytes.
    pub async fn upload(
        &mut self,
        data: &[u8],
        target: &wgpu::Buffer,
        start: u64,
    ) -> Result<(), DeviceError> {
        let (device, mut to) = (&self.device, start);
        for part in data.chunks(RING_BYTES as usize) {
            let staging = &mut self.buffers[self.next];
            staging.ready(device).await?;
            staging.write(device, part)?;
            let mut encoder = encoder(device, "upload");
            let bytes = part.len() as u64;
            encoder.copy_buffer_to_buffer(&staging.buffer, 0, target, to, bytes);
            staging.submitted(device, device.queue().submit([encoder.finish()]));
            to += bytes;
            self.next = (self.next + 1) % RING;
        }
        device.check()
    }
}

/// A buffer that the device copies to and the host reads.
#[derive(Debug)]
pub(crate) struct Readback {
    /// The buffer to record copies to.
    pub(crate) buffer: wgpu::Buffer,
    readable: CompletionFlag,
    /// The submission that fills it, and the number of bytes.
    submitted: Option<(SubmissionIndex, u64)>,
}

impl Readback {
    /// Creates a buffer of `bytes` bytes.
    pub(crate) fn new(device: &wgpu::Device, bytes: u64) -> Self {
        let usage = BufferUsages::MAP_READ | BufferUsages::COPY_DST;
        let buffer = buffer(device, "readback", bytes, usage);
        Self { buffer, readable: CompletionFlag::default(), submitted: None }
    }

    /// Submits `commands`, which fill the first `bytes` bytes, at least one word.
    pub(crate) fn submit(
        &mut self,
        device: &Device,
        commands: CommandEncoder,
        bytes: u64,
    ) -> SubmissionIndex {
        let submission = device.queue().submit([commands.finish()]);
        self.readable.map(device, &self.buffer, MapMode::Read, bytes);
        self.submitted = Some((submission.clone(), bytes));
        submission
    }

    /// Whether [`read`](Self::read) need not wait.
    ///
    /// # Errors
    /// A fault of the device.
    pub(crate) fn is_ready(&self, device: &Device) -> Result<bool, DeviceError> {
        device.is_done(&self.readable)
    }

    /// Returns once [`read`](Self::read) need not wait, on a device that is not waited for.
    ///
    /// # Errors
    /// A fault of the device.
    pub(crate) async fn ready(&self, device: &Device) -> Result<(), DeviceError> {
        device.ready(&self.readable).await
    }

    /// Waits for the submission, and passes the bytes to `read`.
    ///
    /// # Errors
    /// A fault of the device.
    pub(crate) fn read<T>(
        &mut self,
        device: &Device,
        read: impl FnOnce(&[u8]) -> T,
    ) -> Result<T, DeviceError> {
        let nothing = || DeviceError::Driver("nothing was submitted".to_owned());
        let (submission, bytes) = self.submitted.take().ok_or_else(nothing)?;
        device.wait(&submission, &self.readable, TIMEOUT)?;
        let view = self.buffer.slice(..bytes).get_mapped_range()?;
        let result = read(&view);
        drop(view);
        self.buffer.unmap();
        Ok(result)
    }
}

/// Creates a buffer, mapped if the host is to write it.
pub(crate) fn buffer(
    device: &wgpu::Device,
    label: &str,
    size: u64,
    usage: BufferUsages,
) -> wgpu::Buffer {
    let (label, mapped_at_creation) = (Some(label), usage.contains(BufferUsages::MAP_WRITE));
    device.create_buffer(&wgpu::BufferDescriptor { label, size, usage, mapped_at_creation })
}

/// Creates a recorder of commands.
pub(crate) fn encoder(device: &Device, label: &str) -> CommandEncoder {
    device.handle().create_command_encoder(&CommandEncoderDescriptor { label: Some(label) })
}

impl From<MapRangeError> for DeviceError {
    fn from(error: MapRangeError) -> Self {
        Self::Driver(error.to_string())
    }
}
