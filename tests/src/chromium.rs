//! A real Chromium with the extension, on a home's instance; headless, or headed on its own display.

use crate::home::Home;
use crate::judge::Judge;
use crate::process::Process;
use crate::profile::{self, Look};
use crate::status::await_browser;
use crate::wait::{LONG, until};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// With this in the environment the browser shows its windows on a virtual display.
pub const HEADED: &str = "GHOSTLIGHT_HEADED";

#[derive(Debug)]
pub struct Chromium {
    pub process: Process,
    /// A second CDP client, on the browser's own pipe: it shares nothing with the extension.
    pub judge: Judge,
    display: Option<Display>,
}

/// An X server of its own.
#[derive(Debug)]
struct Display {
    _server: Process,
    name: String,
}

impl Chromium {
    /// Starts it and waits until the extension has said hello to the service.
    pub fn start(home: &Home) -> Self {
        let chromium = Self::launch(home);
        await_browser(home);
        chromium
    }

    /// Starts it and waits for nothing.
    ///
    /// # Panics
    /// When no Chromium is found.
    #[must_use]
    pub fn launch(home: &Home) -> Self {
        let headed = std::env::var_os(HEADED).is_some_and(|value| value == "1");
        Self::launch_as(home, Look { headed, ..Look::default() })
    }

    /// One of several browsers, or one with more or less of it.
    ///
    /// # Panics
    /// When no Chromium is found.
    #[must_use]
    pub fn launch_as(home: &Home, look: Look) -> Self {
        let display = look.headed.then(|| Display::start(home));
        let folder = profile::make(home, look.profile);
        // The shell puts the two pipes where the browser looks for them.
        let script = "exec \"$@\" 3<&0 4>&1 0</dev/null 1>/dev/null";
        let mut command = home.command("/bin/sh");
        command.args(["-c", script, "chromium"]).arg(find());
        command.args(profile::switches(&folder, look));
        if let Some(display) = &display {
            command.env("DISPLAY", &display.name);
        }
        let mut process = Process::start(command.stdin(Stdio::piped()).stdout(Stdio::piped()));
        let judge = Judge::new(process.take_stdin(), process.take_stdout());
        Self { process, judge, display }
    }

    /// Kills it and starts it again on the same profile; waits for nothing.
    pub fn restart(&mut self, home: &Home) {
        self.process.kill();
        *self = Self::launch(home);
    }

    /// Ends the extension's worker; gives whether there was one.
    pub fn kill_worker(&mut self) -> bool {
        let Some(worker) = self.worker() else { return false };
        self.judge.close_target(&worker);
        until("the worker's end", LONG, || (self.worker().as_ref() != Some(&worker)).then_some(()));
        true
    }

    /// The target of the extension's worker, while it has one.
    pub fn worker(&mut self) -> Option<String> {
        let own = profile::extension_origin();
        let targets = self.judge.targets();
        let worker = targets.iter().find(|target| {
            target["type"] == "service_worker"
                && target["url"].as_str().is_some_and(|url| url.starts_with(&own))
        })?;
        worker["targetId"].as_str().map(str::to_owned)
    }

    /// What an expression gives inside the extension's worker, if there is one.
    pub fn in_worker(&mut self, expression: &str) -> Option<Value> {
        let params = json!({"targetId": self.worker()?, "flatten": true});
        let session = self.judge.command("", "Target.attachToTarget", params).ok()?;
        let session = session["sessionId"].as_str().unwrap_or_default().to_owned();
        let ask = json!({"expression": expression, "awaitPromise": true, "returnByValue": true});
        let mut answer = self.judge.command(&session, "Runtime.evaluate", ask).ok()?;
        Some(answer["result"]["value"].take())
    }

    /// How many tabs the extension's debugger is attached to, by the extension's own word.
    pub fn attached_tabs(&mut self) -> i64 {
        let attached = "chrome.debugger.getTargets().then(all => \
             all.filter(target => target.attached && target.type === 'page').length)";
        self.in_worker(attached).and_then(|count| count.as_i64()).unwrap_or(0)
    }

