//! Chromium as far as the tests of a page need it, spoken to through its driver.
//!
//! The driver takes commands by HTTP, as the WebDriver standard of the W3C says. No library is taken: a
//! request and its reply are a few lines over a socket.

use std::env;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use libtest_mimic::Failed;
use serde_json::{Value, json};
use tempfile::TempDir;

/// Keys as WebDriver names them.
pub const TAB: &str = "\u{e004}";
pub const ENTER: &str = "\u{e007}";
pub const DOWN: &str = "\u{e015}";

/// How the browser is started: without a window, and without any of its own errands.
const FLAGS: [&str; 8] = [
    "--headless",
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
];

/// The browser and its driver on this machine.
#[derive(Clone)]
pub struct Programs {
    chromium: PathBuf,
    driver: PathBuf,
}

impl Programs {
    /// Both, or what is missing.
    pub fn find() -> Result<Self, String> {
        let on_path = |names: &[&str]| {
            let folders: Vec<PathBuf> = env::split_paths(&env::var_os("PATH")?).collect();
            let places =
                folders.iter().flat_map(|folder| names.iter().map(|name| folder.join(name)));
            places.into_iter().find(|place| place.is_file())
        };
        let chromium = on_path(&["chromium", "chromium-browser", "google-chrome"]);
        Ok(Self {
            chromium: chromium.ok_or("Chromium is not installed")?,
            driver: on_path(&["chromedriver"]).ok_or("chromedriver is not installed")?,
        })
    }

    /// A page as PDF. The browser does that without its driver, which has no patience with a machine
    /// that does much besides.
    pub fn print(&self, page: &Path) -> Result<Vec<u8>, Failed> {
        let folder = tempfile::tempdir()?;
        let pdf = folder.path().join("page.pdf");
        let status = Command::new(&self.chromium)
            .args(FLAGS)
            .arg("--disable-gpu")
            .arg(format!("--user-data-dir={}", folder.path().join("profile").display()))
            .arg(format!("--print-to-pdf={}", pdf.display()))
            .arg(format!("file://{}", page.display()))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()?;
        if !status.success() {
            return Err(format!("{} ended with {status}", self.chromium.display()).into());
        }
        Ok(std::fs::read(pdf)?)
    }
}

/// A browser that shows a page.
pub struct Browser {
    driver: Child,
    port: u16,
    session: String,
    _profile: TempDir,
}

impl Browser {
    /// Opens a file.
    pub fn open(programs: &Programs, page: &Path) -> Result<Self, Failed> {
        Self::open_with(programs, &format!("file://{}", page.display()), &["--disable-gpu"])
    }

    /// Opens an address, with more flags.
    pub fn open_with(programs: &Programs, address: &str, more: &[&str]) -> Result<Self, Failed> {
        let mut driver = Command::new(&programs.driver)
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let mut said = BufReader::new(driver.stdout.take().ok_or("no stdout")?).lines();
        let port = loop {
            let line = said.next().ok_or("the driver has ended")??;
            if let Some((_, port)) = line.split_once("successfully on port ") {
                break port.trim_end_matches('.').parse()?;
            }
        };
        let profile = tempfile::tempdir()?;
        let folder = format!("--user-data-dir={}", profile.path().display());
        let flags = FLAGS.into_iter().chain(more.iter().copied());
        let arguments: Vec<&str> = flags.chain([folder.as_str()]).collect();
        let mut browser = Self { driver, port, session: String::new(), _profile: profile };
        let wanted = json!({ "capabilities": { "alwaysMatch": {
            "goog:loggingPrefs": { "browser": "ALL" },
            "goog:chromeOptions": { "binary": programs.chromium, "args": arguments },
        }}});
        let made = browser.request("POST", "/session", &wanted)?;
        browser.session = made["sessionId"].as_str().ok_or("no session")?.to_owned();
        browser.go(address)?;
        Ok(browser)
    }

    /// Goes to an address.
    pub fn go(&self, address: &str) -> Result<(), Failed> {
        self.post("url", &json!({ "url": address })).map(drop)
    }

    /// What an expression comes to on the page.
    pub fn value(&self, expression: &str) -> Result<Value, Failed> {
        self.post("execute/sync", &json!({ "script": format!("return {expression}"), "args": [] }))
    }

    /// Presses a key.
    pub fn press(&self, key: &str) -> Result<(), Failed> {
        let pressed =
            [json!({ "type": "keyDown", "value": key }), json!({ "type": "keyUp", "value": key })];
        let keyboard = json!({ "type": "key", "id": "keyboard", "actions": pressed });
        self.post("actions", &json!({ "actions": [keyboard] })).map(drop)
    }

    /// Clicks the first element that a selector finds.
    pub fn click(&self, selector: &str) -> Result<(), Failed> {
        let wanted = json!({ "using": "css selector", "value": selector });
        let found = self.post("element", &wanted)?;
        let id = found.as_object().and_then(|found| found.values().next()?.as_str());
        let id = id.ok_or("no element")?;
        self.post(&format!("element/{id}/click"), &json!({})).map(drop)
    }

    /// Makes the page so many pixels wide, in this colour scheme.
    pub fn show(&self, width: u32, scheme: &str) -> Result<(), Failed> {
        let size =
            json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false });
        self.developer("Emulation.setDeviceMetricsOverride", size)?;
        let scheme = json!({ "name": "prefers-color-scheme", "value": scheme });
        self.developer("Emulation.setEmulatedMedia", json!({ "features": [scheme] }))
    }

    /// Hides the page, as a window that is minimised does.
    pub fn hide(&self) -> Result<(), Failed> {
        self.post("window/minimize", &json!({})).map(drop)
    }

    /// What the console says, warnings and errors alike.
    pub fn console(&self) -> Result<Vec<Value>, Failed> {
        let said = self.post("se/log", &json!({ "type": "browser" }))?;
        Ok(said.as_array().cloned().unwrap_or_default())
    }

    fn developer(&self, command: &str, parameters: Value) -> Result<(), Failed> {
        self.post("goog/cdp/execute", &json!({ "cmd": command, "params": parameters })).map(drop)
    }

    fn post(&self, command: &str, body: &Value) -> Result<Value, Failed> {
        self.request("POST", &format!("/session/{}/{command}", self.session), body)
    }

    /// The value of the reply.
    fn request(&self, method: &str, path: &str, body: &Value) -> Result<Value, Failed> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        stream.set_read_timeout(Some(Duration::from_secs(120)))?;
        let body = body.to_string();
        let length = body.len();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {length}\r\n\r\n{body}"
        )?;
        let mut reader = BufReader::new(stream);
        let (mut status, mut length) = (String::new(), 0);
        reader.read_line(&mut status)?;
        loop {
            let mut line = String::new();
            reader.read_line(&mut line)?;
            let line = line.trim().to_ascii_lowercase();
            match line.split_once(':') {
                Some(("content-length", value)) => length = value.trim().parse()?,
                Some(_) => {}
                None => break,
            }
        }
        let mut reply = vec![0; length];
        reader.read_exact(&mut reply)?;
        let reply: Value = serde_json::from_slice(&reply)?;
        if !status.contains(" 200 ") {
            return Err(format!("{path}: {} {}", status.trim(), reply["value"]["message"]).into());
        }
        Ok(reply["value"].clone())
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() {
            let _ = self.request("DELETE", &format!("/session/{}", self.session), &json!({}));
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
