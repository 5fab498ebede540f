//! Why lines are no board, in one sentence.

use std::collections::BTreeSet;

use super::alphabet::Alphabet;
use super::layout::RowLayout;
use super::shape::{self, is_side, nearest_side, no_board, other_count};
use super::text::TextLine;
use super::tokens::{BLANKS, CellText, Cut, Symbols};
use super::values::values;
use super::{DIGIT_SIDE, ParseError};
use crate::board::Geometry;

/// The most cells of a board whose values are single digits.
const MOST_DIGITS: usize = DIGIT_SIDE * DIGIT_SIDE;

/// The error for a large board that is written with one character per cell.
pub(super) fn compact(cells: usize) -> ParseError {
    ParseError::new(format!(
        "{cells} characters without spaces between them; write a board with a side above {DIGIT_SIDE} as numbers separated by spaces, or list its characters with --alphabet"
    ))
}

/// The error for lines that are no board.
pub(super) fn diagnose(
    lines: &[TextLine],
    layouts: &[RowLayout],
    stated: Option<Geometry>,
    symbols: Symbols,
) -> ParseError {
    let of = |cut: Cut| layouts.iter().find(|layout| layout.cut == cut);
    let words = of(Cut::Words).or_else(|| of(Cut::FramedWords));
    let fields = layouts.iter().find(|layout| matches!(layout.cut, Cut::Fields(_)));
    let are_fields = |fields: &&RowLayout| {
        is_side(fields.width()) && !words.is_some_and(|words| is_side(words.width()))
    };
    let chosen = match (fields.filter(are_fields), words, of(Cut::Characters)) {
        (Some(fields), _, _) if symbols.alphabet.is_none() => Some(fields),
        (_, Some(words), Some(characters)) if !are_numbers(words, characters.count()) => {
            Some(characters)
        }
        (_, words, characters) => words.or(characters),
    };
    let cells = chosen.map(RowLayout::cells).unwrap_or_default();
    if cells.is_empty() {
        return letters(lines, symbols).unwrap_or_else(ParseError::empty);
    }
    if let Some(error) = unknown(&cells, symbols) {
        return error;
    }
    let are_characters = chosen.is_some_and(|layout| layout.cut == Cut::Characters);
    match stated.or(symbols.alphabet.map(|alphabet| alphabet.shape)) {
        Some(shape) => other_count(cells.len(), shape),
        None if are_characters
            && cells.len() > MOST_DIGITS
            && nearest_side(cells.len()) > DIGIT_SIDE =>
        {
            compact(cells.len())
        }
        None => no_board(&cells),
    }
}

/// Whether each word is a cell, not each of so many characters.
fn are_numbers(words: &RowLayout, characters: usize) -> bool {
    let all = || words.rows.iter().flat_map(|row| &row.cells);
    let length = |cell: &CellText| if cell.text == "-1" { 1 } else { cell.text.chars().count() };
    // `5.` can be no number.
    let mixed =
        all().any(|cell| length(cell) > 1 && cell.text.contains(|c: char| BLANKS.contains(c)));
    // `5 3 10 7`: the longer word among single characters is a number, be it too large.
    let single = all().filter(|cell| length(cell) == 1).count();
    let count = words.count();
    let fits = characters <= MOST_DIGITS && shape::is_board(characters);
    let numbers = single * 2 > count
        || count > MOST_DIGITS
        || !fits && shape::is_board(count) && characters < 3 * count;
    numbers && !mixed
}

/// The error for the first cell with a character that no value has.
pub(super) fn unknown(cells: &[CellText], symbols: Symbols) -> Option<ParseError> {
    let side = Geometry::squarest(symbols.alphabet.map_or(DIGIT_SIDE, Alphabet::side))?;
    // Numbers may be of any board here.
    let error = |cell: &CellText| {
        let error = values(&[*cell], side, symbols).err();
        error.filter(|error| error.unknown.is_some() || cell.text.starts_with('-'))
    };
    cells.iter().find_map(error).map(|error| with_alphabet(cells, symbols, error))
}

/// The error for lines of letters.
fn letters(lines: &[TextLine], symbols: Symbols) -> Option<ParseError> {
    let cells = lines.iter().filter_map(|line| symbols.cells(line, Cut::Characters)).flatten();
    let cells: Vec<CellText> = cells.collect();
    let all = cells.iter().all(|cell| cell.text.chars().all(char::is_alphanumeric));
    unknown(&cells, symbols).filter(|_| all && shape::is_board(cells.len()))
}

/// The error for a character without a value, with a hint where letters are the values of a board.
pub(super) fn with_alphabet(cells: &[CellText], symbols: Symbols, error: ParseError) -> ParseError {
    let (Some(at), Some(character), None) = (error.at, error.unknown, symbols.alphabet) else {
        return error;
    };
    let all = || cells.iter().flat_map(|cell| cell.text.chars());
    let is_value = |c: &char| c.is_alphanumeric() && !"xX".contains(*c);
    let (count, used) = (all().count(), all().filter(is_value).collect::<BTreeSet<char>>());
    let letters = used.iter().filter(|c| c.is_alphabetic()).count();
    let side = if shape::is_board(count) { count.isqrt() } else { 0 };
    let fewest = if side > DIGIT_SIDE { 1 } else { 4 };
    if !character.is_alphanumeric() || side == 0 || letters < fewest || used.len() > side {
        return error;
    }
    let all = ('0'..='9').chain('A'..='Z').chain('a'..='z').chain("@$".chars());
    let example: String =
        if used.len() == side { used.iter().collect() } else { all.take(side).collect() };
    let problem = format!(
        "{character:?} may stand for more than one value of a board of side {side}; list the characters of \
         its values with --alphabet, as in --alphabet {example}"
    );
    ParseError::at(at, problem)
}
