//! The command line of `ghostlight`.

mod audit;
pub(crate) mod browser;
pub(crate) mod checks;
mod chromium;
mod control;
mod doctor;
mod print;
mod profile;
mod service;
mod status;

use ghostlight_transport::hardening::harden;
use ghostlight_transport::instance::Instance;
use ghostlight_transport::limits::STDERR_FLUSH;
use ghostlight_transport::program::named_instance;
use ghostlight_transport::stderr::Stderr;
use lexopt::Arg::{Long, Short, Value};
use std::process::ExitCode;

const USAGE: &str = "\
ghostlight [--instance NAME] COMMAND

  service   run the service; programs that need it start it by themselves
  stop      end the running service
  status    what the running service is doing   [--json]
  doctor    check every part, and say how to mend what is missing   [--json]
  audit     check what was recorded; see: ghostlight audit --help
  browser   start a Chromium for agents, with the extension and the native host in place;
            see: ghostlight browser --help

  --instance NAME   work with another engine than the default one (also: GHOSTLIGHT_INSTANCE)
  --version         print the version
  --help            print this";

/// The command line was wrong.
const USAGE_FAULT: u8 = 2;
/// There is no service to ask.
const NO_SERVICE: u8 = 3;

pub(crate) fn main() -> ExitCode {
    let hardened = harden();
    let stderr = Stderr::new("ghostlight");
    let hardened = hardened.map_err(|error| error.to_string().into());
    let code = match hardened.and_then(|()| run(&stderr)) {
        Ok(code) => code,
        Err(fault) => {
            let fault = fault.to_string();
            // Of one engine or another: that is said first.
            let place = if fault.contains("invalid option '--instance'") {
                "; it goes before the command"
            } else {
                ""
            };
            stderr.log(format_args!("{fault}{place}; see: ghostlight --help"));
            ExitCode::from(USAGE_FAULT)
        }
    };
    stderr.flush(STDERR_FLUSH);
    code
}

fn run(stderr: &Stderr) -> Result<ExitCode, lexopt::Error> {
    let mut parser = lexopt::Parser::from_env();
    let mut instance = None;
    while let Some(argument) = parser.next()? {
        match argument {
            Long("instance") => instance = Some(parser.value()?.to_string_lossy().into_owned()),
            Long("version") | Short('V') => {
                return Ok(print::out(concat!("ghostlight ", env!("CARGO_PKG_VERSION"))));
            }
            Long("help") | Short('h') => return Ok(print::out(USAGE)),
            Value(command) => {
                let instance = chosen(instance.as_deref())?;
                return dispatch(&command.to_string_lossy(), &mut parser, &instance, stderr);
            }
            other => return Err(other.unexpected()),
        }
    }
    Err("no command".into())
}

fn dispatch(
    command: &str,
    parser: &mut lexopt::Parser,
    instance: &Instance,
    stderr: &Stderr,
) -> Result<ExitCode, lexopt::Error> {
    // Only these two have more to say than the usage of all.
    if !matches!(command, "audit" | "browser") && help_wanted(parser) {
        return Ok(print::out(USAGE));
    }
    match command {
        "service" => service::run(parser, instance, stderr),
        "stop" => {
            nothing_more(parser)?;
            Ok(control::stop(instance, stderr))
        }
        "status" => {
            let json = json_wanted(parser)?;
            Ok(status::run(json, instance, stderr))
        }
        "doctor" => {
            let json = json_wanted(parser)?;
            Ok(doctor::run(json, instance))
        }
        "audit" => audit::run(parser, instance, stderr),
        "browser" => browser::run(parser, instance, stderr),
        "help" => Ok(print::out(USAGE)),
        other => Err(format!("there is no command `{other}`").into()),
    }
}

/// A name on the command line wins over the environment.
fn chosen(name: Option<&str>) -> Result<Instance, lexopt::Error> {
    let variable = named_instance().filter(|name| !name.is_empty());
    match name.or(variable.as_deref()) {
        Some(name) => Instance::parse(name).map_err(|bad| bad.to_string().into()),
        None => Ok(Instance::default()),
    }
}

fn help_wanted(parser: &mut lexopt::Parser) -> bool {
    let next = parser.try_raw_args().and_then(|words| words.peek().map(ToOwned::to_owned));
    next.is_some_and(|word| word == "--help" || word == "-h")
}

fn nothing_more(parser: &mut lexopt::Parser) -> Result<(), lexopt::Error> {
    match parser.next()? {
        None => Ok(()),
        Some(argument) => Err(argument.unexpected()),
    }
}

fn json_wanted(parser: &mut lexopt::Parser) -> Result<bool, lexopt::Error> {
    let mut json = false;
    while let Some(argument) = parser.next()? {
        match argument {
            Long("json") => json = true,
            other => return Err(other.unexpected()),
        }
    }
    Ok(json)
}
