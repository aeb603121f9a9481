//! Tasks on pages around widget libraries: written as data, done by what the tools show, judged by the page's own report.

pub mod agent;
pub mod eye;
pub mod puzzle;
pub mod target;
pub mod task;
pub mod trial;
