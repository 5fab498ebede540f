//! Writes the JavaScript through which a page calls a file of WebAssembly, as `wasm-bindgen --target web` does. As a program of
//! this workspace it has the version of the library that the file was built with.

use std::env::args;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = args().collect();
    let [_, input, folder] = &arguments[..] else {
        anyhow::bail!("usage: web-bindings FILE.wasm FOLDER")
    };
    let mut bindings = Bindgen::new();
    bindings
        .web(true)?
        .typescript(false)
        .remove_name_section(true)
        .input_path(input)
        .out_name("evodoku");
    bindings.generate(folder)
}
