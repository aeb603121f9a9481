#!/usr/bin/env python3
"""The tee between a client and the edge: notes every line, end of input, signal and exit.

    tap.py FOLDER COMMAND...

Each process writes its own FOLDER/<pid>.jsonl of {"at", "from", "text"}. A line is noted before it is
passed on, so an answer never stands before its request. Clients give their servers few environment
variables, and not the same ones: FOLDER.environment says where the edge under test has its home.
"""

import json
import os
import signal
import subprocess
import sys
import threading
import time

STARTED = time.monotonic()


class Notes:
    """The log of one process."""

    def __init__(self, folder):
        name = os.path.join(folder, f"{os.getpid()}.jsonl")
        self.file = open(name, "a", encoding="ascii", buffering=1)
        self.lock = threading.Lock()

    def write(self, source, text):
        at = round(time.monotonic() - STARTED, 6)
        with self.lock:
            self.file.write(json.dumps({"at": at, "from": source, "text": text}) + "\n")


def home_of(folder):
    """The environment of the edge under test, one NAME=VALUE a line."""
    with open(folder + ".environment", encoding="utf-8") as file:
        return dict(line.rstrip("\n").split("=", 1) for line in file if "=" in line)


def write_all(target, data):
    """False once nobody reads any more; reading goes on, so that the log is whole."""
    try:
        while data:
            data = data[os.write(target, data):]
    except OSError:
        return False
    return True


def pump(source, target, notes, who):
    """Notes and passes on until the end; what is after the last line feed is noted as a torn line."""
    rest, heard = b"", True
    while data := os.read(source, 65536):
        rest += data
        *lines, rest = rest.split(b"\n")
        for line in lines:
            notes.write(who, line.decode("utf-8", "surrogateescape"))
        heard = heard and write_all(target, data)
    if rest:
        notes.write(who + " torn", rest.decode("utf-8", "surrogateescape"))
    notes.write("end", who)


def feed(child, notes):
    """From the client to the edge, ending the edge's input with the client's."""
    pump(0, child.stdin.fileno(), notes, "client")
    child.stdin.close()


def pass_on(child, notes):
    def forward(number, _frame):
        notes.write("signal", signal.Signals(number).name)
        child.send_signal(number)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, forward)


def main():
    folder, *command = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    notes = Notes(folder)
    notes.write("start", " ".join(sorted(os.environ)))
    pipe = subprocess.PIPE
    environment = {**os.environ, **home_of(folder)}
    child = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env=environment)
    pass_on(child, notes)
    threading.Thread(target=feed, args=(child, notes), daemon=True).start()
    output = [
        threading.Thread(target=pump, args=(child.stdout.fileno(), 1, notes, "edge"), daemon=True),
        threading.Thread(target=pump, args=(child.stderr.fileno(), 2, notes, "stderr"), daemon=True),
    ]
    for thread in output:
        thread.start()
    status = child.wait()
    for thread in output:
        thread.join(1)
    notes.write("exit", str(status))
    os._exit(status if status >= 0 else 128 - status)


main()
