//! The page of `scripts/web` in a browser, whose GPU is SwiftShader.
//!
//! Its files are built by `scripts/test` into `target/page`. Where they, Chromium or its driver are missing these tests are
//! shown as ignored.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use evodoku::gpu_engine::supported_presets;
use libtest_mimic::{Failed, Trial};
use serde_json::{Value, json};

use crate::adapter::Outcome;
use crate::browser::{Browser, Programs};
use crate::schema::faults;
use crate::support::{record, root};

/// The most bytes of all files.
const MOST_BYTES: u64 = 2 << 20;

/// What the browser's GPU is.
const GPU: [&str; 2] = ["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader"];

/// The tests of this file.
pub fn trials() -> Vec<Trial> {
    type Test = fn(&Site) -> Outcome;
    let tests: [(&str, Test); 9] = [
        ("a_run_in_the_page_is_that_of_the_command", as_the_command),
        ("every_preset_begins_in_the_page_as_in_the_command", every_preset),
        ("the_page_pauses_steps_and_refuses", used),
        ("without_a_gpu_the_page_says_so", without_gpu),
        ("a_run_whose_device_is_lost_goes_on_on_the_cpu", lost),
        ("the_page_measures_and_exports_as_bench_does", measures),
        ("a_million_scores_of_the_page_are_equal_on_both_engines", compares),
        ("a_run_goes_on_while_the_page_is_hidden", hidden),
        ("the_page_is_small_and_fits_wide_and_narrow_screens", fits),
    ];
    let site = Site::find();
    if let Err(missing) = &site {
        eprintln!("the page of scripts/web cannot be looked at: {missing}");
    }
    let trial = |(name, test): (&str, Test)| {
        let site = site.clone();
        let ignored = site.is_err();
        Trial::test(name, move || test(&site?)).with_ignored_flag(ignored)
    };
    tests.map(trial).into()
}

/// The files of the page, served on this machine.
#[derive(Clone)]
struct Site {
    programs: Programs,
    folder: PathBuf,
}

impl Site {
    fn find() -> Result<Self, String> {
        let target = env::var_os("CARGO_TARGET_DIR").map_or(root().join("target"), PathBuf::from);
        let folder = target.join("page");
        match folder.join("index.html").exists() {
            true => Ok(Self { programs: Programs::find()?, folder }),
            false => Err("scripts/web build target/page has not built it".to_owned()),
        }
    }

    /// Serves the files until the process ends; returns the address.
    fn serve(&self) -> Result<String, Failed> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let address = format!("http://{}/", listener.local_addr()?);
        let folder = self.folder.clone();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let folder = folder.clone();
                thread::spawn(move || reply(stream, &folder));
            }
        });
        Ok(address)
    }

    fn open(&self, more: &[&str]) -> Result<(Browser, String), Failed> {
        let address = self.serve()?;
        let browser = Browser::open_with(&self.programs, &address, more)?;
        until(&browser, "document.body.dataset.ready == '1'")?;
        Ok((browser, address))
    }
}

/// Answers one request for a file.
fn reply(mut stream: TcpStream, folder: &Path) -> Option<()> {
    let mut line = String::new();
    BufReader::new(stream.try_clone().ok()?).read_line(&mut line).ok()?;
    let name = line.split(' ').nth(1)?.trim_start_matches('/');
    let name = if name.is_empty() { "index.html" } else { name };
    let kind = match name.rsplit('.').next()? {
        "html" => "text/html",
        "css" => "text/css",
        "js" => "text/javascript",
        _ => "application/wasm",
    };
    let (status, body) = match fs::read(folder.join(name)) {
        Ok(body) if !name.contains('/') => ("200 OK", body),
        _ => ("404 Not Found", Vec::new()),
    };
    let length = body.len();
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).ok()?;
    stream.write_all(&body).ok()
}

/// The text of an element of the page.
fn text(browser: &Browser, id: &str) -> Result<String, Failed> {
    let text = browser.value(&format!("document.getElementById('{id}').textContent"))?;
    Ok(text.as_str().ok_or("no text")?.to_owned())
}

