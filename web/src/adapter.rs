//! The graphics adapter of the page.

use std::cell::RefCell;

use evodoku::gpu_engine::{AdapterInfo, Device, page_adapter};
use serde_json::{Value, json};
use wasm_bindgen::prelude::*;

use crate::refused;

thread_local! {
    static DEVICE: RefCell<Option<Device>> = const { RefCell::new(None) };
}

/// Opens the adapter that the browser gives the page, and says what it is: `null` if it gives none.
///
/// # Errors
/// What the browser says.
#[wasm_bindgen(js_name = openAdapter)]
pub async fn open_adapter() -> Result<String, JsError> {
    let Some(adapter) = page_adapter().await else { return Ok(Value::Null.to_string()) };
    let device = Device::open_async(&adapter).await.map_err(refused)?;
    let about = about(device.adapter());
    DEVICE.set(Some(device));
    Ok(about.to_string())
}

/// Gives the device up, as a driver does that is restarted: for tests.
#[wasm_bindgen(js_name = loseDevice)]
pub fn lose_device() {
    if let Some(device) = device() {
        device.handle().destroy();
    }
}

/// The device that was opened.
pub fn device() -> Option<Device> {
    DEVICE.with_borrow(Clone::clone)
}

fn about(info: &AdapterInfo) -> Value {
    let limits = &info.limits;
    json!({
        "name": info.name,
        "driver": info.driver,
        "software": info.is_software(),
        "binding_bytes": limits.max_storage_buffer_binding_size,
        "buffer_bytes": limits.max_buffer_size,
        "workgroup_bytes": limits.max_compute_workgroup_storage_size,
    })
}
