//! `ghostlight browser`: a Chromium of its own for agents, with the extension and the native host in place.

use super::chromium::{self, Switches};
use super::{print, profile};
use futures_lite::future::FutureExt as _;
use ghostlight_transport::child::Child;
use ghostlight_transport::instance::Instance;
use ghostlight_transport::native_host::CONNECTOR;
use ghostlight_transport::place::Place;
use ghostlight_transport::start::{own_directory, sibling};
use ghostlight_transport::stderr::Stderr;
use ghostlight_transport::stop::{Reason, Stop};
use ghostlight_transport::user::own_uid;
use rustix::process::Signal;
use std::error::Error;
use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus, Stdio};

const USAGE: &str = "\
ghostlight [--instance NAME] browser [OPTIONS] [-- CHROMIUM ARGUMENTS]

Starts a Chromium of its own for agents, with the extension and the native host in place, and stays until it
ends. Its profile is kept from one start to the next.

  --headless         without a window
  --quiet-debugger   without the bar that tells of debugging
  --profile DIR      another profile than browser/ in the state directory
  --extension DIR    another extension (also: GHOSTLIGHT_EXTENSION_DIR)
  --chromium FILE    another Chromium than the first one found
  --help             print this";
/// Overrides where the extension is looked for.
const EXTENSION_VARIABLE: &str = "GHOSTLIGHT_EXTENSION_DIR";
/// In the state directory, unless told otherwise.
pub(crate) const PROFILE: &str = "browser";
/// In the profile: what Chromium and the connector say on stderr.
const LOG: &str = "ghostlight-browser.log";

/// What the command line asks for.
#[derive(Debug, Default, PartialEq, Eq)]
struct Request {
    switches: Switches,
    profile: Option<PathBuf>,
    extension: Option<PathBuf>,
    chromium: Option<PathBuf>,
    help: bool,
}

impl Request {
    fn read(parser: &mut lexopt::Parser) -> Result<Self, lexopt::Error> {
        use lexopt::Arg::{Long, Short};
        let mut request = Self::default();
        loop {
            // Only what stands behind `--` is for Chromium: a stray word would open as a page.
            if let Some(rest) = parser.try_raw_args()
                && rest.peek().is_some_and(|word| word == "--")
            {
                request.switches.more = rest.skip(1).collect();
                return Ok(request);
            }
            let Some(argument) = parser.next()? else { return Ok(request) };
            match argument {
                Long("headless") => request.switches.headless = true,
                Long("quiet-debugger") => request.switches.quiet_debugger = true,
                Long("profile") => request.profile = Some(parser.value()?.into()),
                Long("extension") => request.extension = Some(parser.value()?.into()),
                Long("chromium") => request.chromium = Some(parser.value()?.into()),
                Long("help") | Short('h') => request.help = true,
                other => return Err(other.unexpected()),
            }
        }
    }
}

/// Stays until Chromium ends, and passes signals on to it.
pub(crate) fn run(
    parser: &mut lexopt::Parser,
    instance: &Instance,
    stderr: &Stderr,
) -> Result<ExitCode, lexopt::Error> {
    let request = Request::read(parser).map_err(|error| format!("browser: {error}"))?;
    if request.help {
        return Ok(print::out(USAGE));
    }
    Ok(start(request, instance, stderr).unwrap_or_else(|error| {
        stderr.log(error);
        ExitCode::FAILURE
    }))
}

