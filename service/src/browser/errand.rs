//! One call's errands to one browser: asked with the call's authority, waited for, and accounted for
//! until every effect is known or given up.

use crate::browser::pending::Answered;
use crate::browser::reply::Reply;
use crate::browser::route::NotAsked;
use crate::engine::Engine;
use crate::hold::{Epoch, Held};
use crate::tab::RequestFault;
use crate::tab::record::TabRecord;
use crate::wire::{Answer, Request, Wire};
use crate::work::Work;
use crate::workspace::WorkspaceNumber;
use async_io::Timer;
use futures_lite::future::FutureExt as _;
use ghostlight_transport::browser_wire::FaultCode;
use ghostlight_transport::limits::BROWSER_GRACE;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::rc::Rc;
use std::time::Instant;

/// The authority a call was admitted with.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Warrant {
    pub(crate) slot: u32,
    pub(crate) workspace: WorkspaceNumber,
    pub(crate) epoch: Epoch,
}

#[derive(Clone)]
pub(crate) struct Errand(Rc<Inner>);

struct Inner {
    engine: Rc<Engine>,
    warrant: Warrant,
    work: Rc<Work>,
    /// Effects that nobody waits for any more and whose end is not known.
    unsettled: RefCell<Vec<(u64, Rc<Reply>)>>,
    /// Since when the browser was seen to be away.
    away: Cell<Option<Instant>>,
}

impl fmt::Debug for Errand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Errand").field(&self.0.warrant).finish()
    }
}

impl Errand {
    pub(crate) fn new(engine: Rc<Engine>, warrant: Warrant, work: Rc<Work>) -> Self {
        Self(Rc::new(Inner {
            engine,
            warrant,
            work,
            unsettled: RefCell::default(),
            away: Cell::default(),
        }))
    }

    /// Whether the end of every effect is known.
    pub(crate) fn is_settled(&self) -> bool {
        self.0.unsettled.borrow().iter().all(|(_, reply)| reply.is_settled())
    }

    /// Waits until the end of every effect is known. The lease is kept so long: nobody else acts on a
    /// surface in an uncertain state.
    pub(crate) async fn settle(&self, until: Instant) {
        let Inner { engine, warrant, unsettled, .. } = &*self.0;
        let open = unsettled.take();
        let known = async {
            for (_, reply) in &open {
                reply.settled().await;
            }
        };
        let given_up = async {
            Timer::at(until).await;
        };
        known.or(given_up).await;
        for (number, _) in open {
            engine.browsers.routes.borrow_mut().forget(warrant.slot, number);
        }
    }
}

impl Wire for Errand {
    fn request(&self, request: Request) -> Answer {
        let inner = Rc::clone(&self.0);
        Box::pin(async move { inner.ask(request).await })
    }

    fn slot(&self) -> u32 {
        self.0.warrant.slot
    }

    fn owned(&self, native: i64) -> Option<Rc<RefCell<TabRecord>>> {
        let Warrant { slot, workspace, .. } = self.0.warrant;
        self.0.engine.browsers.routes.borrow().owned(slot, workspace, native)
    }

    fn malformed(&self) {
        self.0.engine.browsers.routes.borrow_mut().count_protocol_error();
    }
}

impl Inner {
    async fn ask(self: Rc<Self>, request: Request) -> Answered {
        let until = Instant::now() + request.within + BROWSER_GRACE;
        let effect = request.effect;
        let outstanding = self.send(request, until).await?;
        let late = async {
            Timer::at(until).await;
            Err(RequestFault::lost(FaultCode::Timeout, "no answer from the browser", effect))
        };
        let cancelled = async {
            self.work.cancel.cancelled().await;
            outstanding.cancel();
            std::future::pending().await
        };
        let gone = async {
            self.gone().await;
            Err(RequestFault::lost(FaultCode::Internal, "the browser went away", effect))
        };
        outstanding.reply.answer().or(late).or(gone).or(cancelled).await
    }

