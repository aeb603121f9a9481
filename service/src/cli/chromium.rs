//! Which Chromium to start, and with which switches.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// Names it is found by. Chromium first: Google's own build no longer loads an extension from the
/// command line.
const NAMES: [&str; 7] = [
    "chromium",
    "chromium-browser",
    "ungoogled-chromium",
    "brave-browser",
    "microsoft-edge",
    "google-chrome-stable",
    "google-chrome",
];
/// Where to look for those names beside `PATH`, and whole paths of builds with other names.
const FOLDERS: [&str; 5] =
    ["/usr/bin", "/usr/local/bin", "/snap/bin", "/usr/lib/chromium", "/usr/lib/chromium-browser"];
const PATHS: [&str; 2] = ["/opt/google/chrome/chrome", "/opt/chromium.org/chromium/chromium"];

/// No dialogs of a first run, no update traffic, no sign-in.
const QUIET: [&str; 6] = [
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
];

/// Everywhere a Chromium may be, best first.
pub(crate) fn candidates(path: Option<&OsStr>) -> Vec<PathBuf> {
    let folders: Vec<PathBuf> = path
        .map(|path| std::env::split_paths(path).filter(|folder| folder.is_absolute()).collect())
        .unwrap_or_default();
    let folders: Vec<PathBuf> = folders.into_iter().chain(FOLDERS.map(PathBuf::from)).collect();
    NAMES
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)))
        .chain(PATHS.map(PathBuf::from))
        .collect()
}

#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Switches {
    pub(crate) headless: bool,
    /// Without it Chromium shows a bar in every tab while an agent works.
    pub(crate) quiet_debugger: bool,
    /// Root has no sandbox to run in.
    pub(crate) root: bool,
    pub(crate) more: Vec<OsString>,
}

pub(crate) fn arguments(switches: &Switches, profile: &Path, extension: &Path) -> Vec<OsString> {
    let mut all: Vec<OsString> = QUIET.map(OsString::from).into();
    let mut when = |condition: bool, switch: &str| {
        if condition {
            all.push(switch.into());
        }
    };
    when(switches.headless, "--headless=new");
    when(switches.headless, "--disable-gpu");
    when(switches.quiet_debugger, "--silent-debugger-extension-api");
    when(switches.root, "--no-sandbox");
    all.push(assignment("--user-data-dir=", profile));
    all.push(assignment("--load-extension=", extension));
    all.extend(switches.more.iter().cloned());
    // Without a page it would open the one of the last run, or none and no extension either.
    if !switches.more.iter().any(|word| !word.as_encoded_bytes().starts_with(b"-")) {
        all.push("about:blank".into());
    }
    all
}

fn assignment(switch: &str, path: &Path) -> OsString {
    let mut word = OsString::from(switch);
    word.push(path);
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(switches: &Switches) -> Vec<String> {
        let all = arguments(switches, Path::new("/p"), Path::new("/x"));
        all.into_iter().map(|word| word.into_string().unwrap()).collect()
    }

    #[test]
    fn chromium_comes_before_other_builds_and_path_before_usual_places() {
        let found = candidates(Some(OsStr::new("/a:relative:/b")));
        let at = |path: &str| found.iter().position(|p| p == Path::new(path)).unwrap();
        assert_eq!((at("/a/chromium"), at("/b/chromium")), (0, 1));
        assert!(at("/usr/bin/chromium") < at("/a/chromium-browser"));
        assert!(at("/a/chromium-browser") < at("/a/google-chrome"));
        assert!(found.iter().all(|path| path.is_absolute()));
        assert!(candidates(None).contains(&PathBuf::from("/snap/bin/chromium")));
    }

    #[test]
    fn a_plain_start_is_quiet_sandboxed_and_visible() {
        let all = words(&Switches::default());
        for word in ["--user-data-dir=/p", "--load-extension=/x", "--no-first-run"] {
            assert!(all.contains(&word.into()), "{word}");
        }
        for word in ["--headless=new", "--no-sandbox", "--silent-debugger-extension-api"] {
            assert!(!all.contains(&word.into()), "{word}");
        }
        assert_eq!(all.last().unwrap(), "about:blank");
    }

    #[test]
    fn each_wish_adds_its_switch_and_more_words_go_through() {
        let all = words(&Switches {
            headless: true,
            quiet_debugger: true,
            root: true,
            more: vec!["--lang=de".into(), "https://example.org/".into()],
        });
        for word in ["--headless=new", "--no-sandbox", "--silent-debugger-extension-api"] {
            assert!(all.contains(&word.into()), "{word}");
        }
        assert_eq!(all[all.len() - 2..], ["--lang=de", "https://example.org/"]);
        let all = words(&Switches { more: vec!["--lang=de".into()], ..Switches::default() });
        assert_eq!(all[all.len() - 2..], ["--lang=de", "about:blank"]);
    }
}