/// Waits until an expression is true on the page.
fn until(browser: &Browser, expression: &str) -> Result<(), Failed> {
    let start = Instant::now();
    while browser.value(expression)? != true {
        if start.elapsed() > Duration::from_secs(90) {
            let said = text(browser, "message")?;
            return Err(format!("{expression} never came; the page says {said}").into());
        }
        thread::sleep(Duration::from_millis(50));
    }
    Ok(())
}

/// The result of the run of a link.
fn result(browser: &Browser, address: &str, link: &str) -> Result<Value, Failed> {
    // Another address, so that the page begins anew.
    browser.go("about:blank")?;
    browser.go(&format!("{address}index.html#{link}&run=1"))?;
    until(browser, "document.getElementById('result').textContent != ''")?;
    Ok(serde_json::from_str(&text(browser, "result")?)?)
}

/// What the command exports of the same run, in the members that a page has too.
fn by_command(puzzle: &str, arguments: &[&str], code: i32) -> Value {
    let mut all = vec![puzzle];
    all.extend(arguments);
    let run = record(&all, code);
    let mut same = serde_json::Map::new();
    for name in [
        "solved", "fitness", "generations", "restarts", "evaluations", "moves", "work",
        "stop_reason", "board",
    ] {
        same.insert(name.to_owned(), run[name].clone());
    }
    same.into()
}

fn assert_same(found: &Value, expected: &Value, label: &str) {
    for (name, expected) in expected.as_object().unwrap() {
        assert_eq!(&found[name], expected, "{name} of {label}");
    }
}

fn as_the_command(site: &Site) -> Outcome {
    let (browser, address) = site.open(&GPU)?;
    let arguments = ["--preset=cellular", "--population=20000", "--seed=1", "--presolve=none"];
    let expected = by_command("ai-escargot", &arguments, 0);
    for on in ["wasm", "gpu"] {
        let link = format!(
            "puzzle=ai-escargot&preset=cellular&population=20000&seed=1&presolve=none&on={on}"
        );
        let found = result(&browser, &address, &link)?;
        assert_same(&found, &expected, on);
        assert_eq!((&found["engine"], &found["seed"]), (&json!(on), &json!("1")));
        assert_eq!(
            found["command"],
            "evodoku solve ai-escargot --preset cellular --seed 1 --set population=20000 --set presolve=none"
        );
    }
    let said = browser.console()?;
    assert!(said.is_empty(), "{said:?}");
    Ok(())
}

fn every_preset(site: &Site) -> Outcome {
    let (browser, address) = site.open(&GPU)?;
    for preset in supported_presets() {
        let (population, few) = match preset.to_string().as_str() {
            "memetic" => ("16", ["max_generations=2", "tabu_steps=300"]),
            "tabu" => ("2", ["max_generations=1", "tabu_steps=300"]),
            "eviction" => ("2", ["max_generations=1", "proposals=3000"]),
            _ => ("300", ["max_generations=4", "max_work=0"]),
        };
        let flags = [format!("--preset={preset}"), format!("--population={population}")];
        let mut arguments: Vec<&str> = flags.iter().map(String::as_str).collect();
        arguments.extend(["--seed=7", "--presolve=none", "--set", few[0], "--set", few[1]]);
        let expected = by_command("easter-monster", &arguments, 1);
        for on in ["wasm", "gpu"] {
            let link = format!(
                "puzzle=easter-monster&preset={preset}&population={population}&seed=7&presolve=none&on={on}&{}&{}",
                few[0], few[1]
            );
            let found = result(&browser, &address, &link)?;
            assert_same(&found, &expected, &format!("{preset} on {on}"));
        }
    }
    Ok(())
}

