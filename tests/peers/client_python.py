#!/usr/bin/env python3
"""The Python SDK's client in one of its modes: `client_python.py legacy|auto|2026-07-28 COMMAND...`"""

import os
import sys

import anyio
from mcp import Client, MCPError, StdioServerParameters

NEW = "2026-07-28"


async def service(order):
    # What the client has to say meanwhile is said before the order takes effect.
    await anyio.sleep(0.1)
    await anyio.run_process([os.environ["SERVICE"], order], stdout=None, stderr=None)


def step(name, fine, seen=""):
    if not fine:
        sys.exit(f"{name}: {seen}")
    print("ok", name, flush=True)


async def explain(client, name):
    result = await client.call_tool("explain", {})
    step(name, not result.is_error and result.content[0].text, result)


async def refusals(client):
    result = await client.call_tool("explain", {"nonsense": 1})
    step("bad arguments are told in a result", result.is_error, result)
    result = await client.call_tool("navigate", {"tabId": 1, "url": "about:blank"})
    step("a tab that is not there is told in a result", result.is_error, result)
    try:
        step("unknown tool", False, await client.call_tool("no_such_tool", {}))
    except MCPError as error:
        step("an unknown tool is -32602", error.code == -32602, error)


async def cancellation(client):
    """A call left by its caller and one that ran out of time, while the service stands still."""
    await service("hold")
    try:
        with anyio.move_on_after(0.3) as scope:
            await client.call_tool("explain", {})
        step("a held call is left", scope.cancelled_caught)
        try:
            step("timeout", False, await client.call_tool("explain", {}, read_timeout_seconds=0.3))
        except MCPError as error:
            step("a held call runs out of time", "imed out" in str(error), error)
        if client.protocol_version != NEW:
            await client.send_ping()
            step("ping is answered while the service stands still", True)
    finally:
        await service("go")
    await explain(client, "the next call is answered")


async def subscription(client):
    async with client.listen(tools_list_changed=True, prompts_list_changed=True) as listening:
        honoured = listening.honored
        step("listen is acknowledged", honoured.tools_list_changed, honoured)
        step("prompts are not honoured", not honoured.prompts_list_changed, honoured)
        await explain(client, "a call beside a subscription is answered")


async def page(client):
    """A tab of its own, the page in it, what it says and how it looks; without a browser there is no page."""
    url, modern = os.environ.get("PAGE"), client.protocol_version == NEW
    if not url:
        return
    created = await client.call_tool("tabs_create_mcp", {})
    here = {"tabId": (created.structured_content or {}).get("tabId")}
    step("a tab is created", not created.is_error and here["tabId"], created)
    workspace = created.structured_content.get("workspaceId")
    step("its workspace is named where the client must name it", modern == bool(workspace), created)
    if modern:
        here["workspaceId"] = workspace
    loaded = await client.call_tool("navigate", {"url": url, **here})
    step("the page is opened", not loaded.is_error and loaded.structured_content["title"] == "Peers", loaded)
    text = await client.call_tool("get_page_text", here)
    step("the page is read", "Ghost light on stage" in str(text.content), text)
    shot = await client.call_tool("computer", {"action": "screenshot", **here})
    pictures = [part.data for part in shot.content if part.type == "image"]
    step("the page is seen", pictures and len(pictures[0]) > 1000, shot.content)
    if modern:
        lost = await client.call_tool("navigate", {"url": url, "tabId": here["tabId"]})
        step("without its workspace the tab is not there", lost.is_error, lost)


async def main():
    mode, *command = sys.argv[1:]
    server = StdioServerParameters(command=command[0], args=command[1:])
    async with Client(server, mode=mode) as client:
        expected = "2025-11-25" if mode == "legacy" else NEW
        step("connected", client.protocol_version == expected, client.protocol_version)
        names = [tool.name for tool in (await client.list_tools()).tools]
        step("tools are listed once each", "explain" in names and len(names) == len(set(names)), names)
        await explain(client, "explain is answered")
        await refusals(client)
        await cancellation(client)
        if expected == NEW:
            await subscription(client)
        await page(client)
        again = [tool.name for tool in (await client.list_tools(cache_mode="bypass")).tools]
        step("the list is the same again", again == names, again)
    step("closed", True)


anyio.run(main)
