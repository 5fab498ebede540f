//! The function `fitness` in WGSL, generated for a geometry.
//!
//! Scoring and the GPU engine use the same text, except for the memory that the board is read from.
//!
//! **Sets of values.** The functions on them are `shaders/fitness/fields_narrow.wgsl` and `fields_wide.wgsl`.
//!
//! *Narrow* sets, of sides below 32, are fields of `side + 1` bits, as many in a word as fit; value
//! `v` of field `f` is bit `f * (side + 1) + v`, and bit 0 of a field stands for a blank and is
//! never counted. Stack `s` of a board uses field `s % fields` of group `s / fields`. A variable
//! thus holds the sets of several columns or boxes, which are joined and counted at once: at 9x9
//! the boxes of a band, or the same column of each stack, are one variable, and 9 words are
//! counted instead of 27.
//!
//! *Wide* sets take two words each, with value `v` as bit `v - 1`.
//!
//! **Words of a board.** They are read one by one from a thread's child. From the buffer and from workgroup
//! memory they are read four at a time, which takes a quarter of the reads. A board may begin at any of the
//! four words, so its words are selected by the two low bits of its first word's number.
//!
//! **Cells above the side** would fall into other fields of a narrow set. They become blanks when boards are read
//! from the buffer: here, or where boards are copied to workgroup memory. A child has none. A wide set leaves
//! them out by itself.

use super::ShaderForm;
use crate::board::Geometry;

/// The memory that a board is read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BoardMemory {
    /// The buffer of all boards, from word `first` on.
    Buffer,
    /// Workgroup memory without cells above the side, from word `first` on.
    Tile,
    /// The memory of a thread's child.
    Child,
}

/// The value sets of a geometry.
#[derive(Clone, Copy, Debug)]
pub(super) struct ValueSets {
    geometry: Geometry,
    /// Sets in one variable.
    fields: usize,
}

impl ValueSets {
    pub(super) fn new(geometry: Geometry) -> Self {
        let fields = (u32::BITS as usize / (geometry.side() + 1)).min(geometry.stacks());
        Self { geometry, fields: fields.max(1) }
    }

    /// Whether a set and its bit for blanks fit in a word.
    fn is_narrow(self) -> bool {
        self.geometry.side() < u32::BITS as usize
    }

    /// Bits from one field to the next.
    fn field_bits(self) -> usize {
        self.geometry.side() + 1
    }

    /// Variables that hold a set for each stack.
    fn groups(self) -> usize {
        self.geometry.stacks().div_ceil(self.fields)
    }

    /// Variables that hold all columns: one for each column of a stack and each group.
    fn columns(self) -> usize {
        self.geometry.box_cols() * self.groups()
    }

