#![no_main]

#[path = "../../tests/attacks/mod.rs"]
mod attacks;

libfuzzer_sys::fuzz_target!(|data: &[u8]| attacks::configurations::attack(data));
