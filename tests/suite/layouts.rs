//! The layouts in which people keep puzzles: each is read as what it is, or refused by name.

use arbitrary::Unstructured;
use evodoku::format::{Alphabet, Options, PuzzleReader, line};
use evodoku::random::{GenerationRng, StreamStage};

use crate::attacks::layouts;

/// Two puzzles of 9x9, and one of 6x6 with boxes of three rows and two columns.
const ONE: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const TWO: &str =
    "..9748...7.........2.1.9.....7...24..64.1.59..98...3.....8.3.2.........6...2759..";
const SIX: &str = "..3.5.3...4.2..6...2....1...344.....";
/// The solution of the first.
const SOLVED: &str =
    "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

/// Each puzzle as its boxes, where they are not the squarest, and its cells; or the error.
fn read_with(text: &[u8], shape: Option<&str>, alphabet: Option<&str>) -> Vec<String> {
    let shape = shape.map(|shape| shape.parse().unwrap());
    let alphabet: Option<Alphabet> = alphabet.map(|alphabet| alphabet.parse().unwrap());
    let options = Options { shape, alphabet, ..Options::default() };
    let puzzles = PuzzleReader::new(text, "text", "text", &options);
    let puzzles = puzzles.map(|reading| match reading {
        Ok(reading) => {
            let geometry = reading.puzzle.geometry;
            let shape = if geometry.side() == 6 { format!("{geometry} ") } else { String::new() };
            shape + &line(geometry, &reading.puzzle.givens)
        }
        Err(error) => error.to_string(),
    });
    puzzles.collect()
}

fn read(text: &str) -> Vec<String> {
    read_with(text.as_bytes(), None, None)
}

/// Rows of nine, each cell written by `cell`.
fn rows(puzzle: &str, cell: impl Fn(char) -> String, between: &str) -> String {
    let cells: Vec<String> = puzzle.chars().map(cell).collect();
    cells.chunks(9).map(|row| row.join(between) + "\n").collect()
}

/// The rows with blanks written so.
fn spaced(puzzle: &str, blank: &str) -> String {
    rows(puzzle, |c| if c == '.' { blank.to_owned() } else { c.to_string() }, " ")
}

/// Bands of three rows with this between them, and boxes with that.
fn framed(puzzle: &str, rule: &str, bar: &str, blank: char) -> String {
    let rows: Vec<&str> = (0..9).map(|row| &puzzle[9 * row..][..9]).collect();
    let text = |row: &&str| {
        let row = row.replace('.', &blank.to_string());
        format!("{bar}{}{bar}{}{bar}{}{bar}\n", &row[..3], &row[3..6], &row[6..])
    };
    let bands: Vec<String> = rows.chunks(3).map(|band| band.iter().map(text).collect()).collect();
    format!("{rule}{}{rule}", bands.join(rule))
}

#[test]
fn labels_are_no_cells() {
    let letters = |row: usize| char::from(b'A' + row as u8);
    let all = spaced(ONE, ".");
    let head = |first: usize| {
        (first..first + 9).map(|column| column.to_string()).collect::<Vec<_>>().join(" ")
    };
    let labelled = |label: &dyn Fn(usize) -> String| -> String {
        all.lines().enumerate().map(|(row, text)| format!("{} {text}\n", label(row))).collect()
    };
    for text in [
        format!(". {}\n{}", head(1), labelled(&|row| (row + 1).to_string())),
        format!("  {}\n{}", head(0), labelled(&|row| row.to_string())),
        format!("  A B C D E F G H I\n{all}"),
        format!("{}\n{all}", head(1)),
        labelled(&|row| letters(row).to_string()),
        labelled(&|row| format!("r{} |", row + 1)),
        format!(
            ",{}\n{}",
            head(0).replace(' ', ","),
            labelled(&|row| row.to_string()).replace(' ', ",")
        ),
    ] {
        assert_eq!(read(&text), [ONE], "{text}");
    }
}

