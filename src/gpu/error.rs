//! Faults of a device.

use std::time::Duration;

use thiserror::Error;

/// Why a device did not do what it was asked for.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DeviceError {
    /// It is gone, or refuses work.
    #[error("the device was lost: {0}")]
    Lost(String),
    /// It has no room.
    #[error("the device is out of memory: {0}")]
    OutOfMemory(String),
    /// No answer came in time.
    #[error("the device did not answer within {} s", .0.as_secs())]
    TimedOut(Duration),
    /// The driver reported an error.
    #[error("the driver reported: {0}")]
    Driver(String),
}
