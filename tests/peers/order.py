"""What may follow what on one connection, whatever its messages contain."""

import json

from shapes import NEW, OLD, RESERVED

# The only requests whose answer is the end of something, not its result.
LASTING = "subscriptions/listen"
# A client that waits longer for its first answer gives up or falls back.
FIRST_ANSWER = 1.0
# The edge is gone this long after the end of its input or a signal; the tee itself takes some of it.
EXIT = 1.5


def key(value):
    """Ids are equal when value and JSON type are."""
    return json.dumps(value, sort_keys=True)


def meta_of(message):
    params = message.get("params")
    meta = params.get("_meta") if isinstance(params, dict) else None
    return meta if isinstance(meta, dict) else {}


class Request:
    def __init__(self, message, at):
        meta = meta_of(message)
        self.method, self.at = message["method"], at
        modern = RESERVED + "protocolVersion" in meta or self.method in ("server/discover", LASTING)
        self.revision = NEW if modern else OLD
        self.token, self.progress = meta.get("progressToken"), None
        self.acknowledged = False
        self.filter = (message.get("params") or {}).get("notifications") or {}


class Connection:
    """One process of the edge, told line by line; each method gives the faults it found."""

    def __init__(self, shapes):
        self.shapes = shapes
        self.open, self.closed = {}, {}
        self.initialized = False
        self.tools = []  # (revision, tools) of each tools/list answer

    def client(self, message, at):
        if not isinstance(message, dict) or "method" not in message:
            return
        if "id" in message:
            self.open[key(message["id"])] = Request(message, at)
        elif message["method"] == "notifications/cancelled":
            named = key((message.get("params") or {}).get("requestId"))
            if self.open.pop(named, None):
                self.closed[named] = "cancelled"
        elif message["method"] == "notifications/initialized":
            self.initialized = True

    def edge(self, message, at):
        if not isinstance(message, dict):
            return [f"not an object: {str(message)[:80]}"]
        if "method" not in message:
            return self._response(message, at)
        if "id" in message:
            return [f"a request from the edge: {message['method']}"]
        return self._notification(message)

    def _response(self, message, at):
        named = key(message.get("id"))
        request = self.open.pop(named, None)
        if request is None:
            why = self.closed.get(named, "never asked")
            return [f"an answer to id {named}, which was {why}"]
        self.closed[named] = "answered"
        faults = list(self.shapes.response_faults(request.revision, request.method, message))
        if request.method in ("initialize", "server/discover") and at - request.at > FIRST_ANSWER:
            faults.append(f"{request.method} took {at - request.at:.1f} s")
        if request.method == "tools/list" and isinstance(message.get("result"), dict):
            self.tools.append((request.revision, message["result"].get("tools")))
        return faults

    def _notification(self, message):
        tag = RESERVED + "subscriptionId"
        if tag in meta_of(message):
            faults = list(self.shapes.faults(NEW, "ServerNotification", message))
            return faults + self._tagged(message, key(meta_of(message)[tag]))
        if message["method"] == "notifications/progress":
            return self._progress(message)
        if message["method"] == "notifications/cancelled":
            named = key((message.get("params") or {}).get("requestId"))
            known = self.closed.get(named) == "answered"
            return [] if known else [f"the edge cancels {named}, which is no ended subscription"]
        faults = list(self.shapes.faults(OLD, "ServerNotification", message))
        if not self.initialized:
            faults.append(f"{message['method']} without a subscription or `initialized`")
        return faults

    def _tagged(self, message, named):
        request = self.open.get(named)
        if request is None or request.method != LASTING:
            return [f"tagged for {named}, which is no open subscription"]
        if message["method"] == "notifications/subscriptions/acknowledged":
            again = ["acknowledged twice"] if request.acknowledged else []
            request.acknowledged = True
            honoured = (message["params"].get("notifications") or {}).items()
            extra = [name for name, value in honoured if value and not request.filter.get(name)]
            return again + [f"acknowledged without being asked: {name}" for name in extra]
        return [] if request.acknowledged else ["a notification before the acknowledgement"]

    def _progress(self, message):
        params = message.get("params") or {}
        token = key(params.get("progressToken"))
        owners = [one for one in self.open.values() if one.token is not None and key(one.token) == token]
        if not owners:
            return [f"progress for the token {token}, which no open request gave"]
        request, step = owners[0], params.get("progress")
        faults = list(self.shapes.faults(request.revision, "ServerNotification", message))
        if request.progress is not None and not step > request.progress:
            faults.append(f"progress went from {request.progress} to {step}")
        request.progress = step
        return faults

    def end(self, input_ended, signalled, exited, status):
        """What the end of the process says; times are None for what did not happen."""
        stop = signalled if signalled is not None else input_ended
        faults = []
        if exited is None and signalled is not None:
            # The client has killed the tee too; that no edge stays is seen by those who look for one.
            return faults
        if exited is None or stop is None:
            return ["the edge ended before its client did" if stop is None else "the edge never ended"]
        if exited - stop > EXIT:
            faults.append(f"the edge took {exited - stop:.1f} s to end")
        if signalled is None:
            unanswered = [one.method for one in self.open.values() if one.method != LASTING]
            faults += [f"{method} never got an answer" for method in unanswered]
            faults += [f"exit status {status} at the end of input"] if status != "0" else []
        faults += [
            "a subscription was never acknowledged"
            for one in self.open.values()
            if one.method == LASTING and not one.acknowledged and signalled is None
        ]
        return faults