#[test]
fn a_zero_beside_another_blank_is_a_value_or_refused() {
    let small = "0 . . 3\n. 3 0 .\n3 . . 0\n. 0 3 .\n";
    assert_eq!(
        read(small),
        [
            "text: line 1 column 1: 0 and '.' both occur: with --alphabet 0123 the 0 is a value, with --alphabet 1234 a blank"
        ]
    );
    assert_eq!(read_with(small.as_bytes(), None, Some("0123")), ["1..4.41.4..1.14."]);
    assert!(
        read_with(small.as_bytes(), None, Some("1234"))[0].contains("both 0 and another blank")
    );
    // Where 0 would be twice in a row, it is a blank.
    assert_eq!(read("1 0 . 4\n. 4 1 0\n4 . 0 1\n0 1 4 ."), ["1..4.41.4..1.14."]);
    let cell = |cell: usize| if cell.is_multiple_of(5) { (cell / 12 + cell) % 12 } else { 99 };
    let text = |blank: &str| -> String {
        let cells: Vec<String> = (0..144)
            .map(|at| if cell(at) == 99 { blank.to_owned() } else { cell(at).to_string() })
            .collect();
        cells.chunks(12).map(|row| row.join(" ") + "\n").collect()
    };
    for blank in [".", "-1", "-"] {
        let found = read(&text(blank));
        let shifted: Vec<String> = (0..144)
            .map(|at| if cell(at) == 99 { "0".to_owned() } else { (cell(at) + 1).to_string() })
            .collect();
        assert_eq!(found, [shifted.join(" ")], "{blank}");
    }
}

#[test]
fn the_boxes_that_are_drawn_are_the_boxes() {
    let rows: Vec<&str> = (0..6).map(|row| &SIX[6 * row..][..6]).collect();
    let thick = |row: &&str| {
        let c: Vec<char> = row.chars().collect();
        format!("║ {} │ {} ║ {} │ {} ║ {} │ {} ║\n", c[0], c[1], c[2], c[3], c[4], c[5])
    };
    let thick: Vec<String> = rows.iter().map(thick).collect();
    let (double, single) = ("═".repeat(25) + "\n", "─".repeat(25) + "\n");
    let band = |rows: &[String]| rows.join(&single);
    let pairs = |row: &&str| format!("{} {} {}\n", &row[..2], &row[2..4], &row[4..]);
    let pairs: Vec<String> = rows.iter().map(pairs).collect();
    let bars = pairs.concat().replace(' ', "||");
    // Blanks of two characters move the cells behind them.
    let numbers = |row: &&str| {
        let cells: Vec<&str> = row.split("").filter(|cell| !cell.is_empty()).collect();
        let boxes: Vec<String> = cells.chunks(2).map(|cells| cells.join(" ")).collect();
        boxes.join("  ").replace('.', "-1") + "\n"
    };
    let numbers: String = rows.iter().map(numbers).collect();
    for text in [
        format!("{double}{}{double}{}{double}", band(&thick[..3]), band(&thick[3..])),
        format!("{}\n{}", pairs[..3].concat(), pairs[3..].concat()),
        pairs.concat(),
        bars,
        numbers,
        rows.iter()
            .enumerate()
            .map(|(at, row)| format!("{row}\n{}", if at == 2 { "\n" } else { "" }))
            .collect(),
        format!("# boxes of 3x2\n{}\n", rows.join("\n")),
        format!("{SIX}  # boxes of 3x2\n"),
        format!("quizzes,solutions\n{},  # boxes of 3x2\n", SIX.replace('.', "0")),
    ] {
        assert_eq!(read(&text), [format!("3x2 {SIX}")], "{text}");
    }
    assert_eq!(read(&rows.join("\n")), [format!("2x3 {SIX}")]);
    let crossed =
        format!("{}\n{}\n{}", pairs[..2].concat(), pairs[2..4].concat(), pairs[4..].concat());
    assert_eq!(
        read(&crossed),
        [
            "text: the frames show boxes of 2 rows and 2 columns, but a board of side 6 has no such boxes; set the boxes with --box"
        ]
    );
}

