//! `evodoku solve`: what stands on stdout, and how a run ends.

use std::process::Stdio;

use crate::support::{
    Folder, SOLUTION_6X6, TINY, evodoku, export, hopeless, record, solve, stdout,
};
use predicates::prelude::*;
use predicates::str::{contains, is_empty, starts_with};
use serde_json::json;

#[test]
fn stdout_holds_the_board_and_stderr_all_else() {
    solve(&["003-6x6", "--presolve=none", "--population=2000", "--seed=1"])
        .arg("--preset=cellular")
        .assert()
        .success()
        .stdout(
            "1 3 6 | 4 5 2\n2 4 5 | 6 1 3\n------+------\n6 5 3 | 1 2 4\n4 1 2 | 3 6 5\n\
             ------+------\n5 6 4 | 2 3 1\n3 2 1 | 5 4 6\n",
        )
        .stderr(contains("solved and checked"))
        .stderr(contains("1 generation, work "))
        .stderr(contains("(4,000 evaluations + "))
        .stderr(contains(" moves/s on the CPU"))
        .stderr(contains("population 2,000, presolve none (20 of 20 blanks left), seed 1"));
}

#[test]
fn a_limit_of_few_generations_is_told_with_what_helps() {
    for (preset, advice) in [
        ("--preset=boxes", ": raise the limit, or lower the population\n"),
        ("--preset=memetic", ": raise the limit\n"),
    ] {
        solve(&["easter-monster", "--seed=1", "--max-work=1", preset])
            .assert()
            .code(1)
            .stderr(contains("stopped at max_work with "))
            .stderr(contains("left; the limit allowed only "))
            .stderr(contains(advice));
    }
}

#[test]
fn what_follows_from_the_puzzle_is_said_and_what_is_set_wins() {
    solve(&["easter-monster", "--seed=1", "--set=tabu-steps=900", "--set=offspring=3", "-v"])
        .assert()
        .success()
        .stderr(contains(
            "memetic derived pool 8, tenure_share 300, distance 3 (from 60 free cells ",
        ))
        .stderr(contains(" candidates)\n"));
    let run = record(&["easter-monster", "--seed=1", "--set=tabu-steps=900", "--population=40"], 0);
    for (name, value) in [("tabu_steps", 900), ("population", 40), ("offspring", 8)] {
        assert_eq!(run["config"][name], value, "{name}");
    }
    // Nothing is derived for the documents, nor where presolve leaves nothing.
    for nothing in [&["003-4x4", "--preset=columns"][..], &[TINY]] {
        solve(nothing).arg("-v").assert().success().stderr(contains(" derived ").not());
    }
}

#[test]
fn what_is_for_the_cellular_preset_is_refused_by_the_default() {
    for (set, sentence) in [
        (
            "local_search=exchange-descent",
            "exchange-descent does not work with encoding candidates: it needs an encoding that \
             permutes values; the preset 'cellular' uses encoding 'boxes'\n",
        ),
        ("encoding=boxes", "; the preset 'cellular' uses encoding 'boxes'\n"),
        (
            "tries=20",
            "tries has no effect with local_search tabu: the preset 'cellular' uses 'exchange-descent'\n",
        ),
    ] {
        solve(&["easter-monster", "--set", set]).assert().code(2).stderr(contains(sentence));
        let cellular = ["--preset=cellular", "--population=2000", "--max-generations=1"];
        let run = solve(&["easter-monster", "--set", set]).args(cellular).output().unwrap();
        assert_eq!(run.status.code(), Some(1), "{set}");
    }
}

#[test]
fn a_solution_on_one_line_or_in_a_grid_is_read_by_verify() {
    for (puzzle, presolve) in [
        ("003-4x4", "none"),
        ("003-6x6", "none"),
        ("001-easy-03", "none"),
        ("001-16x16-beginner", "singles"),
    ] {
        for format in ["line", "grid"] {
            let presolve = format!("--presolve={presolve}");
            let format = format!("--format={format}");
            let run = ["--population=2000", "--seed=1", "--quiet", &presolve, &format];
            let solution = stdout(solve(&[&[puzzle], &run[..]].concat()), 0);
            let lines = solution.lines().count();
            assert_eq!(lines == 1, format.ends_with("line"), "{solution}");
            evodoku().args(["verify", puzzle, &solution]).assert().success();
            evodoku()
                .args(["verify", puzzle, "-"])
                .write_stdin(solution)
                .assert()
                .success()
                .stdout("solved\n");
        }
    }
}

#[test]
fn one_bad_puzzle_does_not_stop_the_others() {
    solve(&["003-4x4", "nonsense", "003-6x6", "--format=line"])
        .assert()
        .code(2)
        .stdout(format!("4321214334121234\n{SOLUTION_6X6}\n"))
        .stderr(contains("evodoku: 'nonsense' is not a file"));
    // A blank line stands between boards, and nowhere else.
    let boards = stdout(solve(&["nonsense", "003-4x4", "nonsense", "003-4x4", "nonsense"]), 2);
    let (first, second) = boards.split_once("\n\n").unwrap();
    assert_eq!(format!("{first}\n"), second);
}

