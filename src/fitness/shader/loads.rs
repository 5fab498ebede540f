//! Reading of the words of a board.
//!
//! Words are read one by one from workgroup memory and from a thread's child. From the buffer they are read
//! four at a time, which takes a quarter of the reads. A board may begin at any of the four words, so its words
//! are selected by the two low bits of its first word's number.

use std::fmt::{self, Write};

/// The memory that a board is read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BoardMemory {
    /// In the buffer of all boards, from word `first` on.
    Buffer,
    /// In workgroup memory, from word `first` on.
    Tile,
    /// In the memory of a thread's child.
    Child,
}

/// Reads words in order.
pub(super) struct Words {
    memory: BoardMemory,
    /// The number of the first word is a multiple of this: 1, 2 or 4.
    alignment: usize,
    quads: usize,
    halves: usize,
}

impl Words {
    /// Declares the variables for reading words from number `from`, a variable, on.
    pub(super) fn open(
        text: &mut String,
        indent: &str,
        memory: BoardMemory,
        from: &str,
        alignment: usize,
    ) -> Result<Self, fmt::Error> {
        if memory == BoardMemory::Buffer {
            writeln!(text, "{indent}let quad = {from} / 4u;")?;
            if alignment < 2 {
                writeln!(text, "{indent}let one_on = ({from} & 1u) != 0u;")?;
            }
            if alignment < 4 {
                writeln!(text, "{indent}let two_on = ({from} & 2u) != 0u;")?;
            }
        }
        Ok(Self { memory, alignment, quads: 0, halves: 0 })
    }

    /// Returns the expression for word `number`, and declares the variables in it.
    pub(super) fn word(
        &mut self,
        text: &mut String,
        indent: &str,
        from: &str,
        number: usize,
    ) -> Result<String, fmt::Error> {
        Ok(match (self.memory, self.alignment) {
            (BoardMemory::Tile, _) => format!("tile[{from} + {number}u]"),
            (BoardMemory::Child, _) => format!("child_word({from} + {number}u)"),
            (BoardMemory::Buffer, 4..) => self.raw(text, indent, number)?,
            (BoardMemory::Buffer, 2..) => {
                let (here, on) =
                    (self.raw(text, indent, number)?, self.raw(text, indent, number + 2)?);
                format!("select({here}, {on}, two_on)")
            }
            (BoardMemory::Buffer, _) => {
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

    /// Returns the expression for word `number` counted from the first quad.
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