#[test]
fn one_of_several_is_read_as_one_alone() {
    let dashes = |puzzle: &str| rows(puzzle, |c| c.to_string(), "").replace('.', "-");
    let fields = |puzzle: &str| rows(puzzle, |c| c.to_string().replace('.', ""), "\t");
    let zeros = |puzzle: &str| rows(puzzle, |c| c.to_string(), "").replace('.', "0");
    for write in
        [&dashes as &dyn Fn(&str) -> String, &fields, &zeros, &|puzzle: &str| spaced(puzzle, "-")]
    {
        let (one, two) = (write(ONE), write(TWO));
        for between in ["\n", "\n\n", "========\n", "Grid 02\n", "+-----+\n\n+-----+\n", ""] {
            let text = format!("{one}{between}{two}{between}{one}");
            assert_eq!(read(&text), [ONE, TWO, ONE], "{text}");
        }
    }
    // Three puzzles of 27 givens are no full board.
    let three = format!("{0}\n{0}\n{0}", spaced(TWO, "-"));
    assert_eq!(read(&three), [TWO; 3]);
    let four = "1 0 0 4 0 0 1 0 0 1 0 0 4 0 0 1\n".repeat(16);
    assert_eq!(read(&four), ["1..4..1..1..4..1"; 16]);
    let sparse = format!("{}1{}\n", "0 ".repeat(9), " 0".repeat(6));
    let ambiguous = sparse + &("0 ".repeat(15) + "0\n").repeat(15);
    assert_eq!(
        read(&ambiguous),
        [
            "text: 16 lines of 16 cells may be a board or 16 boards of 16 cells; use --box 4x4 for one board, --box 2x2 for several"
        ]
    );
}

#[test]
fn dashes_are_blanks_on_a_line() {
    assert_eq!(read(&ONE.replace('.', "-")), [ONE]);
    assert_eq!(read(&format!("{ONE}\n{TWO}\n").replace('.', "-")), [ONE, TWO]);
    let hex = Some("0123456789ABCDEF");
    let line = "--F-0---".repeat(32);
    assert_eq!(read_with(line.as_bytes(), None, hex), ["0 0 16 0 1 0 0 0 ".repeat(32).trim_end()]);
}

#[test]
fn blank_space_is_a_blank_in_frames_and_columns() {
    let rule = "+-------+-------+-------+\n";
    let rows = |puzzle: &str| -> Vec<String> {
        let row = |row: usize| {
            let cells: Vec<String> =
                puzzle[9 * row..][..9].chars().map(|c| c.to_string().replace('.', " ")).collect();
            format!(
                "| {} | {} | {} |\n",
                cells[..3].join(" "),
                cells[3..6].join(" "),
                cells[6..].join(" ")
            )
        };
        (0..9).map(row).collect()
    };
    let drawn = |puzzle: &str| {
        let rows = rows(puzzle);
        format!(
            "{rule}{}{rule}{}{rule}{}{rule}",
            rows[..3].concat(),
            rows[3..6].concat(),
            rows[6..].concat()
        )
    };
    assert_eq!(read(&drawn(ONE)), [ONE]);
    assert_eq!(read(&format!("{}\n{}", drawn(ONE), drawn(TWO))), [ONE, TWO]);
    let bare = drawn(ONE).replace("+-", "--").replace('|', "│");
    assert_eq!(read(&bare), [ONE]);
    let tight = framed(ONE, "---+---+---\n", "|", ' ').replace("\n|", "\n").replace("|\n", "\n");
    assert_eq!(read(&tight), [ONE], "{tight}");
    let columns: String = (0..9).map(|row| ONE[9 * row..][..9].replace('.', " ") + "\n").collect();
    assert_eq!(read(&columns), [ONE]);
    // A row that lacks a cell has no blank at its end.
    let short = spaced(ONE, ".").replacen(" .\n", "\n", 1);
    assert!(read(&short)[0].contains("80 cells, 8 of them in line 1"), "{:?}", read(&short));
}

