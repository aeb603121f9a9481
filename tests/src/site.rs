//! A small web site on loopback: serves what a test gives it and remembers what it received.

use crate::wait::{LONG, until};
use serde_json::Value;
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// The script that pages use to tell the site what happened to them. Two beacons may overtake each other: `at` is when
/// they were said, in microseconds.
const SAY: &str = "<script>function say(what, value) { \
     say.at = Math.max((say.at ?? 0) + 1, Math.round((performance.timeOrigin + performance.now()) * 1000)); \
     navigator.sendBeacon('/said', JSON.stringify({what, value: value ?? null, at: say.at})); }</script>";
/// A browser opens connections ahead of need and says nothing on them.
const SILENCE: Duration = Duration::from_secs(5);

/// One request as the server read it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Received {
    pub method: String,
    pub path: String,
    pub query: String,
    pub body: String,
}

#[derive(Debug, Clone)]
pub struct Response {
    pub status: u16,
    pub headers: Vec<(&'static str, String)>,
    pub body: Vec<u8>,
}

type Handler = Arc<dyn Fn(&Received) -> Response + Send + Sync>;

struct Shared {
    pages: Mutex<HashMap<String, Handler>>,
    /// Where the files are for paths that are no page.
    folder: Mutex<Option<PathBuf>>,
    received: Mutex<Vec<Received>>,
    closed: AtomicBool,
}

pub struct Site {
    shared: Arc<Shared>,
    address: SocketAddr,
    accepting: Option<JoinHandle<()>>,
}

impl std::fmt::Debug for Site {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Site").field("address", &self.address).finish_non_exhaustive()
    }
}

impl Response {
    #[must_use]
    pub fn html(body: &str) -> Self {
        let head = "<!doctype html><meta charset=utf-8>";
        Self::of("text/html", format!("{head}{SAY}{body}").into_bytes())
    }

    #[must_use]
    pub fn of(kind: &str, body: Vec<u8>) -> Self {
        Self { status: 200, headers: vec![("Content-Type", kind.to_owned())], body }
    }

    /// Sends the browser to another address by a 303.
    #[must_use]
    pub fn redirect(to: &str) -> Self {
        Self { status: 303, headers: vec![("Location", to.to_owned())], body: Vec::new() }
    }
}

impl Default for Site {
    fn default() -> Self {
        Self::new()
    }
}

impl Site {
    /// # Panics
    /// When loopback has no free port.
    #[must_use]
    pub fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
        let address = listener.local_addr().expect("a bound socket has an address");
        let shared = Arc::new(Shared {
            pages: Mutex::default(),
            folder: Mutex::default(),
            received: Mutex::default(),
            closed: AtomicBool::new(false),
        });
        let own = Arc::clone(&shared);
        let accepting = Some(std::thread::spawn(move || accept(&listener, &own)));
        Self { shared, address, accepting }
    }

    /// A site of one page, at `/`.
    #[must_use]
    pub fn of(html: &str) -> Self {
        let site = Self::new();
        site.page("/", html);
        site
    }

    /// Serves this HTML at a path; the page may call `say(what, value)`.
    pub fn page(&self, path: &str, html: &str) {
        let response = Response::html(html);
        self.serve(path, move |_| response.clone());
    }

    pub fn serve(
        &self,
        path: &str,
        handler: impl Fn(&Received) -> Response + Send + Sync + 'static,
    ) {
        lock(&self.shared.pages).insert(path.to_owned(), Arc::new(handler));
    }

    /// Serves the files below a folder at their paths.
    pub fn folder(&self, folder: impl Into<PathBuf>) {
        *lock(&self.shared.folder) = Some(folder.into());
    }

    #[must_use]
    pub fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.address.port())
    }

    /// The same site under a name that browsers hold for another site.
    #[must_use]
    pub fn other_site_url(&self, path: &str) -> String {
        format!("http://localhost:{}{path}", self.address.port())
    }

    #[must_use]
    pub fn received(&self) -> Vec<Received> {
        lock(&self.shared.received).clone()
    }

    /// The values that pages said under this name, in the order that their `at` gives, else as they came.
    #[must_use]
    pub fn said(&self, what: &str) -> Vec<Value> {
        let received = lock(&self.shared.received);
        let said = received.iter().filter(|request| request.path == "/said");
        let mut said: Vec<_> = said
            .filter_map(|request| serde_json::from_str::<Value>(&request.body).ok())
            .filter(|value| value["what"] == what)
            .collect();
        said.sort_by_key(|value| value["at"].as_u64());
        said.into_iter().map(|mut value| value["value"].take()).collect()
    }

    /// Waits until a page has said something under this name.
    pub fn await_said(&self, what: &str) -> Value {
        until(&format!("the page saying {what:?}"), LONG, || self.said(what).into_iter().next())
    }

    /// Waits for a request that fits.
    pub fn await_received(&self, what: &str, fits: impl Fn(&Received) -> bool) -> Received {
        until(what, LONG, || self.received().into_iter().find(&fits))
    }
}

