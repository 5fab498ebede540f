//! What is said on stderr: as much as was asked for, and coloured where that is wanted.

use predicates::prelude::*;
use predicates::str::{contains, is_empty, starts_with};

use crate::support::{evodoku, record, solve, stdout};

#[test]
fn verbose_and_quiet_are_flags_of_every_command() {
    for arguments in [&["puzzles"][..], &["presets"], &["check", "003-4x4"], &["devices"]] {
        for flag in ["-v", "-q", "--verbose", "--quiet"] {
            evodoku().args(arguments).arg(flag).assert().success();
            evodoku().arg(flag).args(arguments).assert().success();
        }
        evodoku().args(arguments).args(["-v", "-q"]).assert().code(2);
    }
}

#[test]
fn what_was_derived_and_where_it_runs_is_for_those_who_ask() {
    let run = ["ai-escargot", "--seed=1"];
    let derived = || contains("memetic derived pool 8");
    let evodoku_solve = |more: &[&str]| {
        let mut command = evodoku();
        command.arg("solve").args(run).args(more);
        command
    };
    let detail = derived().or(contains("running on the CPU"));
    evodoku_solve(&[]).assert().success().stderr(detail.not());
    evodoku_solve(&["-q"]).assert().success().stderr(is_empty());
    evodoku_solve(&["-v"]).assert().success().stderr(derived());
}

#[test]
fn nothing_is_said_before_an_input_error() {
    for arguments in [
        &["solve", "nonsense", "--preset=cellular", "--population=100000"][..],
        &["experiment", "--puzzle", "nonsense", "--preset", "cellular"],
        &["experiment", "--puzzle", "003-4x4", "--preset", "memetic", "--set", "tries=5"],
    ] {
        let mut command = evodoku();
        command.args(arguments).assert().code(2).stderr(starts_with("evodoku: "));
    }
}

#[test]
fn several_runs_have_a_line_each() {
    let runs = ["003-6x6", "--presolve=none", "--runs=3", "--seed=5"];
    let said = |more: &[&str]| {
        let output = solve(&[&runs, more].concat()).output().unwrap();
        String::from_utf8(output.stderr).unwrap()
    };
    let brief = said(&[]);
    let lines: Vec<&str> = brief.lines().collect();
    assert_eq!(lines.len(), 3, "{brief}");
    for (seed, line) in (5..).zip(&lines) {
        assert!(line.starts_with(&format!("003-6x6, seed {seed}: solved and checked; ")), "{line}");
    }
    assert!(said(&["-v"]).lines().count() >= 12);
    // The best board and the spread are what was asked for: they stand on stdout.
    let text = stdout(solve(&runs), 0);
    assert!(text.contains("# solved 3 of 3 runs"), "{text}");
}

#[test]
fn a_parameter_without_its_flag_is_told() {
    for (arguments, sentence) in [
        (
            &["solve", "003-4x4", "--set", "offspring=3", "pool=4"][..],
            "pool=4 is a parameter, not a puzzle: repeat --set for each parameter, as in --set pool=4",
        ),
        (&["solve", "003-4x4", "--set", "a=1", "b=2"], "there is no parameter 'a'"),
        (
            &["experiment", "--puzzle", "003-4x4", "--set", "population=5", "radius=2,b"],
            "--set: radius is 'b', but it takes",
        ),
    ] {
        evodoku().args(arguments).assert().code(2).stderr(contains(sentence));
    }
}

#[test]
fn a_misfit_is_named_and_skipped_if_that_is_wanted() {
    let spec = ["experiment", "--on=cpu", "--puzzle", "003-4x4", "--set", "tries=5"];
    let methods = ["presolve=none", "max_generations=2", "--preset", "cellular", "memetic"];
    let experiment = |more: &[&str]| {
        let mut command = evodoku();
        command.args(spec).args(methods).args(more);
        command
    };
    experiment(&[]).assert().code(2).stderr(contains(
        "--preset: 003-4x4 by memetic: tries has no effect with local_search tabu",
    ));
    let text = stdout(experiment(&["--skip-unfit"]), 0);
    assert!(text.contains("003-4x4 by memetic was skipped: tries has no effect"), "{text}");
    let row = |method: &str| {
        let mut rows = text.lines().filter(|line| line.starts_with("003-4x4 "));
        rows.find(|line| line.contains(method)).unwrap()
    };
    assert!(row("cellular").contains("/1") && row("memetic").contains("unfit"), "{text}");
}

