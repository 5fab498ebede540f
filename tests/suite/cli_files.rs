//! Files that a command writes: what fails alone, what is never written over, what is refused.

use std::fs;

use crate::support::{Folder, SOLUTION_6X6, TINY, evodoku, export, solve, stdout};

/// A run that ends soon, and its solution.
const QUICK: [&str; 5] =
    ["003-6x6", "--presolve=none", "--population=200", "--seed=3", "--format=line"];

/// `evodoku` in a folder, refused: what it says, which opens with its name.
fn refused(folder: &Folder, arguments: &[&str]) -> String {
    let mut command = evodoku();
    command.current_dir(folder.path("")).args(arguments);
    let assert = command.assert().code(2).stdout("");
    let said = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
    assert_eq!(said.lines().count(), 1, "{said}");
    said.strip_prefix("evodoku: ").unwrap_or_else(|| panic!("{said}")).trim_end().to_owned()
}

#[cfg(unix)]
#[test]
fn a_solution_is_printed_when_an_export_fails_and_the_others_are_written() {
    for flag in ["--trace", "--export-json", "--export-csv", "--export-markdown", "--plot"] {
        let folder = Folder::new();
        let mut command = solve(&QUICK);
        let others = [("--export-json", "r.json"), ("--export-csv", "r.csv"), ("--trace", "t.csv")];
        for (other, name) in others.iter().filter(|(other, _)| *other != flag) {
            command.args([other, &*folder.argument(name)]);
        }
        let assert = command.args([flag, "/dev/full"]).assert().code(2);
        let output = assert.get_output();
        assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), SOLUTION_6X6, "{flag}");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(said.matches("evodoku: cannot write /dev/full: ").count(), 1, "{said}");
        for (other, name) in others.iter().filter(|(other, _)| *other != flag) {
            let text = fs::read_to_string(folder.path(name)).unwrap();
            assert!(text.contains(if *other == "--trace" { "003-6x6" } else { SOLUTION_6X6 }));
        }
    }
}

#[cfg(unix)]
#[test]
fn experiments_and_benches_print_when_an_export_fails() {
    for flag in ["--export-csv", "--export-json", "--plot"] {
        for arguments in [
            &["experiment", "--puzzle", "003-4x4", "--set", "max_generations=3"][..],
            &["bench", "--populations=10", "--what=score", "--time-budget=0", "--threads=1"],
        ] {
            let mut command = evodoku();
            command.args(arguments).args(["--on=cpu", flag, "/dev/full"]);
            let assert = command.assert().code(2);
            let output = assert.get_output();
            assert!(output.stdout.len() > 100, "{arguments:?} {flag}");
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(said.contains("evodoku: cannot write /dev/full: "), "{said}");
        }
    }
}

