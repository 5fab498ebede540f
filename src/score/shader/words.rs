//! How the words of a board are read.
//!
//! From workgroup memory one by one. From the buffer four at a time, as that takes a quarter of
//! the reads: boards begin anywhere in those four words, so that the words wanted are picked by
//! the two low bits of the first one's number.

use std::fmt::{self, Write};

use super::Reading;

/// Words from `from` on, which are read in order.
pub(super) struct Words {
    reading: Reading,
    /// Words, up to four, of which the number of the first is a multiple.
    alignment: usize,
    quads: usize,
    halves: usize,
}

impl Words {
    /// Declares what the reading of words from the variable `from` on needs.
    pub(super) fn open(
        text: &mut String,
        indent: &str,
        reading: Reading,
        from: &str,
        alignment: usize,
    ) -> Result<Self, fmt::Error> {
        if reading == Reading::Direct {
            writeln!(text, "{indent}let quad = {from} / 4u;")?;
            if alignment < 2 {
                writeln!(text, "{indent}let one_on = ({from} & 1u) != 0u;")?;
            }
            if alignment < 4 {
                writeln!(text, "{indent}let two_on = ({from} & 2u) != 0u;")?;
            }
        }
        Ok(Self { reading, alignment, quads: 0, halves: 0 })
    }

    /// The expression for word `number`; what it needs is declared.
    pub(super) fn word(
        &mut self,
        text: &mut String,
        indent: &str,
        from: &str,
        number: usize,
    ) -> Result<String, fmt::Error> {
        Ok(match (self.reading, self.alignment) {
            (Reading::Staged, _) => format!("tile[{from} + {number}u]"),
            (Reading::Direct, 4..) => self.raw(text, indent, number)?,
            (Reading::Direct, 2..) => {
                let (here, on) =
                    (self.raw(text, indent, number)?, self.raw(text, indent, number + 2)?);
                format!("select({here}, {on}, two_on)")
            }
            (Reading::Direct, _) => {
                while self.halves <= number + 2 {
                    let half = self.halves;
                    let (here, on) =
                        (self.raw(text, indent, half)?, self.raw(text, indent, half + 1)?);
                    writeln!(text, "{indent}let half_{half} = select({here}, {on}, one_on);")?;
                    self.halves += 1;
                }
                format!("select(half_{number}, half_{}, two_on)", number + 2)
            }
        })
    }

    /// Word `number` of those that were read.
    fn raw(
        &mut self,
        text: &mut String,
        indent: &str,
        number: usize,
    ) -> Result<String, fmt::Error> {
        while self.quads <= number / 4 {
            let quad = self.quads;
            writeln!(text, "{indent}let quad_{quad} = boards[quad + {quad}u];")?;
            self.quads += 1;
        }
        let lane = ["x", "y", "z", "w"][number % 4];
        Ok(format!("quad_{}.{lane}", number / 4))
    }
}