fn used(site: &Site) -> Outcome {
    let (browser, address) = site.open(&GPU)?;
    let generation =
        "Number(document.querySelector('#figures dd')?.textContent.replace(/,/g, '') ?? -1)";
    browser.go("about:blank")?;
    browser.go(&format!(
        "{address}index.html#puzzle=easter-monster&preset=boxes&population=500&seed=1&presolve=none&on=wasm&run=1&max_generations=0&max_work=0"
    ))?;
    until(&browser, &format!("{generation} > 3"))?;
    browser.click("#pause")?;
    thread::sleep(Duration::from_millis(500));
    let paused = browser.value(generation)?;
    thread::sleep(Duration::from_millis(500));
    assert_eq!(browser.value(generation)?, paused);
    browser.click("#step")?;
    let next = paused.as_f64().ok_or("no generation")? + 1.0;
    until(&browser, &format!("{generation} == {next}"))?;
    thread::sleep(Duration::from_millis(300));
    assert_eq!(browser.value(generation)?, json!(next as u64));
    browser.click("#pause")?;
    until(&browser, &format!("{generation} > {}", next + 3.0))?;
    assert_eq!(browser.value("document.getElementById('population-picture').width")?, json!(23));
    // Another puzzle is none of the run.
    browser.value(
        "(document.getElementById('puzzle').value = '003-4x4', document.getElementById('puzzle').dispatchEvent(new Event('change')), 1)",
    )?;
    let now = browser.value(generation)?.as_f64().ok_or("no generation")?;
    until(&browser, &format!("{generation} > {now} + 3"))?;
    assert_eq!(browser.value("document.getElementById('board').dataset.side")?, json!("9"));

    // What cannot be run is told, and the page goes on.
    for (field, value, sentence) in [
        ("text", "12345", "5 cells"),
        ("population", "0", "population is '0', but it takes a whole number from 1 to"),
        ("more", "mutation_rate", "mutation_rate"),
        ("seed", "x", "the seed is 'x'"),
    ] {
        browser.go("about:blank")?;
        browser.go(&address)?;
        until(&browser, "document.body.dataset.ready == '1'")?;
        if field == "text" {
            browser.value("(document.getElementById('puzzle').value = '', 1)")?;
        }
        browser.value(&format!("(document.getElementById('{field}').value = '{value}', 1)"))?;
        browser.value("(document.getElementById('settings').requestSubmit(), 1)")?;
        until(&browser, "document.getElementById('message').textContent != ''")?;
        let said = text(&browser, "message")?;
        assert!(said.contains(sentence), "{said}");
    }
    Ok(())
}

fn without_gpu(site: &Site) -> Outcome {
    let (browser, address) = site.open(&["--disable-features=WebGPU", "--disable-gpu"])?;
    let said = text(&browser, "device")?;
    assert!(said.ends_with("one thread of the CPU."), "{said}");
    let found = result(
        &browser,
        &address,
        "puzzle=003-puzzle1&preset=memetic&population=&seed=1&presolve=none&on=wasm",
    )?;
    assert_eq!(found["solved"], true);
    browser.go("about:blank")?;
    let link = "puzzle=003-puzzle1&preset=boxes&population=200&seed=1&presolve=none&on=gpu&run=1";
    browser.go(&format!("{address}index.html#{link}"))?;
    until(&browser, "document.body.dataset.ready == '1'")?;
    let said = "document.getElementById('message').textContent.endsWith('choose the CPU.')";
    until(&browser, said)?;
    thread::sleep(Duration::from_millis(500));
    assert_eq!(browser.value(said)?, true, "the puzzle that is read replaces the message");
    Ok(())
}

fn lost(site: &Site) -> Outcome {
    let (browser, address) = site.open(&GPU)?;
    let arguments = ["--preset=boxes", "--population=2000", "--seed=1", "--presolve=none"];
    let arguments = [&arguments[..], &["--set", "max_generations=60"]].concat();
    let expected = by_command("easter-monster", &arguments, 1);
    let link = "puzzle=easter-monster&preset=boxes&population=2000&seed=1&presolve=none&on=gpu&max_generations=60";
    browser.go("about:blank")?;
    browser.go(&format!("{address}index.html#{link}&run=1"))?;
    until(&browser, "document.querySelectorAll('#figures dd').length > 0")?;
    browser.value("dispatchEvent(new Event('evodoku-lose-device'))")?;
    until(&browser, "document.getElementById('result').textContent != ''")?;
    let said = text(&browser, "message")?;
    assert!(said.starts_with("The GPU failed: "), "{said}");
    let found: Value = serde_json::from_str(&text(&browser, "result")?)?;
    assert_same(&found, &expected, "a lost device");
    // The next run has a device again.
    browser.click("#run")?;
    until(&browser, "document.getElementById('result').textContent == ''")?;
    until(&browser, "document.getElementById('result').textContent != ''")?;
    assert_eq!(text(&browser, "message")?, "");
    Ok(())
}

