//! Every capacity, size and deadline, each with its reason.

use std::time::Duration;

const KIB: usize = 1024;
const MIB: usize = 1024 * KIB;

/// First frame of either side: a hello is about 300 bytes; nobody has proved anything yet.
pub const HELLO_BYTES: usize = 4 * KIB;
/// A living peer on this machine answers in microseconds; a silent one must not hold a slot.
pub const HELLO_DEADLINE: Duration = Duration::from_secs(2);
/// One frame on either socket: the largest result (a cut page or a picture) stays far below.
pub const FRAME_BYTES: usize = 32 * MIB;
/// Frame buffers grow by this much as bytes arrive, so a length word alone costs no memory.
pub const FRAME_STEP: usize = 64 * KIB;
/// What one read may bring while no longer frame is under way: many small frames.
pub const FRAME_CHUNK: usize = 16 * KIB;
/// A frame of at least this size is written by itself, not copied to join others.
pub const FRAME_JOINED: usize = 16 * KIB;
/// Chromium closes the port on a longer message from a native host.
pub const NATIVE_TO_BROWSER_BYTES: usize = MIB;
/// Larger browser-wire messages travel in parts of this many bytes of JSON text. Escaped again, a
/// part stays below [`NATIVE_TO_BROWSER_BYTES`].
pub const PART_BYTES: usize = 384 * KIB;
/// A message in parts: the extension's own bound, and ours.
pub const PARTED_MESSAGE_BYTES: usize = 32 * MIB;
/// Messages in parts that one peer may have open at once.
pub const PARTED_MESSAGES: usize = 2;
/// A message in parts that is not whole by then never will be.
pub const PART_DEADLINE: Duration = Duration::from_secs(15);
/// Browser profiles one service life may meet.
pub const BROWSERS: usize = 64;
/// An answer may come this much after the time its command had in the browser.
pub const BROWSER_GRACE: Duration = Duration::from_secs(2);

/// One line of a client's stdin.
pub const STDIN_LINE_BYTES: usize = 16 * MIB;
/// One line to a client: the TypeScript client closes the connection at 10 MiB.
pub const STDOUT_LINE_BYTES: usize = 10 * MIB - 64 * KIB;
/// A request id or progress token of a client: real ones are below 100 bytes, and each is kept.
pub const ID_BYTES: usize = 4 * KIB;
/// One result before it is written as a line: its text may double there, when every character has to be
/// escaped.
pub const RESULT_BYTES: usize = STDOUT_LINE_BYTES / 2 - 64 * KIB;
/// What the service adds around one text of a result: boundary marks, and that it was cut.
pub const RESULT_NOTE_BYTES: usize = KIB;
/// Requests an edge holds that the service has not started, by count and by bytes.
pub const EDGE_WAITING: usize = 1024;
pub const EDGE_WAITING_BYTES: usize = 16 * MIB;
/// Open `subscriptions/listen` requests of one edge.
pub const EDGE_SUBSCRIPTIONS: usize = 64;
/// The edge is gone this long after the end of its input.
pub const EDGE_EXIT: Duration = Duration::from_millis(900);
/// How long an edge waits for a service to answer before a request ends as unavailable.
pub const EDGE_CONNECT: Duration = Duration::from_secs(10);
/// Looking for a service and starting one: less than [`EDGE_CONNECT`], so that the reason is told.
pub const REACH: Duration = Duration::from_secs(9);
/// A service that has accepted a call and stays silent past its own answer deadline is stuck.
pub const EDGE_ANSWER: Duration = Duration::from_secs(65);
/// Progress lines per token: five a second.
pub const PROGRESS_INTERVAL: Duration = Duration::from_millis(200);
/// While many requests wait, an edge lets the service catch up for this long, then reads on for some
/// lines, since a cancel may be among them.
pub const EDGE_PAUSE: Duration = Duration::from_millis(5);
pub const EDGE_PAUSE_LINES: usize = 16;
/// Commands of an edge waiting for the service's socket; beyond it calls wait unsent.
pub const EDGE_OUTBOX_BYTES: usize = MIB;
/// Messages of the service that the edge has read and not yet answered with: few, since each may be
/// a picture.
pub const EDGE_NEWS: usize = 16;
/// Answers waiting for a client that does not read: beyond it the edge reads nothing more either.
pub const STDOUT_BATCHES: usize = 64 * KIB;
pub const STDOUT_BYTES: usize = 16 * MIB;
/// After a signal the last lines get this long: some clients kill half a second later.
pub const EDGE_STOP_FLUSH: Duration = Duration::from_millis(100);
/// Changes of the tool list within this time are told once.
pub const LIST_CHANGE: Duration = Duration::from_millis(100);
/// Log lines waiting for a stderr that nobody reads; beyond it they are dropped and counted.
pub const STDERR_LINES: usize = 64;
/// A longer log line is cut.
pub const STDERR_LINE_CHARS: usize = 2048;
/// At the end of a program: between two looks for room in that queue, and how long it may take.
pub const STDERR_FLUSH_STEP: Duration = Duration::from_millis(1);
pub const STDERR_FLUSH: Duration = Duration::from_millis(100);

