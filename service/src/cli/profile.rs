//! A Chromium profile that has the extension's native host in it and nothing of the person's own browser.

use ghostlight_transport::instance::Instance;
use ghostlight_transport::native_host::{Manifest, PROFILE_FOLDER, connector_link};
use serde_json::{Map, Value};
use std::fs::{DirBuilder, read, read_link, remove_file, rename, write};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, symlink};
use std::path::{Path, PathBuf};

/// Where an unpacked extension that reloads itself is allowed to come back.
const DEVELOPER_MODE: [&str; 3] = ["extensions", "ui", "developer_mode"];

/// The preferences with developer mode on; `None` when nothing has to be written. What cannot be read
/// as preferences is Chromium's to mend, so it stays.
pub(crate) fn with_developer_mode(before: Option<&[u8]>) -> Option<String> {
    let mut all = match before {
        None => Value::Object(Map::new()),
        Some(text) => serde_json::from_slice(text).ok().filter(Value::is_object)?,
    };
    let mut at = &mut all;
    for name in DEVELOPER_MODE {
        let Value::Object(members) = at else { return None };
        at = members.entry(name).or_insert_with(|| Value::Object(Map::new()));
    }
    if *at == Value::Bool(true) {
        return None;
    }
    *at = Value::Bool(true);
    Some(all.to_string())
}

/// Makes the profile ready: preferences, host manifest, and for a named instance the link that tells
/// the connector so.
pub(crate) fn prepare(profile: &Path, instance: &Instance, connector: &Path) -> io::Result<()> {
    let hosts = profile.join(PROFILE_FOLDER);
    let first = profile.join("Default");
    for folder in [&hosts, &first] {
        DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    }
    let preferences = first.join("Preferences");
    let before = match read(&preferences) {
        Ok(text) => Some(text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    if let Some(text) = with_developer_mode(before.as_deref()) {
        replace(&preferences, &text)?;
    }
    let connector = match connector_link(instance) {
        Some(name) => link(&profile.join(name), connector)?,
        None => connector.to_owned(),
    };
    // In a profile of its own the host has the plain name, which the extension asks for first.
    let name = Instance::default().native_host();
    let file = hosts.join(format!("{name}.json"));
    let text = Manifest::new(name, connector).text().ok_or_else(|| {
        io::Error::new(io::ErrorKind::InvalidInput, "the connector's path is not Unicode text")
    })?;
    replace(&file, &text)
}

/// Whole or not at all: Chromium may be reading it.
fn replace(file: &Path, text: &str) -> io::Result<()> {
    let fresh = file.with_extension("new");
    write(&fresh, text)?;
    rename(&fresh, file)
}

fn link(at: &Path, target: &Path) -> io::Result<PathBuf> {
    if !read_link(at).is_ok_and(|present| present == target) {
        match remove_file(at) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => symlink(target, at)?,
        }
    }
    Ok(at.to_owned())
}

/// The process that has the profile open, by the lock that Chromium leaves in it.
pub(crate) fn holder(profile: &Path) -> Option<u32> {
    let lock = std::fs::read_link(profile.join("SingletonLock")).ok()?;
    let process = lock.to_str()?.rsplit('-').next()?.parse().ok()?;
    // A lock that was left behind may name a number that another program has now.
    let words = std::fs::read(format!("/proc/{process}/cmdline")).ok()?;
    was_given(&words, profile).then_some(process)
}

/// Whether one of the zero-ended words of a command line leads to the profile.
fn was_given(words: &[u8], profile: &Path) -> bool {
    let name = profile.as_os_str().as_encoded_bytes();
    words.split(|byte| *byte == 0).any(|word| word.ends_with(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn developer_mode_is_added_and_all_else_kept() {
        let check = |before: Option<&str>, after: Option<&str>| {
            let got = with_developer_mode(before.map(str::as_bytes));
            assert_eq!(got.as_deref(), after, "{before:?}");
        };
        let on = r#"{"extensions":{"ui":{"developer_mode":true}}}"#;
        check(None, Some(on));
        check(Some("{}"), Some(on));
        check(Some(r#"{"extensions":{"ui":{"developer_mode":false}}}"#), Some(on));
        check(Some(on), None);
        check(
            Some(r#"{"a":[1],"extensions":{"b":2}}"#),
            Some(r#"{"a":[1],"extensions":{"b":2,"ui":{"developer_mode":true}}}"#),
        );
        for odd in ["", "[]", "null", "{", r#"{"extensions":7}"#] {
            check(Some(odd), None);
        }
    }

    fn prepared(profile: &Path, instance: &str, connector: &str) -> Manifest {
        prepare(profile, &Instance::parse(instance).unwrap(), Path::new(connector)).unwrap();
        let file = profile.join("NativeMessagingHosts/org.ghostlight.json");
        let manifest = Manifest::parse(&read(&file).unwrap()).unwrap();
        assert!(manifest.faults(&file).is_empty());
        manifest
    }

    #[test]
    fn a_profile_is_held_only_by_a_program_that_was_given_it() {
        let home = tempfile::tempdir().unwrap();
        let lock = home.path().join("SingletonLock");
        assert_eq!(holder(home.path()), None);
        for target in ["host-1", "host-4294967295", "odd", "host-x"] {
            std::os::unix::fs::symlink(target, &lock).unwrap();
            assert_eq!(holder(home.path()), None, "{target}");
            std::fs::remove_file(&lock).unwrap();
        }
        let profile = Path::new("/p/one");
        assert!(was_given(b"chromium\0--user-data-dir=/p/one\0--x\0", profile));
        assert!(!was_given(b"chromium\0--user-data-dir=/p/one/two\0", profile));
        assert!(!was_given(b"", profile));
    }

    #[test]
    fn the_default_instance_calls_the_connector_itself() {
        let home = tempfile::tempdir().unwrap();
        let profile = home.path().join("deep/profile");
        let manifest = prepared(&profile, "default", "/opt/connector");
        assert_eq!(manifest.path, Path::new("/opt/connector"));
        assert!(profile.join("Default/Preferences").is_file());
    }

    #[test]
    fn a_named_instance_calls_it_by_a_link_that_follows_an_upgrade() {
        let home = tempfile::tempdir().unwrap();
        for connector in ["/opt/one/connector", "/opt/two/connector", "/opt/two/connector"] {
            let manifest = prepared(home.path(), "dev", connector);
            assert_eq!(manifest.path, home.path().join("ghostlight-browser-connector@dev"));
            assert_eq!(read_link(&manifest.path).unwrap(), Path::new(connector));
        }
    }
}
