//! The fingerprint of a plan: what tells whether results belong to a spec.
//!
//! FNV-1a in 64 bits (Fowler, Noll & Vo) over everything that runs depend on: puzzles, methods,
//! every parameter's value, seeds, and what results call blocks and puzzles. Comments, the experiment's name and
//! the layout of the spec do not count.

const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

/// A hash in progress.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fingerprint(u64);

impl Fingerprint {
    /// Of nothing yet.
    pub fn new() -> Self {
        Self(OFFSET)
    }

    /// Takes in a field, and that it ends.
    pub fn field(&mut self, bytes: &[u8]) {
        for byte in bytes.iter().chain(&[0xff]) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(PRIME);
        }
    }

    /// As 16 hexadecimal digits.
    pub fn text(self) -> String {
        format!("{:016x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_answers() {
        assert_eq!(Fingerprint::new().text(), "cbf29ce484222325");
        // FNV-1a of "a" is af63dc4c8601ec8c; one more step takes the end of the field in.
        let mut fingerprint = Fingerprint::new();
        fingerprint.field(b"a");
        let expected = (0xaf63_dc4c_8601_ec8c_u64 ^ 0xff).wrapping_mul(PRIME);
        assert_eq!(fingerprint.text(), format!("{expected:016x}"));
    }
}