#[test]
fn the_highest_exit_code_of_several_puzzles_counts() {
    let budget = ["--max-generations=1", "--population=2", "--set=tabu-steps=5"];
    solve(&["easter-monster", TINY]).args(budget).assert().code(1);
    solve(&["easter-monster", TINY, "nonsense"]).args(budget).assert().code(2);
}

#[test]
fn a_puzzle_is_typed_read_from_a_file_or_stdin_or_shipped() {
    let folder = Folder::new();
    let file = folder.file("my puzzle.sdk", "# mine\n12|34\n34|..\n--+--\n21|43\n43|21\n");
    for (argument, name) in [(TINY, "typed"), (&file, "my puzzle"), ("003-4x4", "003-4x4")] {
        let run = record(&[argument], 0);
        assert_eq!(run["name"], name);
        assert_eq!(run["solved"], true);
    }
    solve(&["-", "--format=line"])
        .write_stdin(TINY)
        .assert()
        .success()
        .stdout("1234341221434321\n")
        .stderr(contains("stdin: solved"));
}

#[test]
fn a_spent_budget_prints_the_best_board_with_its_duplicates_marked() {
    let run = [
        "easter-monster", "--max-generations=1", "--population=2", "--set=tabu-steps=5", "--seed=1",
    ];
    let fitness = record(&run, 1)["fitness"].as_u64().unwrap();
    assert!(fitness > 0);
    let text = stdout(solve(&run), 1);
    let (remark, board) = text.split_once('\n').unwrap();
    assert_eq!(remark, format!("# not solved: {fitness} conflicts left"));
    assert_eq!(board.lines().count(), 11);
    // Every duplicate stands in the way of a cell, so there are more marks than duplicates.
    assert!(board.matches('*').count() as u64 >= fitness.div_ceil(3) * 2, "{board}");
    let frame = |line: &str| line.starts_with("# -") || line.matches(" | ").count() == 2;
    assert!(board.lines().all(|line| line.starts_with("# ") && frame(line)), "{board}");

    solve(&run)
        .arg("--format=line")
        .assert()
        .code(1)
        .stdout(starts_with(format!("{remark}\n")))
        .stdout(predicate::function(|text: &str| text.lines().nth(1).unwrap().len() == 83));
}

#[test]
fn what_is_known_of_the_number_of_solutions_is_said() {
    // Easter Monster with a wrong 4, which presolve does not see.
    let none = "14......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1";
    let budget = ["--max-generations=1", "--population=5", "--set=tabu-steps=5", "--seed=1"];
    solve(&[&[none], &budget[..]].concat())
        .assert()
        .code(2)
        .stderr(contains("typed has no solution, as a check after the run proved"));
    // The missing values of column 5 have too few cells, which backtracking takes long to find out.
    let none = ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4.........";
    solve(&[none, "--presolve=none", "--preset=boxes", "--max-generations=1", "--seed=1"])
        .assert()
        .code(2)
        .stderr(contains("typed has no solution, as a check after the run proved"));
    // It has one, which these budgets do not reach.
    solve(&[&["easter-monster"], &budget[..]].concat())
        .assert()
        .code(1)
        .stderr(contains(": not solved: stopped at max_generations with "))
        .stderr(contains("has no solution").not());
    // Fewer than four givens of 4x4 always leave several.
    let several = "12..............";
    let run = ["--presolve=none", "--seed=1", "--format=line"];
    solve(&[&[several], &run[..]].concat())
        .assert()
        .success()
        .stderr(contains("typed: solved and checked; the puzzle has several solutions"));
    solve(&[&[several, "--runs=8"], &run[..]].concat())
        .assert()
        .success()
        .stdout(contains(" different solutions\n"));
}

#[test]
fn a_presolved_puzzle_is_no_success_of_evolution() {
    let run = record(&["003-puzzle4"], 0);
    assert_eq!(run["stop_reason"], "presolved");
    assert_eq!(run["solved"], true);
    for figure in ["free_cells", "generations", "restarts", "evaluations", "moves", "work"] {
        assert_eq!(run[figure], 0, "{figure}");
    }
    solve(&["003-puzzle4"])
        .assert()
        .success()
        .stderr(contains("003-puzzle4: solved by presolve alone (level probing)"));
    // What has no blanks needs no advice.
    solve(&["1234341221434321", "--presolve=none"])
        .assert()
        .success()
        .stderr(contains("solved: the puzzle has no blanks").and(contains("--presolve").not()));
}

