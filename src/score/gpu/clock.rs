//! What a device with timestamps tells of a chunk's times.

use std::time::Duration;

use wgpu::BufferUsages;

use super::kernel::buffer;

/// Moments that are told: before the upload, before and after the kernel, at the end.
const MOMENTS: u32 = 4;
/// Bytes that hold them, before the scores in the readback buffer.
pub(super) const MOMENT_BYTES: u64 = MOMENTS as u64 * wgpu::QUERY_SIZE as u64;

/// Where a device notes moments.
#[derive(Debug)]
pub(super) struct Clock {
    queries: wgpu::QuerySet,
    moments: wgpu::Buffer,
}

impl Clock {
    pub(super) fn new(device: &wgpu::Device) -> Self {
        let queries = device.create_query_set(&wgpu::QuerySetDescriptor {
            label: Some("moments"),
            ty: wgpu::QueryType::Timestamp,
            count: MOMENTS,
        });
        let usage = BufferUsages::QUERY_RESOLVE | BufferUsages::COPY_SRC;
        Self { queries, moments: buffer(device, "moments", MOMENT_BYTES, usage) }
    }

    /// Notes a moment outside the kernel's pass. That is a further feature; an empty pass will do.
    pub(super) fn note(&self, encoder: &mut wgpu::CommandEncoder, moment: u32) {
        encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some("moment"),
            timestamp_writes: Some(self.writes(moment, None)),
        });
    }

    /// The moments to be noted when a pass begins and ends.
    pub(super) fn writes(
        &self,
        begin: u32,
        end: Option<u32>,
    ) -> wgpu::ComputePassTimestampWrites<'_> {
        wgpu::ComputePassTimestampWrites {
            query_set: &self.queries,
            beginning_of_pass_write_index: Some(begin),
            end_of_pass_write_index: end,
        }
    }

    /// Puts all moments at the start of `readback`.
    pub(super) fn tell(&self, encoder: &mut wgpu::CommandEncoder, readback: &wgpu::Buffer) {
        encoder.resolve_query_set(&self.queries, 0..MOMENTS, &self.moments, 0);
        encoder.copy_buffer_to_buffer(&self.moments, 0, readback, 0, MOMENT_BYTES);
    }
}

/// The times between the moments that the device noted.
pub(super) fn phases(moments: &[u8], tick: f32) -> [Duration; MOMENTS as usize - 1] {
    let at: Vec<u64> = moments.as_chunks().0.iter().map(|b| u64::from_le_bytes(*b)).collect();
    std::array::from_fn(|phase| {
        let ticks = at[phase + 1].saturating_sub(at[phase]);
        Duration::from_nanos((ticks as f64 * f64::from(tick)) as u64)
    })
}
