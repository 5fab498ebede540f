//! The command on a graphics adapter.
//!
//! Which adapter, and what becomes of the tests without one, `tests/device/adapter.rs` says.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use evodoku::gpu_engine::{self, Adapter, supported_presets};
use libtest_mimic::Trial;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::{contains, starts_with};

use crate::adapter::{Outcome, trial};
use crate::support::{Folder, REPRODUCIBLE, Witness, binary, evodoku, mpirun, stdout, trace};

/// Around a workgroup, and more than one.
const POPULATIONS: [&str; 5] = ["3", "63", "64", "65", "257"];
const SHAPES: [&str; 5] = ["2x2", "2x3", "4x4", "5x5", "6x6"];

/// The tests of this file.
pub fn trials(adapter: &Result<Adapter, String>) -> Vec<Trial> {
    type Test = fn(&Adapter) -> Outcome;
    let gpu_tests: [(&str, Test); 16] = [
        ("the_gpu_gives_the_same_run_as_the_cpu", same_run),
        ("the_gpu_engine_gives_the_same_run_as_the_cpu", same_run_on_device),
        ("what_the_gpu_engine_does_not_know_is_refused", refused_on_device),
        ("an_interrupt_ends_the_gpu_engine_at_once", interrupted_on_device),
        ("an_interrupt_ends_a_run_whose_kernels_take_long_to_compile", interrupted_compilation),
        ("the_export_names_the_adapter", export_names_adapter),
        ("compare_finds_no_mismatch_in_any_population", compare_populations),
        ("compare_finds_no_mismatch_in_any_shape", compare_shapes),
        ("compare_takes_a_puzzle", compare_puzzle),
        ("compare_finds_both_engines_equal", compare_engines),
        ("an_interrupt_ends_a_comparison_with_what_was_compared", interrupted_comparison),
        ("bench_measures_the_adapter", bench),
        ("devices_lists_the_adapter", devices),
        ("an_adapter_is_found_by_index_and_by_name", found_by),
        ("an_adapter_that_is_not_there_is_told_with_what_is", not_there),
        ("gpu_score_takes_no_software_driver", backend_gpu),
    ];
    let mut trials: Vec<Trial> = gpu_tests.map(|(name, test)| trial(name, adapter, test)).into();
    let over_ranks = trial("islands_over_ranks_are_the_run_of_the_cpu", adapter, ranks_on_device);
    let ignored = over_ranks.has_ignored_flag() || !cfg!(feature = "mpi");
    trials.push(over_ranks.with_ignored_flag(ignored));
    trials.push(Trial::test("devices_prints_the_shader_without_a_device", shader));
    trials
}

/// Each rank has its islands on the adapter, and what leaves them crosses the bus and the ranks.
fn ranks_on_device(adapter: &Adapter) -> Outcome {
    let folder = Folder::new();
    let run = "solve easter-monster --preset boxes --population 90 --set islands=4 --presolve none \
               --seed 4 --max-generations 10 --format line --set migration-interval=2 --trace";
    let gpu = gpu_flag(adapter);
    let of = |mut command: Command, name: &str| {
        let output = command.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{said}");
        let mut trace = trace(&folder.path(name));
        assert!(trace.len() > 10, "{said}");
        trace.iter_mut().for_each(|row| row.truncate(REPRODUCIBLE));
        (output.stdout, trace)
    };
    let arguments = |more: &[&'static str]| -> Vec<String> {
        run.split_whitespace().chain(more.iter().copied()).map(str::to_owned).collect()
    };
    let mut alone = Command::new(binary());
    alone.current_dir(folder.path("")).args(arguments(&["cpu.csv", "--on=cpu"]));
    let mut ranks = mpirun(&folder.path(""), 2, &[]);
    ranks.args(arguments(&["ranks.csv"])).arg(gpu);
    assert_eq!(of(ranks, "ranks.csv"), of(alone, "cpu.csv"));
    Ok(())
}

fn gpu_flag(adapter: &Adapter) -> String {
    format!("--on=gpu:{}", adapter.info.index)
}

