//! `evodoku verify`: a solution, and what is none.

use crate::support::{Folder, SOLUTION_6X6, evodoku};
use predicates::prelude::*;
use predicates::str::{contains, starts_with};

const PUZZLE: &str = "1... ..1. .... ...1";

#[test]
fn a_solution_is_confirmed() {
    let folder = Folder::new();
    let file = folder.file("solution.txt", SOLUTION_6X6);
    for solution in [SOLUTION_6X6, &file] {
        evodoku().args(["verify", "003-6x6", solution]).assert().success().stdout("solved\n");
    }
}

#[test]
fn the_first_error_is_named() {
    for (grid, flaw) in [
        ("1234 341. 2143 4321", "row 2 column 4 is blank"),
        ("1234 3412 4123 2344", "row 4 column 4 holds 4, but the puzzle gives 1"),
        ("1134 3412 2143 4321", "row 1 holds 1 twice"),
        ("1234 1432 2143 4321", "row 2 column 3 holds 3, but the puzzle gives 1"),
        ("1234 3214 2143 4321", "column 2 holds 2 twice"),
        ("1234 2413 3142 4321", "box 1 holds 2 twice"),
    ] {
        let puzzle = if flaw.contains("gives") { PUZZLE } else { "1... .... .... ...1" };
        evodoku()
            .args(["verify", puzzle, grid])
            .assert()
            .code(1)
            .stdout(format!("not solved: {flaw}\n"))
            .stderr("");
    }
}

/// What `solve` prints of a puzzle file is a solution of it, by the same flags.
fn solved_and_verified(puzzle: &str, flags: &[&str]) -> String {
    let folder = Folder::new();
    let puzzle = folder.file("puzzle.txt", puzzle);
    let solve = evodoku().args(["solve", "--seed=1", "--on=cpu", &puzzle]).args(flags).assert();
    let solution = String::from_utf8_lossy(&solve.code(0).get_output().stdout).into_owned();
    let file = folder.file("solution.txt", &solution);
    evodoku().args(["verify", &puzzle, &file]).args(flags).assert().success().stdout("solved\n");
    solution
}

#[test]
fn frames_show_the_boxes_without_a_flag() {
    for shape in ["3x2", "2x3", "4x3", "2x4", "5x2"] {
        let generate = ["generate", "--box", shape, "--seed=5", "--givens=20", "--format=grid"];
        let made = evodoku().args(generate).assert().success();
        let puzzle = String::from_utf8_lossy(&made.get_output().stdout).into_owned();
        let solution = solved_and_verified(&puzzle, &[]);
        // Written with the same frames.
        let frames = |text: &str| text.lines().filter(|line| line.contains('+')).count();
        assert_eq!(frames(&solution), frames(&puzzle), "{shape}:\n{solution}");
    }
}

#[test]
fn frames_may_be_drawn_with_characters_for_them() {
    let rows =
        ["1 . │ . 4", ". 4 │ 1 .", "2 . │ . .", ". . │ . 1"].map(|row| format!("║ {row} ║\n"));
    let [top, middle, low] =
        ["╔═════╤═════╗", "╟─────┼─────╢", "╚═════╧═════╝"].map(|frame| format!("{frame}\n"));
    let text = top + &rows[..2].concat() + &middle + &rows[2..].concat() + &low;
    solved_and_verified(&text, &[]);
}

#[test]
fn a_puzzle_in_letters_has_its_solution_in_letters() {
    let solution = solved_and_verified("A---\n--C-\n-B--\n---D\n", &["--alphabet=ABCD"]);
    assert!(solution.starts_with("A "), "{solution}");
    let hex = format!("0123456789ABCDEF{}", ".".repeat(240));
    let solution = solved_and_verified(&hex, &["--alphabet=0123456789ABCDEF"]);
    assert!(solution.starts_with("0 1 2 3 | 4 5 6 7 | 8 9 A B | C D E F\n"), "{solution}");
}

#[test]
fn the_box_shape_decides_what_a_solution_is() {
    let blank = ".".repeat(36);
    evodoku().args(["verify", &blank, SOLUTION_6X6]).assert().success();
    evodoku()
        .args(["verify", "--box=3x2", &blank, SOLUTION_6X6])
        .assert()
        .code(1)
        .stdout(contains("box 2 holds 6 twice"));
}

