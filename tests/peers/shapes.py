"""The official schema of each revision, asked about one message at a time."""

import functools
import json
import os

from jsonschema import Draft202012Validator

OLD, NEW = "2025-11-25", "2026-07-28"
RESERVED = "io.modelcontextprotocol/"
NEW_MEMBERS = {"resultType", "ttlMs", "cacheScope"}


class Shapes:
    def __init__(self, folder):
        self.definitions = {}
        for revision in (OLD, NEW):
            with open(os.path.join(folder, revision + ".json"), encoding="utf-8") as file:
                self.definitions[revision] = json.load(file)["$defs"]
        self.results = {revision: self._results(revision) for revision in (OLD, NEW)}

    def _results(self, revision):
        """Which definition is the result of which method."""
        results = {}
        for name, definition in self.definitions[revision].items():
            method = definition.get("properties", {}).get("method", {}).get("const")
            result = name.removesuffix("Request") + "Result"
            if method and name.endswith("Request"):
                known = result in self.definitions[revision]
                results[method] = result if known else "Result"
        return results

    @functools.cache
    def _validator(self, revision, name):
        root = {"$ref": "#/$defs/" + name, "$defs": self.definitions[revision]}
        return Draft202012Validator(root)

    def faults(self, revision, name, value):
        """What the schema says against a value that should be a `name`."""
        for error in self._validator(revision, name).iter_errors(value):
            place = "/".join(str(part) for part in error.absolute_path)
            yield f"not a {name} of {revision}: at /{place}: {error.message[:200]}"

    def response_faults(self, revision, method, message):
        if "error" in message:
            yield from self._error_faults(revision, message)
            return
        yield from self.faults(revision, "JSONRPCResultResponse", message)
        result = message.get("result")
        yield from self.faults(revision, self.results[revision].get(method, "Result"), result)
        if not isinstance(result, dict):
            return
        if revision == NEW and result.get("resultType") != "complete":
            yield f"resultType is {result.get('resultType')!r}"
        if revision == OLD and NEW_MEMBERS & result.keys():
            yield f"members of {NEW} in a result of {OLD}: {sorted(NEW_MEMBERS & result.keys())}"
        if revision == OLD and any(key.startswith(RESERVED) for key in result.get("_meta", {})):
            yield f"reserved keys of {NEW} in a result of {OLD}"

    def _error_faults(self, revision, message):
        yield from self.faults(revision, "JSONRPCErrorResponse", message)
        error = message["error"] if isinstance(message["error"], dict) else {}
        code = error.get("code")
        if code == -32022:
            yield from self.faults(NEW, "UnsupportedProtocolVersionError", message)
        elif isinstance(code, int) and -32099 <= code <= -32000:
            yield f"the code {code} is reserved for the protocol"
        if "result" in message:
            yield "both a result and an error"
