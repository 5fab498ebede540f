//! The times of a chunk on a device with timestamps.

use std::time::Duration;

use wgpu::BufferUsages;

use crate::gpu::buffer;

/// Timestamps of a chunk: before the upload, before and after the kernel, at the end.
const MOMENTS: u32 = 4;
/// Bytes that hold them, before the scores in the readback buffer.
pub(super) const MOMENT_BYTES: u64 = MOMENTS as u64 * wgpu::QUERY_SIZE as u64;

/// The timestamps of a chunk, written by the device.
#[derive(Debug)]
pub(super) struct DeviceClock {
    queries: wgpu::QuerySet,
    moments: wgpu::Buffer,
}

impl DeviceClock {
    pub(super) fn new(device: &wgpu::Device) -> Self {
        let queries = device.create_query_set(&wgpu::QuerySetDescriptor {
            label: Some("moments"),
            ty: wgpu::QueryType::Timestamp,
            count: MOMENTS,
        });
        let usage = BufferUsages::QUERY_RESOLVE | BufferUsages::COPY_SRC;
        Self { queries, moments: buffer(device, "moments", MOMENT_BYTES, usage) }
    }

    /// Writes a timestamp outside the kernel's pass, by an empty pass: without a pass it would need another feature.
    pub(super) fn write(&self, encoder: &mut wgpu::CommandEncoder, moment: u32) {
        encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some("moment"),
            timestamp_writes: Some(self.writes(moment, None)),
        });
    }

    /// The timestamps to be written when a pass begins and ends.
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

    /// Copies all timestamps to the start of `readback`.
    pub(super) fn resolve(&self, encoder: &mut wgpu::CommandEncoder, readback: &wgpu::Buffer) {
        encoder.resolve_query_set(&self.queries, 0..MOMENTS, &self.moments, 0);
        encoder.copy_buffer_to_buffer(&self.moments, 0, readback, 0, MOMENT_BYTES);
    }
}

/// The times between the timestamps, which count ticks of `tick` nanoseconds. No time is longer than
/// `most`, and a phase without a first timestamp takes none, since drivers leave timestamps out.
pub(super) fn phases(
    moments: &[u8],
    tick: f32,
    most: Duration,
) -> [Duration; MOMENTS as usize - 1] {
    let (words, _) = moments.as_chunks();
    let at = |moment: usize| words.get(moment).map_or(0, |bytes| u64::from_le_bytes(*bytes));
    std::array::from_fn(|phase| {
        let ticks = match at(phase) {
            0 => 0,
            begin => at(phase + 1).saturating_sub(begin),
        };
        Duration::from_nanos((ticks as f64 * f64::from(tick)) as u64).min(most)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_timestamps_do_not_make_long_phases() {
        let most = Duration::from_nanos(500);
        let times = |moments: [u64; 4]| {
            let bytes: Vec<u8> = moments.iter().flat_map(|moment| moment.to_le_bytes()).collect();
            phases(&bytes, 2.0, most).map(|time| time.as_nanos())
        };
        assert_eq!(times([100, 110, 140, 150]), [20, 60, 20]);
        assert_eq!(times([0, 110, 140, 0]), [0, 60, 0]);
        assert_eq!(times([100, 110, 100_000, 100_001]), [20, 500, 2]);
    }
}