#[test]
fn a_grid_that_cannot_be_read_is_bad_input() {
    for (grid, sentence) in [
        ("1234 3412 2143 432", "typed grid: 15 cells; the nearest board is 4x4 with 16 cells"),
        (
            "1234 3412 2143 4325",
            "line 1 column 19: the value 5 is larger than the side of the board, 4",
        ),
    ] {
        evodoku()
            .args(["verify", PUZZLE, grid])
            .assert()
            .code(2)
            .stdout("")
            .stderr(starts_with("evodoku: ").and(contains(sentence)));
    }
}

#[test]
fn a_list_is_verified_grid_by_grid() {
    let folder = Folder::new();
    let list = folder.file("list.txt", "1...............\n....2...........\n...............3\n");
    let solve = evodoku().args(["solve", "--seed=1", "--on=cpu", &list]).assert().success();
    let grids = String::from_utf8_lossy(&solve.get_output().stdout).into_owned();
    let all = "solved list:1\nsolved list:2\nsolved list:3\n";
    let verify = |grids: &str| {
        let file = folder.file("grids.txt", grids);
        evodoku().args(["verify", &list, &file]).assert()
    };
    verify(&grids).success().stdout(all).stderr("");
    evodoku().args(["verify", &list]).write_stdin(grids).assert().success().stdout(all);

    let solution = "1234341221434321";
    verify(&format!("{solution}\n{solution}\n1234341221434322\n")).code(1).stdout(
        "solved list:1\n\
         not solved list:2: row 2 column 1 holds 3, but the puzzle gives 2\n\
         not solved list:3: row 4 column 4 holds 2, but the puzzle gives 3\n",
    );
    for (grids, count) in [
        (solution.to_owned(), "1 filled grid"),
        (format!("{solution}\n").repeat(4), "4 filled grids"),
    ] {
        let said = format!("evodoku: 3 puzzles, but {count}: each needs one\n");
        verify(&grids).code(2).stdout("").stderr(said);
    }
    verify("\n").code(2).stdout("").stderr(contains("the text has no cells"));
}

#[test]
fn puzzles_of_a_list_have_their_own_shapes() {
    let folder = Folder::new();
    let generate = |shape: &str| {
        let arguments = ["generate", "--box", shape, "--seed=5", "--givens=8", "--format=grid"];
        let made = evodoku().args(arguments).assert().success();
        String::from_utf8_lossy(&made.get_output().stdout).into_owned()
    };
    let list = folder.file("list.txt", &(generate("3x2") + "\n" + &generate("2x2")));
    let solve = evodoku().args(["solve", "--seed=1", "--on=cpu", &list]).assert().success();
    let grids = folder.file("grids.txt", &solve.get_output().stdout);
    let said = "solved list#1\nsolved list#2\n";
    evodoku().args(["verify", &list, &grids]).assert().success().stdout(said);
}

#[test]
fn assumed_boxes_are_told() {
    let puzzle = ".4.6.......61..3.261.524.3.21...4..3";
    let grid = "342651521436165342613524436215254163";
    let told = contains("assuming boxes of 2x3; --box 3x2 would also fit");
    evodoku().args(["verify", puzzle, grid]).assert().code(1).stderr(told);
    let verified = evodoku().args(["verify", puzzle, grid, "--box=3x2"]).assert();
    verified.success().stdout("solved\n").stderr("");
}