/// Connections a service holds, and how many of them only the owner's `status` and `stop` may use.
pub const CONNECTIONS: usize = 256;
pub const CONTROL_CONNECTIONS: usize = 8;
/// Connections that have proved nothing yet; beyond it the oldest makes way. Fifty clients may start at once.
pub const UNPROVED: usize = 64;
/// Frames and bytes waiting for one peer's socket. A stream whose queue is full is no longer read.
pub const OUTBOX_FRAMES: usize = 256;
pub const OUTBOX_BYTES: usize = 64 * MIB;
/// Bytes waiting in all queues of a service.
pub const QUEUED_BYTES: usize = 256 * MIB;
/// Calls of one stream that have started and not settled.
pub const ACTIVE_WORKS: usize = 128;

/// A tool ends by itself with a known outcome within this time unless asked for longer.
pub const TOOL: Duration = Duration::from_secs(50);
/// Then the caller gets `outcome_unknown`, once.
pub const ANSWER: Duration = Duration::from_secs(60);
/// And the same future lives on until here to settle, audit and free its lease.
pub const SETTLEMENT: Duration = Duration::from_secs(180);
/// One command to the browser, unless the tool says otherwise.
pub const BROWSER_REQUEST: Duration = Duration::from_secs(10);
/// How long a call waits for a browser that has been attached before and is away.
pub const BROWSER_WAIT: Duration = Duration::from_secs(5);
/// How long a call waits for a browser that has just been seen connecting.
pub const BROWSER_HELLO: Duration = Duration::from_secs(5);
/// Requests in flight to one browser.
pub const BROWSER_REQUESTS: usize = 128;
/// Events of one tab kept for a call that is busy elsewhere; the oldest are dropped. A tab that no call
/// uses keeps none.
pub const TAB_EVENTS: usize = 256;
/// Lines kept of a tab's console, and of its requests, each list by count and by bytes; the oldest go first and are
/// counted.
pub const TAB_LOG: usize = 500;
pub const TAB_LOG_BYTES: usize = MIB;
/// Lines one answer shows of such a list unless asked for others, and characters of one request's or answer's body.
pub const LOG_SHOWN: usize = 100;
pub const BODY_CHARS: usize = 10_000;

/// Waiting calls per scheduler key, per workspace and in all.
pub const WAITING_PER_KEY: usize = 32;
pub const WAITING_PER_WORKSPACE: usize = 128;
pub const WAITING: usize = 1024;
/// A queued call that has not started by now ends as not dispatched.
pub const QUEUE: Duration = Duration::from_secs(30);

/// A workspace without active work is kept this long after its last use: agents think, people lunch.
pub const WORKSPACE_IDLE: Duration = Duration::from_secs(30 * 60);
/// One whose last tab was closed has nothing to come back to, and makes room sooner.
pub const WORKSPACE_EMPTY: Duration = Duration::from_secs(2 * 60);
pub const WORKSPACES_PER_STREAM: usize = 8;
pub const WORKSPACES: usize = 64;
/// Pictures kept per workspace, and their bytes.
pub const IMAGES_PER_WORKSPACE: usize = 8;
pub const IMAGE_BYTES_PER_WORKSPACE: usize = 16 * MIB;
/// References kept per tab; the least recently printed go first.
pub const REFERENCES_PER_TAB: usize = 20_000;

