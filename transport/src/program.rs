//! How the programs that others start begin and end, whatever they do between.

use crate::hardening::harden;
use crate::instance::INSTANCE_VARIABLE;
use crate::limits::STDERR_FLUSH;
use crate::stderr::Stderr;
use std::error::Error;
use std::io::Write as _;
use std::process::ExitCode;

/// Closed to the rest of the machine before anything else; a failure is one line on stderr.
#[must_use]
pub fn run(name: &'static str, work: fn(&Stderr) -> Result<(), Box<dyn Error>>) -> ExitCode {
    let stderr = Stderr::new(name);
    let ended = harden().map_err(Into::into).and_then(|()| work(&stderr));
    if let Err(error) = &ended {
        stderr.log(error);
    }
    stderr.flush(STDERR_FLUSH);
    if ended.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The instance that the environment names. Bytes that are no text are no name, and not none either.
#[must_use]
pub fn named_instance() -> Option<String> {
    let variable = std::env::var_os(INSTANCE_VARIABLE);
    variable.map(|name| name.to_string_lossy().into_owned())
}

/// For `--help` and `--version`: no client is served.
///
/// # Errors
/// Nobody reads it.
pub fn print(text: &str) -> Result<(), Box<dyn Error>> {
    std::io::stdout().write_all(text.as_bytes())?;
    Ok(())
}
