//! What the attacks share: who may do what to a folder, and what our programs say of it.

use ghostlight_tests::binaries::{CONNECTOR, EDGE, SERVICE, path};
use ghostlight_tests::client::{Client, Revision};
use ghostlight_tests::home::Home;
use ghostlight_tests::process::Process;
use ghostlight_tests::profile::extension_origin;
use ghostlight_tests::user::User;
use ghostlight_tests::wait::{LONG, until};
use serde_json::json;
use std::fs::{Permissions, read_to_string, set_permissions};
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Rounds of a race: few in everyday runs, a hundred with `FULL=1`.
pub(crate) fn rounds(few: usize) -> usize {
    if std::env::var_os("FULL").is_some_and(|value| value == "1") { 100 } else { few }
}

pub(crate) fn chmod(path: &Path, mode: u32) {
    let done = set_permissions(path, Permissions::from_mode(mode));
    done.unwrap_or_else(|fault| panic!("chmod {}: {fault}", path.display()));
}

pub(crate) fn mode(path: &Path) -> u32 {
    let found = path.symlink_metadata();
    found.unwrap_or_else(|fault| panic!("{}: {fault}", path.display())).permissions().mode()
        & 0o7777
}

/// How a program ended, and all that it wrote.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) code: Option<i32>,
    pub(crate) text: String,
}

/// Runs a program that ends by itself.
pub(crate) fn run(command: &mut Command) -> Said {
    let command = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let output = command.output().expect("the program starts");
    let text =
        [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    Said { code: output.status.code(), text: text.concat() }
}

/// What a fresh edge answers to `tools/list`: the tools, or the words of the error.
pub(crate) fn tools(command: &mut Command) -> Result<usize, String> {
    listed(&mut Client::of(command, Revision::July2026))
}

pub(crate) fn listed(client: &mut Client) -> Result<usize, String> {
    let answer = client.request("tools/list", json!({}));
    match answer["result"]["tools"].as_array() {
        Some(tools) => Ok(tools.len()),
        None => Err(answer["error"]["message"].as_str().unwrap_or("no message").to_owned()),
    }
}

pub(crate) fn edge(home: &Home) -> Command {
    home.command(home.program(EDGE))
}

pub(crate) fn ghostlight(home: &Home, arguments: &[&str]) -> Command {
    let mut command = home.command(home.program(SERVICE));
    command.args(arguments);
    command
}

pub(crate) fn connector(home: &Home) -> Command {
    let mut command = home.command(home.program(CONNECTOR));
    command.arg(extension_origin());
    command
}

/// All four programs that need the state directory refuse, and each says these words.
pub(crate) fn all_refuse(what: &str, home: &Home, change: impl Fn(&mut Command), words: &[&str]) {
    let mut command = edge(home);
    change(&mut command);
    let told = tools(&mut command).expect_err(what);
    let mut said = vec![("edge", told)];
    for (name, mut command) in [
        ("service", ghostlight(home, &["service"])),
        ("doctor", ghostlight(home, &["doctor"])),
        ("connector", connector(home)),
    ] {
        change(&mut command);
        let Said { code, text } = run(&mut command);
        assert_eq!(code, Some(1), "{what}: {name} says {text}");
        said.push((name, text));
    }
    for (name, text) in said {
        for word in words {
            let (word, text) = (word.to_lowercase(), text.to_lowercase());
            assert!(text.contains(&word), "{what}: {name} does not say {word:?} but {text:?}");
        }
    }
}

/// A service in the foreground, whose log can be read.
pub(crate) fn serve(home: &Home) -> (Process, PathBuf) {
    serve_as(home, &["service"])
}

/// [`serve`] with words of the caller's.
pub(crate) fn serve_as(home: &Home, arguments: &[&str]) -> (Process, PathBuf) {
    let log = home.path().join("service.log");
    let file = std::fs::File::create(&log).unwrap();
    let service = Process::start(ghostlight(home, arguments).stderr(file));
    until("the service's sockets", LONG, || {
        read_to_string(&log).unwrap().contains("serving").then_some(())
    });
    (service, log)
}

/// A program of the rig where every user may run it.
pub(crate) fn stranger_program(home: &Home) -> PathBuf {
    let program = home.path().join("stranger");
    if !program.exists() {
        copied(&path("stranger"), &program);
        chmod(&program, 0o755);
    }
    program
}

/// Tries a socket as another user and gives what came of it.
pub(crate) fn knock(home: &Home, stranger: &User, socket: &Path) -> String {
    let mut command = stranger.command(stranger_program(home));
    run(command.arg("knock").arg(socket)).text
}

/// Another user's listener at a path, and what its visitors told it.
pub(crate) struct Squatter {
    _process: Process,
    lines: std::io::Lines<BufReader<std::process::ChildStdout>>,
}

impl Squatter {
    pub(crate) fn sit(home: &Home, stranger: &User, socket: &Path) -> Self {
        let mut command = stranger.command(stranger_program(home));
        command.arg("sit").arg(socket).stdout(Stdio::piped());
        let mut process = Process::start(&mut command);
        let mut lines = BufReader::new(process.take_stdout()).lines();
        assert_eq!(lines.next().unwrap().unwrap(), "sitting");
        Self { _process: process, lines }
    }

    /// What the next visitor left.
    pub(crate) fn visit(&mut self) -> String {
        self.lines.next().unwrap().unwrap()
    }
}

/// By another process: while one of our own files is open for writing, a process that is just being
/// started somewhere else in this one would hold it open, and it could not be run.
fn copied(from: &Path, to: &Path) {
    let said = run(Command::new("cp").arg(from).arg(to));
    assert_eq!(said.code, Some(0), "{}", said.text);
}

/// The programs again in a folder of their own, as copies that can be given away.
pub(crate) fn install(home: &Home, folder: &str, names: &[&str]) -> PathBuf {
    let folder = home.path().join(folder);
    std::fs::create_dir_all(&folder).unwrap();
    chmod(&folder, 0o755);
    for name in names {
        copied(&path(name), &folder.join(name));
        chmod(&folder.join(name), 0o755);
    }
    if let Some(user) = home.user() {
        user.own(&folder);
        names.iter().for_each(|name| user.own(&folder.join(name)));
    }
    folder
}
