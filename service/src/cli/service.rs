//! `ghostlight service`: the service itself, in the foreground, or started by another program of ours.

use super::nothing_more;
use crate::bounds::Bounds;
use crate::serve::{Served, serve};
use crate::tools::TOOLS;
use async_executor::LocalExecutor;
use ghostlight_transport::instance::Instance;
use ghostlight_transport::place::Place;
use ghostlight_transport::start::leave_session;
use ghostlight_transport::stderr::Stderr;
use lexopt::Arg::Long;
use std::process::ExitCode;
use std::rc::Rc;

/// Lowers bounds of a named instance, as `--lower` does: tests reach the service through its starters.
const LOWER_VARIABLE: &str = "GHOSTLIGHT_LOWER";

pub(super) fn run(
    parser: &mut lexopt::Parser,
    instance: &Instance,
    stderr: &Stderr,
) -> Result<ExitCode, lexopt::Error> {
    let mut started = false;
    let mut lower = std::env::var(LOWER_VARIABLE).unwrap_or_default();
    while let Some(argument) = parser.next()? {
        match argument {
            Long("started") => started = true,
            Long("lower") => lower = parser.value()?.to_string_lossy().into_owned(),
            other => return Err(other.unexpected()),
        }
    }
    nothing_more(parser)?;
    let mut bounds = Bounds::default();
    if !lower.is_empty() {
        if instance.is_default() {
            return Err("bounds can be lowered on a named instance only".into());
        }
        bounds.lower(&lower).map_err(|bad| bad.to_string())?;
    }
    if started && let Err(error) = leave_session() {
        stderr.log(format_args!("could not leave the session of the starter: {error}"));
    }
    Ok(served(instance, bounds, stderr))
}

fn served(instance: &Instance, bounds: Bounds, stderr: &Stderr) -> ExitCode {
    let place = match Place::open(instance) {
        Ok(place) => place,
        Err(error) => {
            stderr.log(error);
            return ExitCode::FAILURE;
        }
    };
    let executor = Rc::new(LocalExecutor::new());
    let work = serve(Rc::clone(&executor), place, bounds, TOOLS, stderr.clone());
    match async_io::block_on(executor.run(work)) {
        Ok(Served::Ended(_)) => ExitCode::SUCCESS,
        Ok(Served::AlreadyRunning) => {
            stderr.log("a service is already running here");
            ExitCode::SUCCESS
        }
        Err(error) => {
            stderr.log(error);
            ExitCode::FAILURE
        }
    }
}