    /// Ends when the browser has been away for as long as a call waits for it.
    async fn gone(&self) {
        let Engine { browsers, bounds, .. } = &*self.engine;
        loop {
            let changed = browsers.changed.rung();
            if browsers.routes.borrow().connected(self.warrant.slot) {
                self.away.set(None);
                changed.await;
                continue;
            }
            let since = self.away.get().unwrap_or_else(Instant::now);
            self.away.set(Some(since));
            let late = async {
                Timer::at(since + bounds.browser_wait).await;
                true
            };
            let changed = async {
                changed.await;
                false
            };
            if late.or(changed).await {
                return;
            }
        }
    }

    /// Asks at the last moment for the right to go on; a browser that is away has a moment to return.
    async fn send(
        self: &Rc<Self>,
        request: Request,
        until: Instant,
    ) -> Result<Outstanding, RequestFault> {
        let Warrant { slot, workspace, .. } = self.warrant;
        let browsers = &self.engine.browsers;
        loop {
            self.check(&request)?;
            let changed = browsers.changed.rung();
            let reply = Rc::new(Reply::default());
            let asked =
                browsers.routes.borrow_mut().ask((slot, workspace), &request, Rc::clone(&reply));
            match asked {
                Ok((number, effect)) => {
                    if request.effect {
                        self.work.mark_sent();
                    }
                    self.engine.carry_out(vec![effect]);
                    let inner = Rc::clone(self);
                    return Ok(Outstanding { inner, number, reply, effect: request.effect });
                }
                Err(NotAsked::Busy) => {
                    return Err(RequestFault::unsent(FaultCode::Busy, "too many requests"));
                }
                Err(NotAsked::NoKey) => {
                    return Err(RequestFault::unsent(FaultCode::Internal, "no entropy for a key"));
                }
                Err(NotAsked::Away) => {
                    let away =
                        RequestFault::lost(FaultCode::Internal, "the browser is away", false);
                    let late = async {
                        Timer::at(until).await;
                    };
                    let late = async {
                        late.or(self.gone()).await;
                        Err(away)
                    };
                    let changed = async {
                        changed.await;
                        Ok(())
                    };
                    changed.or(late).await?;
                }
            }
        }
    }

    fn check(&self, request: &Request) -> Result<(), RequestFault> {
        let Warrant { slot, workspace, epoch } = self.warrant;
        // Whoever was told that the outcome is unknown looks at the page now: nothing more is done to it.
        let over = self.work.cancel.is_cancelled() || self.work.was_told().is_some();
        if request.effect && over {
            return Err(RequestFault::unsent(FaultCode::Cancelled, "the call is over"));
        }
        let held = self.engine.hold.borrow().still_admits(slot, epoch).err();
        let code = match held {
            // What was done before the pause can still be told truthfully.
            Some(Held::Paused | Held::Interrupted) if request.effect => Some(FaultCode::Paused),
            Some(Held::Stopped) => Some(FaultCode::Stopped),
            Some(Held::Replaced) if request.effect => {
                let why = "the browser was started again meanwhile";
                return Err(RequestFault::unsent(FaultCode::Detached, why));
            }
            _ => None,
        };
        if let Some(code) = code {
            return Err(RequestFault::unsent(code, "the person holds the browser"));
        }
        if !self.engine.workspaces.borrow().alive(workspace) {
            return Err(RequestFault::unsent(FaultCode::NotAdopted, "the workspace has ended"));
        }
        Ok(())
    }
}

/// A request on its way. Dropped without an answer, a read is forgotten and an effect is kept track of.
struct Outstanding {
    inner: Rc<Inner>,
    number: u64,
    reply: Rc<Reply>,
    effect: bool,
}

impl Outstanding {
    fn cancel(&self) {
        let Inner { engine, warrant, .. } = &*self.inner;
        let cancel = engine.browsers.routes.borrow().cancel(warrant.slot, self.number);
        engine.carry_out(cancel.into_iter().collect());
    }
}

impl Drop for Outstanding {
    fn drop(&mut self) {
        if self.reply.is_settled() {
            return;
        }
        self.cancel();
        let Inner { engine, warrant, unsettled, .. } = &*self.inner;
        if self.effect {
            unsettled.borrow_mut().push((self.number, Rc::clone(&self.reply)));
        } else {
            engine.browsers.routes.borrow_mut().forget(warrant.slot, self.number);
        }
    }
}
