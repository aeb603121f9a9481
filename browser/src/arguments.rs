//! What Chromium starts us with: our own path, then the origin of the extension that asked.

use ghostlight_transport::instance::{BadInstance, Instance};
use ghostlight_transport::origin::is_ours;
use std::fmt;

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Arguments {
    Serve(Instance),
    Version,
    Help,
}

pub(crate) const HELP: &str = "\
Usage: ghostlight-browser-connector chrome-extension://ID/

Carries messages between the Ghostlight extension in Chromium and the Ghostlight service. Chromium starts
it as a native messaging host when the extension connects; there is nothing to start by hand.
`ghostlight browser` opens a Chromium with the extension, `ghostlight doctor` says what is missing.

  --version   print the version
  --help      print this text
";

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum NotStarted {
    /// By a person or a program that is not Chromium.
    NoCaller,
    Stranger(String),
    Instance(BadInstance),
}

impl fmt::Display for NotStarted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoCaller => f.write_str(
                "Chromium starts this program when the Ghostlight extension connects; it does nothing \
                 by itself. To open a browser with the extension run: ghostlight browser",
            ),
            Self::Stranger(caller) => {
                write!(
                    f,
                    "{caller:?} is not the origin of a Ghostlight extension; refused; \
                     see: ghostlight-browser-connector --help"
                )
            }
            Self::Instance(error) => error.fmt(f),
        }
    }
}
impl std::error::Error for NotStarted {}

impl Arguments {
    /// `variable` is the instance the environment names; the suffix of our own name goes before it.
    pub(crate) fn read(given: &[String], variable: Option<&str>) -> Result<Self, NotStarted> {
        let (argv0, caller) = match given {
            [argv0, caller, ..] => (argv0, caller),
            _ => return Err(NotStarted::NoCaller),
        };
        match &**caller {
            "--version" | "-V" => return Ok(Self::Version),
            "--help" | "-h" => return Ok(Self::Help),
            _ => {}
        }
        if !is_ours(caller) {
            return Err(NotStarted::Stranger(caller.chars().take(100).collect()));
        }
        Instance::choose(argv0, variable).map(Self::Serve).map_err(NotStarted::Instance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ghostlight_transport::origin::{EXTENSION_IDS, origin};

    fn read(given: &[&str], variable: Option<&str>) -> Result<String, NotStarted> {
        let given: Vec<String> = given.iter().map(ToString::to_string).collect();
        Arguments::read(&given, variable).map(|arguments| match arguments {
            Arguments::Serve(instance) => instance.to_string(),
            other => format!("{other:?}"),
        })
    }

    #[test]
    fn an_extension_of_ours_gets_the_instance_of_the_program_name_or_the_environment() {
        let ours = origin(EXTENSION_IDS[0]);
        let plain = "/opt/ghostlight-browser-connector";
        for (argv0, variable, instance) in [
            (plain, None, "default"),
            (plain, Some("dev"), "dev"),
            ("/p/ghostlight-browser-connector@two", Some("dev"), "two"),
        ] {
            assert_eq!(read(&[argv0, &ours], variable), Ok(instance.into()));
            assert_eq!(read(&[argv0, &ours, "--parent-window=7"], variable), Ok(instance.into()));
        }
        assert!(matches!(read(&[plain, &ours], Some("No")), Err(NotStarted::Instance(_))));
    }

    #[test]
    fn whoever_asks_what_this_is_is_told() {
        for (word, told) in [("--help", "Help"), ("-h", "Help"), ("--version", "Version")] {
            assert_eq!(read(&["connector", word], Some("No")), Ok(told.into()));
        }
    }

    #[test]
    fn any_other_caller_is_refused() {
        assert_eq!(read(&[], None), Err(NotStarted::NoCaller));
        assert_eq!(read(&["connector"], None), Err(NotStarted::NoCaller));
        let other = origin("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
        assert_eq!(read(&["connector", &other], None), Err(NotStarted::Stranger(other.clone())));
    }
}