fn scoring_flag(adapter: &Adapter) -> String {
    format!("--on=gpu-score:{}", adapter.info.index)
}

fn same_run(adapter: &Adapter) -> Outcome {
    let budget = ["--presolve=none", "--seed=1", "--max-generations=8"];
    for puzzle in [
        &["001-easy-03", "easter-monster", "--set=tabu-steps=300"][..],
        &["001-easy-03", "--preset=cellular", "--population=1000"],
        &["easter-monster", "--preset=cellular", "--population=300", "--set=restart-after=1"],
        &["001-easy-03", "--preset=boxes", "--set=crossover=one-point"],
        &["001-easy-03", "--preset=boxes", "--set=pairing=random"],
        &["001-16x16-beginner", "003-6x6", "--preset=boxes", "--population=500"],
    ] {
        let run = [puzzle, &budget].concat();
        let cpu = Witness::of(&[&run[..], &["--on=cpu"]].concat());
        for chunk in [None, Some("--chunk=777"), Some("--chunk=64")] {
            let gpu = scoring_flag(adapter);
            let flags: Vec<&str> = [&gpu[..]].into_iter().chain(chunk).collect();
            assert_eq!(cpu, Witness::of(&[&run[..], &flags].concat()), "{run:?} {chunk:?}");
        }
    }
    Ok(())
}

fn same_run_on_device(adapter: &Adapter) -> Outcome {
    let budget = ["--presolve=none", "--seed=1", "--max-generations=8"];
    for run in [
        &["easter-monster", "--preset=cellular", "--population=300", "--set=restart-after=1"][..],
        &["001-16x16-beginner", "003-6x6", "--preset=boxes", "--set=islands=3"],
        &["easter-monster", "--set=tabu-steps=100"],
        &["easter-monster", "--preset=tabu", "--population=20", "--set=tabu-steps=100"],
    ] {
        let run = [run, &budget].concat();
        let cpu = Witness::of(&[&run[..], &["--on=cpu"]].concat());
        for chunk in [None, Some("--chunk=64")] {
            let gpu = gpu_flag(adapter);
            let flags: Vec<&str> = [&gpu[..]].into_iter().chain(chunk).collect();
            assert_eq!(cpu, Witness::of(&[&run[..], &flags].concat()), "{run:?} {chunk:?}");
        }
    }
    Ok(())
}

fn refused_on_device(adapter: &Adapter) -> Outcome {
    let solve = |arguments: &[&str]| {
        let mut command = evodoku();
        command.args(["solve", "easter-monster", &gpu_flag(adapter)]);
        command.args(arguments).assert().code(2)
    };
    solve(&["--preset=rows-pmx"])
        .stderr(contains("not support crossover pmx").and(contains("boxes, cells")));
    // The best slot would not fit a word.
    let one = ["--preset=boxes", "--population=18000000", "--set=islands=1"];
    solve(&one).stderr(contains("more islands"));
    Ok(())
}

/// Generations that take seconds are left within one, with the best board so far.
#[cfg(unix)]
fn interrupted_on_device(adapter: &Adapter) -> Outcome {
    let folder = crate::support::Folder::new();
    let mut command = Command::new(binary());
    command.args(["solve", "easter-monster", &gpu_flag(adapter)]);
    command.args(["--preset=boxes", "--population=500000", "--max-generations=0", "--seed=1"]);
    command.args(["--set=mutation-rate=0", "--set=restart-after=0", "--format=line"]);
    command.args(["--trace", &folder.argument("trace.csv")]).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::null()).spawn()?;
    let rows = || fs::read_to_string(folder.path("trace.csv")).map_or(0, |t| t.lines().count());
    // The header, the new boards and a generation.
    let ended = |child: &mut Child| child.try_wait().is_ok_and(|status| status.is_some());
    let begun = wait_for(120, || rows() > 2 || ended(&mut child));
    let id = child.id().to_string();
    std::process::Command::new("kill").args(["-s", "INT", &id]).status()?;
    // The aim is a second; the machine may do many things besides.
    let answered = wait_for(20, || ended(&mut child));
    child.kill().ok();
    let output = child.wait_with_output()?;
    assert!(begun && answered, "begun {begun}, answered {answered}");
    assert_eq!(output.status.code(), Some(130));
    assert!(String::from_utf8(output.stdout)?.starts_with("# not solved: "));
    Ok(())
}

