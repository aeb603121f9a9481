//! What another user of the machine does to our sockets: knocks at them, or sits where they should be.

use std::fs::Permissions;
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::{UnixListener, UnixStream};
use std::time::Duration;

/// Longer than the programs wait for a first frame.
const PATIENCE: Duration = Duration::from_secs(8);

fn main() {
    let given: Vec<String> = std::env::args().collect();
    let said = match given.get(1..).unwrap_or_default() {
        [what, path] if what == "knock" => knock(path),
        [what, path] if what == "sit" => sit(path),
        _ => "usage: stranger knock|sit PATH".into(),
    };
    say(&said);
}

fn say(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
}

/// Speaks first, as a client does, and counts what comes back.
fn knock(path: &str) -> String {
    let mut stream = match UnixStream::connect(path) {
        Ok(stream) => stream,
        Err(error) => return format!("kept out: {error}"),
    };
    let hello = b"{\"hello\":{}}";
    let _ = stream.write_all(&[&12_u32.to_ne_bytes()[..], hello].concat());
    format!("connected, {}", count(&mut stream))
}

/// Lets everybody in, for as long as it is let.
fn sit(path: &str) -> String {
    let listener = match UnixListener::bind(path) {
        Ok(listener) => listener,
        Err(error) => return format!("kept out: {error}"),
    };
    let _ = std::fs::set_permissions(path, Permissions::from_mode(0o777));
    say("sitting");
    for stream in listener.incoming() {
        match stream {
            Ok(mut stream) => say(&format!("visited, {}", count(&mut stream))),
            Err(error) => return error.to_string(),
        }
    }
    String::new()
}

fn count(stream: &mut UnixStream) -> String {
    let _ = stream.set_read_timeout(Some(PATIENCE));
    let (mut buffer, mut total) = ([0; 4096], 0);
    loop {
        match stream.read(&mut buffer) {
            Ok(0) => return format!("{total} bytes, then the end"),
            Ok(read) => total += read,
            Err(error) => return format!("{total} bytes, then {:?}", error.kind()),
        }
    }
}