#[test]
fn an_input_is_not_written_over() {
    let folder = Folder::new();
    folder.file("my.sdm", TINY);
    folder.file("c.toml", "population = 50\n");
    folder.file("s.toml", "puzzles = ['my.sdm']\nmethods = ['boxes']\n");
    folder.file("t.toml", TUNING);
    fs::hard_link(folder.path("my.sdm"), folder.path("second.sdm")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("my.sdm", folder.path("link.sdm")).unwrap();
    let mut names = vec!["my.sdm", "./my.sdm", "second.sdm"];
    names.extend(cfg!(unix).then_some("link.sdm"));
    for name in names {
        for flag in ["--export-json", "--export-csv", "--trace", "--plot", "--record"] {
            let said = refused(&folder, &["solve", "my.sdm", flag, name]);
            assert_eq!(said, format!("{name} is read by this command: name another output"));
        }
        for arguments in [
            &["experiment", "s.toml", "--export-json", name][..],
            &["tune", "t.toml", "--export-json", name],
            &["check", "my.sdm", "--write-lp", name],
            &["compare", "my.sdm", "--export-json", name],
            &["solve", "my.sdm", "--checkpoint", name, "--overwrite"],
        ] {
            let said = refused(&folder, arguments);
            assert_eq!(said, format!("{name} is read by this command: name another output"));
        }
    }
    for arguments in [
        &["solve", "my.sdm", "--config", "c.toml", "--export-json", "c.toml"][..],
        &["experiment", "s.toml", "--export-json", "s.toml"],
        &["experiment", "s.toml", "--plot", "./s.toml"],
    ] {
        assert!(
            refused(&folder, arguments).ends_with("is read by this command: name another output")
        );
    }
    let mut whole = evodoku();
    whole.current_dir(folder.path("")).args(["experiment", "--puzzle", "003-4x4"]);
    whole.args(["--method=backtracking", "--export-json", "whole.part"]).assert().success();
    let merge = ["experiment", "merge", "whole.part", "--export-csv", "./whole.part"];
    assert!(refused(&folder, &merge).ends_with("is read by this command: name another output"));
    assert_eq!(fs::read_to_string(folder.path("my.sdm")).unwrap(), TINY);
    assert!(fs::read_to_string(folder.path("s.toml")).unwrap().starts_with("puzzles"));
}

/// A spec of `evodoku tune` that asks for next to nothing.
const TUNING: &str = "method = 'boxes'\ntraining = ['my.sdm']\nvalidation = ['003-4x4']\nbudget = 4\n\
    [parameters]\npresolve = 'none'\nmax_work = 1000\npopulation = { from = 10, to = 20 }\n";

#[test]
fn a_journal_is_a_file_of_its_own() {
    let folder = Folder::new();
    folder.file("my.sdm", TINY);
    folder.file("t.toml", TUNING);
    folder.file("r.json.journal", "puzzles = ['my.sdm']\nmethods = ['boxes']\n");
    for name in ["t.toml", "./my.sdm"] {
        let said = refused(&folder, &["tune", "t.toml", "--journal", name, "--overwrite"]);
        assert_eq!(said, format!("{name} is read by this command: name another output"));
    }
    let spec = ["experiment", "r.json.journal", "--overwrite", "--export-json", "r.json"];
    assert!(refused(&folder, &spec).ends_with("is read by this command: name another output"));
    assert_eq!(fs::read_to_string(folder.path("t.toml")).unwrap(), TUNING);
    assert!(folder.path("r.json.journal").exists());
    #[cfg(unix)]
    {
        let pipe = folder.path("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        for arguments in [
            &["tune", "t.toml", "--journal", "pipe"][..],
            &["tune", "t.toml", "--journal", "pipe", "--resume"],
            &["tune", "t.toml", "--journal", "/dev/zero", "--resume"],
        ] {
            assert!(refused(&folder, arguments).ends_with(": a journal must be a file"));
        }
        assert!(pipe.exists());
    }
}

#[test]
fn the_checkpoint_before_is_an_output_and_no_input() {
    let folder = Folder::new();
    folder.file("my.1", TINY);
    let said = refused(&folder, &["solve", "my.1", "--checkpoint", "my", "--overwrite"]);
    assert!(said.ends_with("my.1 is read by this command: name another output"), "{said}");
    for flag in ["--export-json", "--trace"] {
        let said = refused(&folder, &["solve", TINY, "--checkpoint", "k", flag, "k.1"]);
        assert!(said.ends_with("are the same file: name another one"), "{said}");
    }
    // One that may not have one before it.
    let long = "k".repeat(254);
    assert!(refused(&folder, &["solve", TINY, "--checkpoint", &long]).contains("cannot write"));
    assert_eq!(fs::read_to_string(folder.path("my.1")).unwrap(), TINY);
}

#[test]
fn what_is_kept_beside_an_output_is_claimed_and_may_not_be_lost() {
    let folder = Folder::new();
    let experiment =
        ["experiment", "--puzzle=003-6x6", "--preset=boxes", "--set=max_generations=2", "--on=cpu"];
    let with = |more: &[&'static str]| refused(&folder, &[&experiment[..], more].concat());
    for name in ["r.json.runs", "r.json.journal"] {
        let said = with(&["--export-json=r.json", "--export-csv", name]);
        assert_eq!(said, format!("{name} is read by this command: name another output"));
    }
    folder.file("r.json.journal", "notes\n");
    let said = with(&["--export-json=r.json", "--overwrite"]);
    assert!(said.starts_with("r.json.journal is not a journal and would be overwritten"), "{said}");
    folder.file("q.json.runs", "notes\n");
    assert_eq!(with(&["--export-json=q.json"]), "cannot write q.json.runs: not a directory");
    folder.file("k.1", "notes\n");
    let said = refused(&folder, &["solve", TINY, "--checkpoint", "k", "--overwrite"]);
    assert_eq!(said, "k.1 is not a checkpoint and would be overwritten: move it");
    folder.file("b.runs", "notes\n");
    folder.file("b", "evodoku checkpoint of a single run");
    solve(&[TINY, "--seed=1", "--checkpoint", &folder.argument("b"), "--overwrite"])
        .assert()
        .code(0);
    for name in ["r.json.journal", "q.json.runs", "k.1", "b.runs"] {
        assert_eq!(fs::read_to_string(folder.path(name)).unwrap(), "notes\n", "{name}");
    }
}

#[cfg(unix)]
#[test]
fn a_socket_is_refused_before_anything_runs() {
    let folder = Folder::new();
    let _socket = std::os::unix::net::UnixListener::bind(folder.path("s")).unwrap();
    let refusal = "cannot write s: No such device or address (os error 6)";
    for flag in [
        "--export-json", "--export-csv", "--report", "--plot", "--trace", "--record",
        "--checkpoint",
    ] {
        assert_eq!(refused(&folder, &["solve", TINY, flag, "s"]), refusal, "{flag}");
    }
    folder.file("t.toml", TUNING);
    folder.file("my.sdm", TINY);
    assert_eq!(refused(&folder, &["tune", "t.toml", "--export-config", "s"]), refusal);
    let experiment =
        ["experiment", "--puzzle=003-6x6", "--preset=boxes", "--on=cpu", "--export-runs", "s"];
    assert_eq!(refused(&folder, &experiment), refusal);
}

#[cfg(target_os = "linux")]
#[test]
fn the_reason_why_a_file_fails_is_that_of_the_system() {
    let folder = Folder::new();
    let outputs = "--trace t.csv --record r.rec --export-json j.json --export-csv c.csv --report p.html --plot p.svg";
    let shell =
        shell(&folder, &format!("ulimit -n 8; exec \"$0\" solve {TINY} --on=cpu {outputs}"));
    assert_eq!(shell.0, Some(2), "{}", shell.2);
    assert!(shell.2.contains(": Too many open files (os error 24)"), "{}", shell.2);
    assert!(!shell.2.contains("uncategorized"), "{}", shell.2);
}

/// A script of the shell with the command as `$0`, in a folder: exit code, stdout, stderr.
#[cfg(unix)]
fn shell(folder: &Folder, script: &str) -> (Option<i32>, String, String) {
    let mut command = std::process::Command::new("sh");
    command.current_dir(folder.path("")).args(["-c", script]).arg(crate::support::binary());
    let output = command.output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[cfg(unix)]
#[test]
fn files_opened_as_a_standard_stream_are_not_written_over() {
    let folder = Folder::new();
    folder.file("my.sdm", TINY);
    folder.file("o", "");
    for script in [
        "\"$0\" check - --write-lp my.sdm < my.sdm",
        "\"$0\" solve my.sdm --export-json o >> o",
        "\"$0\" solve my.sdm --trace ./o >> o",
        "\"$0\" convert my.sdm --to sdm >> my.sdm",
        "\"$0\" convert - --to sdm < my.sdm >> my.sdm",
        "\"$0\" solve my.sdm >> my.sdm",
        "cp my.sdm i && \"$0\" solve i 2>> i; code=$?; tail -n 1 i >&2; exit $code",
        "\"$0\" solve my.sdm --trace e 2> e; code=$?; cat e >&2; exit $code",
    ] {
        let (code, _, said) = shell(&folder, script);
        assert_eq!(code, Some(2), "{script}: {said}");
        assert!(said.contains(": name another "), "{script}: {said}");
        assert_eq!(fs::read_to_string(folder.path("my.sdm")).unwrap(), TINY, "{script}");
        assert_eq!(fs::read_to_string(folder.path("o")).unwrap(), "", "{script}");
    }
    // stdout by another name is stdout.
    let (code, _, said) = shell(&folder, "\"$0\" solve my.sdm --export-csv /dev/stdout > o");
    assert_eq!(code, Some(0), "{said}");
    assert!(fs::read_to_string(folder.path("o")).unwrap().starts_with("puzzle,"));
}

#[cfg(unix)]
#[test]
fn a_pipe_of_the_shell_takes_an_export() {
    let folder = Folder::new();
    folder.file("my.sdm", TINY);
    for flag in ["--export-csv /dev/fd/3", "--trace /dev/fd/3", "--export-json /proc/self/fd/3"] {
        let script = format!("\"$0\" solve my.sdm --presolve none {flag} 3>&1 > board | cat");
        let (_, text, said) = shell(&folder, &script);
        assert!(text.contains("my"), "{flag}: {text} {said}");
        let board = fs::read_to_string(folder.path("board")).unwrap();
        assert!(board.contains('1') && !board.contains("my,"), "{flag}: {board}");
    }
}

#[test]
fn two_outputs_never_share_a_file() {
    let folder = Folder::new();
    folder.file("s.toml", "puzzles = ['003-4x4']\nmethods = ['boxes']\n");
    for (arguments, one, other) in [
        (&["solve", TINY, "--export-json", "x", "--export-csv", "./x"][..], "./x", "x"),
        (&["solve", TINY, "--trace", "x", "--export-csv", "x"], "x", "x"),
        (&["bench", "--export-json", "x", "--plot", "./x"], "x", "./x"),
        (&["experiment", "s.toml", "--export-json", "x", "--plot", "./x"], "x", "./x"),
    ] {
        let said = refused(&folder, arguments);
        let sentence = "are the same file: name another one";
        assert_eq!(said, format!("{one} and {other} {sentence}"), "{arguments:?}");
        assert!(!folder.path("x").exists());
    }
    let arguments = ["experiment", "s.toml", "--export-json", "x", "--plot", "x.journal"];
    assert!(refused(&folder, &arguments).starts_with("x.journal is read by"));
}

#[test]
fn a_name_that_no_file_can_have_is_found_before_the_run() {
    let folder = Folder::new();
    for name in ["x".repeat(300), "no/such/folder".to_owned()] {
        for flag in ["--export-json", "--trace", "--plot"] {
            let said = refused(&folder, &["solve", TINY, flag, &name]);
            assert!(said.starts_with(&format!("cannot write {name}: ")), "{said}");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_link_stays_one_and_its_file_is_replaced() {
    let folder = Folder::new();
    for flag in ["--export-json", "--export-csv", "--trace", "--plot"] {
        folder.file("file", "older");
        let _ = fs::remove_file(folder.path("link"));
        std::os::unix::fs::symlink("file", folder.path("link")).unwrap();
        solve(&QUICK).args([flag, &folder.argument("link")]).assert().success();
        assert!(fs::symlink_metadata(folder.path("link")).unwrap().is_symlink(), "{flag}");
        assert!(fs::metadata(folder.path("file")).unwrap().len() > 20, "{flag}");
    }
}

#[test]
fn every_format_of_every_command_says_which_version_it_is_of() {
    let folder = Folder::new();
    let json = folder.argument("r.json");
    let commands = [
        ("solve", vec!["solve", TINY]),
        ("experiment", vec!["experiment", "--puzzle", "003-4x4"]),
        ("bench", vec!["bench", "--populations=10", "--what=score", "--time-budget=0"]),
    ];
    for (kind, arguments) in commands {
        let _ = fs::remove_file(&json);
        let mut command = evodoku();
        command.args(arguments).args(["--on=cpu", "--export-json", &json]);
        command.args(["--export-markdown", &folder.argument("r.md")]);
        command.args(["--plot", &folder.argument("r.svg")]).assert().success();
        let export = export(&folder.path("r.json"));
        assert_eq!(
            (&export["kind"], &export["results_version"]),
            (&kind.into(), &evodoku::RESULTS_VERSION.into())
        );
        assert!(fs::read_to_string(folder.path("r.md")).unwrap().starts_with("# "));
        assert!(fs::read_to_string(folder.path("r.svg")).unwrap().ends_with("</svg>\n"));
    }
}

#[test]
fn a_list_has_a_row_a_run_in_every_table() {
    let folder = Folder::new();
    let list = folder.file("list.sdm", format!("{TINY}\n1234341221434322\n{TINY}\n"));
    let mut command = solve(&[&list, "--quiet", "--runs=2", "--format=line"]);
    for (flag, name) in [
        ("--export-markdown", "r.md"),
        ("--export-csv", "r.csv"),
        ("--export-json", "r.json"),
        ("--plot", "r.svg"),
    ] {
        command.args([flag, &*folder.argument(name)]);
    }
    stdout(command, 2);
    let rows = |name: &str, of: &str| {
        let text = fs::read_to_string(folder.path(name)).unwrap();
        text.lines().filter(|line| line.starts_with(of)).count()
    };
    assert_eq!(rows("r.csv", "1234"), 5);
    assert_eq!(rows("r.md", "| 1234"), 5);
    assert_eq!(export(&folder.path("r.json"))["runs"].as_array().unwrap().len(), 4);
    let plot = fs::read_to_string(folder.path("r.svg")).unwrap();
    assert!(plot.contains("no run has evolved"), "presolve alone solves them: {plot}");
}

#[test]
fn input_that_would_fill_memory_is_refused_in_a_sentence() {
    let folder = Folder::new();
    let most = "an experiment has at most";
    let said = refused(
        &folder,
        &["experiment", "--puzzle", "003-4x4", "--preset", "boxes", "--seeds", "4294967295"],
    );
    assert_eq!(said, format!("--seeds: {most} 1,000,000 runs"));

    let values: Vec<String> = (1..=100).map(|value| value.to_string()).collect();
    let names = ["population", "max_generations", "tries", "restart_after", "elites", "children"];
    let lines: Vec<String> =
        names.iter().map(|name| format!("{name} = [{}]\n", values.join(", "))).collect();
    let spec = "puzzles = ['003-4x4']\nmethods = ['boxes']\n[parameters]\n".to_owned();
    folder.file("s.toml", spec + &lines.concat());
    let said = refused(&folder, &["experiment", "s.toml"]);
    assert_eq!(said, format!("s.toml, line 2: {most} 100,000 cells"));

    folder.file("large.toml", "#".repeat((16 << 20) + 1));
    let said = refused(&folder, &["experiment", "large.toml"]);
    assert_eq!(said, "large.toml: cannot be read: it has more than 16 MiB");
    folder.file("dots.toml", "a".to_owned() + &".a".repeat(1 << 20));
    assert!(refused(&folder, &["experiment", "dots.toml"]).starts_with("dots.toml, line 1: "));
    folder.file("deep.toml", "a = ".to_owned() + &"[".repeat(1 << 20));
    assert!(refused(&folder, &["experiment", "deep.toml"]).starts_with("deep.toml, line 1: "));
    if cfg!(unix) {
        let said = refused(&folder, &["experiment", "/dev/zero"]);
        assert_eq!(said, "/dev/zero: cannot be read: it has more than 16 MiB");
        let said = refused(&folder, &["solve", TINY, "--config", "/dev/zero"]);
        assert_eq!(said, "cannot read /dev/zero: it has more than 16 MiB");
    }
}
