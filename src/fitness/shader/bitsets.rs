//! Value sets in words of WGSL, and the addition of a row of cells to them.
//!
//! The functions on them are `shaders/score/fields_narrow.wgsl` and `fields_wide.wgsl`.
//!
//! *Narrow* sets, of sides below 32, are fields of `side + 1` bits, as many in a word as fit; value
//! `v` of field `f` is bit `f * (side + 1) + v`, and bit 0 of a field stands for a blank and is
//! never counted. Stack `s` of a board uses field `s % fields` of group `s / fields`. A variable
//! thus holds the sets of several columns or boxes, which are joined and counted at once: at 9x9
//! the boxes of a band, or the same column of each stack, are one variable, and 9 words are
//! counted instead of 27.
//!
//! *Wide* sets take two words each, with value `v` as bit `v - 1`.

use std::fmt::{self, Write};

use crate::board::Geometry;

/// The value sets of one geometry.
#[derive(Clone, Copy, Debug)]
pub(super) struct ValueSets {
    geometry: Geometry,
    /// Sets in one variable.
    pub(super) fields: usize,
}

impl ValueSets {
    pub(super) fn of(geometry: Geometry) -> Self {
        let fields = (u32::BITS as usize / (geometry.side() + 1)).min(geometry.stacks());
        Self { geometry, fields: fields.max(1) }
    }

    /// Whether a set and its bit for blanks fit in a word.
    pub(super) fn narrow(self) -> bool {
        self.geometry.side() < u32::BITS as usize
    }

    /// Bits from one field to the next.
    fn field_bits(self) -> usize {
        self.geometry.side() + 1
    }

    /// Variables that hold a set for each stack.
    pub(super) fn groups(self) -> usize {
        self.geometry.stacks().div_ceil(self.fields)
    }

    /// The file with the functions that build and count sets.
    pub(super) fn file(self) -> &'static str {
        if self.narrow() { "score/fields_narrow.wgsl" } else { "score/fields_wide.wgsl" }
    }

    /// The constants of these functions.
    pub(super) fn constants(self) -> String {
        if !self.narrow() {
            return String::new();
        }
        let side = self.geometry.side();
        let field = ((1u64 << side) - 1) << 1;
        let all = (0..self.fields).map(|f| field << (f * self.field_bits())).sum::<u64>();
        let above = (0x7F - side as u64) * 0x0101_0101;
        format!(
            "// The bits of all values in a field, and in all fields of a word.\n\
             const FIELD = {field:#X}u;\n\
             const FIELDS = {all:#X}u;\n\
             // Added to each byte of a word, carries into the top bit of those above SIDE.\n\
             const ABOVE = {above:#010X}u;\n"
        )
    }

    /// Declares empty sets `name_0`, `name_1`, ...
    pub(super) fn clear(
        self,
        text: &mut String,
        start: &str,
        name: &str,
        count: usize,
    ) -> fmt::Result {
        (0..count).try_for_each(|k| writeln!(text, "{start}{name}_{k} = NO_VALUES;"))
    }

    /// Adds the sizes of such sets to `distinct`.
    pub(super) fn count(
        self,
        text: &mut String,
        indent: &str,
        name: &str,
        count: usize,
    ) -> fmt::Result {
        (0..count).try_for_each(|k| writeln!(text, "{indent}distinct += count_values({name}_{k});"))
    }

    /// Variables that hold all columns: one for each column of a stack and each group.
    pub(super) fn columns(self) -> usize {
        self.geometry.box_cols() * self.groups()
    }

    /// Adds the row whose first cell has the number `first`, in words that have been read, to the
    /// columns and boxes, and returns the set that holds the row.
    pub(super) fn add_row(
        self,
        text: &mut String,
        indent: &str,
        first: usize,
    ) -> Result<String, fmt::Error> {
        let (width, groups) = (self.geometry.box_cols(), self.groups());
        for cell in first..first + self.geometry.side() {
            let (word, shift) = (cell / 4, cell % 4 * 8);
            let byte = if shift == 0 {
                format!("word_{word}")
            } else {
                format!("word_{word} >> {shift}u")
            };
            let bit = match (cell - first) / width % self.fields * self.field_bits() {
                _ if !self.narrow() => format!("field_bit({byte})"),
                blank => format!("field_bit({:#X}u, {byte})", 1u32 << blank),
            };
            writeln!(text, "{indent}let cell_{cell} = {bit};")?;
        }
        for group in 0..groups {
            let stacks = group * self.fields..self.geometry.stacks().min((group + 1) * self.fields);
            for column in 0..width {
                let cells = stacks.clone().map(|stack| first + stack * width + column);
                writeln!(text, "{indent}let part_{column}_{group} = {};", union("cell", cells))?;
                let variable = column * groups + group;
                writeln!(text, "{indent}column_{variable} |= part_{column}_{group};")?;
            }
            let parts: Vec<String> = (0..width).map(|k| format!("part_{k}_{group}")).collect();
            writeln!(text, "{indent}let line_{group} = {};", parts.join(" | "))?;
            writeln!(text, "{indent}box_{group} |= line_{group};")?;
        }
        let lines = union("line", 0..groups);
        if self.fields == 1 {
            return Ok(lines);
        }
        writeln!(text, "{indent}let lines = {lines};")?;
        let fields: Vec<String> = (1..self.fields)
            .map(|field| format!("(lines >> {}u)", field * self.field_bits()))
            .collect();
        Ok(format!("(lines | {}) & FIELD", fields.join(" | ")))
    }

    /// The set `row` moved to a field.
    pub(super) fn in_field(self, row: &str, field: usize) -> String {
        match field * self.field_bits() {
            0 => row.to_owned(),
            bits => format!("({row}) << {bits}u"),
        }
    }
}

/// `name_0 | name_1 | ...`
fn union(name: &str, numbers: impl Iterator<Item = usize>) -> String {
    let all: Vec<String> = numbers.map(|number| format!("{name}_{number}")).collect();
    all.join(" | ")
}
