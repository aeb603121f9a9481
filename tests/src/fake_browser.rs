//! A browser that is none: speaks the browser wire through the real connector, as told by a test.

mod answers;
mod frames;
mod twist;
mod world;

pub use answers::picture;
pub use twist::{Rule, Twist};
pub use world::{FakeTab, World};

use crate::binaries::CONNECTOR;
use crate::home::Home;
use crate::native;
use crate::process::Process;
use crate::profile::extension_origin;
use crate::wait::{LONG, until};
use frames::Wire;
use serde_json::{Value, json};
use std::io::BufReader;
use std::process::Stdio;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

/// Dropped, it closes the connector's stdin as a browser that ends does.
#[derive(Debug)]
pub struct FakeBrowser {
    pub connector: Process,
    shared: Arc<Shared>,
    reading: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Shared {
    world: Mutex<World>,
    wire: Mutex<Wire>,
}

impl FakeBrowser {
    /// Starts a connector on the home's instance and waits until the service has welcomed it.
    pub fn start(home: &Home) -> Self {
        let browser = Self::launch(home, World::default());
        browser.await_welcome();
        browser
    }

    /// Starts a connector and waits for nothing.
    #[must_use]
    pub fn launch(home: &Home, world: World) -> Self {
        let mut command = home.command(home.program(CONNECTOR));
        command.arg(extension_origin()).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut connector = Process::start(&mut command);
        let stdout = connector.take_stdout();
        let wire = Wire::new(connector.take_stdin());
        let shared = Arc::new(Shared { world: Mutex::new(world), wire: Mutex::new(wire) });
        let own = Arc::clone(&shared);
        let reading = std::thread::spawn(move || {
            let mut stdout = BufReader::new(stdout);
            while let Ok(Some(frame)) = native::read(&mut stdout) {
                own.take(&frame);
            }
        });
        Self { connector, shared, reading: Some(reading) }
    }

    /// Waits for the next `welcome` after those already seen.
    pub fn await_welcome(&self) {
        let seen = self.world().welcomes_awaited;
        until("the service's welcome", LONG, || (self.world().welcomes > seen).then_some(()));
        self.world().welcomes_awaited = seen + 1;
    }

    pub fn world(&self) -> MutexGuard<'_, World> {
        lock(&self.shared.world)
    }

    /// From now on, the next request with this name gets this instead of a plausible answer. The name
    /// is a method, a CDP method or a function of the page agent.
    pub fn next(&self, name: &str, twist: Twist) {
        self.world().rules.push(Rule::once(name, twist));
    }

    /// Like [`Self::next`], for every such request.
    pub fn always(&self, name: &str, twist: Twist) {
        self.world().rules.push(Rule::always(name, twist));
    }

    /// The parameters of each request of this name so far.
    #[must_use]
    pub fn requests(&self, name: &str) -> Vec<Value> {
        let world = self.world();
        let named = world.requests.iter().filter(|request| twist::is_named(request, name));
        named.cloned().collect()
    }

    /// Requests that would have done something to a page.
    #[must_use]
    pub fn effects(&self) -> Vec<Value> {
        let world = self.world();
        let pages = world.requests.iter().filter(|request| {
            request["effect"] == true
                && ["cdp", "cdp.seq", "page"].iter().any(|method| request["m"] == *method)
        });
        pages.cloned().collect()
    }

    /// Waits until a request of this name has come.
    pub fn await_request(&self, name: &str) -> Value {
        until(&format!("a request {name}"), LONG, || self.requests(name).into_iter().next())
    }

    /// Sends the results that [`Twist::Hold`] kept back, last first.
    pub fn release(&self) {
        let held: Vec<_> = self.world().held.drain(..).rev().collect();
        for result in held {
            self.shared.send(&result);
        }
    }

    /// Sends events about tabs, numbered as the wire asks; gives the number.
    pub fn tell(&self, items: Vec<Value>) -> u64 {
        let message = self.world().event(items);
        self.shared.send(&message);
        message["seq"].as_u64().unwrap_or(0)
    }

    /// The person's word, as the popup passes it on. The extension says so in each later hello.
    pub fn person(&self, what: &str, latch: &'static str) -> u64 {
        self.world().latch = latch;
        self.tell(vec![json!({"k": "control", "what": what, "by": "popup"})])
    }

    /// The tab goes, as when its person closes it.
    pub fn close_tab(&self, native: i64) {
        self.world().tabs.remove(&native);
        self.tell(vec![json!({"k": "tab", "what": "removed", "tabId": native})]);
    }

    /// A new life of the extension's worker, on the same connection.
    pub fn restart_worker(&self) {
        let hello = self.world().new_worker();
        self.shared.send(&hello);
        self.await_welcome();
    }

    /// Sends any JSON value, in parts when it is large.
    pub fn send(&self, message: &Value) {
        self.shared.send(message);
    }

    /// Sends one frame of any bytes.
    pub fn send_frame(&self, frame: &[u8]) {
        lock(&self.shared.wire).frame(frame);
    }

    /// Ends as a browser does: the connector's stdin closes.
    pub fn close(&self) {
        lock(&self.shared.wire).close();
    }
}

impl Drop for FakeBrowser {
    fn drop(&mut self) {
        self.close();
        self.connector.kill();
        if let Some(reading) = self.reading.take() {
            let _ = reading.join();
        }
    }
}

impl Shared {
    fn send(&self, message: &Value) {
        lock(&self.wire).message(message);
    }

    fn take(&self, frame: &[u8]) {
        let joined = lock(&self.wire).join(frame);
        let Some(message) = joined else { return };
        match message["t"].as_str() {
            Some("greet") => {
                let hello = lock(&self.world).hello();
                self.send(&hello);
            }
            Some("welcome") => lock(&self.world).welcome(message),
            Some("refuse") => lock(&self.world).refusals.push(message),
            Some("ping") => self.send(&json!({"t": "pong", "n": message["n"]})),
            Some("ack") => lock(&self.world).acknowledge(&message),
            Some("cancel") => lock(&self.world).cancelled.push(message["id"].clone()),
            Some("req") => self.request(message),
            _ => lock(&self.world).unknown.push(message),
        }
    }

    fn request(&self, mut request: Value) {
        let twist = {
            let mut world = lock(&self.world);
            // What the service had heard of us before it sent this.
            request["heard"] = json!(world.heard);
            world.requests.push(request.clone());
            world.twist_for(&request)
        };
        match twist {
            None => self.answer(&request),
            Some(twist) => self.answer_with(&request, twist),
        }
    }

    /// The events that an honest browser would tell, then the result.
    fn answer(&self, request: &Value) {
        let (events, result) = answers::answer(&mut lock(&self.world), request);
        if !events.is_empty() {
            let message = lock(&self.world).event(events);
            self.send(&message);
        }
        self.send(&result);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
