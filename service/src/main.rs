//! The executable `ghostlight`.

fn main() -> std::process::ExitCode {
    ghostlight_service::main()
}