/// Too small are the islands, of which each has a part of the population.
#[test]
fn a_misfit_of_an_island_is_found_before_anything_runs() {
    for (preset, small, sentence) in [
        ("columns", 2, "islands is 3, but the population has only 2 individuals"),
        ("rows-tournament", 6, "tournament is 5, but the population has only 2 individuals"),
    ] {
        let mut command = evodoku();
        command.args(["experiment", "--on=cpu", "--puzzle=003-6x6", "--skip-unfit", "--preset"]);
        command.args([preset, "--set", &format!("population={small},30"), "presolve=none"]);
        command.args(["islands=3", "max_generations=2"]);
        let text = stdout(command, 0);
        assert!(text.contains(&format!("003-6x6 by {preset} was skipped: {sentence}")), "{text}");
        assert_eq!(text.matches("unfit").count(), 1, "{text}");
    }
}

#[test]
fn what_was_found_comes_first_and_statistics_are_explained_to_those_who_ask() {
    let run = ["--puzzle=003-4x4", "--preset", "boxes", "rows-tournament", "--compare=method"];
    let bounds = ["--set", "presolve=none", "population=10,20", "max_work=400"];
    let printed = |more: &[&str]| {
        let mut command = evodoku();
        command.args(["experiment", "--on=cpu"]).args(run).args(bounds).args(more);
        stdout(command, 0)
    };
    let notes = ["Wilson interval", "predicted from the runs", "P: Mann-Whitney test"];
    for (more, is_explained) in [(&[][..], false), (&["-v"], true)] {
        let text = printed(more);
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].starts_with("boxes solved ") && lines[0].ends_with("of 2."), "{text}");
        assert!(lines[1].starts_with("All puzzles, max_work 400: "), "{text}");
        assert!(lines[2].starts_with("2 comparisons cannot show a difference: too few runs"));
        assert!(lines[3].starts_with("Warning: "), "{text}");
        assert!(lines[4].is_empty() && lines[5].starts_with("puzzle "), "{text}");
        assert!(!text.contains("\n\n\n") && text.ends_with('\n'), "{text}");
        assert!(notes.iter().all(|note| text.contains(note) == is_explained), "{text}");
    }
}

#[test]
fn numbers_have_units_wherever_they_stand() {
    let shown = |more: &[&str]| {
        let output = solve(&[&["003-6x6", "--presolve=none", "--seed=1", "-v"], more].concat());
        String::from_utf8({ output }.output().unwrap().stderr).unwrap()
    };
    for more in [["--population=1k"], ["--set=population=1e3"], ["--population=1_000"]] {
        assert!(shown(&more).contains("population 1,000, "), "{more:?}");
    }
    let limits = ["--time-limit=5s", "--max-work=64Mi", "--chunk=1k"];
    let run = record(&[&["003-6x6", "--presolve=none", "--seed=1"][..], &limits].concat(), 0);
    assert_eq!(run["config"]["max_work"], 64 << 20);
    assert_eq!(run["config"]["time_limit"], 5.0);
    let cells = "1 _ 3 4\n3 4 * 2\nx 1 4 3\n4 3 2 1\n";
    for cells in [cells.to_owned(), cells.replace(' ', ",")] {
        let mut command = solve(&["-", "--format=line", "-q"]);
        command.write_stdin(cells).assert().success().stdout("1234341221434321\n");
    }
    let mut command = solve(&["-", "--format=line", "-q"]);
    let pairs = "quizzes,solutions\n1200340021434320,1234341221434321\n";
    command.write_stdin(pairs).assert().success().stdout("1234341221434321\n");
}

#[test]
fn one_place_decides_on_colour() {
    const RED: &str = "\u{1b}[1m\u{1b}[31mevodoku:\u{1b}[0m ";
    let solve = |colour: &[&str], set: &[(&str, &str)]| {
        let mut command = evodoku();
        command.args(["solve", "nonsense"]).args(colour);
        command.envs(set.iter().copied());
        String::from_utf8(command.output().unwrap().stderr).unwrap()
    };
    let force = ("CLICOLOR_FORCE", "1");
    for (colour, set, coloured) in [
        (&[][..], &[][..], false),
        (&[], &[force], true),
        (&[], &[force, ("NO_COLOR", "1")], false),
        (&["--color=always"], &[("NO_COLOR", "1")], true),
        (&["--color", "never"], &[force], false),
    ] {
        let said = solve(colour, set);
        assert_eq!(said.starts_with(RED), coloured, "{colour:?} {set:?}: {said:?}");
        assert!(coloured || said.starts_with("evodoku: "), "{said:?}");
        // Help and what is wrong with the arguments likewise.
        let mut help = evodoku();
        help.args(["solve", "--help"]).args(colour).envs(set.iter().copied());
        assert_eq!(stdout(help, 0).contains('\u{1b}'), coloured, "{colour:?} {set:?}");
    }
}