    /// Loads the extension into a browser that was started without it.
    ///
    /// # Panics
    /// When the browser refuses.
    pub fn load_extension(&mut self) {
        let params = json!({"path": profile::extension_folder()});
        let loaded = self.judge.command("", "Extensions.loadUnpacked", params);
        let id = loaded.expect("an unpacked extension can be loaded")["id"].clone();
        assert_eq!(id, profile::extension_id());
    }

    /// The real popup, and a click on one of its buttons. A worker that sleeps is woken first, as by any tab.
    pub fn press_in_popup(&mut self, button: &str) {
        let worker = self.awake_worker();
        self.judge.ask(&worker, "chrome.action.openPopup()");
        let popup = until("the popup", LONG, || {
            let targets = self.judge.targets();
            let popup = targets.iter().find(|target| {
                target["url"].as_str().is_some_and(|url| url.ends_with("/ui/popup.html"))
            })?;
            popup["targetId"].as_str().map(str::to_owned)
        });
        let shown = format!("!!document.getElementById('{button}')?.checkVisibility()");
        until(&format!("{button} in the popup"), LONG, || {
            (self.judge.ask(&popup, &shown) == true).then_some(())
        });
        self.judge.ask(&popup, &format!("document.getElementById('{button}').click()"));
        self.judge.close_target(&popup);
    }

    /// The extension's worker; one that has ended is started again by an event, as a new tab is one.
    pub fn awake_worker(&mut self) -> String {
        if self.worker().is_none() {
            let tab = self.judge.open("about:blank");
            self.judge.close_target(&tab);
        }
        until("the extension's worker", LONG, || {
            let worker = self.worker()?;
            (self.judge.ask(&worker, "typeof globalThis.chrome?.debugger") == "object")
                .then_some(worker)
        })
    }

    /// Runs xdotool on the browser's own display.
    ///
    /// # Panics
    /// When the browser has no display or xdotool is not installed.
    pub fn xdotool(&self, words: &str) -> String {
        let display = self.display.as_ref().expect("a browser with windows");
        let mut command = Command::new("xdotool");
        let output = command.args(words.split(' ')).env("DISPLAY", &display.name).output();
        let output = output.expect("xdotool is installed; `make test` sees to it");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Loads the extension anew, from within its worker.
    pub fn reload_extension(&mut self, worker: &str) {
        let params = json!({"targetId": worker, "flatten": true});
        let Ok(session) = self.judge.command("", "Target.attachToTarget", params) else { return };
        let session = session["sessionId"].as_str().unwrap_or_default().to_owned();
        let reload = json!({"expression": "setTimeout(() => chrome.runtime.reload(), 0)"});
        self.judge.tell(&session, "Runtime.evaluate", reload);
    }
}

impl Display {
    fn start(home: &Home) -> Self {
        let mut command: Command = home.command("Xvfb");
        command.args(["-displayfd", "1", "-screen", "0", "1400x1000x24", "-nolisten", "tcp"]);
        let mut server = Process::start(command.stdout(Stdio::piped()));
        let mut number = String::new();
        let read = BufReader::new(server.take_stdout()).read_line(&mut number);
        read.expect("Xvfb names its display");
        Self { _server: server, name: format!(":{}", number.trim()) }
    }
}

/// The browser's program: `GHOSTLIGHT_CHROMIUM`, else the system's.
///
/// # Panics
/// When there is none.
fn find() -> PathBuf {
    let named = std::env::var_os("GHOSTLIGHT_CHROMIUM").map(PathBuf::from);
    let usual = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/snap/bin/chromium"];
    let mut places = named.into_iter().chain(usual.into_iter().map(|p| Path::new(p).to_owned()));
    places.find(|path| path.exists()).expect("Chromium is installed; `make test` sees to it")
}
