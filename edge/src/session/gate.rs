//! Which revision serves a request: the choice of the process, and what each revision refuses.

use super::requests::{Body, Request as InFlight};
use super::{Effects, Era, Revision, Session};
use crate::client;
use crate::json;
use crate::params::{self, Params};
use crate::rpc::{self, Fault, Request};
use crate::{mcp_2025_11_25, mcp_2026_07_28};
use ghostlight_transport::bridge::Client;
use serde_json::value::RawValue;
use std::time::Instant;

/// A request with its parts found, on its way to the method that serves it.
pub(super) struct Admission<'a> {
    pub(super) id: &'a RawValue,
    pub(super) params: Params<'a>,
    pub(super) revision: Revision,
    pub(super) now: Instant,
}

impl Session {
    pub(super) fn request(&mut self, request: &Request<'_>, now: Instant, out: &mut Effects) {
        if let Err(fault) = self.serve(request, now, out) {
            rpc::refuse(&mut out.lines, Some(request.id.get()), &fault);
        }
    }

    fn serve(
        &mut self,
        request: &Request<'_>,
        now: Instant,
        out: &mut Effects,
    ) -> Result<(), Fault> {
        if self.requests.named(request.id).is_some() {
            return Err(Fault::new(
                rpc::INVALID_REQUEST,
                "Another request with this id has not been answered",
            ));
        }
        let params = params::read(request.params)?;
        let method = request.method.as_ref();
        let mut admission =
            Admission { id: request.id, params, revision: Revision::Mcp20260728, now };
        if params.meta.protocol_version.is_some() {
            return self.enveloped(method, &admission, out);
        }
        admission.revision = Revision::Mcp20251125;
        self.bare(method, &admission, out)
    }

    /// A request that carries the envelope of 2026-07-28, whole or not.
    fn enveloped(
        &mut self,
        method: &str,
        admission: &Admission<'_>,
        out: &mut Effects,
    ) -> Result<(), Fault> {
        let meta = &admission.params.meta;
        if method == "initialize" {
            return Err(mcp_2026_07_28::no_method(method));
        }
        mcp_2026_07_28::check_envelope(meta)?;
        if !mcp_2026_07_28::METHODS.contains(&method) {
            return Err(mcp_2026_07_28::no_method(method));
        }
        if method != "server/discover" {
            if let Era::Mcp20251125(_) = self.era {
                return Err(Fault::new(
                    rpc::INVALID_REQUEST,
                    "This process speaks 2025-11-25 since its initialize; a request of 2026-07-28 \
                     needs a process of its own",
                ));
            }
            self.era = Era::Mcp20260728;
        }
        if !std::mem::replace(&mut self.told_20260728, true) {
            out.logs.push(first_use(mcp_2026_07_28::VERSION, meta.client_info));
        }
        mcp_2026_07_28::check_options(meta)?;
        params::token(meta)?;
        match method {
            "tools/list" => self.list(admission, out),
            "tools/call" => {
                mcp_2026_07_28::check_call(&admission.params)?;
                self.call(admission, out)
            }
            "subscriptions/listen" => self.listen(admission, out),
            _ => {
                mcp_2026_07_28::answer_discover(&mut out.lines, admission.id.get());
                Ok(())
            }
        }
    }

    fn bare(
        &mut self,
        method: &str,
        admission: &Admission<'_>,
        out: &mut Effects,
    ) -> Result<(), Fault> {
        let id = admission.id.get();
        match (method, &self.era) {
            ("initialize" | "ping", Era::Mcp20260728) => Err(Fault::new(
                rpc::INVALID_REQUEST,
                format!(
                    "This process speaks 2026-07-28 since its first request; {method} belongs to \
                     2025-11-25 and needs a process of its own"
                ),
            )),
            ("initialize", _) => self.initialize(admission, out),
            ("ping", _) => {
                mcp_2025_11_25::answer_ping(&mut out.lines, id);
                Ok(())
            }
            ("server/discover", Era::Unchosen) => Err(no_method(method)),
            ("server/discover" | "subscriptions/listen", Era::Mcp20251125(_)) => {
                Err(no_method(method))
            }
            ("tools/list", Era::Mcp20251125(_)) => self.list(admission, out),
            ("tools/call", Era::Mcp20251125(_)) => self.call(admission, out),
            ("tools/list" | "tools/call" | "subscriptions/listen", Era::Unchosen) => {
                Err(mcp_2026_07_28::missing("protocolVersion")
                    .with_data(r#"{"hint":"2025-11-25 begins with initialize"}"#))
            }
            (
                "server/discover" | "tools/list" | "tools/call" | "subscriptions/listen",
                Era::Mcp20260728,
            ) => Err(mcp_2026_07_28::missing("protocolVersion")
                .with_data(r#"{"hint":"this process speaks 2026-07-28 since its first request"}"#)),
            _ => Err(no_method(method)),
        }
    }

    fn initialize(&mut self, admission: &Admission<'_>, out: &mut Effects) -> Result<(), Fault> {
        let handshake = mcp_2025_11_25::handshake(&admission.params)?;
        if let Era::Unchosen = self.era {
            let info = admission.params.client_info;
            out.logs.push(first_use(mcp_2025_11_25::VERSION, info));
            self.era = Era::Mcp20251125(handshake);
        }
        mcp_2025_11_25::answer_initialize(&mut out.lines, admission.id.get());
        Ok(())
    }

    pub(super) fn notification(
        &mut self,
        method: &str,
        params: Option<&RawValue>,
        now: Instant,
        out: &mut Effects,
    ) {
        match method {
            "notifications/cancelled" => {
                let Some(params) = params else { return };
                let Some(found) = json::members(params.get(), &["requestId", "reason"]) else {
                    return;
                };
                let [Some(id), reason] = found.values else { return };
                if let Some(sequence) = self.requests.named(id) {
                    let reason = reason.and_then(json::text).unwrap_or_default();
                    out.logs.push(format!("request cancelled: {}", client::printable(&reason)));
                    self.cancel(sequence, out);
                    self.launch(now, out);
                }
            }
            "notifications/initialized" => {
                if let Era::Mcp20251125(handshake) = &mut self.era {
                    handshake.ready = true;
                }
            }
            _ => {}
        }
    }

    /// Whom a request speaks for: its own envelope, or what `initialize` said.
    pub(super) fn client(&self, admission: &Admission<'_>) -> Option<Client> {
        match &self.era {
            Era::Mcp20251125(handshake) => handshake.client.clone(),
            _ => admission.params.meta.client_info.and_then(client::read),
        }
    }

    pub(super) fn restriction(&self, admission: &Admission<'_>) -> Option<Box<RawValue>> {
        let settled = match &self.era {
            Era::Mcp20251125(handshake) => handshake.restriction.as_deref(),
            _ => None,
        };
        admission.params.meta.restriction.or(settled).map(ToOwned::to_owned)
    }
}

impl InFlight {
    pub(super) fn is_call(&self) -> bool {
        matches!(self.body, Body::Call(_))
    }
}

fn no_method(method: &str) -> Fault {
    let shown: String = method.chars().take(64).collect();
    Fault::new(rpc::NO_METHOD, format!("Method {shown} does not exist here"))
}

fn first_use(version: &str, info: Option<&RawValue>) -> String {
    match info.and_then(client::read) {
        Some(Client { name, version: of }) => {
            format!("first use of MCP {version} by {name} {of}").trim_end().to_owned()
        }
        None => format!("first use of MCP {version}"),
    }
}
