#!/usr/bin/env python3
"""Codex's app server asked to use a configured server: `client_codex.py CODEX COMMAND...`"""

import json
import os
import subprocess
import sys


def step(name, fine, seen=""):
    if not fine:
        sys.exit(f"{name}: {seen}")
    print("ok", name, flush=True)


def configure(command):
    folder = os.path.join(os.environ["HOME"], ".codex")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "config.toml"), "w", encoding="utf-8") as file:
        file.write("check_for_update_on_startup = false\n[analytics]\nenabled = false\n")
        file.write(f"[mcp_servers.ghostlight]\ncommand = {json.dumps(command[0])}\n")
        file.write(f"args = {json.dumps(command[1:])}\n")


class AppServer:
    """Its JSON-RPC over stdio, one request at a time."""

    def __init__(self, program):
        pipe = subprocess.PIPE
        command = [program, "app-server"]
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, bufsize=1)
        self.last = 0
        about = {"name": "peer", "title": None, "version": "1.0.0"}
        self.ask("initialize", {"clientInfo": about})
        self.send({"method": "initialized"})

    def send(self, message):
        self.process.stdin.write(json.dumps(message) + "\n")

    def reply(self, method, params):
        """The response to a request, `result` or `error`."""
        self.last += 1
        self.send({"id": self.last, "method": method, "params": params})
        for line in self.process.stdout:
            message = json.loads(line)
            if message.get("id") != self.last:
                continue
            if "method" not in message:
                return message
        sys.exit(f"{method}: the app server ended")

    def ask(self, method, params):
        message = self.reply(method, params)
        if "result" not in message:
            sys.exit(f"{method}: {message}")
        return message["result"]

    def end(self):
        self.process.stdin.close()
        self.process.wait(20)


def main():
    program, *command = sys.argv[1:]
    configure(command)
    server = AppServer(program)
    [status] = server.ask("mcpServerStatus/list", {})["data"]
    step("connected", status["serverInfo"], status)
    step("tools are listed", "explain" in status["tools"], status)
    step("nothing else is offered", not status["resources"] + status["resourceTemplates"], status)
    thread = server.ask("thread/start", {"cwd": os.environ["HOME"]})["thread"]["id"]
    call = {"threadId": thread, "server": "ghostlight", "tool": "explain"}
    result = server.ask("mcpServer/tool/call", {**call, "arguments": {}})
    step("explain is answered", not result.get("isError") and result["content"][0]["text"], result)
    result = server.ask("mcpServer/tool/call", {**call, "arguments": {"nonsense": 1}})
    step("bad arguments are told in a result", result.get("isError"), result)
    reply = server.reply("mcpServer/tool/call", {**call, "tool": "no_such_tool"})
    step("an unknown tool is an error", "error" in reply, reply)
    server.end()
    step("closed", True)


main()
