#!/usr/bin/env python3
"""Each fault that the check of the wire is there for is found when it is planted: `wirecheck_test.py SCHEMAS`"""

import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
RESERVED = "io.modelcontextprotocol/"
NEW = {RESERVED + "protocolVersion": "2026-07-28", RESERVED + "clientCapabilities": {}}
TOOL = {"name": "explain", "inputSchema": {"type": "object"}}
SEEN = {"tools": [TOOL], "resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
ENDED = [("end", "client"), ("exit", "0")]
PONG = [("client", {"jsonrpc": "2.0", "id": 1, "method": "ping"}), ("edge", {"jsonrpc": "2.0", "id": 1, "result": {}})]


def asks(id, method, params=None):
    return ("client", {"jsonrpc": "2.0", "id": id, "method": method, "params": params or {}})


def asks_new(id, method, **params):
    meta = {**NEW, **params.pop("meta", {})}
    return asks(id, method, {**params, "_meta": meta})


def tells(source, method, params):
    return (source, {"jsonrpc": "2.0", "method": method, "params": params})


def answers(id, result):
    return ("edge", {"jsonrpc": "2.0", "id": id, "result": result})


def refuses(id, code, **more):
    return ("edge", {"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": "no", **more}})


def tagged(id, method, **params):
    return tells("edge", method, {**params, "_meta": {RESERVED + "subscriptionId": id}})


def progress(token, done):
    return tells("edge", "notifications/progress", {"progressToken": token, "progress": done})


LISTEN = asks_new("l", "subscriptions/listen", notifications={"toolsListChanged": True})
ACKNOWLEDGED = "notifications/subscriptions/acknowledged"
CHANGED = "notifications/tools/list_changed"
CANCEL = tells("client", "notifications/cancelled", {"requestId": 1})
TOKEN = asks_new(1, "tools/call", name="explain", meta={"progressToken": 0})
CALLED = {"content": [], "resultType": "complete"}

# What is said, and the words of the fault, or None where there is none.
CASES = [
    ([asks(1, "tools/list"), answers(1, {"tools": [TOOL]})], None),
    ([asks_new(1, "tools/list"), answers(1, SEEN)], None),
    ([LISTEN, tagged("l", ACKNOWLEDGED, notifications={"toolsListChanged": True}), tagged("l", CHANGED)], None),
    ([TOKEN, progress(0, 1), progress(0, 2), answers(1, CALLED)], None),
    ([asks(1, "tools/list"), CANCEL], None),
    ([asks(1, "ping"), ("edge", "not JSON")], "not JSON"),
    ([asks(1, "ping"), ("edge", '{"jsonrpc":"2.0","id":1,"result":{"a":"\u2028"}}')], "line separator"),
    ([asks(1, "ping"), answers(1, {}), ("edge torn", '{"js')], "middle of a line"),
    ([asks(1, "ping"), answers("1", {})], 'id "1", which was never asked'),
    ([asks(1, "ping"), answers(1, {}), answers(1, {})], "which was answered"),
    ([asks(1, "tools/list"), CANCEL, answers(1, {"tools": []})], "which was cancelled"),
    ([asks(1, "ping")], "ping never got an answer"),
    ([asks(1, "tools/list"), answers(1, {"tools": [{"name": "explain"}]})], "inputSchema"),
    ([asks(1, "tools/list"), answers(1, SEEN)], "members of 2026-07-28"),
    ([asks_new(1, "tools/list"), answers(1, {"tools": [TOOL]})], "resultType"),
    ([asks_new(1, "tools/list"), answers(1, {**SEEN, "resultType": "odd"})], "resultType is 'odd'"),
    ([asks_new(1, "tools/list"), answers(1, {**SEEN, "ttlMs": -1})], "ttlMs"),
    ([asks_new(1, "tools/list"), refuses(1, -32022)], "UnsupportedProtocolVersionError"),
    ([asks_new(1, "tools/list"), refuses(1, -32002)], "reserved"),
    ([LISTEN, tagged("l", CHANGED)], "before the acknowledgement"),
    ([LISTEN], "never acknowledged"),
    ([LISTEN, tagged("m", ACKNOWLEDGED, notifications={})], "no open subscription"),
    ([LISTEN, tagged("l", ACKNOWLEDGED, notifications={"promptsListChanged": True})], "without being asked"),
    ([tells("edge", CHANGED, {})], "without a subscription"),
    ([TOKEN, progress(1, 1), answers(1, CALLED)], "which no open request gave"),
    ([TOKEN, progress(0, 1), progress(0, 1), answers(1, CALLED)], "progress went from 1 to 1"),
    ([TOKEN, answers(1, CALLED), progress(0, 1)], "which no open request gave"),
    ([("edge", {"jsonrpc": "2.0", "id": 1, "method": "ping"})], "a request from the edge"),
]
# The same for whole dialogues that end otherwise than by the end of input and status 0.
ENDS = [
    ([*PONG, ("signal", "SIGTERM"), ("exit", "0")], None),
    ([*PONG, ("signal", "SIGTERM")], None),
    ([*PONG, ("end", "client")], "the edge never ended"),
    ([*PONG, ("exit", "0")], "before its client did"),
    ([*PONG, ("end", "client"), ("exit", "1")], "exit status 1"),
    ([*PONG, ("end", "client"), *[("stderr", "")] * 200, ("exit", "0")], "s to end"),
    ([asks(1, "ping"), *[("stderr", "")] * 200, answers(1, {}), *ENDED], None),
    ([asks(1, "initialize"), *[("stderr", "")] * 200, answers(1, {}), *ENDED], "initialize took"),
]


def told(schemas, said):
    """What the check says of this dialogue, each entry 10 ms after the last."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "1.jsonl"), "w", encoding="ascii") as file:
            for number, (source, text) in enumerate(said):
                text = text if isinstance(text, str) else json.dumps(text)
                entry = {"at": number / 100, "from": source, "text": text}
                file.write(json.dumps(entry) + "\n")
        command = [sys.executable, os.path.join(HERE, "wirecheck.py"), schemas, folder]
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def main():
    wrong, cases = 0, [([*said, *ENDED], fault) for said, fault in CASES] + ENDS
    for said, fault in cases:
        text = told(sys.argv[1], said)
        if (fault or ", 0 faults") not in text:
            wrong += 1
            print(f"{json.dumps(said)}\n    wanted: {fault or 'nothing'}\n    found: {text}")
    print(f"{len(cases) - wrong} of {len(cases)} dialogues judged right")
    sys.exit(bool(wrong))


main()
