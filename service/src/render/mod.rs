//! Text for the model out of structured facts. Pure; nothing a page says can leave its line or its boundary.

mod boundary;
mod diff;
mod escape;
mod receipt;
mod tree;

pub(crate) use boundary::boundary;
pub(crate) use diff::{Printed, changes};
pub(crate) use escape::{cut, flat, quoted};
pub(crate) use receipt::{Happening, NOTHING, OTHER_PROGRAM, dialog, loads_a_page, receipt};
pub(crate) use tree::{hit, states, tree};
