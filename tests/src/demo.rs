//! The demonstration: a booking on a site that looks different each time, done by an MCP client.

pub mod agent;
pub mod booking;
pub mod chance;
pub mod form;
pub mod report;
