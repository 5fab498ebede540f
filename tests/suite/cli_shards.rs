//! `evodoku experiment` in parts: shards, merged, and specs that grow.

use std::fs;
use std::process::Command;

use serde_json::Value;

use crate::cli_experiment::Folder;
use crate::cli_resume::{journal_of, sealed};

/// Every kind of cell: evolved, exact, presolved, blank, contradictory, and the rungs of a ladder.
const SPEC: &str = "seeds = 4
least_generations = 3
[parameters]
population = [8, 40]
max_generations = 20
max_work = 900

[[block]]
name = 'small'
puzzles = ['003-4x4', '003-6x6', '1234..4.........']
methods = ['boxes', 'backtracking']

[[block]]
name = 'dug'
puzzles = ['003-puzzle4']
methods = ['cellular']
dig = 'rows'
step = 16
until = 40
parameters = { presolve = 'none' }
";

fn runs(folder: &Folder, name: &str) -> Vec<Value> {
    let text = fs::read_to_string(folder.path(name)).unwrap();
    serde_json::from_str::<Value>(&text).unwrap()["runs"].as_array().unwrap().clone()
}

/// Does the shards of a spec, each in a file of its name, and gives the names.
fn sharded(folder: &Folder, of: usize) -> Vec<String> {
    let shard = |number: usize| {
        let (shard, file) = (format!("{number}/{of}"), format!("part{number}.json"));
        let arguments = ["spec.toml", "--shard", &shard, "--export-json", &file];
        let output = folder.command(&arguments).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{said}");
        assert!(said.contains(&format!("runs, shard {shard}, ")), "{said}");
        file
    };
    (1..=of).map(shard).collect()
}

/// `experiment merge` with all exports of `Folder::export`: its exit code, and what it says.
fn merge(folder: &Folder, arguments: &[&str]) -> (i32, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_evodoku"));
    command.current_dir(folder.path("")).args(["experiment", "merge", "--export-json", "r.json"]);
    command.args(["--export-csv", "r.csv", "--export-markdown", "r.md", "--plot", "r.svg"]);
    let output = command.args(arguments).output().unwrap();
    (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn shards_merged_are_what_one_process_exports() {
    let whole = Folder::new(SPEC);
    whole.done(&[]);
    for of in [1, 3, 7] {
        let folder = Folder::new(SPEC);
        let parts = sharded(&folder, of);
        let all = runs(&whole, "r.json").len();
        assert_eq!(parts.iter().map(|part| runs(&folder, part).len()).sum::<usize>(), all);
        // In whatever order they come, and without the spec.
        fs::remove_file(folder.path("spec.toml")).unwrap();
        let parts: Vec<&str> = parts.iter().rev().map(String::as_str).collect();
        let (code, said) = merge(&folder, &parts);
        // What was merged, and that -v explains the tables.
        assert_eq!((code, said.lines().count()), (0, 2), "{said}");
        assert_eq!(folder.files(), whole.files());
    }
}

#[test]
fn what_is_missing_is_said_and_the_rest_merged_on_demand() {
    let whole = Folder::new(SPEC);
    whole.done(&[]);
    let folder = Folder::new(SPEC);
    sharded(&folder, 3);
    let (code, said) = merge(&folder, &["part1.json", "part3.json"]);
    let lacking = runs(&folder, "part2.json").len();
    assert_eq!(code, 2);
    assert!(
        said.contains(&format!(" {lacking} of ")) && said.contains("runs are missing"),
        "{said}"
    );
    assert!(
        said.contains("; shards that are incomplete or missing: 2/3: use --incomplete"),
        "{said}"
    );
    assert!(!folder.path("r.json").exists());

    let (code, said) = merge(&folder, &["part1.json", "part3.json", "--incomplete"]);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("incomplete or missing: 2/3"), "{said}");
    assert!(folder.read("r.csv").contains(",unfinished,"));
    // What is merged is an experiment that goes on, and a part of another merger.
    fs::rename(folder.path("r.json"), folder.path("most.json")).unwrap();
    let (code, said) = merge(&folder, &["part2.json", "most.json"]);
    assert_eq!(code, 0, "{said}");
    assert_eq!(folder.files(), whole.files());
    fs::rename(folder.path("most.json"), folder.path("r.json")).unwrap();
    folder.done(&["--resume"]);
    assert_eq!(folder.files(), whole.files());
}

#[test]
fn a_killed_shard_counts_with_its_journal() {
    let whole = Folder::new(SPEC);
    whole.done(&[]);
    let folder = Folder::new(SPEC);
    sharded(&folder, 2);
    // As if only the journal had the runs yet, its last line torn.
    let text = folder.read("part2.json");
    let lines = journal_of(&text);
    let (head, _) = text.split_once("\"runs\": [").unwrap();
    fs::write(folder.path("part2.json"), format!("{head}\"runs\": []\n}}\n")).unwrap();
    let journal = folder.path("part2.json.journal");
    // No journal that is there is left out.
    fs::create_dir(&journal).unwrap();
    let (code, said) = merge(&folder, &["part1.json", "part2.json"]);
    assert!(code == 2 && said.contains("part2.json.journal"), "{said}");
    fs::remove_dir(&journal).unwrap();
    fs::write(&journal, lines.join("\n") + "\n{\"ki").unwrap();
    let (code, said) =
        merge(&folder, &["part1.json", "part2.json", "--export-runs", "part2.json.journal"]);
    assert!(code == 2 && said.contains("is read by this command"), "{said}");
    // A link has the journal of what it leads to.
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("part2.json", folder.path("link.json")).unwrap();
        let (code, said) = merge(&folder, &["part1.json", "link.json"]);
        assert_eq!(code, 0, "{said}");
        for name in ["r.json", "r.csv", "r.md", "r.svg"] {
            fs::remove_file(folder.path(name)).unwrap();
        }
        fs::remove_file(folder.path("link.json")).unwrap();
    }
    let (code, said) = merge(&folder, &["part1.json", "part2.json"]);
    assert_eq!(code, 0, "{said}");
    assert_eq!(folder.files(), whole.files());
}

