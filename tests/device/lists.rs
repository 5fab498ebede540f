//! Many runs at once on the device: each is the run that it is by itself, and on the host.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use evodoku::gpu_engine::Adapter;
use libtest_mimic::Trial;
use predicates::str::contains;
use serde_json::Value;

use crate::adapter::{Outcome, trial};
use crate::support::{
    Folder, OF_THE_MACHINE, Witness, binary, evodoku, export, root, runs_of, stdout,
};

/// The tests of this file. Those whose names begin with `gpu_` run on a second driver too.
pub fn trials(adapter: &Result<Adapter, String>) -> Vec<Trial> {
    vec![
        trial("gpu_a_list_is_the_hosts_list", adapter, list),
        trial("gpu_runs_of_a_puzzle_go_together", adapter, runs),
        trial("gpu_runs_are_divided_between_the_cores_and_a_gpu", adapter, beside),
        trial("lists_of_other_kinds_are_worked_off_in_order", adapter, kinds),
        trial("what_cannot_be_run_is_told_in_its_place", adapter, impossible),
        trial("an_experiment_has_the_hosts_runs", adapter, experiment),
        trial("an_experiment_that_was_killed_goes_on_where_its_runs_stood", adapter, killed),
        trial("runs_on_two_adapters_are_those_of_the_host", adapter, divided),
        trial("islands_on_two_adapters_are_those_of_the_host", adapter, islands),
        trial("a_run_without_islands_is_refused_on_two_adapters", adapter, undivided),
        #[cfg(unix)]
        trial("an_interrupt_ends_all_runs_of_a_list", adapter, interrupt),
    ]
}

/// stdout, the exit code, and in the order of the list, which they need not end in, the runs without
/// what they say about the machine.
#[derive(Debug, PartialEq)]
struct Answer {
    stdout: String,
    code: Option<i32>,
    runs: Vec<Value>,
}

fn solve(arguments: &[&str]) -> (Answer, String) {
    let folder = Folder::new();
    let mut command = evodoku();
    command.arg("solve").args(arguments);
    command.args(["--format=line", "--export-json", &folder.argument("runs.json")]);
    let output = command.output().unwrap();
    let mut runs = export(&folder.path("runs.json"))["runs"].as_array().unwrap().clone();
    for run in &mut runs {
        let run = run.as_object_mut().unwrap();
        OF_THE_MACHINE.iter().for_each(|name| drop(run.remove(*name)));
    }
    runs.sort_by_key(place);
    let stdout = String::from_utf8(output.stdout).unwrap();
    let timed = |line: &&str| !line.starts_with("# seconds");
    let stdout = stdout.lines().filter(timed).collect::<Vec<_>>().join("\n");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    (Answer { stdout, code: output.status.code(), runs }, said)
}

/// Where a run stands: by the name of its puzzle, `list:7` before `list:10`, then by its seed.
fn place(run: &Value) -> (String, Option<usize>, Option<u64>) {
    let name = run["name"].as_str().unwrap_or_default();
    let (list, line) = name.rsplit_once(':').unwrap_or((name, ""));
    (list.to_owned(), line.parse().ok(), run["seed"].as_u64())
}

/// Compares the list on the device with that on the host; returns it, and what was said.
fn compare(adapter: &Adapter, arguments: &[&str]) -> (Answer, String) {
    let gpu = format!("--on=gpu:{}", adapter.info.index);
    let (host, _) = solve(&[arguments, &["--on=cpu"]].concat());
    let (device, said) = solve(&[arguments, &[&gpu]].concat());
    assert_eq!(device, host, "{arguments:?}");
    (device, said)
}

/// So many puzzles, one a line.
fn generated(arguments: &[&str]) -> String {
    let mut command = evodoku();
    command.arg("generate").args(arguments);
    stdout(command, 0)
}