#[test]
fn a_file_with_puzzles_and_solutions_gives_its_solutions() {
    let folder = Folder::new();
    let puzzles = ["1...............", "....2...........", "............4..."];
    let solutions = ["1234341221434321", "1342241331244231", "1234341221434321"];
    let list = folder.file("list.txt", puzzles.join("\n"));
    let result = |format: &str| folder.path(&format!("results.{format}")).display().to_string();
    let [csv, json] = ["csv", "json"].map(result);
    let exports = [format!("--export-csv={csv}"), format!("--export-json={json}")];
    let solve = ["solve", "--seed=1", "--on=cpu", &list];
    evodoku().args(solve).args(exports).assert().success();
    let pairs = |separator: &str| -> Vec<String> {
        let pairs = puzzles.iter().zip(solutions);
        pairs.map(|(puzzle, solution)| format!("{puzzle}{separator}{solution}")).collect()
    };
    let files = [
        ("headless", pairs(",").join("\n")),
        ("named", format!("quizzes;solutions\n{}\n", pairs(";").join("\n"))),
        ("blanks", pairs(" ").join("\n")),
        ("pairs", format!("[[\"{}\"]]", pairs("\", \"").join("\"], [\""))),
        (
            "objects",
            format!("{{\"q\": \"{}\"}}", pairs("\", \"solution\": \"").join("\"}\n{\"q\": \"")),
        ),
    ];
    let files = files.map(|(name, text)| folder.file(name, text));
    for file in files.iter().chain([&csv, &json]) {
        let verify = evodoku().args(["verify", file, file]).assert().success();
        let said = String::from_utf8_lossy(&verify.get_output().stdout).into_owned();
        assert_eq!(said.matches("solved").count(), 3, "{file}: {said}");
    }
    for file in &files {
        evodoku().args(["verify", &list, file]).assert().success().stderr("");
    }
    // The rows of an export may be in any order.
    let text = std::fs::read_to_string(&csv).unwrap();
    let mut rows: Vec<&str> = text.lines().collect();
    for turn in 0..3 {
        rows[1..].rotate_left(1);
        let turned = folder.file(&format!("turned{turn}.csv"), rows.join("\n"));
        evodoku().args(["verify", &list, &turned]).assert().success().stderr("");
    }
    // A solution that is wrong is told, and a puzzle that was not solved.
    let text = std::fs::read_to_string(&files[1]).unwrap();
    let (head, rows) = text.trim_end().split_once('\n').unwrap();
    let rows = rows.replacen("1342", "1324", 1);
    let mut rows: Vec<&str> = rows.lines().collect();
    for line in [3, 2, 4] {
        let wrong = folder.file("wrong.csv", format!("{head}\n{}", rows.join("\n")));
        rows.rotate_left(1);
        let verify = |list: &str| evodoku().args(["verify", list, &wrong]).assert().code(1);
        verify(&wrong).stdout(contains(format!("not solved wrong:{line}")));
        verify(&list)
            .stdout("solved list:1\nnot solved list:2: column 3 holds 2 twice\nsolved list:3\n");
    }
    // Each row serves once.
    let twice = folder.file("twice.txt", [puzzles[0]; 2].join("\n"));
    let row = format!("{},{}\n", puzzles[0], solutions[0]);
    let once = folder.file("once.csv", row + "4...............,4321341221431234\n");
    evodoku()
        .args(["verify", &twice, &once])
        .assert()
        .code(1)
        .stdout(contains("not solved twice:2"));
    // An unsolved run has no solution in an export.
    let unsolved = text.replacen(solutions[1], "", 1);
    let mut rows: Vec<&str> = unsolved.trim_end().lines().collect();
    for _ in 0..3 {
        rows[1..].rotate_left(1);
        let unsolved = folder.file("rows.csv", rows.join("\n"));
        let verify = evodoku().args(["verify", &list, &unsolved]).assert().code(1);
        verify.stdout("solved list:1\nnot solved list:2: row 1 column 1 is blank\nsolved list:3\n");
        let verify = evodoku().args(["verify", &unsolved, &unsolved]).assert().code(1);
        let said = String::from_utf8_lossy(&verify.get_output().stdout).into_owned();
        assert_eq!(said.matches("not solved").count(), 1, "{said}");
        assert_eq!(said.matches("solved").count(), 3, "{said}");
    }
}

#[test]
fn an_export_states_the_boxes_of_its_boards() {
    let folder = Folder::new();
    let list = ".4.6.......61..3.261.524.3.21...4..3 # boxes of 3x2\n1.....1........1\n";
    let list = folder.file("list.txt", list);
    let export = |format: &str| folder.path(&format!("results.{format}")).display().to_string();
    let [csv, json] = ["csv", "json"].map(export);
    let exports = [format!("--export-csv={csv}"), format!("--export-json={json}")];
    evodoku().args(["solve", "--seed=1", "--on=cpu", &list]).args(exports).assert().success();
    for file in [csv, json] {
        evodoku().args(["verify", &file, &file]).assert().success().stderr("");
        evodoku().args(["solve", "--seed=1", "--on=cpu", &file]).assert().success();
        // What is asked for comes first.
        evodoku().args(["verify", &file, &file, "--box=2x3"]).assert().code(2);
    }
    // The size of a board says nothing about its boxes.
    let sized = folder.file("sized.csv", "shape,puzzle\n4x4,1.....1........1\n");
    evodoku().args(["solve", "--seed=1", "--on=cpu", &sized]).assert().success();
}
