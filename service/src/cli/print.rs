//! What a command says to its caller. A reader that went away is no fault.

use std::io::Write as _;
use std::process::ExitCode;

/// Prints one text and a line's end.
pub(super) fn out(text: &str) -> ExitCode {
    let mut out = std::io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.write_all(b"\n"));
    match written.and_then(|()| out.flush()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}