#[test]
fn arrays_are_read_as_programs_write_them() {
    let array = |blank: &str, quote: &str| {
        let cell = |c: char| if c == '.' { blank.to_owned() } else { format!("{quote}{c}{quote}") };
        let rows: Vec<String> =
            rows(ONE, cell, ", ").lines().map(|row| format!("[{row}]")).collect();
        format!("[{}]", rows.join(",\n "))
    };
    let words = format!(
        "[{}]",
        rows(ONE, |c| c.to_string(), "")
            .lines()
            .map(|row| format!("\"{row}\""))
            .collect::<Vec<_>>()
            .join(", ")
    );
    let numpy = array("0", "").replace(',', "");
    for text in [
        array("null", ""),
        array("0", ""),
        array("None", ""),
        array("\"\"", "\""),
        array("'.'", "'"),
        array("-1", ""),
        array("0", "").replace([' ', '\n'], ""),
        array("0", "").replace(['[', ','], "\n[").replace("\n[ ", ",\n "),
        array("0", "").replace('[', "{").replace(']', "}"),
        format!("int grid[9][9] = {};", array("0", "").replace('[', "{").replace(']', "}")),
        format!("grid = {}", array("0", "")),
        format!("board = np.array({}, dtype=int)", array("0", "")),
        numpy.replace('5', "5.").replace('0', "0."),
        numpy,
        words,
        format!(
            "{{\"id\": 7, \"puzzle\": \"{ONE}\", \"solution\": \"{}\"}}",
            "123456789".repeat(9)
        ),
        format!("{{\"solution\": {0}, \"puzzle\": {0}, \"level\": [1, 2]}}", array("null", "")),
        format!(
            "[{}]",
            ONE.replace('.', "0").chars().map(|c| c.to_string()).collect::<Vec<_>>().join(",")
        ),
    ] {
        assert_eq!(read(&text), [ONE], "{text}");
    }
    let small = "let p = [[1, 2, 0, 4], [3, 4, 1, 2], [2, 1, 4, 3], [4, 3, 2, 1]]";
    assert_eq!(read(small), ["12.4341221434321"]);
    let rows = "[[1, 2, 0, 4], [3, 4, 1, 2], [2, 1, 4, 3], [4, 3, 2, 1]]";
    for text in [
        format!("puzzle = {rows}\nsolution = {}", rows.replace('0', "3")),
        format!("{{\"puzzle\": 1, \"problem\": \"easy\", \"grid\": {rows}}}"),
        format!("int grid[4][4] = {rows};\nint solution[4][4] = {rows};"),
    ] {
        assert_eq!(read(&text), ["12.4341221434321"], "{text}");
    }
    let two = format!("[\"{ONE}\", \"{TWO}\"]");
    assert_eq!(read(&two), [ONE, TWO]);
    let lines = format!("{{\"puzzle\": \"{ONE}\"}}\n{{\"puzzle\": \"{TWO}\"}}\n");
    assert_eq!(read(&lines), [ONE, TWO]);
    // What is damaged is refused, and the others are read.
    let found = read(&format!("[{{\"puzzle\": \"{}\"}}, {{\"puzzle\": \"{TWO}\"}}]", &ONE[1..]));
    assert!(found.len() == 2 && found[0].contains("80 cells") && found[1] == TWO, "{found:?}");
    let found = read(&format!("{{\"puzzle\": \"{}\"}}\n{{\"puzzle\": \"{TWO}\"}}", &ONE[1..]));
    assert!(found.len() == 2 && found[0].contains("80 cells") && found[1] == TWO, "{found:?}");
    let short = array("0", "").replacen(", 0", "", 1);
    assert!(read(&short)[0].contains("80 cells"), "{:?}", read(&short));
    let large = array("0", "").replacen('5', "10", 1);
    let said = "text: line 1 column 3: the value 10 is larger than the side of the board, 9";
    assert_eq!(read(&large), [said]);
}

