//! Specs: what they mean, and how they are refused.

use std::fs;
use std::path::Path;

use evodoku::internals::{Plan, RawBlock, Skip, Spec};
use evodoku::internals::{TuneSpec, Tuning};

fn plan(text: &str) -> Plan {
    Plan::new(&Spec::from_toml(text, Path::new("spec.toml")).unwrap()).unwrap()
}

fn refusal(text: &str) -> String {
    match Spec::from_toml(text, Path::new("spec.toml")) {
        Ok(spec) => Plan::new(&spec).unwrap_err().to_string(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn every_shipped_spec_can_be_planned() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments");
    let mut read = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "toml") {
            continue;
        }
        if path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("tune-")) {
            let spec = TuneSpec::read(&path).unwrap_or_else(|error| panic!("{error}"));
            Tuning::new(spec).unwrap_or_else(|error| panic!("{error}"));
            continue;
        }
        let spec =
            Spec::read(&path, &RawBlock::default()).unwrap_or_else(|error| panic!("{error}"));
        Plan::new(&spec).unwrap_or_else(|error| panic!("{error}"));
        read += 1;
    }
    assert_eq!(read, 23);
}

#[test]
fn lists_are_multiplied_and_the_last_is_fastest() {
    let plan = plan(
        "puzzles = ['003-4x4', '003-6x6']\nmethods = ['boxes']\nseeds = 3\nfirst_seed = 7\n\
         [parameters]\npopulation = [10, 20]\ncrossover = ['subset', 'one-point']\n",
    );
    assert_eq!((plan.cells.len(), plan.runs()), (8, 24));
    let of = |cell: usize| {
        let cell = &plan.cells[cell];
        let value = |name| cell.value(name).unwrap();
        (cell.puzzle.name.clone(), value("population"), value("crossover"))
    };
    assert_eq!(of(0), ("003-4x4".into(), "10".into(), "subset".into()));
    assert_eq!(of(1), ("003-4x4".into(), "10".into(), "one-point".into()));
    assert_eq!(of(2), ("003-4x4".into(), "20".into(), "subset".into()));
    assert_eq!(of(4).0, "003-6x6");
    assert_eq!(plan.run(23), (7, 2));
    assert_eq!(plan.cells[7].seed(2), 9);
}

#[test]
fn blocks_take_what_they_lack_from_above() {
    let plan = plan(
        "puzzles = ['003-4x4']\nmethods = ['boxes']\nseeds = 2\ntime_limit = 9\n\
         [parameters]\npopulation = [10, 20]\n\
         [[block]]\nname = 'a'\n\
         [[block]]\nname = 'b'\nseeds = 5\npuzzles = ['003-6x6']\nparameters = { population = 30 }\n",
    );
    assert_eq!((plan.cells.len(), plan.runs()), (3, 9));
    let last = &plan.cells[2];
    assert_eq!((last.block.as_str(), last.puzzle.name.as_str()), ("b", "003-6x6"));
    assert_eq!((last.config.population, last.config.time_limit), (30, 9.0));
}

#[test]
fn an_exact_method_is_one_run_without_parameters() {
    let plan = plan(
        "puzzles = ['003-4x4']\nmethods = ['boxes', 'backtracking']\nseeds = 4\n\
         [parameters]\npopulation = [10, 20]\n",
    );
    assert_eq!(plan.cells.len(), 3);
    assert_eq!(plan.cells[2].value("population"), None);
    assert_eq!(plan.cells[2].seeds, 1);
}

#[test]
fn a_ladder_is_dug_from_each_puzzle() {
    let plan = plan(
        "puzzles = ['003-puzzle4']\nmethods = ['boxes']\ndig = 'rows'\nstep = 8\nuntil = 30\n",
    );
    let givens: Vec<usize> = plan.cells.iter().map(|cell| cell.puzzle.given_count()).collect();
    assert_eq!(givens, [70, 62, 54, 46, 38, 30]);
    assert_eq!(plan.cells[0].remark, "1 solution");
    assert_eq!(plan.cells[1].puzzle.name, "003-puzzle4-62");
}

#[test]
fn cells_that_cannot_pay_their_generations_are_blank() {
    let plan = plan(
        "puzzles = ['ai-escargot']\nmethods = ['cellular']\nleast_generations = 20\n\
         [parameters]\npopulation = [1, 10, 100, 1000]\ntries = [10, 100]\nmax_work = 100_000\n",
    );
    let blank = |cell: &evodoku::internals::Cell| cell.skip == Some(Skip::Blank);
    let blanks: Vec<bool> = plan.cells.iter().map(blank).collect();
    assert_eq!(blanks, [false, false, false, false, false, true, true, true]);
}

