//! The file that tells Chromium where our native messaging host is and who may call it.

use crate::instance::Instance;
use crate::origin::{EXTENSION_IDS, is_ours, origin};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The host's executable. In a named instance it is called by a link with the suffix `@<instance>`.
pub const CONNECTOR: &str = "ghostlight-browser-connector";
/// Below a profile or a user's configuration, and below `/etc`.
pub const PROFILE_FOLDER: &str = "NativeMessagingHosts";
pub const SYSTEM_FOLDER: &str = "native-messaging-hosts";

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    pub name: String,
    pub description: String,
    pub path: PathBuf,
    #[serde(rename = "type")]
    pub kind: String,
    pub allowed_origins: Vec<String>,
}

impl Manifest {
    #[must_use]
    pub fn new(name: String, connector: PathBuf) -> Self {
        Self {
            name,
            description: "Ghostlight: lets agents drive tabs of this browser".into(),
            path: connector,
            kind: "stdio".into(),
            allowed_origins: EXTENSION_IDS.map(origin).into(),
        }
    }

    /// # Errors
    /// The text is not a host manifest.
    pub fn parse(text: &[u8]) -> Result<Self, String> {
        serde_json::from_slice(text)
            .map_err(|e| format!("not a host manifest (line {}, column {})", e.line(), e.column()))
    }

    /// `None` when the connector's path is not Unicode, which JSON cannot say.
    #[must_use]
    pub fn text(&self) -> Option<String> {
        serde_json::to_string_pretty(self).ok().map(|text| text + "\n")
    }

    /// What Chromium would refuse it for, as far as its text tells.
    #[must_use]
    pub fn faults(&self, file: &Path) -> Vec<String> {
        let mut faults = Vec::new();
        if file.file_stem().is_none_or(|stem| stem != self.name.as_str()) {
            faults.push(format!("its name is {:?}, unlike its file's", self.name));
        }
        if self.kind != "stdio" {
            faults.push(format!("its type is {:?}", self.kind));
        }
        if !self.path.is_absolute() {
            faults.push("its path is not absolute".into());
        }
        if !self.allowed_origins.iter().any(|caller| is_ours(caller)) {
            faults.push("it does not allow the Ghostlight extension".into());
        }
        faults
    }
}

/// The connector's name in a profile of a named instance; `None` when the plain one does.
#[must_use]
pub fn connector_link(instance: &Instance) -> Option<String> {
    (!instance.is_default()).then(|| format!("{CONNECTOR}@{instance}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest() -> Manifest {
        Manifest::new("org.ghostlight".into(), "/opt/ghostlight-browser-connector".into())
    }

    #[test]
    fn what_is_written_is_what_chromium_asks_for() {
        let text = manifest().text().unwrap();
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["name"], "org.ghostlight");
        assert_eq!(value["type"], "stdio");
        assert_eq!(value["path"], "/opt/ghostlight-browser-connector");
        assert_eq!(value["allowed_origins"][0], origin(EXTENSION_IDS[0]));
        let read = Manifest::parse(text.as_bytes()).unwrap();
        assert_eq!(read, manifest());
        assert!(read.faults(Path::new("/x/org.ghostlight.json")).is_empty());
    }

    #[test]
    fn each_mistake_is_named() {
        let file = Path::new("/x/org.ghostlight.json");
        let check = |change: fn(&mut Manifest), word: &str| {
            let mut changed = manifest();
            change(&mut changed);
            let faults = changed.faults(file);
            assert!(faults.len() == 1 && faults[0].contains(word), "{faults:?}");
        };
        check(|m| m.name = "org.other".into(), "name");
        check(|m| m.kind = "tcp".into(), "type");
        check(|m| m.path = "connector".into(), "absolute");
        check(|m| m.allowed_origins = vec!["chrome-extension://*/".into()], "allow");
        check(|m| m.allowed_origins[0].truncate(51), "allow");
        assert!(Manifest::parse(b"{\"name\": \"x\"").unwrap_err().contains("column"));
    }

    #[test]
    fn a_named_instance_has_a_link_of_its_own() {
        assert_eq!(connector_link(&Instance::default()), None);
        let link = connector_link(&Instance::parse("dev").unwrap());
        assert_eq!(link.as_deref(), Some("ghostlight-browser-connector@dev"));
    }
}