#[test]
fn tables_have_their_puzzles_in_any_column() {
    let one = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
    let two = "519748632783652419426139875357986241264317598198524367975863124832491756641275983";
    for text in [
        format!("source,question,answer,rating\na_1,{ONE},{one},0\nb,{TWO},{two},12\n"),
        format!("{ONE},{one}\n{TWO},{two}\n"),
        format!("solution,puzzle\n{one},{ONE}\n{two},{TWO}\n"),
        format!("id;level;grid\n1;easy;\"{ONE}\"\n2;hard;\"{TWO}\"\n"),
        format!("1\t{ONE}\n2\t{TWO}\n"),
        format!("{one}\t{ONE}\n{two}\t{TWO}\n"),
        format!("{ONE} 7.2\n{TWO} 11.9\n"),
        format!("{ONE};a name;7\n{TWO};another;8\n"),
        format!(":0000:x:{ONE}:::\n:0000:x:{TWO}:::\n"),
        format!("1: {ONE}\n2: {TWO}\n"),
    ] {
        assert_eq!(read(&text), [ONE, TWO], "{text}");
        let zeros = text.replace('.', "0");
        assert_eq!(read(&zeros), [ONE, TWO], "{zeros}");
    }
    let bad = format!("puzzle,solution\n{ONE},\n{},\n{TWO},\n", &ONE[1..]);
    let found = read(&bad);
    assert_eq!((&*found[0], &*found[2]), (ONE, TWO));
    assert!(found[1].starts_with("text: puzzle 2, line 3 column 1: 80 cells"), "{found:?}");
}

#[test]
fn a_damaged_field_is_refused_and_no_other_is_taken_for_it() {
    let solution =
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
    for damaged in ["", "?", "see note", &ONE[..20]] {
        for separator in [",", ";", "\t"] {
            let text = format!(
                "puzzle{separator}solution\n{ONE}{separator}{solution}\n{damaged}{separator}{solution}\n"
            );
            let found = read(&text);
            assert_eq!((found.len(), &*found[0]), (2, ONE), "{text}");
            assert!(found[1].contains("puzzle 2, line 3"), "{found:?}");
        }
    }
    // A number of sixteen digits is no board beside a longer one.
    let numbered = format!("0000000000000001,{ONE}\n0000000000000002,{TWO}\n");
    assert_eq!(read(&numbered), [ONE, TWO]);
    assert_eq!(read(&format!("puzzle = \"{ONE}\"\nsolution = \"{solution}\"\n")), [ONE]);
    assert_eq!(
        read(&format!("[[\"{ONE}\", \"{solution}\"], [\"{TWO}\", \"{solution}\"]]")),
        [ONE, TWO]
    );
}

#[test]
fn rows_and_titles_are_no_sizes_and_tables() {
    assert_eq!(read("0012\n3000\n0043\n2100\n"), ["..123.....4321.."]);
    assert_eq!(read("1xx2\nxx3x\nx1xx\n2xxx\n"), ["1..2..3..1..2..."]);
    let one = rows(ONE, |c| c.to_string(), "");
    assert_eq!(read(&format!("Sudoku, easy\n{one}")), [ONE]);
    assert_eq!(read(&format!("Final round\n{one}\nPuzzle 2, unique solution\n{one}")), [ONE, ONE]);
    assert!(read(&"9\n\n".repeat(300)).len() < 10);
}

#[test]
fn lines_may_end_in_carriage_returns() {
    for end in ["\r", "\r\n", "\n"] {
        let list = format!("{ONE}{end}{TWO}{end}");
        assert_eq!(read(&list), [ONE, TWO], "{list:?}");
        let rows = rows(ONE, |c| c.to_string(), " ").replace('\n', end);
        assert_eq!(read(&rows), [ONE], "{rows:?}");
    }
}

