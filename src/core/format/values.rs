//! Cells to values: the last stage of reading.
//!
//! A cell is a number, a blank, or a character of the [`Alphabet`]. `0` is a blank, unless it stands beside
//! another blank mark: `0 . 2 1` of a 4x4 board may count from 0.

use super::ParseError;
use super::alphabet::Alphabet;
use super::board_text::duplicates;
use super::tokens::{CellText, Symbols, is_blank};
use crate::board::{BLANK, Geometry};

/// A cell's text, before all of them tell what `0` is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Symbol {
    Zero,
    Blank,
    Value(u8),
}

/// The value of each cell of a board.
///
/// # Errors
/// The first cell that has no value, and a text that two alphabets read in two ways.
pub(super) fn values(
    cells: &[CellText],
    geometry: Geometry,
    symbols: Symbols,
) -> Result<Vec<u8>, ParseError> {
    if let Some(alphabet) = symbols.alphabet {
        return in_alphabet(cells, alphabet);
    }
    let side = geometry.side();
    if let Some(values) = candidates(cells, side) {
        return Ok(values);
    }
    let symbol = |cell: &CellText| symbol(cell, side);
    let read: Vec<Symbol> = cells.iter().map(symbol).collect::<Result<_, _>>()?;
    let plain: Vec<u8> = read.iter().map(|symbol| symbol.value()).collect();
    let find = |symbol: Symbol| read.iter().position(|other| *other == symbol);
    let (Some(zero), Some(blank)) = (find(Symbol::Zero), find(Symbol::Blank)) else {
        return Ok(plain);
    };
    // Two marks: as many values as from 0 to side - 1, each once in a row, make 0 a value.
    let from_zero = |symbol: &Symbol| match symbol {
        Symbol::Blank => BLANK,
        Symbol::Zero => 1,
        Symbol::Value(value) => value + 1,
    };
    let shifted: Vec<u8> = read.iter().map(from_zero).collect();
    let fits = |values: &[u8]| {
        values.iter().all(|value| usize::from(*value) <= side)
            && !duplicates(geometry, values).contains(&true)
    };
    if !fits(&shifted) {
        return Ok(plain);
    }
    let Some(from_one) = "123456789".get(..side) else { return Ok(shifted) };
    let mark = match cells[blank].text {
        "" => "an empty field".to_owned(),
        text => format!("'{text}'"),
    };
    let from_zero = &"012345678"[..side];
    let problem = format!(
        "0 and {mark} both occur: with --alphabet {from_zero} the 0 is a value, with --alphabet {from_one} a blank"
    );
    Err(ParseError::at(cells[zero].at, problem))
}

impl Symbol {
    /// The value if 0 is a blank.
    fn value(self) -> u8 {
        if let Self::Value(value) = self { value } else { BLANK }
    }
}

/// What a cell says on its own.
fn symbol(cell: &CellText, side: usize) -> Result<Symbol, ParseError> {
    let text = cell.text;
    if is_blank(text) {
        return Ok(Symbol::Blank);
    }
    let is_number = |(at, c): &(usize, char)| c.is_ascii_digit() || *at == 0 && *c == '-';
    if let Some((at, c)) = text.char_indices().find(|character| !is_number(character)) {
        let column = cell.at.column + text[..at].chars().count();
        return Err(ParseError::character(super::TextPosition { column, ..cell.at }, c));
    }
    if text.starts_with('-') {
        let text = cell.shortened();
        let problem =
            format!("{text} is not a value; the only negative number allowed is -1, for a blank");
        return Err(ParseError::at(cell.at, problem));
    }
    let digits = text.trim_start_matches('0');
    if digits.is_empty() {
        return Ok(Symbol::Zero);
    }
    let value = digits.parse().ok().filter(|value| usize::from(*value) <= side);
    value.map(Symbol::Value).ok_or_else(|| {
        let value = cell.shortened();
        let problem = format!("the value {value} is larger than the side of the board, {side}");
        ParseError::at(cell.at, problem)
    })
}

