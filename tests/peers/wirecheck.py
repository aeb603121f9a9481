#!/usr/bin/env python3
"""Checks everything the tee noted against the official schemas and for order.

    wirecheck.py SCHEMAS FOLDER...

Each FOLDER holds the logs of one peer. Prints each fault with its place, then how many lines were seen.
"""

import glob
import json
import os
import re
import sys

from order import Connection
from shapes import Shapes

# The TypeScript clients close the connection on a longer line.
LINE = 10 * 1024 * 1024
LONE = re.compile("[\ud800-\udfff]")
BREAKS = re.compile("[\u0085\u2028\u2029\r]")


def entries(path):
    with open(path, encoding="ascii") as file:
        for number, line in enumerate(file, 1):
            entry = json.loads(line)
            yield number, entry["at"], entry["from"], entry["text"]


def line_faults(text):
    """What is wrong with a line before anybody asks what it means."""
    if len(text.encode("utf-8", "surrogateescape")) >= LINE:
        yield "a line of 10 MiB"
    if LONE.search(text):
        yield "not UTF-8"
    if BREAKS.search(text):
        yield "a raw line separator"


def check(path, shapes):
    """The faults of one process, how many lines of the edge were seen, and its tools/list answers."""
    connection, faults, seen = Connection(shapes), [], 0
    times, status = {}, None
    for number, at, source, text in entries(path):
        found = []
        if source in ("client", "edge"):
            try:
                message = json.loads(text)
            except ValueError:
                found = ["not JSON"] if source == "edge" else []
            else:
                found = connection.edge(message, at) if source == "edge" else connection.client(message, at)
            if source == "edge":
                seen += 1
                found = [*line_faults(text), *found]
        elif source == "edge torn":
            found = ["output ends in the middle of a line"]
        elif source == "exit":
            times["exit"], status = at, text
        elif source == "signal" or (source == "end" and text == "client"):
            times.setdefault("signal" if source == "signal" else "end", at)
        faults += [f"{path}:{number}: {fault}" for fault in found or []]
    last = connection.end(times.get("end"), times.get("signal"), times.get("exit"), status)
    return faults + [f"{path}: {fault}" for fault in last], seen, connection.tools


def main():
    schemas, *folders = sys.argv[1:]
    shapes, faults, seen, lists = Shapes(schemas), [], 0, {}
    logs = sorted(path for folder in folders for path in glob.glob(os.path.join(folder, "*.jsonl")))
    for path in logs:
        found, lines, tools = check(path, shapes)
        faults, seen = faults + found, seen + lines
        for revision, listed in tools:
            lists.setdefault(revision, {}).setdefault(json.dumps(listed), path)
    for revision, answers in lists.items():
        if len(answers) > 1:
            faults.append(f"tools/list of {revision} differs: " + ", ".join(answers.values()))
    print("\n".join(faults) or "nothing to say against it:", end="\n" if faults else " ")
    print(f"{seen} lines of {len(logs)} processes, {len(faults)} faults")
    return 1 if faults or not seen else 0


sys.exit(main())
