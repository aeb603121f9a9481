//! What every program of ours does before anything else, so that others of the machine find nothing of it.

use crate::user::keep_files_private;
use rustix::process::{DumpableBehavior, Resource, getrlimit, set_dumpable_behavior, setrlimit};
use std::io;

/// Files are the owner's alone, no other process of the user attaches to this one or reads its
/// memory, and no core file keeps a handle, a key or a page. First call of every `main`.
///
/// # Errors
/// The system refuses: then the program must not go on as if it were closed.
pub fn harden() -> io::Result<()> {
    keep_files_private();
    set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    // For a kernel that pipes core files elsewhere; what we start may raise it again.
    let mut core = getrlimit(Resource::Core);
    core.current = Some(0);
    setrlimit(Resource::Core, core)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::process::dumpable_behavior;

    #[test]
    fn a_hardened_process_leaves_no_core_and_lets_nobody_attach() {
        harden().unwrap();
        assert_eq!(dumpable_behavior().unwrap(), DumpableBehavior::NotDumpable);
        assert_eq!(getrlimit(Resource::Core).current, Some(0));
        assert_eq!(
            rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o077)).as_raw_mode(),
            0o077
        );
    }
}