    /// The constants of the functions that build and count sets.
    pub(super) fn constants(self) -> String {
        if !self.is_narrow() {
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
}

/// Generates the function for boards that are read from `memory`.
pub(super) fn fitness(geometry: Geometry, memory: BoardMemory, form: ShaderForm) -> String {
    let sets = ValueSets::new(geometry);
    let words = Words { memory, from: "first", alignment: 1, quads: 0, halves: 0 };
    let mut writer = Writer { geometry, sets, words, text: String::new() };
    writer.line("#choose shape");
    writer.line(match sets.is_narrow() {
        true => "#include \"fitness/fields_narrow.wgsl\"",
        false => "#include \"fitness/fields_wide.wgsl\"",
    });
    match form {
        ShaderForm::StraightLine => writer.straight_line(),
        ShaderForm::Loop => writer.row_loop(),
    }
    writer.text
}

/// The text of the function so far.
struct Writer {
    geometry: Geometry,
    sets: ValueSets,
    words: Words,
    text: String,
}

/// The words of a board that have been read.
struct Words {
    memory: BoardMemory,
    /// The variable that holds the number of the first word, a multiple of `alignment`: 1, 2 or 4.
    from: &'static str,
    alignment: usize,
    /// The numbers of variables that have been declared.
    quads: usize,
    halves: usize,
}

impl Writer {
    fn line(&mut self, line: impl AsRef<str>) {
        self.text.push_str(line.as_ref());
        self.text.push('\n');
    }

    fn straight_line(&mut self) {
        let (side, box_rows, fields) =
            (self.geometry.side(), self.geometry.box_rows(), self.sets.fields);
        self.begin_function();
        let words = self.geometry.stride() / 4;
        self.begin_words("first", 1 << words.trailing_zeros().min(2));
        self.clear("var box", self.sets.groups());
        for row in 0..side {
            if row % box_rows == 0 {
                self.line(format!("// Band {}.", row / box_rows));
                if row > 0 {
                    self.clear("box", self.sets.groups());
                }
            }
            let first = row * side;
            for number in first.div_ceil(4)..(first + side).div_ceil(4) {
                let word = self.word(number);
                self.line(match self.reads_any_bytes() {
                    true => format!("let word_{number} = cleaned({word});"),
                    false => format!("let word_{number} = {word};"),
                });
            }
            self.line("{");
            let set = self.add_row(first);
            // As many rows are counted at once as a word has fields.
            let field = row % fields;
            self.line(match field * self.sets.field_bits() {
                0 => format!("rows = {set};"),
                bits => format!("rows |= ({set}) << {bits}u;"),
            });
            if field + 1 == fields || row + 1 == side {
                self.line("distinct += count_values(rows);");
            }
            self.line("}");
            if (row + 1) % box_rows == 0 {
                self.count("box", self.sets.groups());
            }
        }
        self.end_function();
    }

    fn row_loop(&mut self) {
        let side = self.geometry.side();
        let whole_words = side.is_multiple_of(4);
        if !whole_words {
            // Rows begin anywhere in a word.
            self.line("#include \"fitness/joined.wgsl\"");
        }
        self.begin_function();
        self.line("for (var band = 0u; band < SIDE / BOX_ROWS; band++) {");
        self.clear("var box", self.sets.groups());
        self.line("for (var line = 0u; line < BOX_ROWS; line++) {");
        self.line("let row_start = (band * BOX_ROWS + line) * SIDE;");
        self.line("let row_word = first + row_start / 4u;");
        let alignment = if whole_words { 1 << (side / 4).trailing_zeros().min(2) } else { 1 };
        self.begin_words("row_word", alignment);
        let count = side.div_ceil(4);
        if !whole_words {
            // After the last board this reads arbitrary bytes, which are not cells of the row.
            for number in 0..=count {
                let word = self.word(number);
                self.line(format!("let part_word_{number} = {word};"));
            }
            self.line("let shift = row_start % 4u * 8u;");
        }
        for number in 0..count {
            let word = match whole_words {
                true => self.word(number),
                false => format!("joined(part_word_{number}, part_word_{}, shift)", number + 1),
            };
            self.line(format!("var word_{number} = {word};"));
        }
        if self.reads_any_bytes() {
            let above: Vec<String> = (0..count).map(|k| format!("above_side(word_{k})")).collect();
            self.line(format!("if ((({}) & TOP_BITS) != 0u) {{", above.join(" | ")));
            (0..count).for_each(|k| self.line(format!("word_{k} = cleaned(word_{k});")));
            self.line("}");
        }
        let set = self.add_row(0);
        self.line(format!("rows = {set};"));
        self.line("distinct += count_values(rows);");
        self.line("}");
        self.count("box", self.sets.groups());
        self.line("}");
        self.end_function();
    }

    /// Whether words may hold cells above the side, which narrow sets have no place for.
    fn reads_any_bytes(&self) -> bool {
        self.words.memory == BoardMemory::Buffer && self.sets.is_narrow()
    }

    fn begin_function(&mut self) {
        if self.words.memory == BoardMemory::Child {
            self.line("#choose memory");
            self.line("// The fitness of the child.");
            self.line("fn fitness() -> u32 {");
            self.line("let first = 0u;");
        } else {
            self.line("// The fitness of the board whose first word is `first`.");
            self.line("fn fitness(first: u32) -> u32 {");
        }
        self.line("var distinct = 0u;");
        self.line("var rows = NO_VALUES;");
        self.clear("var column", self.sets.columns());
    }

    fn end_function(&mut self) {
        self.count("column", self.sets.columns());
        self.line("return 3u * SIDE * SIDE - distinct;");
        self.line("}");
    }

    /// Makes the sets `name_0`, `name_1`, ... empty, and declares them if `name` begins with `var`.
    fn clear(&mut self, name: &str, count: usize) {
        (0..count).for_each(|k| self.line(format!("{name}_{k} = NO_VALUES;")));
    }

    /// Adds the sizes of the sets to `distinct`.
    fn count(&mut self, name: &str, count: usize) {
        (0..count).for_each(|k| self.line(format!("distinct += count_values({name}_{k});")));
    }

    /// Declares the variables for reading words from number `from`, a variable, on.
    fn begin_words(&mut self, from: &'static str, alignment: usize) {
        (self.words.from, self.words.alignment) = (from, alignment);
        if self.words.memory != BoardMemory::Child {
            self.line(format!("let quad = {from} / 4u;"));
            if alignment < 2 {
                self.line(format!("let one_on = ({from} & 1u) != 0u;"));
            }
            if alignment < 4 {
                self.line(format!("let two_on = ({from} & 2u) != 0u;"));
            }
        }
    }

    /// Returns the expression for word `number`, and declares the variables in it.
    fn word(&mut self, number: usize) -> String {
        let Words { memory, from, alignment, .. } = self.words;
        match (memory, alignment) {
            (BoardMemory::Child, _) => format!("child_word({from} + {number}u)"),
            (_, 4..) => self.quad_word(number),
            (_, 2..) => {
                let (low, high) = (self.quad_word(number), self.quad_word(number + 2));
                format!("select({low}, {high}, two_on)")
            }
            (_, _) => {
                while self.words.halves <= number + 2 {
                    let half = self.words.halves;
                    let (low, high) = (self.quad_word(half), self.quad_word(half + 1));
                    self.line(format!("let half_{half} = select({low}, {high}, one_on);"));
                    self.words.halves += 1;
                }
                format!("select(half_{number}, half_{}, two_on)", number + 2)
            }
        }
    }

    /// Returns the expression for word `number` counted from the first quad.
    fn quad_word(&mut self, number: usize) -> String {
        while self.words.quads <= number / 4 {
            let quad = self.words.quads;
            let memory = match self.words.memory {
                BoardMemory::Tile => "tile",
                BoardMemory::Buffer | BoardMemory::Child => "boards",
            };
            self.line(format!("let quad_{quad} = {memory}[quad + {quad}u];"));
            self.words.quads += 1;
        }
        format!("quad_{}.{}", number / 4, ["x", "y", "z", "w"][number % 4])
    }

    /// Adds the row whose first cell has the number `first`, in words that have been read, to the
    /// columns and boxes, and returns the set that holds the row.
    fn add_row(&mut self, first: usize) -> String {
        let ValueSets { geometry, fields } = self.sets;
        let (width, groups) = (geometry.box_cols(), self.sets.groups());
        for cell in first..first + geometry.side() {
            let byte = match cell % 4 * 8 {
                0 => format!("word_{}", cell / 4),
                shift => format!("word_{} >> {shift}u", cell / 4),
            };
            let blank = 1u32 << ((cell - first) / width % fields * self.sets.field_bits());
            self.line(format!("let cell_{cell} = field_bit({blank:#X}u, {byte});"));
        }
        for group in 0..groups {
            let stacks = group * fields..geometry.stacks().min((group + 1) * fields);
            for column in 0..width {
                let cells = union("cell", stacks.clone().map(|s| first + s * width + column));
                self.line(format!("let part_{column}_{group} = {cells};"));
                let variable = column * groups + group;
                self.line(format!("column_{variable} |= part_{column}_{group};"));
            }
            let parts: Vec<String> = (0..width).map(|k| format!("part_{k}_{group}")).collect();
            self.line(format!("let line_{group} = {};", parts.join(" | ")));
            self.line(format!("box_{group} |= line_{group};"));
        }
        let lines = union("line", 0..groups);
        if fields == 1 {
            return lines;
        }
        self.line(format!("let lines = {lines};"));
        let bits = self.sets.field_bits();
        let shifted: Vec<String> =
            (1..fields).map(|field| format!("(lines >> {}u)", field * bits)).collect();
        format!("(lines | {}) & FIELD", shifted.join(" | "))
    }
}

/// `name_0 | name_1 | ...`
fn union(name: &str, numbers: impl Iterator<Item = usize>) -> String {
    let all: Vec<String> = numbers.map(|number| format!("{name}_{number}")).collect();
    all.join(" | ")
}
