//! The MCP connector that clients start.

fn main() -> std::process::ExitCode {
    ghostlight_edge::main()
}