#[test]
fn heads_sizes_and_words_are_no_cells() {
    let (one, two) = (rows(ONE, |c| c.to_string(), ""), rows(TWO, |c| c.to_string(), ""));
    for text in [
        format!("Grid 01\n{one}Grid 02\n{two}"),
        format!("Puzzle 1 (easy, 30 givens)\n\n{one}\nPuzzle 2 (hard)\n\n{two}"),
        format!("9\n{one}9\n{two}"),
        format!("9 9\n{one}\n9 9\n{two}"),
        format!("1\n{one}2\n{two}"),
        format!("3 3\n{one}\n{two}"),
        format!("[Puzzle]\n{one}[State]\n{two}[Puzzle]\n{two}"),
        format!("{one}\nSolution\n{full}\n{two}", full = rows(SOLVED, |c| c.to_string(), "")),
        format!(
            "{one}\n{two}\nSolutions\n\n{full}\n{full}",
            full = rows(SOLVED, |c| c.to_string(), "")
        ),
        format!("{one}\nSolved by Bob, answer on page 12\n\n{two}"),
        format!("{one}END\n{two}"),
        format!("1:\n{one}2:\n{two}"),
        format!("(1)\n{one}(2)\n{two}"),
        format!("=== 1 ===\n{one}\n=== 2 ===\n{two}"),
        format!("2024-05-01\n{one}\n7.1/1.2/1.2\n{two}"),
        format!("1/2\n{one}2/2\n{two}"),
        format!("```text\n{one}```\nand\n```\n{two}```\n"),
        format!("puzzle: {one}puzzle: {two}").replace("puzzle: ", "puzzle:\n"),
    ] {
        assert_eq!(read(&text), [ONE, TWO], "{text}");
    }
    assert_eq!(
        read(&format!("4 4\n{one}")),
        ["text: the rows make a board of side 9, but the line above them gives the size 4 4"]
    );
}

#[test]
fn frames_may_be_of_any_characters() {
    let one = |rule: &str, bar: &str| framed(ONE, rule, bar, '.');
    for text in [
        one(".---.---.---.\n", "|"),
        one(":===:===:===:\n", ":"),
        one("~~~~~~~~~~~~~\n", "!"),
        one("o---o---o---o\n", " | "),
        one("#\n", "/"),
        one("┏━━━┳━━━┳━━━┓\n", "┃"),
        one("╔═══╦═══╦═══╗\n", "║"),
        one("=============\n", "&"),
        spaced(ONE, ".").replace(' ', " : "),
        rows(ONE, |c| format!("[{c}]"), ""),
        rows(ONE, |c| format!("({c})"), " "),
    ] {
        assert_eq!(read(&text), [ONE], "{text}");
    }
    // What stands in one row alone is no frame.
    let slip = spaced(ONE, ".").replacen("7", "&", 1);
    assert_eq!(
        read(&slip),
        ["text: line 1 column 9: unexpected character '&'; a blank is a single . 0 _ * ? or x"]
    );
}

#[test]
fn pencil_marks_are_read_by_their_givens() {
    let marks = rows(ONE, |c| if c == '.' { "1278".to_owned() } else { c.to_string() }, "  ");
    let brackets = rows(ONE, |c| if c == '.' { "(1278)".to_owned() } else { c.to_string() }, " ");
    let places = ONE.chars().map(|c| match c.to_digit(10) {
        Some(digit) => {
            (1..10).map(|value| if value == digit { c } else { '.' }).collect::<String>()
        }
        None => "12....78.".to_owned(),
    });
    for text in [marks, brackets.replace(['(', ')'], "|"), brackets, places.collect()] {
        assert_eq!(read(&text), [ONE], "{text}");
    }
}

#[test]
fn exports_of_opensudoku_have_versions() {
    let xml = |data: &str| format!("<opensudoku>\n<game data=\"{data}\"/>\n</opensudoku>\n");
    let cells = |fields: &str| -> String {
        let cell = |c: char| match c {
            '.' => format!("0|{fields}1|"),
            // A cell that the player filled in.
            '9' => format!("9|{fields}1|"),
            digit => format!("{digit}|{fields}0|"),
        };
        ONE.chars().map(cell).collect()
    };
    let givens = ONE.replace('9', ".");
    for text in [
        xml(&format!("version: 1&#10;{}", cells("-|"))),
        xml(&format!("version: 2\n{}", cells("0|"))),
        xml(&format!("version: 4&#10;{}", cells("0|0|"))),
    ] {
        assert_eq!(read(&text), [givens.as_str()], "{text}");
    }
    let short = cells("-|").replacen("5|-|0|", "", 1);
    assert_eq!(
        read(&xml(&format!("version: 1&#10;{short}"))),
        [
            "text: line 2 column 13: 240 fields, but the number must be a multiple of 81, with two or more per cell"
        ]
    );
}

