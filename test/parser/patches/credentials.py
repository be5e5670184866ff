"""Where SGLang shows its API key: the arguments as text, the start-up log, /server_info, the recorded command line."""

import ast
import asyncio
import copy
import dataclasses
import json

from capability import Given
from source import run

KEY = "made-up-key"
NAMES = ("api_key", "admin_api_key", "ssl_keyfile_password")
BRIDGE = "entrypoints/grpc_bridge.py"
AUTH = "utils/auth.py"
WATERMARK = "sampling/watermarking/core.py"
REDACTORS = [
    "WATERMARK_SECRET_FIELD_NAMES", "WATERMARK_CONTAINER_FIELD_NAMES", "CREDENTIAL_FIELD_NAMES", "CREDENTIAL_OPTIONS",
    "_SCALAR_TYPES", "redact_watermark_secrets", "redact_watermark_command_line",
]  # fmt: skip


def credentials(source):
    """Per place, whether the made-up key can be read there; and whether all else is still told."""
    declared = _declarations(source)
    tools = source.load(AUTH, ["CREDENTIAL_FIELDS", "redact_credentials"], {}) if declared else _watermark(source)
    record = _record(source, declared)
    args = record(**{field.name: KEY for field in dataclasses.fields(record) if field.name in NAMES})
    told = _server_info(source, tools, args)
    found = {
        "text": KEY in repr(args),
        "text has the rest": "some-model" in repr(args),
        "server_info": KEY in json.dumps({**told, "internal_states": None}),
        "internal_states": KEY in json.dumps(told["internal_states"]),
        "server_info has the rest": told["model_path"] == "some-model" and told["max_total_num_tokens"] == 7,
        "unset stays null": _server_info(source, tools, record())["api_key"] is None,
    }
    if not declared:
        log = source.load("entrypoints/engine.py", ["_server_args_for_logging"], tools)["_server_args_for_logging"]
        found["log"] = KEY in str(log(args))
        for argv in (["--api-key", KEY], [f"--admin-api-key={KEY}"]):
            line = tools["redact_watermark_command_line"](["sglang", *argv, "--tp-size", "8"])
            found[f"launch command with {argv[0].partition('=')[0]}"] = KEY in line
            found["launch command has the rest"] = line.endswith("--tp-size 8")
    elif source.has(BRIDGE):
        found["grpc"] = KEY in _grpc(source, tools, args)
    return found


def _grpc(source, tools, args):
    given = {**tools, "dataclasses": dataclasses, "json": json, "msgspec_to_builtins": lambda value: value}
    (node,) = [n for n in ast.walk(source.tree(BRIDGE)) if getattr(n, "name", None) == "get_server_info"]
    manager = Given(server_args=args, resolved_config_dict=dict)
    return run([node], given)["get_server_info"](Given(server_args=args, tokenizer_manager=manager, scheduler_info={}))


def _server_args(source):
    return next(node for node in source.tree("server_args.py").body if getattr(node, "name", None) == "ServerArgs")


def _declarations(source):
    """The lines of ServerArgs that declare the credentials; none where a release declares its fields elsewhere."""
    return [n for n in _server_args(source).body if isinstance(n, ast.AnnAssign) and n.target.id in NAMES]


def _record(source, declared):
    """A small ServerArgs: the release's own declarations of the three fields, or its own text form."""
    body = ast.parse("class ServerArgs:\n    model_path: str = 'some-model'").body
    body[0].body += declared
    if not declared:
        body[0].body += ast.parse("\n".join(f"{name}: str = None" for name in NAMES)).body
        body[0].body += [n for n in _server_args(source).body if getattr(n, "name", None) == "__repr__"]
    given = {"dataclasses": dataclasses, "record_fields": dataclasses.fields, "__name__": __name__}
    record = dataclasses.dataclass(repr=bool(declared))(run(body, given)["ServerArgs"])
    record.resolved_dict = dataclasses.asdict
    record.describe_kv_events_publisher = lambda self: None
    record.launch_command = "sglang serve"
    return record


def _watermark(source):
    never = type("Never", (), {})
    given = {
        "dataclasses": dataclasses, "copy": copy, "msgspec": Given(Struct=never),
        "WatermarkRequestConfig": never, "WatermarkServerConfig": never,
    }  # fmt: skip
    return source.load(WATERMARK, REDACTORS, given)


def _server_info(source, tools, args):
    """What GET /server_info answers, from the release's own handler."""

    async def internal_states():
        return [dataclasses.asdict(args)]

    manager = Given(server_args=args, get_internal_state=internal_states, resolved_config_dict=dict, startup_time=1)
    given = {
        **tools, "dataclasses": dataclasses, "__version__": "0", "msgspec_to_builtins": lambda value: value,
        "_global_state": Given(tokenizer_manager=manager, scheduler_info={"max_total_num_tokens": 7}),
        "describe_kv_events_publisher": lambda args: None,
    }  # fmt: skip
    given = source.load("utils/common.py", ["build_server_info"], given)
    return asyncio.run(source.load("entrypoints/http_server.py", ["server_info"], given)["server_info"]())