/// Boards of 64x64 keep llvmpipe compiling for more than half a minute.
#[cfg(unix)]
fn interrupted_compilation(adapter: &Adapter) -> Outcome {
    let mut command = Command::new(binary());
    command.args(["solve", "-", "--box=8x8", "--presolve=none"]);
    command.args(["--preset=boxes", "--max-generations=0", "--format=line", &gpu_flag(adapter)]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // What was compiled before is not looked up.
    command.env("MESA_SHADER_CACHE_DISABLE", "true");
    let mut child = command.spawn()?;
    let blank = ". ".repeat(64 * 64);
    writeln!(child.stdin.take().ok_or("no stdin")?, "{blank}")?;
    let begun = wait_for(60, || crate::support::listens(&mut child));
    // It is soon compiling.
    std::thread::sleep(Duration::from_secs(1));
    std::process::Command::new("kill").args(["-s", "TERM", &child.id().to_string()]).status()?;
    let answered = wait_for(15, || child.try_wait().is_ok_and(|status| status.is_some()));
    child.kill().ok();
    let output = child.wait_with_output()?;
    let said = String::from_utf8(output.stderr)?;
    assert!(begun && answered && said.contains("interrupted"), "{said}");
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(String::from_utf8(output.stdout)?.starts_with("# not solved: "));
    Ok(())
}

#[cfg(unix)]
fn interrupted_comparison(adapter: &Adapter) -> Outcome {
    for engine in [scoring_flag(adapter), gpu_flag(adapter)] {
        let mut command = Command::new(binary());
        // Hours of rounds, or of generations.
        let long = match engine.contains("score") {
            true => "--rounds=4000000000",
            false => "--generations=4000000000",
        };
        command.args(["compare", &engine, long, "--population=500"]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        // It listens before it says this.
        let mut said = BufReader::new(child.stderr.take().ok_or("no stderr")?).lines();
        while !said.next().ok_or("it ended")??.starts_with("comparing") {}
        let id = child.id().to_string();
        std::process::Command::new("kill").args(["-s", "INT", &id]).status()?;
        let answered = wait_for(60, || child.try_wait().is_ok_and(|status| status.is_some()));
        child.kill().ok();
        let output = child.wait_with_output()?;
        assert!(answered, "{engine}");
        assert_eq!(output.status.code(), Some(130));
        // The table has what was compared until then.
        assert!(String::from_utf8(output.stdout)?.contains(" threads."), "{engine}");
    }
    Ok(())
}

/// Whether something becomes true within so many seconds.
#[cfg(unix)]
fn wait_for(seconds: u64, mut done: impl FnMut() -> bool) -> bool {
    let end = Instant::now() + Duration::from_secs(seconds);
    while Instant::now() < end {
        if done() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    false
}

#[cfg(not(unix))]
fn interrupted_on_device(_: &Adapter) -> Outcome {
    Ok(())
}

#[cfg(not(unix))]
fn interrupted_compilation(_: &Adapter) -> Outcome {
    Ok(())
}

#[cfg(not(unix))]
fn interrupted_comparison(_: &Adapter) -> Outcome {
    Ok(())
}

fn export_names_adapter(adapter: &Adapter) -> Outcome {
    let folder = crate::support::Folder::new();
    let mut command = evodoku();
    command.args(["solve", "003-6x6", "--presolve=none", &scoring_flag(adapter)]);
    command
        .args(["--export-json", &folder.argument("runs.json")])
        .assert()
        .success()
        .stderr(contains(format!(" on {}", adapter.info.name)));
    let run = &crate::support::export(&folder.path("runs.json"))["runs"][0];
    assert_eq!(run["backend"], "gpu-score");
    assert_eq!(run["adapter"], adapter.info.full_name());
    assert_eq!(run["driver"], adapter.info.driver);
    Ok(())
}

/// Runs `compare` and checks that every kind of board was scored alike.
fn compare(adapter: &Adapter, arguments: &[&str], boards: &str) -> Outcome {
    let mut command = evodoku();
    command.args(["compare", "--quiet", &scoring_flag(adapter)]).args(arguments);
    let table = stdout(command, 0);
    for kind in ["random bytes", "random legal", "evolved", "solved"] {
        let row = table.lines().find_map(|line| line.trim().strip_prefix(kind));
        let figures: Vec<&str> = row.ok_or(kind)?.split_whitespace().collect();
        assert_eq!(figures.len(), 5, "{table}");
        assert_eq!(figures[..2], [boards, "0"], "{arguments:?}: {table}");
    }
    Ok(())
}

fn compare_populations(adapter: &Adapter) -> Outcome {
    POPULATIONS.into_iter().try_for_each(|population| {
        compare(adapter, &["--rounds=1", "--population", population], population)
    })
}

fn compare_shapes(adapter: &Adapter) -> Outcome {
    SHAPES.into_iter().try_for_each(|shape| {
        compare(adapter, &["--rounds=1", "--population=257", "--box", shape], "257")
    })
}

fn compare_puzzle(adapter: &Adapter) -> Outcome {
    let arguments = ["ai-escargot", "--population=500", "--rounds=2", "--seed=9", "--chunk=100"];
    compare(adapter, &arguments, "1,000")
}

fn compare_engines(adapter: &Adapter) -> Outcome {
    let mut command = evodoku();
    command.args(["compare", "--quiet", &gpu_flag(adapter)]);
    command.args(["--population=70", "--generations=2", "--seed=3"]);
    let table = stdout(command, 0);
    let rows: Vec<Vec<&str>> =
        table.lines().map(|line| line.split_whitespace().collect()).collect();
    let presets = supported_presets();
    for preset in &presets {
        let row = rows.iter().find(|row| row.first() == Some(&preset.name()));
        assert!(row.ok_or(preset.name())?.contains(&"equal"), "{table}");
    }
    assert!(rows.iter().any(|row| row.starts_with(&["cellular", "70", "2", "equal"])), "{table}");
    let equal = rows.iter().filter(|row| row.contains(&"equal")).count();
    assert_eq!(equal, presets.len(), "{table}");

    for (engine, flag, sentence) in [
        ("gpu", "--rounds=2", "--rounds applies only to scores: leave it out"),
        ("gpu-score", "--generations=2", "--generations applies to runs: leave it out"),
    ] {
        let mut command = evodoku();
        let refused = command.args(["compare", "--on", engine, flag]).assert().code(2);
        refused.stdout("").stderr(contains(sentence).and(contains("\n").count(1)));
    }
    Ok(())
}

fn bench(adapter: &Adapter) -> Outcome {
    let folder = crate::support::Folder::new();
    evodoku()
        .args([
            "bench", "--time-budget=0", "--populations=100, 200", "--threads=1,2", "--simd=scalar",
        ])
        .args(["--preset=boxes", &gpu_flag(adapter)])
        .args(["--export-json", &folder.argument("bench.json")])
        .assert()
        .success();
    let export = crate::support::export(&folder.path("bench.json"));
    assert_eq!(export["adapter"], adapter.info.name);
    assert_eq!(export["adapter_type"], adapter.info.kind.to_string());
    assert_eq!(export["driver"], adapter.info.driver);
    assert!(export["device_copy_bytes_per_second"].as_u64() > Some(0), "{export}");
    let lines = export["results"].as_array().ok_or("no lines")?;
    let found = |what: &str, by: &str| {
        lines.iter().filter(|line| line["what"] == what && line["evaluator"] == by).count()
    };
    assert_eq!(found("upload", "gpu"), 4, "{export}");
    assert_eq!((found("score", "gpu"), found("score", "cpu")), (2, 4));
    // Bred by the CPU, and by the adapter itself.
    assert_eq!((found("generation", "gpu"), found("generation", "cpu")), (4, 4));
    let scored = |line: &&serde_json::Value| line["evaluator"] == "gpu" && line["what"] != "upload";
    for line in lines.iter().filter(scored) {
        let crosses = line["engine"] != "gpu";
        assert_eq!(line["breed_seconds"].is_f64(), line["engine"] == "cpu", "{line}");
        assert!(line["kernel_seconds"].is_f64(), "{line}");
        for phase in ["upload_seconds", "readback_seconds"] {
            assert_eq!(line[phase].is_f64(), crosses, "{phase}: {line}");
        }
        assert_eq!(line["kernel_alone_seconds"].is_f64(), line["what"] == "score", "{line}");
    }
    // Uploads are held against the slower of their two copies.
    for line in lines.iter().filter(|line| line["what"] == "upload") {
        assert!(line["limit_bytes_per_second"].as_u64() > Some(0), "{line}");
        assert!(line["threads"].is_u64() && line["upload_seconds"].is_f64(), "{line}");
    }
    let ends: Vec<&str> = export["break_even"]
        .as_array()
        .ok_or("none")?
        .iter()
        .filter_map(|e| e["of"].as_str())
        .collect();
    assert_eq!(ends, ["scoring", "a generation of boxes"]);
    Ok(())
}

fn devices(adapter: &Adapter) -> Outcome {
    let mut command = evodoku();
    command.arg("devices");
    let table = stdout(command, 0);
    let info = &adapter.info;
    let row = table.lines().find(|line| line.contains(&info.name)).ok_or("not listed")?;
    for part in [&info.index.to_string()[..], info.backend, &info.driver, "iB"] {
        assert!(row.contains(part), "{part}: {row}");
    }
    for column in ["index", "name", "type", "backend", "driver", "PCI", "binding"] {
        assert!(table.lines().next().is_some_and(|header| header.contains(column)), "{column}");
    }
    let taken = match gpu_engine::best(&gpu_engine::adapters()) {
        Some(best) => {
            format!("auto uses adapter {} if it is faster than the CPU\n", best.info.index)
        }
        None => "auto uses the CPU: there are only software drivers\n".to_owned(),
    };
    assert!(table.ends_with(&taken), "{table}");
    Ok(())
}

fn found_by(adapter: &Adapter) -> Outcome {
    for id in [adapter.info.index.to_string(), adapter.info.name.to_uppercase()] {
        evodoku()
            .args(["solve", "003-6x6", "--presolve=none", "--on", &format!("gpu-score:{id}")])
            .assert()
            .success()
            .stderr(contains("003-6x6: solved and checked"));
    }
    Ok(())
}

fn not_there(adapter: &Adapter) -> Outcome {
    for command in [&["solve", "003-6x6"][..], &["compare"]] {
        evodoku()
            .args(command)
            .args(["--on", "gpu-score:no such adapter"])
            .assert()
            .code(2)
            .stdout("")
            .stderr(starts_with(
                "evodoku: no graphics adapter matches 'no such adapter'; available: ",
            ))
            .stderr(contains(format!("{} {}", adapter.info.index, adapter.info.name)))
            .stderr(contains("\n").count(1));
    }
    Ok(())
}

fn backend_gpu(_: &Adapter) -> Outcome {
    let mut command = evodoku();
    let solve = command.args(["solve", "003-6x6", "--presolve=none", "--on=gpu-score"]).assert();
    match gpu_engine::best(&gpu_engine::adapters()) {
        Some(real) => {
            solve.success().stderr(contains(real.info.name.clone()));
        }
        None => {
            solve
                .code(2)
                .stdout("")
                .stderr(starts_with("evodoku: the only GPU is a software driver, "))
                .stderr(contains("; gpu:0 selects it\n"));
        }
    }
    Ok(())
}

fn shader() -> Outcome {
    for (shape, side) in [("3x3", 9), ("2x3", 6), ("6x6", 36)] {
        let mut command = evodoku();
        command.args(["devices", "--shader", shape]);
        let source = stdout(command, 0);
        assert!(source.contains("@compute"), "{source}");
        naga::front::wgsl::parse_str(&source).map_err(|error| error.message().to_owned())?;
        assert!(source.contains(&side.to_string()), "{shape}");
    }
    Ok(())
}