#[test]
fn a_puzzle_without_a_solution_is_a_cell_that_is_not_run() {
    let plan = plan("puzzles = ['003-puzzle5-unsolvable', '003-4x4']\nmethods = ['boxes']\n");
    assert_eq!(plan.runs(), 1);
    let Some(Skip::Contradictory(what)) = &plan.cells[0].skip else { panic!() };
    assert!(what.starts_with("column 5 holds 2 twice"), "{what}");
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    let puzzles = "puzzles = ['003-4x4']\n";
    let methods = "methods = ['boxes']\n";
    for (text, sentence) in [
        (
            format!("{puzzles}{methods}sedes = 3\n"),
            "spec.toml, line 3: there is no key 'sedes' in a spec (did you mean 'seeds'?)",
        ),
        (
            format!("{puzzles}methods = [\n  'memetic',\n  'boxs',\n]\n"),
            "spec.toml, line 4: 'boxs' is not one of memetic, cellular, tabu, eviction, permutation, columns, boxes, cells, rows-tournament, rows-rank, rows-roulette, rows-sus, rows-pmx, rows-exchange, backtracking, integer-program \
             (did you mean 'boxes'?)",
        ),
        (
            format!("{methods}puzzles = [\n'003-4x4',\n'ai-escargo']\n"),
            "spec.toml, line 4: 'ai-escargo' is not a file, a shipped puzzle (did you mean \
             ai-escargot?) or a grid",
        ),
        (
            format!("{puzzles}{methods}[parameters]\n\npopulaton = 5\n"),
            "spec.toml, line 5: there is no parameter 'populaton' (did you mean 'population'?)",
        ),
        (
            format!("{puzzles}{methods}[parameters]\npopulation = [5,\n0]\n"),
            "spec.toml, line 5: population is '0', but it takes a whole number from 1 to 4294967294",
        ),
        (
            format!("{puzzles}{methods}[parameters]\ncrossover = 'subsets'\n"),
            "spec.toml, line 4: crossover: 'subsets' is not one of ",
        ),
        (
            format!("{puzzles}{methods}seeds = 0\n"),
            "spec.toml, line 3: seeds is '0', but it takes 1 to 4294967295",
        ),
        (
            format!("{puzzles}{methods}seeds = true\n"),
            "spec.toml, line 3: seeds is of type boolean, but it takes a number or a name",
        ),
        (
            format!("{puzzles}{methods}time_limit = 5\n[parameters]\ntime-limit = 6\n"),
            "spec.toml, line 5: time_limit is given twice",
        ),
        (
            format!("{puzzles}{methods}block = 5\n"),
            "spec.toml, line 3: block is of type integer, but it takes tables, as in [[block]]",
        ),
        (
            format!("{puzzles}{methods}[[block]]\n[[block]]\nname = 'b'\n[[block.block]]\n"),
            "spec.toml, line 6: there is no key 'block' in a block",
        ),
        (
            format!("{puzzles}{methods}[[block]]\n[[block]]\nname = 'b'\nsede = 5\n"),
            "spec.toml, line 6: there is no key 'sede' in a block (did you mean 'seeds'?)",
        ),
        (
            format!("{puzzles}{methods}population = 5\n"),
            "spec.toml, line 3: there is no key 'population' in a spec (parameters belong under \
             [parameters])",
        ),
        (
            format!("{puzzles}{methods}zzz = 5\n"),
            "spec.toml, line 3: there is no key 'zzz' in a spec (there are block, name, box, alphabet, seeds, ",
        ),
        (
            format!("{puzzles}{methods}[parameters]\npopulation = {{ from = 1 }}\n"),
            "spec.toml, line 4: population takes a number, a name, or a list of them, but a table was given",
        ),
        (format!("{puzzles}{methods}step = 8\n"), "spec.toml, line 3: step needs dig"),
        (
            format!("{puzzles}{methods}seeds = 4294967295\n"),
            "spec.toml, line 3: an experiment has at most 1,000,000 runs",
        ),
        (methods.to_owned(), "spec.toml, line 1: no puzzles are listed"),
        (
            format!("{methods}puzzles = ['001-easy-03', '003-4x4', '001-easy-03']\n"),
            "spec.toml, line 2: 001-easy-03 is given twice",
        ),
        (
            format!("{puzzles}{methods}[[block]]\nname = 'b'\n[[block]]\nname = 'b'\n"),
            "spec.toml, line 6: block b is given twice",
        ),
        (format!("{puzzles}{methods}\n[[block]]\nmethods = []\n"), "spec.toml, line 4: no methods"),
        (format!("{puzzles}{methods}seeds = = 3\n"), "spec.toml, line 3: "),
        (format!("{puzzles}{methods}[parameters]\nbest_share = 0.5\n"), "spec.toml, line 2: "),
        (
            format!("{puzzles}{methods}dig = 'row'\n"),
            "spec.toml, line 3: 'row' is not one of rows, any",
        ),
    ] {
        let refusal = refusal(&text);
        assert!(refusal.starts_with(sentence), "{refusal}\nis not\n{sentence}");
    }
}

#[test]
fn fingerprints_tell_what_runs_depend_on_and_nothing_else() {
    let one = plan("puzzles = ['003-4x4']\nmethods = ['boxes']\nseeds = 3\n");
    let same = plan("# Words.\nname = 'x'\nseeds = 3\nmethods = 'boxes'\npuzzles = '003-4x4'\n");
    assert_eq!(one.fingerprint, same.fingerprint);
    for other in [
        "puzzles = ['003-6x6']\nmethods = ['boxes']\nseeds = 3\n",
        "puzzles = ['003-4x4']\nmethods = ['memetic']\nseeds = 3\n",
        "puzzles = ['003-4x4']\nmethods = ['boxes']\nseeds = 4\n",
        "puzzles = ['003-4x4']\nmethods = ['boxes']\nseeds = 3\ntime_limit = 1\n",
    ] {
        assert_ne!(plan(other).fingerprint, one.fingerprint, "{other}");
    }
}
