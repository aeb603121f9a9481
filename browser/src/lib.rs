//! Chromium's native messaging host: an opaque pipe between one extension and the service.

mod arguments;
mod relay;
#[cfg(any(test, fuzzing))]
pub mod testing;

use arguments::Arguments;
use ghostlight_transport::hardening::harden;
use ghostlight_transport::instance::INSTANCE_VARIABLE;
use ghostlight_transport::limits::STDERR_FLUSH;
use ghostlight_transport::place::Place;
use ghostlight_transport::start::Starter;
use ghostlight_transport::stderr::Stderr;
use ghostlight_transport::stop::Stop;
use std::error::Error;
use std::process::ExitCode;

/// The service's executable, beside our own.
const SERVICE: &str = "ghostlight";

#[must_use]
pub fn main() -> ExitCode {
    let stderr = Stderr::new("ghostlight-browser-connector");
    let code = match run(&stderr) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            stderr.log(error);
            ExitCode::FAILURE
        }
    };
    stderr.flush(STDERR_FLUSH);
    code
}

fn run(stderr: &Stderr) -> Result<(), Box<dyn Error>> {
    harden()?;
    let variable = std::env::var(INSTANCE_VARIABLE).ok();
    let given: Vec<String> =
        std::env::args_os().map(|argument| argument.to_string_lossy().into_owned()).collect();
    let Arguments { instance } = Arguments::read(&given, variable.as_deref())?;
    // Before anything that may start a thread or wait.
    let mut stop = Stop::new()?;
    let starter = Starter::new(Place::open(&instance)?, SERVICE);
    smol::block_on(relay::run(starter, &mut stop, stderr))
}