#[test]
fn bands_between_empty_lines_are_one_board() {
    let rows: Vec<String> =
        rows(ONE, |c| c.to_string(), "").lines().map(|row| format!("{row}\n")).collect();
    let bands = |rows: &[String]| {
        format!("{}\n{}\n{}", rows[..3].concat(), rows[3..6].concat(), rows[6..].concat())
    };
    let one = bands(&rows);
    assert_eq!(read(&one), [ONE]);
    assert_eq!(read(&format!("{one}\n{one}")), [ONE, ONE]);
    assert_eq!(read(&format!("{one}{one}")), [ONE, ONE]);
    assert_eq!(read(&format!("Grid 1\n{one}\n\n\nGrid 2\n{one}")), [ONE, ONE]);
    // Without its last band a board is no other board.
    let short = format!("{}\n{}\n", rows[..3].concat(), rows[3..6].concat());
    assert!(read(&short)[0].contains("54 cells, 6 lines of 9"), "{:?}", read(&short));
}

#[test]
fn letters_are_refused_with_a_hint() {
    let letters = "WORDABLES";
    let cell = |c: char| match c.to_digit(10) {
        Some(digit) => letters.chars().nth(digit as usize - 1).unwrap().to_string(),
        None => "-".to_owned(),
    };
    for text in [rows(ONE, cell, ""), rows(ONE, cell, " ")] {
        let found = read(&text);
        assert!(
            found[0].contains("list the characters of its values with --alphabet"),
            "{found:?}"
        );
        assert_eq!(read_with(text.as_bytes(), None, Some(letters)), [ONE], "{text}");
    }
    // A small x among capitals may be a blank or a value.
    let text = "AX.x".repeat(4);
    assert_eq!(
        read_with(text.as_bytes(), None, Some("ABXY")),
        ["text: line 1 column 4: x may be a blank or a value; write each blank as a dot"]
    );
    let blanks = "ABxx".repeat(4);
    assert_eq!(read_with(blanks.as_bytes(), None, Some("ABCD")), ["12..".repeat(4)]);
}

#[test]
fn other_encodings_are_read_or_refused() {
    let text = rows(ONE, |c| c.to_string(), " ");
    let units = |bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
        format!("\u{feff}{text}").replace('\n', "\r\n").encode_utf16().flat_map(bytes).collect()
    };
    assert_eq!(read_with(&units(u16::to_le_bytes), None, None), [ONE]);
    assert_eq!(read_with(&units(u16::to_be_bytes), None, None), [ONE]);
    let wide: String =
        rows(ONE, |c| char::from_u32(u32::from(c) + 0xfee0).unwrap().to_string(), "");
    assert_eq!(read(&wide), [ONE]);
    assert!(read_with(b"\x1f\x8b\x08\0", None, None)[0].contains("packed with gzip"));
}

/// What a fuzzer does for longer: `scripts/fuzz 600 layouts`.
#[test]
fn any_layout_is_read_as_it_is_or_refused() {
    const DRAWS: u32 = 1_500;
    let mut read = 0;
    for draw in 0..DRAWS {
        let mut draws = GenerationRng::new(draw.into(), 0).draws(StreamStage::Mutate, 0);
        let bytes: Vec<u8> = (0..200).map(|_| draws.below(256) as u8).collect();
        read += u32::from(layouts::is_read(&mut Unstructured::new(&bytes)).unwrap_or(true));
    }
    assert!(read * 20 > DRAWS * 19, "{read} of {DRAWS}");
}