fn start(
    mut request: Request,
    instance: &Instance,
    stderr: &Stderr,
) -> Result<ExitCode, Box<dyn Error>> {
    let mut stop = Stop::signals_only()?;
    let chromium = match &request.chromium {
        Some(path) => path.clone(),
        None => find_chromium().ok_or(NO_CHROMIUM)?,
    };
    let extension = find_extension(request.extension.as_deref())?;
    let connector = sibling(CONNECTOR)?;
    let profile = match &request.profile {
        Some(given) => std::path::absolute(given)?,
        None => Place::open(instance)?.path().join(PROFILE),
    };
    if let Some(process) = profile::holder(&profile) {
        let shown = profile.display();
        let text = format!(
            "the profile {shown} is open in process {process}. Nothing was started. Retry: safe, once that browser has \
             ended. Next step: use that browser, or give --profile another folder"
        );
        return Err(text.into());
    }
    profile::prepare(&profile, instance, &connector)
        .map_err(|error| format!("the profile {} cannot be made: {error}", profile.display()))?;
    let log = profile.join(LOG);
    let output = File::create(&log)?;
    request.switches.root = own_uid()? == 0;
    let mut command = Command::new(&chromium);
    command
        .args(chromium::arguments(&request.switches, &profile, &extension))
        .stdin(Stdio::null())
        .stdout(output.try_clone()?)
        .stderr(output);
    let mut child = Child::spawn(&mut command)
        .map_err(|error| format!("{} cannot be started: {error}", chromium.display()))?;
    stderr.log(format_args!(
        "started {} with profile {}; its messages: {}",
        chromium.display(),
        profile.display(),
        log.display()
    ));
    if request.switches.root {
        stderr.log(
            "WARNING: run by root, Chromium has no sandbox (--no-sandbox): start it as another user for pages you do not trust",
        );
    }
    let code = async_io::block_on(attend(&mut child, &mut stop))?;
    if code != ExitCode::SUCCESS {
        let shown = ["DISPLAY", "WAYLAND_DISPLAY"].map(std::env::var_os).into_iter().flatten();
        let windows = request.switches.headless || shown.into_iter().any(|name| !name.is_empty());
        stderr.log(farewell(&std::fs::read(&log).unwrap_or_default(), windows));
    }
    Ok(code)
}

/// Why it ended, as far as its first error tells: those behind it follow from it.
fn farewell(log: &[u8], windows: bool) -> String {
    let text = String::from_utf8_lossy(log);
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    // A missing message bus is an error to Chromium and none to us.
    let grave =
        |line: &&str| (line.contains("ERROR") || line.contains("FATAL")) && !line.contains("dbus/");
    let told = lines.clone().find(grave).or_else(|| lines.next_back()).unwrap_or("none");
    let hint = if windows { "" } else { "; there is no display here: give --headless" };
    format!("Chromium has failed{hint}; it said: {told}")
}

/// Until the browser has ended. The first signal is passed on, the next one ends it for sure.
async fn attend(child: &mut Child, stop: &mut Stop) -> io::Result<ExitCode> {
    let mut asked = false;
    loop {
        let ended = async { child.ended().await.map(|()| None) };
        let stopped = async { Ok(Some(stop.wait().await)) };
        match ended.or(stopped).await? {
            None => {
                if let Some(status) = child.status()? {
                    return Ok(if asked { ExitCode::SUCCESS } else { code_of(status) });
                }
            }
            // One that has just ended needs no signal.
            Some(reason) => drop(child.signal(if asked { Signal::KILL } else { passed(reason) })),
        }
        asked = true;
    }
}

fn passed(reason: Reason) -> Signal {
    match reason {
        Reason::Signal("INT") => Signal::INT,
        Reason::Signal("HUP") => Signal::HUP,
        Reason::Signal(_) | Reason::ParentDied => Signal::TERM,
    }
}

/// As a shell would tell it.
fn code_of(status: ExitStatus) -> ExitCode {
    let code = status.code().or_else(|| status.signal().map(|signal| 128 + signal));
    ExitCode::from(code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1))
}

pub(crate) const NO_CHROMIUM: &str = "no Chromium was found; install one (Debian and Ubuntu: apt install chromium) or name it \
     with --chromium FILE";

/// The first one that we may execute.
pub(crate) fn find_chromium() -> Option<PathBuf> {
    let path = std::env::var_os("PATH");
    chromium::candidates(path.as_deref()).into_iter().find(|file| {
        file.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
    })
}

/// Where the unpacked extension may be; only one place when it was named.
fn extension_places(named: Option<PathBuf>, own: Option<&Path>) -> Vec<PathBuf> {
    match (named, own) {
        (Some(named), _) => vec![named],
        (None, Some(own)) => vec![
            own.join("extension"),
            own.join("../share/ghostlight/extension"),
            // Built from the sources: `target/<profile>/`.
            own.join("../../extension"),
        ],
        (None, None) => Vec::new(),
    }
}

