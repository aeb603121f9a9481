//! The two sockets in the state directory: listening, connecting, and who is at the other end.

use crate::admission::{
    Admitted, BRIDGE, Client, Endpoint, Nonce, Reason, Role, Service, Unproved,
};
use crate::key::Key;
use crate::limits::{FRAME_BYTES, HELLO_BYTES, HELLO_DEADLINE, SOCKET_PATH_BYTES};
use crate::link::Link;
use crate::lock::ServiceLock;
use crate::place::Place;
use async_io::{Async, Timer};
use futures_lite::future::FutureExt as _;
use rustix::fs::{AtFlags, Mode, chmodat, unlinkat};
use std::fmt;
use std::io;
use std::os::fd::{AsFd, AsRawFd as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;

/// The socket's name in the state directory.
#[must_use]
pub fn socket_name(endpoint: Endpoint) -> &'static str {
    match endpoint {
        Endpoint::Edge => "edge.sock",
        Endpoint::Browser => "browser.sock",
    }
}

/// A path to the socket that is short whatever the directory's own length, and that still leads to
/// the directory we opened when somebody swaps the path. Needs `/proc`; without it the plain path
/// must fit.
fn socket_path(place: &Place, endpoint: Endpoint) -> io::Result<PathBuf> {
    let directory = PathBuf::from(format!("/proc/self/fd/{}", place.dir().as_raw_fd()));
    if directory.exists() {
        return Ok(directory.join(socket_name(endpoint)));
    }
    fitting(place.path().join(socket_name(endpoint)))
}

fn fitting(path: PathBuf) -> io::Result<PathBuf> {
    let length = path.as_os_str().as_bytes().len();
    if length <= SOCKET_PATH_BYTES {
        return Ok(path);
    }
    let text = format!(
        "{} is {length} bytes long and a socket path holds {SOCKET_PATH_BYTES}; mount /proc or use a \
         shorter state directory",
        path.display()
    );
    Err(io::Error::new(io::ErrorKind::InvalidInput, text))
}

/// The uid of whoever connected, or called `listen`, must be ours. A failing check refuses too.
fn check_peer(stream: impl AsFd, uid: u32) -> Result<(), Stranger> {
    match rustix::net::sockopt::socket_peercred(stream) {
        Ok(peer) if peer.uid.as_raw() == uid => Ok(()),
        Ok(peer) => Err(Stranger { uid: Some(peer.uid.as_raw()) }),
        Err(_) => Err(Stranger { uid: None }),
    }
}

/// The other end belongs to another user, or the kernel did not say to whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stranger {
    pub uid: Option<u32>,
}

fn nonce() -> io::Result<Nonce> {
    let mut nonce = [0; 32];
    getrandom::fill(&mut nonce).map_err(io::Error::other)?;
    Ok(nonce)
}

async fn within_hello_deadline<T, E: From<io::Error>>(
    work: impl Future<Output = Result<T, E>>,
) -> Result<T, E> {
    let late = async {
        Timer::after(HELLO_DEADLINE).await;
        Err(io::Error::new(io::ErrorKind::TimedOut, "the peer was silent too long").into())
    };
    work.or(late).await
}

async fn receive(link: &mut Link) -> io::Result<Vec<u8>> {
    link.reader.next().await?.ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
}

/// One socket of a service.
#[derive(Debug)]
pub struct Listener {
    socket: Async<UnixListener>,
    place_uid: u32,
    endpoint: Endpoint,
    instance: crate::instance::Instance,
}

impl Listener {
    /// Replaces what a dead service left. Mint the key first: whoever can connect must find it.
    ///
    /// # Errors
    /// The lock is no longer ours, or the system refuses.
    pub fn bind(place: &Place, lock: &ServiceLock, endpoint: Endpoint) -> io::Result<Self> {
        let name = socket_name(endpoint);
        if !lock.still_ours(place) {
            return Err(io::Error::other("the state directory was replaced; start again"));
        }
        match unlinkat(place.dir(), name, AtFlags::empty()) {
            Ok(()) | Err(rustix::io::Errno::NOENT) => {}
            Err(error) => {
                let error = io::Error::from(error);
                let path = place.path().join(name);
                let text = format!("{} is in the way ({error}); remove it", path.display());
                return Err(io::Error::new(error.kind(), text));
            }
        }
        let socket = Async::<UnixListener>::bind(socket_path(place, endpoint)?)?;
        chmodat(place.dir(), name, Mode::RUSR | Mode::WUSR, AtFlags::empty())?;
        let instance = place.instance().clone();
        Ok(Self { socket, place_uid: place.uid(), endpoint, instance })
    }

