//! What `doctor` can see without a running service: directory, lock, key, Chromium, native host.

use super::browser::{NO_CHROMIUM, PROFILE, find_chromium, find_extension};
use crate::audit;
use ghostlight_transport::admission::Endpoint;
use ghostlight_transport::endpoint::socket_name;
use ghostlight_transport::instance::Instance;
use ghostlight_transport::key::Key;
use ghostlight_transport::lock::ServiceLock;
use ghostlight_transport::native_host::{CONNECTOR, Manifest, PROFILE_FOLDER, SYSTEM_FOLDER};
use ghostlight_transport::place::{Place, PlaceError};
use ghostlight_transport::start::sibling;
use ghostlight_transport::user::{home, own_uid};
use std::io::ErrorKind;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt};
use std::path::{Path, PathBuf};

/// Below a user's configuration: the browsers that read host manifests there.
const BROWSERS: [&str; 5] =
    ["chromium", "google-chrome", "BraveSoftware/Brave-Browser", "microsoft-edge", "vivaldi"];
const SYSTEM: [&str; 2] = ["/etc/chromium", "/etc/opt/chrome"];
/// In the state directory, beside lock and key, which have findings of their own.
const FILES: [&str; 4] = ["start.lock", "audit.jsonl", "audit.jsonl.1", "audit.proceed"];
/// The one remedy that needs nothing else to be right.
const OWN_BROWSER: &str = "start an agent's browser with everything in place: ghostlight browser";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    Good,
    /// Not as it will be, but nothing to mend.
    Note,
    Bad,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Finding {
    pub(crate) name: &'static str,
    pub(crate) state: State,
    pub(crate) detail: String,
    pub(crate) remedy: Option<String>,
}

impl Finding {
    pub(crate) fn good(name: &'static str, detail: impl Into<String>) -> Self {
        Self { name, state: State::Good, detail: detail.into(), remedy: None }
    }

    pub(crate) fn note(name: &'static str, detail: impl Into<String>) -> Self {
        Self { name, state: State::Note, detail: detail.into(), remedy: None }
    }

    pub(crate) fn bad(
        name: &'static str,
        detail: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        let remedy = Some(remedy.into());
        Self { name, state: State::Bad, detail: detail.into(), remedy }
    }
}

/// Path, owner and mode. Makes nothing: without a directory there is nothing more to check.
pub(crate) fn state_directory(instance: &Instance) -> (Finding, Option<Place>) {
    const NAME: &str = "state directory";
    let path = match Place::locate(instance) {
        Ok(path) => path,
        Err(error) => return (Finding::bad(NAME, error.what(), error.remedy()), None),
    };
    if path.symlink_metadata().is_err_and(|error| error.kind() == ErrorKind::NotFound) {
        let detail = format!("{} does not exist yet; the first start makes it", path.display());
        return (Finding::note(NAME, detail), None);
    }
    let opened = Place::open(instance).and_then(|place| {
        let meta = path
            .symlink_metadata()
            .map_err(|error| PlaceError::Io { path: path.clone(), error })?;
        Ok((place, meta))
    });
    match opened {
        Ok((place, meta)) => {
            let (owner, mode) = (meta.uid(), meta.mode() & 0o7777);
            let detail = format!("{}: owner uid {owner}, mode {mode:04o}", path.display());
            (Finding::good(NAME, detail), Some(place))
        }
        Err(error) => (Finding::bad(NAME, error.what(), error.remedy()), None),
    }
}