#[test]
fn parts_that_do_not_go_together_are_refused_by_name() {
    let folder = Folder::new(SPEC);
    sharded(&folder, 2);
    let refused = |parts: &[&str]| {
        let (code, said) = merge(&folder, parts);
        assert_eq!((code, said.lines().count()), (2, 1), "{said}");
        assert!(!folder.path("r.json").exists());
        said
    };
    let part2 = folder.read("part2.json");
    fs::write(folder.path("spec.toml"), SPEC.replace("seeds = 4", "seeds = 5")).unwrap();
    let other = ["spec.toml", "--shard", "2/2", "--export-json", "other.json", "--quiet"];
    assert!(folder.command(&other).status().unwrap().success());
    let said = refused(&["part1.json", "other.json"]);
    assert!(
        said.contains(
            "other.json and part1.json cannot be merged: they were made from different specs"
        ),
        "{said}"
    );

    let spoil = |from: &str, to: &str| {
        assert!(part2.contains(from), "{from}");
        fs::write(folder.path("part2.json"), part2.replacen(from, to, 1)).unwrap();
        refused(&["part1.json", "part2.json"])
    };
    let version = format!("\"version\": \"{}\"", env!("CARGO_PKG_VERSION"));
    let said = spoil(&version, "\"version\": \"9.9.9\"");
    assert!(said.contains("part2.json and part1.json cannot be merged: "), "{said}");
    let said = spoil("\"results_version\": ", "\"results_version\": 9");
    assert!(said.contains(" with results version 9"), "{said}");
    let said = spoil("\"first_seed\":1,", "\"first_seed\":2,");
    assert!(
        said.contains(
            "part2.json: it was changed, or is of another version: its plan has fingerprint "
        ),
        "{said}"
    );
    let said = spoil("\"method\":\"boxes\",", "\"method\":\"boxs\",");
    assert!(said.contains("part2.json: cell 1: 'boxs' is not one of memetic, "), "{said}");
    let said = spoil("\"shard\": \"2/2\"", "\"shard\": \"3/2\"");
    assert!(said.contains("part2.json is not a results file of an experiment"), "{said}");
    let said = spoil("\"work\":", "\"work\":1");
    assert!(
        said.contains("part2.json, run ") && said.contains("its checksum does not match"),
        "{said}"
    );

    // The same run, which came to something else on another machine.
    let line = part2.lines().find(|line| line.contains("\"stop_reason\":\"generations\"")).unwrap();
    let (before, rest) = line.split_once("\"fitness\":").unwrap();
    let (_, after) = rest.split_once(',').unwrap();
    let changed = sealed(&format!("{before}\"fitness\":999,{after}"));
    fs::write(folder.path("part2.json"), part2.replace(line.trim_end_matches(','), &changed))
        .unwrap();
    fs::write(folder.path("copy.json"), &part2).unwrap();
    let said = refused(&["part1.json", "copy.json", "part2.json"]);
    assert!(said.contains("part2.json, run ") && said.contains("has a different result"), "{said}");

    let (code, said) = merge(&folder, &["part1.json", "r.json", "--incomplete"]);
    assert!(code == 2 && said.contains("cannot read r.json"), "{said}");
    fs::copy(folder.path("part1.json"), folder.path("r.json")).unwrap();
    let (code, said) = merge(&folder, &["r.json", "copy.json"]);
    assert!(code == 2 && said.contains("r.json is read"), "{said}");
    let (code, said) = merge(&folder, &["part1.json", "copy.json"]);
    assert!(code == 2 && said.contains("r.json holds earlier results"), "{said}");
    assert_eq!(merge(&folder, &["part1.json", "copy.json", "--overwrite"]).0, 0);
}