/// One call into a page: a page that computes without pause is told as such, not waited for.
pub const PAGE_CALL: Duration = Duration::from_secs(5);
/// How long an element may take to be still, enabled and uncovered.
pub const ACTIONABLE: Duration = Duration::from_secs(3);
/// An element that was elsewhere as the pointer came is aimed at this often, within this time.
pub const AIMS: usize = 3;
pub const AIM_AGAIN: Duration = Duration::from_secs(3);
/// A hand that drags: it holds, goes off slowly, comes this far with each move, and rests before it lets go.
pub const DRAG_HOLD: Duration = Duration::from_millis(120);
pub const DRAG_STEP: Duration = Duration::from_millis(12);
pub const DRAG_STEP_PX: f64 = 10.0;
pub const DRAG_STEPS: (f64, f64) = (12.0, 50.0);
pub const DRAG_REST: Duration = Duration::from_millis(60);
/// Between two looks at what lies over a frame.
pub const LOOK_AGAIN: Duration = Duration::from_millis(100);
/// After an action: the page is at rest when nothing changed for the first, and no longer waited for after the second.
pub const SETTLE_QUIET: Duration = Duration::from_millis(100);
pub const SETTLE: Duration = Duration::from_millis(1500);
/// What an action asked of the network is waited for this long, beyond the page's own rest.
pub const SETTLE_REQUESTS: Duration = Duration::from_secs(3);
/// Of that, for the body of what was answered: a page that reads it mostly has it by then, another never.
pub const SETTLE_BODY: Duration = Duration::from_millis(300);
/// A tab that a page asked for is mostly ours within half of this; one that is not by then was blocked, or is late.
pub const OPENING: Duration = Duration::from_secs(1);
/// Until a server's first answer to a navigation; slow pages answer late and are told to be loading.
pub const NAVIGATION: Duration = Duration::from_secs(20);
/// From a committed document to one that can be read.
pub const DOCUMENT_READY: Duration = Duration::from_secs(5);
/// A page that shows a dialog while it is left is replaced this soon, or stays until that is answered.
pub const DIALOG_LEFT: Duration = Duration::from_secs(1);
/// A picture of a tab takes about 50 ms; one that takes longer than this will not come.
pub const PICTURE: Duration = Duration::from_secs(5);
/// Pictures as models take them without scaling: longest side, and tiles of [`PICTURE_TILE`] pixels squared.
pub const PICTURE_SIDE: u32 = 1568;
pub const PICTURE_TILES: u32 = 1568;
pub const PICTURE_TILE: u32 = 28;
/// A page is shown beyond its viewport down to this many times its width: a picture of more cannot be read.
pub const PICTURE_TALL: u32 = 2;
/// Base64 text of one picture.
pub const PICTURE_BYTES: usize = 1_100_000;
/// Text is typed key by key up to here: pages listen to keys. Longer text is inserted in pieces, as an input method does.
pub const KEYED_CHARS: usize = 400;
pub const INSERTED_CHARS: usize = 4_000;
/// What may be for a mask is typed with a pause after each key.
pub const PACED_CHARS: usize = 30;
pub const KEY_PAUSE_MS: u64 = 20;
/// After a line end that is typed: editors make the new line with the next frame and lose what comes before it.
pub const LINE_PAUSE_MS: u64 = 40;
/// A text of more lines is typed without these pauses.
pub const PACED_LINES: usize = 25;
/// Files of one call, their contents together: as base64 they fit into a line of a client's stdin.
pub const UPLOAD_BYTES: usize = 8 * MIB;
/// Their way into a page.
pub const UPLOAD: Duration = Duration::from_secs(20);
/// A page may ask for files a moment after the click; then the person gets the browser's chooser again.
pub const CHOOSER: Duration = Duration::from_millis(1_000);
/// Frames of one tab that one call reads, and the characters a reading has unless it asks for others.
pub const FRAMES_READ: usize = 16;
pub const READ_CHARS: usize = 50_000;
/// Of these, for the page's name and address and the notes about a reading.
pub const READ_HEAD: usize = 1_500;
pub const READ_CHARS_MOST: usize = 2_000_000;

