//! A private Chromium profile with the native host's manifest, and the switches that keep it quiet.

use crate::binaries::{CONNECTOR, sources};
use crate::home::{Home, INSTANCE};
use serde_json::json;
use std::fs::{create_dir_all, read_to_string, write};
use std::os::unix::fs::symlink;
use std::path::PathBuf;

const HOST: &str = "org.ghostlight";

/// The id that the key in the extension's manifest gives it.
///
/// # Panics
/// When the sources hold no extension.
#[must_use]
pub fn extension_id() -> String {
    let id = read_to_string(sources().join("extension/ID"));
    id.expect("extension/ID is in the sources").trim().to_owned()
}

#[must_use]
pub fn extension_folder() -> PathBuf {
    sources().join("extension")
}

/// The origin that Chromium gives the native host as its argument.
#[must_use]
pub fn extension_origin() -> String {
    format!("chrome-extension://{}/", extension_id())
}

/// Which browser to start, and how much of it shows.
#[derive(Debug, Clone, Copy)]
pub struct Look {
    /// The profile's folder in the home.
    pub profile: &'static str,
    pub headed: bool,
    /// The browser's own bar about debugging.
    pub bar: bool,
    /// The extension is there from the start.
    pub extension: bool,
}

impl Default for Look {
    fn default() -> Self {
        Self { profile: "profile", headed: false, bar: false, extension: true }
    }
}

/// Makes a profile in the home: developer mode on, our host's manifest inside.
///
/// # Panics
/// When the home is not writable.
#[must_use]
pub fn make(home: &Home, name: &str) -> PathBuf {
    let profile = home.path().join(name);
    let hosts = profile.join("NativeMessagingHosts");
    let preferences = profile.join("Default");
    create_dir_all(&hosts).expect("the home is writable");
    create_dir_all(&preferences).expect("the home is writable");
    // The name's suffix is the connector's instance.
    let connector = home.path().join(format!("{CONNECTOR}@{INSTANCE}"));
    if !connector.exists() {
        symlink(home.program(CONNECTOR), &connector).expect("the home is writable");
    }
    let manifest = json!({
        "name": HOST, "description": "Ghostlight", "type": "stdio", "path": connector,
        "allowed_origins": [extension_origin()],
    });
    write(hosts.join(format!("{HOST}.json")), manifest.to_string()).expect("it is writable");
    // Without it an unpacked extension that reloads itself never comes back.
    let settings = json!({"extensions": {"ui": {"developer_mode": true}}});
    write(preferences.join("Preferences"), settings.to_string()).expect("it is writable");
    profile
}

/// The command line, but for the program and the two file descriptors of a second CDP client.
#[must_use]
pub fn switches(profile: &std::path::Path, look: Look) -> Vec<String> {
    let quiet = "--disable-gpu --disable-quic --no-first-run --disable-background-networking \
         --disable-component-update --disable-sync --window-size=1280,800 --remote-debugging-pipe";
    let mut switches: Vec<_> = quiet.split_whitespace().map(str::to_owned).collect();
    if !look.bar {
        switches.push("--silent-debugger-extension-api".to_owned());
    }
    if !look.headed {
        switches.push("--headless=new".to_owned());
    }
    if rustix::process::geteuid().is_root() {
        switches.push("--no-sandbox".to_owned());
    }
    switches.push(format!("--user-data-dir={}", profile.display()));
    if look.extension {
        switches.push(format!("--load-extension={}", extension_folder().display()));
    }
    switches.push("about:blank".to_owned());
    switches
}