#[test]
fn a_spec_that_grows_keeps_the_runs_that_are_there() {
    let spec = "puzzles = ['003-6x6']\nmethods = ['boxes', 'backtracking']\nseeds = 3\n\
                [parameters]\npopulation = [20]\nmax_generations = 9\n";
    let grown = [
        spec.replace("seeds = 3", "seeds = 5"),
        spec.replace("['003-6x6']", "['003-4x4', '003-6x6']"),
        spec.replace("['boxes',", "['columns', 'boxes',"),
        spec.replace("[20]", "[10, 20, 30]"),
        // Seeds that begin before, and twice the same cells.
        spec.replace("seeds = 3", "seeds = 4\nfirst_seed = 0"),
        spec.to_owned() + "[[block]]\n[[block]]\nname = 'again'\n",
    ];
    for grown in grown {
        let folder = Folder::new(spec);
        folder.done(&[]);
        fs::write(folder.path("spec.toml"), &grown).unwrap();
        let said = String::from_utf8(folder.done(&["--resume"]).stderr).unwrap();
        assert!(said.contains("(4 finished)"), "{grown}\n{said}");
        let fresh = Folder::new(&grown);
        fresh.done(&[]);
        assert_eq!(folder.files(), fresh.files(), "{grown}");
    }
}

#[test]
fn flags_replace_the_values_of_a_spec() {
    let spec = "puzzles = ['003-4x4']\nmethods = ['boxes', 'backtracking']\nseeds = 3\n\
                [parameters]\npopulation = 20\nmax_generations = 9\n\
                [[block]]\n[[block]]\nname = 'other'\nseeds = 2\n";
    let folder = Folder::new(spec);
    folder.done(&[]);
    // Three and two seeds of boxes become four; backtracking has one run in each block.
    let said = String::from_utf8(folder.done(&["--resume", "--seeds=4"]).stderr).unwrap();
    assert!(said.contains("10 runs (7 finished)"), "{said}");

    let folder = Folder::new(spec);
    folder.done(&["--first-seed=7", "--set", "population=10,30", "--time-limit=50"]);
    let keys = |runs: Vec<Value>| -> Vec<String> {
        runs.iter()
            .map(|run| format!("{} {} {}", run["method"], run["seed"], run["work"]))
            .collect()
    };
    let written = spec.replace("seeds = 3", "seeds = 3\nfirst_seed = 7\ntime_limit = 50");
    let written = Folder::new(&written.replace("= 20\n", "= [10, 30]\n"));
    written.done(&[]);
    assert_eq!(keys(runs(&folder, "r.json")), keys(runs(&written, "r.json")));
}

#[test]
fn runs_that_are_not_asked_for_any_more_are_let_go_on_demand_alone() {
    let spec = "puzzles = ['003-4x4', '003-6x6']\nmethods = ['boxes', 'backtracking']\nseeds = 3\n\
                time_limit = 50\n[parameters]\npopulation = 20\nmax_generations = 9\n";
    for (from, to, kept, first) in [
        ("seeds = 3", "seeds = 2", 6, "003-4x4, boxes, seed 3"),
        ("['003-4x4', '003-6x6']", "['003-6x6']", 4, "003-4x4, boxes, seed 1"),
        ("= 20", "= 30", 2, "003-4x4, boxes, seed 1, with population 20 instead of 30"),
        ("= 50", "= 51", 0, "003-4x4, boxes, seed 1, with time_limit 50 instead of 51"),
    ] {
        let folder = Folder::new(spec);
        folder.done(&[]);
        let before = folder.read("r.json");
        let changed = spec.replace(from, to);
        fs::write(folder.path("spec.toml"), &changed).unwrap();
        let output = folder.export(&["--resume"]).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        let unasked = 8 - kept;
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert_eq!(
            said,
            format!(
                "evodoku: r.json contains runs that are not part of the experiment ({unasked}, the first: {first}): \
                 use --resume --overwrite to drop them\n"
            )
        );
        assert_eq!(folder.read("r.json"), before);
        let said = folder.done(&["--resume", "--overwrite"]).stderr;
        let said = String::from_utf8(said).unwrap();
        let there = format!("({kept} finished)");
        assert_eq!(said.contains(&there), kept > 0, "{said}");
        let fresh = Folder::new(&changed);
        fresh.done(&[]);
        assert_eq!(folder.files(), fresh.files());
    }
}

#[test]
fn a_shard_that_is_none_is_refused() {
    let folder = Folder::new(SPEC);
    for shard in ["0/3", "4/3", "3", "x/y"] {
        let output = folder.command(&["spec.toml", "--shard", shard]).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(said.contains("it takes K/N with K from 1 to N, as in 3/16"), "{said}");
    }
    let output = folder.command(&["merge"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}