impl Received {
    /// A submitted form's field, decoded.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<String> {
        let pairs = self.body.split('&').chain(self.query.split('&'));
        let mut named = pairs.filter_map(|pair| pair.split_once('='));
        named.find(|(key, _)| decoded(key) == name).map(|(_, value)| decoded(value))
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.shared.closed.store(true, Ordering::SeqCst);
        // Wakes the accepting thread, which then looks at `closed`.
        let _ = TcpStream::connect(self.address);
        if let Some(accepting) = self.accepting.take() {
            let _ = accepting.join();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    for stream in listener.incoming().flatten() {
        if shared.closed.load(Ordering::SeqCst) {
            return;
        }
        let shared = Arc::clone(shared);
        // A connection serves one request and ends by its own timeout at the latest.
        std::thread::spawn(move || serve(&stream, &shared));
    }
}

fn serve(stream: &TcpStream, shared: &Shared) -> Option<()> {
    stream.set_read_timeout(Some(SILENCE)).ok()?;
    let request = read(stream)?;
    if request.path != "/favicon.ico" {
        lock(&shared.received).push(request.clone());
    }
    let response = answer(shared, &request);
    let mut head = format!("HTTP/1.1 {} -\r\nConnection: close\r\n", response.status);
    for (name, value) in &response.headers {
        head += &format!("{name}: {value}\r\n");
    }
    head += &format!("Cache-Control: no-store\r\nContent-Length: {}\r\n\r\n", response.body.len());
    let mut stream = stream;
    stream.write_all(&[head.as_bytes(), &response.body].concat()).ok()
}

fn answer(shared: &Shared, request: &Received) -> Response {
    let handler = lock(&shared.pages).get(&request.path).cloned();
    match handler {
        Some(handler) => handler(request),
        None if request.path == "/said" => Response { status: 204, ..Response::html("") },
        None => file(shared, &request.path).unwrap_or_else(|| Response {
            status: 404,
            ..Response::html("<title>404</title>Nothing here.")
        }),
    }
}

fn file(shared: &Shared, path: &str) -> Option<Response> {
    let folder = lock(&shared.folder).clone()?;
    let kind = match path.rsplit_once('.')?.1 {
        "html" => "text/html;charset=utf-8",
        "js" => "text/javascript;charset=utf-8",
        "css" => "text/css",
        "svg" => "image/svg+xml",
        _ => "application/octet-stream",
    };
    let inside = !path.contains("..");
    let read = inside.then(|| std::fs::read(folder.join(path.trim_start_matches('/'))));
    Some(Response::of(kind, read?.ok()?))
}

fn read(stream: &TcpStream) -> Option<Received> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let mut words = line.split_whitespace();
    let (method, target) = (words.next()?.to_owned(), words.next()?.to_owned());
    let mut length = 0;
    loop {
        let mut header = String::new();
        if reader.read_line(&mut header).ok()? == 0 || header.trim().is_empty() {
            break;
        }
        if let Some((name, value)) = header.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let (path, query) = target.split_once('?').unwrap_or((&target, ""));
    let body = String::from_utf8_lossy(&body).into_owned();
    Some(Received { method, path: path.to_owned(), query: query.to_owned(), body })
}

fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let digits = [rest.next().unwrap_or(b'0'), rest.next().unwrap_or(b'0')];
                let digits = std::str::from_utf8(&digits).unwrap_or("00");
                u8::from_str_radix(digits, 16).unwrap_or(b'?')
            }
            other => other,
        });
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
