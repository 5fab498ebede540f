//! Converts errors of a device and of its kernels to errors of an evaluator.

use crate::fitness::EvaluatorError;
use crate::gpu::{DeviceError, ShaderError};

impl From<DeviceError> for EvaluatorError {
    fn from(error: DeviceError) -> Self {
        match error {
            DeviceError::Lost(text) => Self::DeviceLost(text),
            DeviceError::OutOfMemory(text) => Self::OutOfMemory(text),
            DeviceError::TimedOut(time) => Self::TimedOut(time),
            DeviceError::Driver(text) => Self::Driver(text),
        }
    }
}

impl From<ShaderError> for EvaluatorError {
    fn from(error: ShaderError) -> Self {
        Self::Shader(error.to_string())
    }
}