/// Whether records can be written, and those that were are all there.
pub(crate) fn audit(place: &Place) -> Finding {
    const NAME: &str = "audit";
    let proceeds = audit::proceeding(place);
    let setting =
        if proceeds { "agents go on without a record" } else { "effects are refused meanwhile" };
    if let Err(why) = audit::writable(place) {
        return Finding::bad(NAME, why, format!("make room or make it writable; {setting}"));
    }
    let told = |records: &str| match proceeds {
        false => Finding::good(NAME, format!("can be written; {records}")),
        true => Finding::note(
            NAME,
            format!("can be written; {records}; while it cannot, {setting}, as you have set"),
        ),
    };
    match audit::verify(place) {
        Ok(None) => told("no record yet"),
        Ok(Some(verified)) if verified.faults.is_empty() => {
            told(&format!("{} records, unbroken", verified.records))
        }
        Ok(Some(_)) => Finding::bad(
            NAME,
            "records were removed or changed",
            "see which: ghostlight audit verify; then move the audit files away together",
        ),
        Err(error) => Finding::bad(NAME, error.what(), error.remedy()),
    }
}

pub(crate) fn lock(place: &Place) -> Finding {
    const NAME: &str = "lock";
    match ServiceLock::is_held(place) {
        Ok(true) => Finding::good(NAME, "held by a service"),
        Ok(false) => Finding::note(NAME, "free: no service runs; one starts when it is needed"),
        Err(error) => Finding::bad(NAME, error.what(), error.remedy()),
    }
}

pub(crate) fn key(place: &Place) -> Finding {
    const NAME: &str = "key";
    match Key::read(place) {
        Ok(_) => Finding::good(NAME, "readable by this user only"),
        Err(PlaceError::Io { error, .. }) if error.kind() == ErrorKind::NotFound => {
            Finding::note(NAME, "none yet: each service makes its own")
        }
        Err(error) => Finding::bad(NAME, error.what(), error.remedy()),
    }
}

/// What else we open or replace in there, where it is not as we leave it.
pub(crate) fn files(place: &Place) -> Vec<Finding> {
    let sockets = [Endpoint::Edge, Endpoint::Browser].map(socket_name);
    let faults = FILES.iter().chain(&sockets).filter_map(|name| place.inspect(name).err());
    faults.map(|error| Finding::bad("file", error.what(), error.remedy())).collect()
}

pub(crate) fn chromium() -> Finding {
    const NAME: &str = "Chromium";
    match find_chromium() {
        Some(path) => Finding::good(NAME, path.display().to_string()),
        None => Finding::bad(
            NAME,
            "not found on PATH nor in the usual places",
            NO_CHROMIUM.split_once("; ").map_or(NO_CHROMIUM, |(_, remedy)| remedy),
        ),
    }
}

/// Every host manifest of ours that a browser may read. One good one is enough to work.
pub(crate) fn native_host(place: Option<&Place>) -> Vec<Finding> {
    const NAME: &str = "native host";
    let file = format!("{}.json", Instance::default().native_host());
    let present = |folders: Vec<PathBuf>| {
        let files = folders.into_iter().map(|folder| folder.join(&file));
        files.filter(|path| path.symlink_metadata().is_ok()).collect::<Vec<_>>()
    };
    let (persons, agents) = (present(persons_folders()), present(agents_folder(place)));
    let persons_own_lacks_it = persons.is_empty();
    let mut found: Vec<Finding> = persons
        .into_iter()
        .chain(agents)
        .map(|path| match manifest_faults(&path) {
            (target, faults) if faults.is_empty() => {
                Finding::good(NAME, format!("{} -> {target}", path.display()))
            }
            (_, faults) => Finding::bad(
                NAME,
                format!("{}: {}", path.display(), faults.join("; ")),
                format!("remove or correct this file, or {OWN_BROWSER}"),
            ),
        })
        .collect();
    if found.is_empty() {
        let remedy = registration().map_or_else(
            || OWN_BROWSER.to_owned(),
            |own| format!("{OWN_BROWSER}\nor, for a browser of yours: {own}"),
        );
        return vec![Finding::bad(NAME, "no browser has a host manifest of ours", remedy)];
    }
    if persons_own_lacks_it {
        let note = Finding::note(NAME, "only the agent's own browser has it, no browser of yours");
        let remedy = registration().map(|own| format!("to work in a browser of yours: {own}"));
        found.push(Finding { remedy, ..note });
    }
    found
}

