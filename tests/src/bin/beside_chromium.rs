//! Runs a command in a home of its own, beside a real Chromium and a page: `beside_chromium FILE COMMAND...`
//!
//! FILE gets the environment of that home, one NAME=VALUE a line, for what the command starts with
//! an environment of its own choice. The command finds the page's address in `PAGE`.

use ghostlight_tests::chromium::Chromium;
use ghostlight_tests::home::{Home, INSTANCE};
use ghostlight_tests::site::Site;
use std::process::{Command, ExitCode};

const HTML: &str =
    "<title>Peers</title><h1>Lamps</h1><p>Ghost light on stage.</p><button>Dim</button>";

fn main() -> std::io::Result<ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    let (Some(file), Some(program)) = (arguments.next(), arguments.next()) else {
        eprintln!("usage: beside_chromium FILE COMMAND...");
        return Ok(ExitCode::from(2));
    };
    let home = Home::new();
    let environment = [
        ("HOME", home.path().display().to_string()),
        ("GHOSTLIGHT_STATE_DIR", home.state().display().to_string()),
        ("GHOSTLIGHT_INSTANCE", INSTANCE.to_owned()),
    ];
    let lines = environment.iter().map(|(name, value)| format!("{name}={value}\n"));
    std::fs::write(file, lines.collect::<String>())?;
    let site = Site::of(HTML);
    let _chromium = Chromium::start(&home);
    let mut command = Command::new(program);
    command.args(arguments).envs(environment).env("PAGE", site.url("/"));
    let status = command.status()?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
