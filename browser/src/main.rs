//! The native messaging host that Chromium starts.

fn main() -> std::process::ExitCode {
    ghostlight_browser_connector::main()
}