fn measures(site: &Site) -> Outcome {
    let (browser, _) = site.open(&GPU)?;
    browser.value("(document.getElementById('largest').options[0].value = '1000', document.getElementById('largest').selectedIndex = 0, 1)")?;
    browser.click("#measure")?;
    until(&browser, "document.getElementById('measure-status').textContent == 'Done.'")?;
    let found: Value = serde_json::from_str(&text(&browser, "bench")?)?;
    let schema = fs::read_to_string(root().join("docs/schema/bench.schema.json"))?;
    assert_eq!(faults(&serde_json::from_str(&schema)?, &found), Vec::<String>::new());
    assert_eq!((&found["complete"], &found["adapter_type"]), (&json!(true), &json!("software")));
    // Scoring by two levels and by the GPU, and a generation of two presets on both.
    let results = found["results"].as_array().ok_or("no results")?;
    assert_eq!(results.len(), 3 + 2 * 2);
    assert!(results.iter().all(|one| one["boards_per_second"].as_u64() > Some(100)), "{found}");
    assert_eq!(found["break_even"].as_array().map(Vec::len), Some(3));
    let drawn = "document.querySelectorAll('#rates svg path').length";
    until(&browser, &format!("{drawn} == 4 + 2 * 2"))?;
    // Another run ends a measurement.
    browser.click("#measure")?;
    until(&browser, "document.getElementById('measure-status').textContent.startsWith('2 of 7')")?;
    browser.click("#run")?;
    until(&browser, "document.getElementById('measure-status').textContent.startsWith('Stopped')")?;
    until(&browser, "document.querySelectorAll('#figures dd').length > 0")?;
    Ok(())
}

fn compares(site: &Site) -> Outcome {
    let (browser, _) = site.open(&GPU)?;
    for (puzzle, side) in [("ai-escargot", 9), ("large-16-40", 16)] {
        browser.value(&format!(
            "(document.getElementById('puzzle').value = '{puzzle}', document.getElementById('puzzle').dispatchEvent(new Event('change')), 1)"
        ))?;
        until(&browser, &format!("document.getElementById('board').dataset.side == '{side}'"))?;
        browser.click("#compare")?;
        until(&browser, "document.getElementById('stop').disabled")?;
        let said = text(&browser, "measure-status")?;
        let equal = "0 of 1,000,000 boards of random";
        assert_eq!(said.matches(equal).count(), 2, "{said}");
    }
    Ok(())
}

fn hidden(site: &Site) -> Outcome {
    let (browser, address) = site.open(&GPU)?;
    browser.go("about:blank")?;
    browser.go(&format!(
        "{address}index.html#puzzle=easter-monster&preset=boxes&population=500&seed=1&presolve=none&on=wasm&run=1&max_generations=2000&max_work=0"
    ))?;
    until(&browser, "document.querySelectorAll('#figures dd').length > 0")?;
    browser.hide()?;
    assert_eq!(browser.value("document.hidden")?, true);
    until(&browser, "document.getElementById('result').textContent != ''")?;
    let found: Value = serde_json::from_str(&text(&browser, "result")?)?;
    assert_eq!(found["generations"], 2_000);
    Ok(())
}

fn fits(site: &Site) -> Outcome {
    let sizes = fs::read_dir(&site.folder)?.map(|entry| Ok(entry?.metadata()?.len()));
    let bytes: u64 = sizes.sum::<Result<u64, std::io::Error>>()?;
    assert!(bytes <= MOST_BYTES, "{bytes} bytes");
    let (browser, address) = site.open(&GPU)?;
    result(
        &browser,
        &address,
        "puzzle=large-16-40&preset=boxes&population=900&seed=1&presolve=none&on=wasm&max_generations=20",
    )?;
    for (width, scheme) in [(1280, "light"), (400, "dark")] {
        browser.show(width, scheme)?;
        let overflow =
            "document.documentElement.scrollWidth > document.documentElement.clientWidth";
        assert_eq!(browser.value(overflow)?, false, "{width}");
        let cell = "document.querySelector('#board td').getBoundingClientRect().width";
        assert!(browser.value(cell)?.as_f64().is_some_and(|wide| wide > 15.0), "{width}");
    }
    Ok(())
}
