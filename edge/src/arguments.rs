//! The command line of the edge.

use ghostlight_transport::instance::{BadInstance, Instance};
use lexopt::{Arg, Parser};
use std::ffi::OsString;
use std::fmt;

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Arguments {
    Serve(Instance),
    Version,
    Help,
}

#[derive(Debug)]
pub(crate) enum Misuse {
    Line(lexopt::Error),
    Instance(BadInstance),
}

impl fmt::Display for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(error) => error.fmt(f),
            Self::Instance(error) => error.fmt(f),
        }
    }
}
impl std::error::Error for Misuse {}

impl From<lexopt::Error> for Misuse {
    fn from(error: lexopt::Error) -> Self {
        Self::Line(error)
    }
}
impl From<BadInstance> for Misuse {
    fn from(error: BadInstance) -> Self {
        Self::Instance(error)
    }
}

pub(crate) const HELP: &str = "\
Usage: ghostlight-mcp-connector [--instance NAME]

Speaks the Model Context Protocol (2025-11-25 and 2026-07-28) on its standard input and output. MCP
clients start it; it starts the Ghostlight service when none runs.

  --instance NAME   work with another engine than the default one (also: GHOSTLIGHT_INSTANCE)
  --version         print the version
  --help            print this text
";

impl Arguments {
    /// `given` has no program name; `variable` is the instance that the environment names.
    pub(crate) fn read(
        given: impl IntoIterator<Item = OsString>,
        variable: Option<&str>,
    ) -> Result<Self, Misuse> {
        let mut instance = None;
        let mut parser = Parser::from_args(given);
        while let Some(argument) = parser.next()? {
            match argument {
                Arg::Long("instance") => {
                    instance = Some(Instance::parse(&parser.value()?.to_string_lossy())?);
                }
                Arg::Long("version") | Arg::Short('V') => return Ok(Self::Version),
                Arg::Long("help") | Arg::Short('h') => return Ok(Self::Help),
                other => return Err(other.unexpected().into()),
            }
        }
        Ok(Self::Serve(match instance {
            Some(instance) => instance,
            None => Instance::choose("", variable)?,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(given: &[&str], variable: Option<&str>) -> Option<Arguments> {
        Arguments::read(given.iter().map(OsString::from), variable).ok()
    }

    #[test]
    fn the_command_line_names_the_instance_before_the_environment_does() {
        let serve = |name: &str| Some(Arguments::Serve(Instance::parse(name).unwrap()));
        for (given, variable, expected) in [
            (&[][..], None, serve("default")),
            (&[], Some("dev"), serve("dev")),
            (&["--instance", "two"], Some("dev"), serve("two")),
            (&["--instance=two"], None, serve("two")),
            (&["--version"], Some("Bad!"), Some(Arguments::Version)),
            (&["-h"], None, Some(Arguments::Help)),
        ] {
            assert_eq!(read(given, variable), expected, "{given:?} {variable:?}");
        }
    }

    #[test]
    fn a_bad_name_or_argument_is_refused_and_never_the_default() {
        let bad: [(&[&str], Option<&str>); 5] = [
            (&["--instance", "Bad!"], None),
            (&["--instance"], None),
            (&[], Some("Bad!")),
            (&["--role", "agent"], None),
            (&["file"], None),
        ];
        for (given, variable) in bad {
            assert_eq!(read(given, variable), None, "{given:?} {variable:?}");
        }
    }
}