    /// The next connection, about which nothing is known yet. Cancel-safe.
    ///
    /// # Errors
    /// Those of `accept`; most pass by themselves (descriptors run out), so wait a moment and go on.
    pub async fn accept(&self) -> io::Result<Arrival> {
        let (stream, _) = self.socket.accept().await?;
        let instance = self.instance.clone();
        Ok(Arrival { stream, uid: self.place_uid, endpoint: self.endpoint, instance })
    }

    /// Stops listening and takes the socket out of the directory, if that is still ours.
    pub fn close(self, place: &Place, lock: &ServiceLock) {
        if lock.still_ours(place) {
            let _ = unlinkat(place.dir(), socket_name(self.endpoint), AtFlags::empty());
        }
    }
}

/// Somebody at the door of a service.
#[derive(Debug)]
pub struct Arrival {
    stream: Async<UnixStream>,
    uid: u32,
    endpoint: Endpoint,
    instance: crate::instance::Instance,
}

/// Why an arrival did not become a link. For the log; the peer was told what it may know.
#[derive(Debug)]
pub enum AdmissionError {
    Stranger(Stranger),
    Unproved(Unproved),
    /// The peer proved itself and `judge` refused it.
    TurnedAway(Admitted, Reason),
    Io(io::Error),
}

impl From<io::Error> for AdmissionError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}
impl From<Unproved> for AdmissionError {
    fn from(error: Unproved) -> Self {
        Self::Unproved(error)
    }
}
impl fmt::Display for AdmissionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stranger(Stranger { uid: Some(uid) }) => write!(f, "peer of user {uid} refused"),
            Self::Stranger(_) => {
                f.write_str("peer of unknown user refused; it may run in another container")
            }
            Self::Unproved(error) => error.fmt(f),
            Self::TurnedAway(_, reason) => write!(f, "peer turned away: {reason:?}"),
            Self::Io(error) => error.fmt(f),
        }
    }
}
impl std::error::Error for AdmissionError {}

impl Arrival {
    /// Credentials first, then the proof, then `judge`: bridge versions and free places are its
    /// matter ([`standing`] has the rule for versions).
    ///
    /// # Errors
    /// The peer is another user's, proves nothing, takes too long or is turned away.
    pub async fn admit(
        self,
        key: &Key,
        judge: impl FnOnce(&Admitted) -> Result<(), Reason>,
    ) -> Result<(Link, Admitted), AdmissionError> {
        check_peer(&self.stream, self.uid).map_err(AdmissionError::Stranger)?;
        let service = Service::begin(self.endpoint, &self.instance, BRIDGE, nonce()?);
        let mut link = Link::new(self.stream, HELLO_BYTES);
        let admitted = within_hello_deadline(prove(&mut link, service, key, judge)).await?;
        link.reader.set_limit(FRAME_BYTES);
        Ok((link, admitted))
    }
}

async fn prove(
    link: &mut Link,
    service: Service,
    key: &Key,
    judge: impl FnOnce(&Admitted) -> Result<(), Reason>,
) -> Result<Admitted, AdmissionError> {
    let hello = receive(link).await?;
    let (service, challenge) = match service.greeted(&hello, key) {
        Ok(proved) => proved,
        Err(error) => return Err(refuse(link, error).await),
    };
    link.writer.send(&challenge).await?;
    let proof = receive(link).await?;
    let (admitted, welcome) = match service.proved(&proof, key) {
        Ok(proved) => proved,
        Err(error) => return Err(refuse(link, error).await),
    };
    if let Err(reason) = judge(&admitted) {
        tell(link, reason).await;
        return Err(AdmissionError::TurnedAway(admitted, reason));
    }
    link.writer.send(&welcome).await?;
    Ok(admitted)
}

async fn refuse(link: &mut Link, error: Unproved) -> AdmissionError {
    let reason = match error {
        Unproved::Malformed => Reason::Malformed,
        Unproved::Proof => Reason::Proof,
        Unproved::Refusing(reason) | Unproved::Refused(reason) => reason,
    };
    tell(link, reason).await;
    error.into()
}

/// A courtesy: the peer may be gone.
async fn tell(link: &mut Link, reason: Reason) {
    let _ = link.writer.send(&crate::admission::refusal(reason)).await;
}

/// Whether a proved peer's bridge fits: an older peer is told that it is out of date, a newer one
/// that this service makes room.
///
/// # Errors
/// The reason to turn it away with.
pub fn standing(peer: &Admitted) -> Result<(), Reason> {
    match peer.peer_bridge.0.cmp(&BRIDGE.0) {
        std::cmp::Ordering::Equal => Ok(()),
        std::cmp::Ordering::Less => Err(Reason::NewerService),
        std::cmp::Ordering::Greater => Err(Reason::Draining),
    }
}

