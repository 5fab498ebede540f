//! Faults of a device and of its kernels, as what ends an engine's work.

use crate::fitness::EvaluatorError;
use crate::ga::RunError;
use crate::gpu::{DeviceError, ShaderError};

impl From<DeviceError> for RunError {
    fn from(error: DeviceError) -> Self {
        Self::Evaluator(EvaluatorError::from(error))
    }
}

impl From<ShaderError> for RunError {
    fn from(error: ShaderError) -> Self {
        Self::Evaluator(EvaluatorError::from(error))
    }
}
