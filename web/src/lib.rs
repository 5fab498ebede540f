//! evodoku in a page: what the worker of the page calls. Everything else of the page is in `page/`.
//!
//! Seeds cross as text, because a number of JavaScript has 53 bits. What is returned is JSON.
#![cfg(target_arch = "wasm32")]

mod adapter;
mod catalogue;
mod measure;
mod run;

use wasm_bindgen::prelude::*;

/// An exception with a sentence.
fn refused(error: impl ToString) -> JsError {
    JsError::new(&error.to_string())
}

/// Makes a panic say where it was, in the console.
#[wasm_bindgen(start)]
fn start() {
    std::panic::set_hook(Box::new(|panic| {
        let error = js_sys::Error::new(&panic.to_string());
        js_sys::Reflect::get(&js_sys::global(), &"console".into())
            .and_then(|console| js_sys::Reflect::get(&console, &"error".into()))
            .map(|write| js_sys::Function::from(write).call1(&JsValue::NULL, &error))
            .ok();
    }));
}