/// The shipped hard puzzles, one a line.
fn hard() -> String {
    let mut files: Vec<_> = fs::read_dir(root().join("puzzles/hard"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .collect();
    files.sort();
    let mut command = evodoku();
    command.args(["convert", "--to=sdm"]).args(files);
    stdout(command, 0)
}

/// Easy and hard puzzles, whose free cells, steps and distances all differ.
fn list(adapter: &Adapter) -> Outcome {
    let easy = generated(&["--givens=30", "--count=181", "--seed=7"]);
    let text = format!("{easy}{}", hard());
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 200);
    let folder = Folder::new();
    let file = folder.file("list.sdm", &text);
    let budget = ["--seed=5", "--max-generations=3", "--population=40", "--presolve=singles"];
    let (all, said) = compare(adapter, &[&[&file[..]], &budget[..]].concat());
    assert_eq!(all.runs.len(), 200);
    let free: std::collections::BTreeSet<u64> =
        all.runs.iter().filter_map(|run| run["free_cells"].as_u64()).collect();
    assert!(free.len() > 9, "{free:?}");
    // As many as one after the other would say 1.
    assert!(said.contains(" at a time on ") && !said.contains(" 1 at a time on "), "{said}");
    for place in [0, 63, 181, 199] {
        let (alone, _) = compare(adapter, &[&[lines[place]], &budget[..]].concat());
        let mut run = all.runs[place].clone();
        // Other solutions are looked for where a puzzle stands alone.
        for member in ["name", "uniqueness"] {
            run[member] = alone.runs[0][member].clone();
        }
        assert_eq!(alone.runs, [run], "line {place}");
    }
    Ok(())
}

fn runs(adapter: &Adapter) -> Outcome {
    let many = ["ai-escargot", "--runs=50", "--seed=3", "--max-generations=4"];
    let small = ["--population=30", "--set=tabu-steps=60", "--set=restart-after=1"];
    let (all, _) = compare(adapter, &[&many[..], &small].concat());
    assert_eq!(all.runs.len(), 50);
    let restarts = |run: &Value| run["restarts"].as_u64() > Some(0);
    assert!(all.runs.iter().any(restarts));
    for bound in ["--max-work=9000", "--set=max-work=1", "--set=restart-rule=unchanged-best"] {
        compare(
            adapter,
            &[
                &["easter-monster", "--runs=3"],
                &small[..],
                &["--seed=1", "--max-generations=6", bound],
            ]
            .concat(),
        );
    }
    Ok(())
}

/// Runs that a GPU has in batches beside the cores.
fn beside(adapter: &Adapter) -> Outcome {
    let gpu = format!("--on=auto:{}", adapter.info.index);
    let many = ["easter-monster", "--preset=tabu", "--presolve=none", "--seed=3", "--threads=2"];
    let small = ["--runs=60", "--population=8", "--set=tabu-steps=100", "--max-generations=10"];
    let (host, _) = solve(&[&many[..], &small, &["--on=cpu"]].concat());
    let (both, said) = solve(&[&many[..], &small, &[&gpu, "-v"]].concat());
    assert_eq!(both, host, "{said}");
    assert!(said.contains(&adapter.info.name), "{said}");
    let few = ["--runs=20", "--population=8", "--set=tabu-steps=30", "--max-generations=4"];
    let (few, said) = solve(&[&many[..], &few, &[&gpu, "-v"]].concat());
    assert!(few.runs.len() == 20 && !said.contains(&adapter.info.name), "{said}");
    Ok(())
}

/// Every way to breed, and submissions that cut runs into pieces.
fn kinds(adapter: &Adapter) -> Outcome {
    let folder = Folder::new();
    let small = generated(&["--box=2x3", "--givens=8", "--count=5", "--seed=2"]);
    let large = generated(&["--box=4x4", "--fill=0.3", "--count=2", "--seed=2"]);
    let files = [folder.file("6.sdm", small), folder.file("16.txt", large)];
    let budget = ["--presolve=none", "--seed=9", "--max-generations=3"];
    let names = [&files[0], "easter-monster", &files[1], "001-easy-03", "003-4x4"];
    for set in [
        &["--population=20", "--set=tabu-steps=40"][..],
        &["--preset=tabu", "--population=9", "--set=tabu-steps=40"],
        &["--preset=cellular", "--population=70"],
        &["--preset=cellular", "--population=70", "--chunk=50"],
        &["--preset=rows-sus", "--population=65", "--chunk=100"],
        &["--preset=rows-tournament", "--population=33"],
        &["--preset=cells", "--population=33", "--set=islands=2"],
        &["--preset=boxes", "--population=50", "--set=pairing=couples"],
        &["--preset=eviction", "--set=proposals=2000", "--set=eta-proposals=300"],
        &["--preset=eviction", "--population=5", "--set=proposals=1024", "--chunk=3", "--runs=2"],
    ] {
        compare(adapter, &[&names, &budget[..], set].concat());
    }
    Ok(())
}

/// What is malformed or contradicts itself, and what was found to have no solution.
fn impossible(adapter: &Adapter) -> Outcome {
    let folder = Folder::new();
    let good = generated(&["--box=2x3", "--givens=10", "--count=3", "--seed=2"]);
    let mut lines: Vec<String> = good.lines().map(str::to_owned).collect();
    let contradictory = format!("11{}", ".".repeat(34));
    // No value is left for the first cell.
    let unsolvable = format!(".12345{}6{}", ".".repeat(11), ".".repeat(18));
    lines.insert(1, contradictory);
    lines.insert(3, unsolvable);
    lines.push("12345x".to_owned());
    let file = folder.file("list.sdm", lines.join("\n") + "\n");
    for runs in ["--runs=1", "--runs=3"] {
        let budget = ["--population=20", "--seed=1", "--presolve=none", "--max-generations=2"];
        let (answer, said) = compare(adapter, &[&[&file[..], runs], &budget[..]].concat());
        assert_eq!(answer.code, Some(2));
        assert!(said.contains("no solution"), "{said}");
    }
    Ok(())
}

/// Runs without an end are left with their best boards, in order; those behind them never begin.
#[cfg(unix)]
fn interrupt(adapter: &Adapter) -> Outcome {
    // Of eight first boards of this one two are solutions, so that it ends at once.
    let rows = (0..9).map(|row| (0..9).map(move |column| (3 * row + row / 3 + column) % 9 + 1));
    let mut quick: Vec<char> =
        rows.flatten().filter_map(|value| char::from_digit(value, 10)).collect();
    [0, 3, 6, 9, 12, 15].into_iter().for_each(|cell| quick[cell] = '.');
    let quick: String = quick.into_iter().collect();
    let mut command = std::process::Command::new(crate::support::binary());
    command.args(["solve", &quick, "easter-monster", "coly013", "cheese"]);
    let gpu = format!("--on=gpu:{}", adapter.info.index);
    command.args([&gpu[..], "--preset=boxes", "--population=100"]);
    command.args(["--set=mutation-rate=0", "--set=restart-after=0", "--max-generations=0"]);
    command.args(["--seed=1", "--format=line"]).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn()?;
    let mut lines = BufReader::new(child.stdout.take().ok_or("no stdout")?).lines();
    let first = lines.next().ok_or("nothing was printed")??;
    assert!(!first.starts_with('#'), "{first}");
    let id = child.id().to_string();
    std::process::Command::new("kill").args(["-s", "INT", &id]).status()?;
    let rest: Vec<String> = lines.collect::<Result<_, _>>()?;
    assert_eq!(child.wait()?.code(), Some(130));
    let unsolved = rest.iter().filter(|line| line.starts_with("# not solved: "));
    assert_eq!(unsolved.count(), 3, "{rest:?}");
    Ok(())
}

fn experiment(adapter: &Adapter) -> Outcome {
    let runs = |engine: &[&str]| {
        let folder = Folder::new();
        let mut command = evodoku();
        command
            .args(["experiment", "--puzzle=ai-escargot", "--puzzle=003-6x6", "--preset=memetic"]);
        command.args(["--preset=boxes", "--seeds=6", "--first-seed=3", "--set=population=20,30"]);
        command.args(["--set=max_generations=3", "--set=presolve=none", "--set=tabu_steps=40"]);
        command.args(["--export-json", &folder.argument("all.json")]).args(engine);
        command.assert().success();
        let mut runs = export(&folder.path("all.json"))["runs"].as_array().unwrap().clone();
        for run in &mut runs {
            let run = run.as_object_mut().unwrap();
            run.remove("crc32");
            OF_THE_MACHINE.iter().for_each(|name| drop(run.remove(*name)));
        }
        runs
    };
    let host = runs(&["--on=cpu"]);
    assert_eq!(host.len(), 48);
    let gpu = format!("--on=gpu:{}", adapter.info.index);
    assert_eq!(runs(&[&gpu]), host);
    assert_eq!(runs(&[&twice(adapter, "gpu")]), host);
    Ok(())
}

/// Runs that share the device, and one on islands that has it to itself.
fn killed(adapter: &Adapter) -> Outcome {
    let gpu = format!("--on=gpu:{}", adapter.info.index);
    let begin = |folder: &Folder, more: &[&str]| {
        let mut command = Command::new(binary());
        command.current_dir(folder.path("")).args(["experiment", "--puzzle=easter-monster"]);
        command
            .args(["--preset=boxes", "--seeds=2", "--set=population=60,90", "--set=islands=1,2"]);
        command.args(["--set=max_generations=30", "--set=presolve=none", "--set=restart_after=9"]);
        command.args(["--export-json=r.json", "--checkpoint-every=1g"]).args(more);
        command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let end = |folder: &Folder, child: Child| {
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(0), "{said}");
        (runs_of(&folder.path("r.json")), said)
    };
    let folder = Folder::new();
    let (expected, _) = end(&folder, begin(&folder, &["--on=cpu"]));
    assert_eq!(expected.len(), 8);
    let folder = Folder::new();
    let kept = || -> BTreeMap<PathBuf, Vec<u8>> {
        let Ok(entries) = fs::read_dir(folder.path("r.json.runs")) else { return BTreeMap::new() };
        let paths = entries.map(|entry| entry.unwrap().path());
        paths.filter_map(|path| Some((path.clone(), fs::read(path).ok()?))).collect()
    };
    let device = [&gpu[..]];
    let mut child = begin(&folder, &device);
    for _ in 0..2 {
        let (before, start) = (kept(), Instant::now());
        // Several go on at once, and each has a file and the one before it.
        while kept().iter().filter(|file| before.get(file.0) != Some(file.1)).count() < 4 {
            assert!(child.try_wait().unwrap().is_none(), "it was over too soon");
            assert!(start.elapsed() < Duration::from_secs(120), "no run was kept");
            sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        child = begin(&folder, &[&device[..], &["--resume"]].concat());
    }
    let (found, said) = end(&folder, child);
    assert!(said.contains("resumed"), "{said}");
    assert_eq!(found, expected);
    Ok(())
}

/// The same adapter twice, which goes as two do.
fn twice(adapter: &Adapter, word: &str) -> String {
    let index = adapter.info.index;
    format!("--on={word}:{index},{index}")
}

fn divided(adapter: &Adapter) -> Outcome {
    let name = &adapter.info.full_name();
    let budget = ["--seed=3", "--max-generations=4", "--population=30", "--presolve=none"];
    let one = &["ai-escargot", "--runs=6"][..];
    let list = &["003-6x6", "ai-escargot", "--runs=2"][..];
    for puzzles in [one, list] {
        let arguments = [puzzles, &budget].concat();
        let (host, _) = solve(&[&arguments[..], &["--on=cpu"]].concat());
        for word in ["gpu", "gpu-score"] {
            let (found, said) = solve(&[&arguments[..], &[&twice(adapter, word)]].concat());
            assert_eq!(found, host, "{arguments:?} {word}");
            // What is said of a list.
            assert!(puzzles == one || said.contains(&format!("on {name}, {name}")), "{said}");
        }
    }
    Ok(())
}

fn islands(adapter: &Adapter) -> Outcome {
    let run = [
        "easter-monster",
        "--preset=boxes",
        "--population=90",
        "--set=islands=3",
        "--set=migration-interval=2",
        "--presolve=none",
        "--seed=1",
        "--max-generations=8",
    ];
    let host = Witness::of(&[&run[..], &["--on=cpu"]].concat());
    for word in ["gpu", "gpu-score"] {
        let found = Witness::of(&[&run[..], &[&twice(adapter, word)]].concat());
        assert_eq!(found, host, "{word}");
    }
    let mut command = evodoku();
    command.arg("solve").args(run).arg(twice(adapter, "gpu"));
    command.assert().stderr(contains("3 islands on 2 of 2 adapters"));
    Ok(())
}

fn undivided(adapter: &Adapter) -> Outcome {
    let mut command = evodoku();
    command.args(["solve", "ai-escargot", &twice(adapter, "gpu-score")]);
    command.assert().code(2).stdout("").stderr(contains("use --set islands=N"));
    Ok(())
}