pub(crate) fn find_extension(given: Option<&Path>) -> Result<PathBuf, Box<dyn Error>> {
    let named = given
        .map(Path::to_owned)
        .or_else(|| Some(std::env::var_os(EXTENSION_VARIABLE)?.into()))
        .filter(|path: &PathBuf| !path.as_os_str().is_empty());
    let places = extension_places(named, own_directory().as_deref());
    let found = places.iter().find(|place| place.join("manifest.json").is_file());
    let Some(found) = found else {
        let looked: Vec<String> = places.iter().map(|p| p.display().to_string()).collect();
        return Err(format!(
            "the extension was not found (looked in {}); name its directory with --extension DIR",
            looked.join(", ")
        )
        .into());
    };
    let found = found.canonicalize()?;
    if OsString::from(&found).as_encoded_bytes().contains(&b',') {
        let text = format!("Chromium cannot load {}: it has a comma; move it", found.display());
        return Err(text.into());
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &[&str]) -> Result<Request, lexopt::Error> {
        Request::read(&mut lexopt::Parser::from_args(words))
    }

    #[test]
    fn every_wish_is_read_and_words_behind_the_dashes_are_chromiums() {
        assert_eq!(read(&[]).unwrap(), Request::default());
        let words = ["--headless", "--profile", "p", "--extension=x", "--quiet-debugger"];
        let all = [&words[..], &["--chromium", "c", "--", "--lang=de", "about:version"]].concat();
        let request = read(&all).unwrap();
        assert!(request.switches.headless && request.switches.quiet_debugger);
        assert_eq!(request.profile.as_deref(), Some(Path::new("p")));
        assert_eq!(request.extension.as_deref(), Some(Path::new("x")));
        assert_eq!(request.chromium.as_deref(), Some(Path::new("c")));
        assert_eq!(request.switches.more, ["--lang=de", "about:version"]);
        assert!(read(&["--help"]).unwrap().help);
        assert!(read(&["--lang=de"]).is_err());
        assert!(read(&["stray"]).is_err() && read(&["--headless", "stray", "--", "x"]).is_err());
        assert!(read(&["--profile"]).is_err());
    }

    #[test]
    fn a_browser_that_fails_has_its_reason_told() {
        let log = b"[1:1] ERROR:dbus/bus.cc: none\n[1:1] ERROR: Missing X server or $DISPLAY\n[1:1] ERROR: Broken pipe\n\n";
        let told = farewell(log, false);
        assert!(
            told.contains("--headless") && told.ends_with("Missing X server or $DISPLAY"),
            "{told}"
        );
        assert_eq!(farewell(b"", true), "Chromium has failed; it said: none");
    }

    #[test]
    fn a_named_extension_is_the_only_place_to_look() {
        let own = Path::new("/opt/g/bin");
        assert_eq!(extension_places(Some("/x".into()), Some(own)), [Path::new("/x")]);
        let places = extension_places(None, Some(own));
        assert_eq!(places[0], Path::new("/opt/g/bin/extension"));
        assert_eq!(places.len(), 3);
    }

    #[test]
    fn an_extension_that_is_not_there_or_has_a_comma_is_an_error_with_a_way_out() {
        let home = tempfile::tempdir().unwrap();
        let missing = find_extension(Some(home.path())).unwrap_err().to_string();
        assert!(missing.contains("--extension") && missing.contains("looked in"), "{missing}");
        let odd = home.path().join("a,b");
        std::fs::create_dir(&odd).unwrap();
        std::fs::write(odd.join("manifest.json"), "{}").unwrap();
        assert!(find_extension(Some(&odd)).unwrap_err().to_string().contains("comma"));
    }

    /// A browser that is a shell script, and what becomes of us when it ends or we are told to.
    #[test]
    fn the_end_of_the_browser_is_ours_and_signals_reach_it() {
        let mut stop = Stop::signals_only().unwrap();
        for (script, code) in [("exit 0", 0), ("exit 21", 21), ("kill -9 $$", 137)] {
            let mut child = Child::spawn(Command::new("sh").args(["-c", script])).unwrap();
            let ended = async_io::block_on(attend(&mut child, &mut stop)).unwrap();
            assert_eq!(ended, ExitCode::from(code), "{script}");
        }
        // The second one answers the signal with another one and stays.
        let stubborn =
            "trap 'kill -TERM $PPID' TERM; kill -TERM $PPID; while :; do sleep 5 & wait; done";
        for script in ["kill -INT $PPID; exec sleep 60", stubborn] {
            let mut child = Child::spawn(Command::new("sh").args(["-c", script])).unwrap();
            let ended = async_io::block_on(attend(&mut child, &mut stop)).unwrap();
            assert_eq!(ended, ExitCode::SUCCESS, "{script}");
        }
    }
}