/// Why there is no link to a service.
#[derive(Debug)]
pub enum ConnectError {
    NoService,
    Refused(Reason),
    Stranger(Stranger),
    Proof,
    /// This program is older than the running service.
    NewerService,
    /// The running service is ending, perhaps because it is older than this program.
    Draining,
    Io(io::Error),
}

impl ConnectError {
    /// Whether the same attempt may succeed in a moment.
    #[must_use]
    pub fn worth_retrying(&self) -> bool {
        match self {
            Self::NoService | Self::Draining | Self::Proof | Self::Io(_) => true,
            Self::Refused(reason) => matches!(reason, Reason::Busy | Reason::Proof),
            Self::Stranger(_) | Self::NewerService => false,
        }
    }
}

impl From<io::Error> for ConnectError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}
impl From<Unproved> for ConnectError {
    fn from(error: Unproved) -> Self {
        match error {
            Unproved::Refused(Reason::NewerService) => Self::NewerService,
            Unproved::Refused(Reason::Draining) => Self::Draining,
            Unproved::Refused(reason) | Unproved::Refusing(reason) => Self::Refused(reason),
            Unproved::Proof | Unproved::Malformed => Self::Proof,
        }
    }
}
impl fmt::Display for ConnectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoService => f.write_str("no Ghostlight service is running"),
            Self::Refused(Reason::Busy) => {
                f.write_str("the Ghostlight service has no free connection; end other clients")
            }
            Self::Refused(Reason::Instance) => f.write_str(
                "the Ghostlight service here is another instance; check GHOSTLIGHT_INSTANCE and \
                 GHOSTLIGHT_STATE_DIR",
            ),
            Self::Refused(reason) => write!(f, "the Ghostlight service refused: {reason:?}"),
            Self::Stranger(Stranger { uid: Some(uid) }) => {
                write!(
                    f,
                    "user {uid} listens in the state directory; not used; remove edge.sock and \
                     browser.sock there"
                )
            }
            Self::Stranger(_) => f.write_str(
                "the kernel does not say who listens in the state directory, perhaps a program in \
                 another container; not used; use a state directory of your own",
            ),
            Self::Proof => f.write_str(
                "whoever listens in the state directory does not know the service's key; \
                 run: ghostlight doctor",
            ),
            Self::NewerService => f.write_str(
                "the running Ghostlight service is newer than this program; restart the client so \
                 that it starts the installed version",
            ),
            Self::Draining => f.write_str("the Ghostlight service is ending; try again"),
            Self::Io(error) => {
                write!(f, "the connection to the Ghostlight service failed: {error}")
            }
        }
    }
}
impl std::error::Error for ConnectError {}

/// A proved link to the running service. A proof that does not match is tried once more: between
/// reading the key and the challenge the service may have been replaced.
///
/// # Errors
/// See [`ConnectError`].
pub async fn connect(place: &Place, role: Role) -> Result<Link, ConnectError> {
    match attempt(place, role).await {
        Err(ConnectError::Proof) => attempt(place, role).await,
        outcome => outcome,
    }
}

async fn attempt(place: &Place, role: Role) -> Result<Link, ConnectError> {
    let stream = dial(place, role.endpoint()).await?;
    check_peer(&stream, place.uid()).map_err(ConnectError::Stranger)?;
    // Only now: a service mints its key before it listens.
    let key = Key::read(place).map_err(|_| ConnectError::Proof)?;
    let mut link = Link::new(stream, HELLO_BYTES);
    within_hello_deadline(async {
        let (client, hello) = Client::begin(role, place.instance(), BRIDGE, nonce()?);
        link.writer.send(&hello).await?;
        let (client, proof) = client.challenged(&receive(&mut link).await?, &key)?;
        link.writer.send(&proof).await?;
        client.answered(&receive(&mut link).await?)?;
        Ok::<(), ConnectError>(())
    })
    .await?;
    link.reader.set_limit(FRAME_BYTES);
    Ok(link)
}

async fn dial(place: &Place, endpoint: Endpoint) -> Result<Async<UnixStream>, ConnectError> {
    use io::ErrorKind::{ConnectionRefused, NotFound};
    let path = socket_path(place, endpoint)?;
    Async::<UnixStream>::connect(path).await.map_err(|error| match error.kind() {
        NotFound | ConnectionRefused => ConnectError::NoService,
        _ => ConnectError::Io(error),
    })
}

#[cfg(test)]
mod tests;