/// What a person does so that the Chromium they already use finds the connector.
fn registration() -> Option<String> {
    let connector = sibling(CONNECTOR).ok()?;
    let folder = configuration()?.join(BROWSERS[0]).join(PROFILE_FOLDER);
    let name = Instance::default().native_host();
    let text = Manifest::new(name.clone(), connector).text()?;
    let extension = find_extension(None)
        .map_or_else(|_| "extension/ of the sources".to_owned(), |path| path.display().to_string());
    Some(format!(
        "load the folder {extension} at chrome://extensions (Developer mode, Load unpacked), and write the file {} (for another browser, in its own \
         configuration folder instead of {}):\n{}",
        folder.join(format!("{name}.json")).display(),
        BROWSERS[0],
        text.trim_end()
    ))
}

/// Where a user's browsers keep their configuration.
fn configuration() -> Option<PathBuf> {
    std::env::var_os("XDG_CONFIG_HOME")
        .map(PathBuf::from)
        .filter(|path| path.is_absolute())
        .or_else(|| Some(home(own_uid().ok()?)?.join(".config")))
}

fn persons_folders() -> Vec<PathBuf> {
    configuration()
        .into_iter()
        .flat_map(|config| BROWSERS.map(|name| config.join(name).join(PROFILE_FOLDER)))
        .chain(SYSTEM.map(|root| Path::new(root).join(SYSTEM_FOLDER)))
        .collect()
}

/// In the profile that `ghostlight browser` makes.
fn agents_folder(place: Option<&Place>) -> Vec<PathBuf> {
    let own = place.map(|place| place.path().join(PROFILE).join(PROFILE_FOLDER));
    own.into_iter().collect()
}

/// Where a manifest points to, and why Chromium could not use it.
fn manifest_faults(file: &Path) -> (String, Vec<String>) {
    let parsed = std::fs::read(file)
        .map_err(|error| error.to_string())
        .and_then(|text| Manifest::parse(&text));
    let manifest = match parsed {
        Ok(manifest) => manifest,
        Err(fault) => return (String::new(), vec![fault]),
    };
    let mut faults = manifest.faults(file);
    let target = manifest.path.display().to_string();
    match manifest.path.metadata() {
        Ok(meta) if !meta.is_file() => faults.push(format!("{target} is not a file")),
        Ok(meta) if meta.permissions().mode() & 0o111 == 0 => {
            faults.push(format!("{target} is not executable"));
        }
        Ok(_) => {}
        Err(error) => faults.push(format!("{target}: {error}")),
    }
    (target, faults)
}

/// The connector that belongs to this program.
pub(crate) fn connector() -> Finding {
    const NAME: &str = "connector";
    match sibling(CONNECTOR) {
        Ok(path) => Finding::good(NAME, path.display().to_string()),
        Err(error) => Finding::bad(NAME, error.to_string(), "install all programs together"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_must_lead_to_a_program_that_runs() {
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join("org.ghostlight.json");
        let target = home.path().join("connector");
        let faults = |target: &Path| {
            let manifest = Manifest::new("org.ghostlight".into(), target.to_owned());
            std::fs::write(&file, manifest.text().unwrap()).unwrap();
            manifest_faults(&file).1.join("; ")
        };
        assert!(faults(&target).contains("No such file"));
        std::fs::write(&target, "").unwrap();
        let chmod = |mode| {
            std::fs::set_permissions(&target, PermissionsExt::from_mode(mode)).unwrap();
        };
        chmod(0o644);
        assert!(faults(&target).contains("not executable"));
        chmod(0o755);
        assert_eq!(faults(&target), "");
        assert!(faults(home.path()).contains("not a file"));
        std::fs::write(&file, "{").unwrap();
        assert!(manifest_faults(&file).1[0].contains("not a host manifest"));
    }
}