/// The values of pencil marks: every cell lists its candidates, as `13` of `1234`, and is known if it lists one.
fn candidates(cells: &[CellText], side: usize) -> Option<Vec<u8>> {
    let ascends = |cell: &CellText| {
        let bytes = cell.text.as_bytes();
        let digits = bytes.iter().all(|byte| (b'1'..=b'0' + side as u8).contains(byte));
        !bytes.is_empty() && digits && bytes.windows(2).all(|two| two[0] < two[1])
    };
    let open = cells.iter().filter(|cell| cell.text.len() > 1).count();
    // One alone is rather a number that is too large.
    if side > super::DIGIT_SIDE || open < 2 || !cells.iter().all(ascends) {
        return None;
    }
    let value =
        |cell: &CellText| if cell.text.len() > 1 { BLANK } else { cell.text.as_bytes()[0] - b'0' };
    Some(cells.iter().map(value).collect())
}

/// The values of pencil marks on one line, nine places a cell: `1.3......` has the candidates 1 and 3.
pub(super) fn candidate_line(cells: &[CellText]) -> Option<Vec<u8>> {
    const SIDE: usize = super::DIGIT_SIDE;
    if cells.len() != SIDE * SIDE * SIDE {
        return None;
    }
    let of_cell = |places: &[CellText]| {
        let filled = |(_, place): &(u8, &CellText)| place.text != "0" && !is_blank(place.text);
        let found: Vec<(u8, &CellText)> = (1..).zip(places).filter(filled).collect();
        let fits = found.iter().all(|(value, place)| place.text.parse() == Ok(*value));
        let value = if let [(value, _)] = found[..] { value } else { BLANK };
        (fits && !found.is_empty()).then_some(value)
    };
    cells.chunks(SIDE).map(of_cell).collect()
}

fn in_alphabet(cells: &[CellText], alphabet: &Alphabet) -> Result<Vec<u8>, ParseError> {
    let other_mark = |cell: &CellText| is_blank(cell.text) && !cell.text.contains(['x', 'X']);
    let value = |cell: &CellText| {
        if is_blank(cell.text) && !cell.text.chars().any(|c| alphabet.is_value(c)) {
            return Ok(BLANK);
        }
        let mut characters = cell.text.chars();
        let (first, second) = (characters.next().unwrap_or_default(), characters.next());
        if second.is_some() {
            let problem = format!(
                "{} has several characters, but with --alphabet each cell is one character",
                cell.shortened()
            );
            return Err(ParseError::at(cell.at, problem));
        }
        if first == '0' && !alphabet.is_value('0') && cells.iter().any(other_mark) {
            let problem = "the puzzle contains both 0 and another blank, but 0 is not in the alphabet: \
                           write all blanks alike";
            return Err(ParseError::at(cell.at, problem));
        }
        // A small x among capitals, of which X is a value, may be either.
        if "xX".contains(first) && !alphabet.has(first) && alphabet.is_value(first) {
            let is_other = |c: char| {
                if first == 'x' { c.is_uppercase() } else { c.is_lowercase() }
            };
            if cells.iter().any(|cell| cell.text.contains(is_other)) {
                let problem =
                    format!("{first} may be a blank or a value; write each blank as a dot");
                return Err(ParseError::at(cell.at, problem));
            }
        }
        alphabet.value(first).ok_or_else(|| {
            let problem = format!("{first:?} is neither in the alphabet {alphabet} nor a blank");
            ParseError { problem, ..ParseError::character(cell.at, first) }
        })
    };
    cells.iter().map(value).collect()
}

#[cfg(test)]
mod tests {
    use crate::format::read;

    #[test]
    fn words_for_nothing_are_blanks() {
        let givens = |text: &str| read(text, "text", None).unwrap().puzzle.givens;
        for word in ["NaN", "nan", "None", "null", "NA"] {
            for separator in [",", ", ", "\t", ";", " "] {
                let row = ["5", "3", word, word, "7", word, word, word, word].join(separator);
                let text = format!("{row}\n").repeat(9);
                assert_eq!(givens(&text)[..9], [5, 3, 0, 0, 7, 0, 0, 0, 0], "{text}");
            }
            let row = [word; 4].join(",") + "\n";
            assert_eq!(givens(&(row.repeat(3) + "1.0,2.0,3.0," + word))[11..], [0, 1, 2, 3, 0]);
        }
    }
}