/// Frames whose blanks are blank space, with what people write around them.
#[test]
fn labels_and_titles_outside_of_frames_are_no_cells() {
    let edge = "  +-----+-----+\n";
    let frame = |rows: [&str; 4]| {
        let rows = rows.map(|row| format!("  {row}\n"));
        format!("{edge}{}{edge}{}{edge}", rows[..2].concat(), rows[2..].concat())
    };
    let (one, two) = (
        ["| 2   |     |", "|     |   3 |", "|     | 4   |", "|   1 |     |"],
        ["|     |     |", "|     |   3 |", "| 3   | 1   |", "| 4   |     |"],
    );
    let expected = ["2......3..4..1..", ".......33.1.4..."];
    let (first, second) = (frame(one), frame(two));
    for between in
        ["", "\n", "---\n", "2:\n", "\n=== 2 ===\n", "```\n\n```\n", "\nSolution: unique\n"]
    {
        assert_eq!(read(&format!("{first}{between}{second}")), expected, "{between}");
    }
    let head = "    1 2   3 4\n";
    for name in ['1', 'A', 'a', '0'] {
        let labelled = (0u8..4).fold(first.clone(), |text, row| {
            text.replacen("\n  |", &format!("\n{} |", char::from(name as u8 + row)), 1)
        });
        for text in [labelled.clone(), format!("{head}{labelled}"), format!("{head}{first}")] {
            assert_eq!(read(&text), expected[..1], "{text}");
        }
    }
    for mark in ["> ", "* "] {
        let quoted = format!("{mark}{}", first.trim_end().replace('\n', &format!("\n{mark}")));
        assert_eq!(read(&quoted), expected[..1], "{quoted}");
    }
    // Each row has three givens, with its label as many as it has cells.
    let full = frame(["| 2   | 1 4 |", "| 1 4 | 2   |", "| 3 2 | 4   |", "| 4 1 |   2 |"]);
    let labelled = (1..=4).fold(full, |text, row| text.replacen("\n  |", &format!("\n{row} |"), 1));
    assert_eq!(read(&labelled), ["2.14142.324.41.2"]);
    let table = |row: &str| {
        format!(
            "| {} |\n",
            row.replace('.', " ")
                .split("")
                .filter(|cell| !cell.is_empty())
                .collect::<Vec<_>>()
                .join(" | ")
        )
    };
    let cells: Vec<String> =
        ONE.as_bytes().chunks(9).map(|row| table(std::str::from_utf8(row).unwrap())).collect();
    let empty = format!("|{}\n|{}\n", "   |".repeat(9), "---|".repeat(9));
    assert_eq!(read(&(empty + &cells.concat())), [ONE]);
}

#[test]
fn numbers_of_a_table_may_be_real() {
    for (separator, end) in [(",", ""), ("\t", ""), (";", ".0")] {
        let cell = |c: char| if c == '.' { String::new() } else { format!("{c}.0") };
        let text = rows(ONE, cell, separator).replace("9.0", &format!("9{end}"));
        assert_eq!(read(&text), [ONE], "{text}");
    }
}

#[test]
fn rows_of_ratios_are_rows() {
    assert_eq!(read("1/./3/4\n3/4/1/2\n2/1/4/3\n4/3/2/1\n"), ["1.34341221434321"]);
    assert_eq!(read("1/0/3/4\n3/4/1/2\n2/1/4/3\n4/3/2/1\n"), ["1.34341221434321"]);
}

#[test]
fn lists_of_places_are_no_boards() {
    let triples: String =
        (0..27).map(|at| format!("{} {} {}\n", at / 9 + 1, at % 9 + 1, at % 7 + 1)).collect();
    assert_eq!(
        read(&triples),
        ["text: 81 cells are right for a 9x9 board, but they are not in rows of 9"]
    );
    let places =
        "text: a list of rows, columns and values is not supported: write the board row by row";
    assert_eq!(read(&format!("row,col,value\n{}", triples.replace(' ', ","))), [places]);
    assert_eq!(read("{(0, 0): 1, (1, 2): 3, (3, 3): 4, (2, 1): 2}"), [places]);
    let entries: String =
        (0..27).map(|at| format!("    ({}, {}): {},\n", at / 9, at % 9, at % 7)).collect();
    assert_eq!(read(&format!("{{\n{entries}}}\n")), [places]);
}

/// Blanks of LaTeX are nothing, `0` or a point between separators; two backslashes end a row.
#[test]
fn tables_of_latex_are_read() {
    for blank in ["", "0", "."] {
        for (between, end) in [("&", ""), (" & ", ""), ("&", r"\\"), (" & ", r" \\"), ("&", r"\\ ")]
        {
            let cell = |c: char| if c == '.' { blank.to_owned() } else { c.to_string() };
            let table = rows(ONE, cell, between).replace('\n', &format!("{end}\n"));
            assert_eq!(read(&table), [ONE], "{table}");
        }
    }
}
