//! Chromium's native messaging host: an opaque pipe between one extension and the service.

mod arguments;
mod relay;
#[cfg(any(test, fuzzing))]
pub mod testing;

use arguments::{Arguments, HELP};
use ghostlight_transport::place::Place;
use ghostlight_transport::program::{self, named_instance, print};
use ghostlight_transport::start::Starter;
use ghostlight_transport::stderr::Stderr;
use ghostlight_transport::stop::Stop;
use std::error::Error;
use std::process::ExitCode;

/// The service's executable, beside our own.
const SERVICE: &str = "ghostlight";

#[must_use]
pub fn main() -> ExitCode {
    program::run("ghostlight-browser-connector", start)
}

fn start(stderr: &Stderr) -> Result<(), Box<dyn Error>> {
    let given: Vec<String> =
        std::env::args_os().map(|argument| argument.to_string_lossy().into_owned()).collect();
    match Arguments::read(&given, named_instance().as_deref())? {
        Arguments::Version => {
            print(concat!("ghostlight-browser-connector ", env!("CARGO_PKG_VERSION"), "\n"))
        }
        Arguments::Help => print(HELP),
        Arguments::Serve(instance) => {
            // Before anything that may start a thread or wait.
            let mut stop = Stop::new()?;
            let starter = Starter::new(Place::open(&instance)?, SERVICE);
            async_io::block_on(relay::run(starter, &mut stop, stderr))
        }
    }
}