#[test]
fn several_runs_take_seeds_in_order_and_print_their_spread() {
    let folder = Folder::new();
    let file = folder.argument("runs.json");
    solve(&["003-6x6", "--presolve=none", "--population=200", "--runs=3", "--seed=7"])
        .args(["--format=line", "--export-json", &file])
        .assert()
        .success()
        .stdout(starts_with(format!("{SOLUTION_6X6}\n# solved 3 of 3 runs (100 %)\n")))
        .stdout(contains("# generations to solution: median "))
        .stdout(contains("# work to solution: median "))
        .stdout(contains("(quartiles "));
    let seeds: Vec<_> = export(&folder.path("runs.json"))["runs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|run| run["seed"].as_u64().unwrap())
        .collect();
    assert_eq!(seeds, [7, 8, 9]);

    solve(&hopeless(&["--max-generations=2", "--runs=2"]))
        .assert()
        .code(1)
        .stdout(contains("# solved 0 of 2 runs (0 %)\n# conflicts left in unsolved runs: median "));
}

#[test]
fn the_reason_to_stop_is_the_budget_that_was_spent() {
    let run = record(&hopeless(&["--max-generations=3"]), 1);
    assert_eq!((&run["stop_reason"], &run["generations"]), (&json!("generations"), &json!(3)));
    assert_eq!(run["evaluations"], 400);

    // Generations are completed: the bound is passed by less than one.
    let run = record(&hopeless(&["--max-work=250"]), 1);
    assert_eq!((&run["stop_reason"], &run["work"]), (&json!("work"), &json!(300)));

    let run = record(&hopeless(&["--time-limit=0.1"]), 1);
    assert_eq!(run["stop_reason"], "time");
    assert!(run["seconds"].as_f64().unwrap() >= 0.1);

    let run = record(&["003-6x6", "--presolve=none", "--population=200"], 0);
    assert_eq!((&run["stop_reason"], &run["fitness"]), (&json!("solved"), &json!(0)));
}

#[test]
fn quiet_says_nothing_but_errors() {
    let quiet = ["--quiet", "--watch", "--population=200", "--format=line"];
    solve(&["003-6x6", TINY]).args(quiet).assert().success().stderr(is_empty());
    // Without --on cpu there is a choice to be told.
    evodoku().args(["solve", TINY]).args(quiet).assert().success().stderr(is_empty());
    solve(&["nonsense"])
        .args(quiet)
        .assert()
        .code(2)
        .stderr(starts_with("evodoku: ").and(contains("\n").count(1)));
}

#[test]
fn nothing_is_drawn_where_there_is_no_terminal() {
    solve(&["001-easy-03", "--presolve=none", "--population=2000", "--seed=1", "--watch"])
        .assert()
        .success()
        .stdout(contains("\u{1b}").not())
        .stderr(contains("\u{1b}").not())
        .stderr(contains("\r").not())
        .stderr(contains("solved and checked"));
}

#[test]
fn a_reader_who_goes_away_is_no_error() {
    let call = |arguments: &[&str]| {
        let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("evodoku"));
        command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap()
    };
    for (arguments, code) in [
        (&["solve", "003-6x6", "003-4x4", "--on=cpu"][..], 0),
        (&["solve", "nonsense", "--on=cpu"], 2),
        (&["solve", "easter-monster", "--on=cpu", "--preset=boxes", "--max-generations=1"], 1),
        (&["devices", "--shader=8x8"], 0),
        (&["puzzles"], 0),
        (&["--help"], 0),
    ] {
        let mut no_stdout = call(arguments);
        drop(no_stdout.stdout.take());
        let output = no_stdout.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
        assert!(!said.contains("panicked"), "{said}");

        let mut no_stderr = call(arguments);
        drop(no_stderr.stderr.take());
        let output = no_stderr.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{arguments:?} without stderr");
    }
}

#[test]
fn another_box_that_would_fit_is_pointed_out() {
    let typed = ".3.4....56.3...1...1.3.5.64.31..1.46";
    let note = contains("typed: assuming boxes of 2x3; --box 3x2 would also fit");
    solve(&[typed, "--format=line"])
        .assert()
        .success()
        .stdout(format!("{SOLUTION_6X6}\n"))
        .stderr(note.clone());
    solve(&[typed, "--box=2x3"]).assert().success().stderr(note.clone().not());
    // What is shipped is no guess, and 3x3 is the only box of a 9x9.
    solve(&["003-6x6", "001-easy-03", "--population=2000"])
        .assert()
        .success()
        .stderr(contains("--box").not());
}

#[test]
fn boxes_of_another_shape_make_another_puzzle() {
    let blank = ".".repeat(36);
    let tall = stdout(solve(&[&blank, "--box=3x2", "--format=line", "--seed=1"]), 0);
    evodoku().args(["verify", "--box=3x2", &blank, &tall]).assert().success();
    let framed = stdout(solve(&[&blank, "--box=3x2", "--seed=1"]), 0);
    assert_eq!(framed.lines().nth(3), Some("----+-----+----"), "{framed}");
}
