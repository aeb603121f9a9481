//! Where the programs under test are: beside the test's own executable.

use std::path::{Path, PathBuf};

pub const EDGE: &str = "ghostlight-mcp-connector";
pub const SERVICE: &str = "ghostlight";
pub const CONNECTOR: &str = "ghostlight-browser-connector";

/// The path of one of the three programs, built in the profile this code was built in.
///
/// # Panics
/// When it was not built; `make test` and `make demo` build it first.
#[must_use]
pub fn path(name: &str) -> PathBuf {
    let own = std::env::current_exe().expect("a program knows its own path");
    let beside = own.ancestors().skip(1).find(|folder| !folder.ends_with("deps"));
    let path = beside.expect("an executable is in a folder").join(name);
    assert!(path.exists(), "{} is missing: run `cargo build` first", path.display());
    path
}

/// The root of the sources.
#[must_use]
pub fn sources() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests/ is in the workspace")
}