/// A script of an agent, unless it asks for another time; beyond the second, nobody waits for an answer.
pub const SCRIPT: Duration = Duration::from_secs(20);
pub const SCRIPT_MOST: Duration = Duration::from_secs(40);
/// Its value is told in words: page code again, a getter for instance.
pub const SCRIPT_VALUE: Duration = Duration::from_secs(3);
/// The browser stops a loop within this time.
pub const SCRIPT_STOP: Duration = Duration::from_secs(3);

/// How long is waited for a state of a page, unless asked for another time, and at most.
pub const WAIT: Duration = Duration::from_secs(10);
pub const WAIT_MOST: Duration = Duration::from_secs(30);
/// One look at the page lasts so long: then new frames, a dialog and the end of the call are seen.
pub const WAIT_SLICE: Duration = Duration::from_millis(500);
/// A page that does not tell what it saw within this time after its slice computes.
pub const WAIT_ANSWER: Duration = Duration::from_secs(1);
/// A page that was waited for to settle has not changed for so long.
pub const WAIT_QUIET: Duration = Duration::from_millis(500);
/// Who asked for progress hears of a long wait this often.
pub const PROGRESS_STEP: Duration = Duration::from_millis(500);

/// A service without stream, browser, active or settling work ends after this time.
pub const SERVICE_IDLE: Duration = Duration::from_secs(30);
/// A service that makes room for another lets running calls end within this time; one that was told to
/// stop gives them less.
pub const DRAIN: Duration = Duration::from_secs(10);
pub const DRAIN_TOLD: Duration = Duration::from_secs(1);
/// Its peers have this long to read what was still queued for them.
pub const DRAIN_FLUSH: Duration = Duration::from_millis(500);
/// Between two attempts to accept when the system has no descriptor left.
pub const ACCEPT_PAUSE: Duration = Duration::from_millis(100);
/// Between two attempts of a connector to reach the service: doubled from the first to the last.
pub const RECONNECT_FIRST: Duration = Duration::from_millis(50);
/// Shorter than [`BROWSER_WAIT`], so that a call that needs the browser lives to see it.
pub const RECONNECT_LAST: Duration = Duration::from_secs(3);
/// A link that lasted this long was good: the waits begin again.
pub const RECONNECT_GOOD: Duration = START_DEATH;
/// Frames of the browser waiting for the service: small ones come in bursts, [`OUTBOX_BYTES`] bounds the rest.
pub const NATIVE_FRAMES: usize = 4096;
/// A service that takes nothing for this long is stuck; the connector drops it rather than stop
/// reading the browser, whose end it must see within a second.
pub const NATIVE_STUCK: Duration = Duration::from_millis(400);
/// At the end of the browser's input: how long the service may take what was read before.
pub const NATIVE_DRAIN: Duration = Duration::from_millis(400);
/// Starts of a service that died within [`START_DEATH`] before starting is suspended for [`START_PAUSE`].
pub const START_DEATHS: usize = 3;
pub const START_DEATH: Duration = Duration::from_secs(2);
pub const START_PAUSE: Duration = Duration::from_secs(30);

/// Between two looks for a service that is coming up: it takes a few milliseconds. One that does not come
/// is looked for once a second.
pub const START_POLL_FIRST: Duration = Duration::from_millis(2);
pub const START_POLL_LAST: Duration = Duration::from_secs(1);

/// A socket address holds 108 bytes on Linux, the closing zero included.
pub const SOCKET_PATH_BYTES: usize = 107;
/// The visible name of a client: presentation, never authority.
pub const CLIENT_NAME_CHARS: usize = 64;
/// One size of audit file; then it is rotated once.
pub const AUDIT_BYTES: u64 = 50 * MIB as u64;
/// No record is longer; a disk with less room than this is full.
pub const AUDIT_LINE: usize = 64 * KIB;
/// How far back in the rotated file a new service looks for effects that the last one did not close.
pub const AUDIT_TAIL: u64 = MIB as u64;
/// Records waiting for the disk; a call that adds one more waits too.
pub const AUDIT_WAITING: usize = 1024;
