"""Arguments of the stand-in: the options of one release where a table is packed beside it, else any option at all."""

import argparse
import json
import pkgutil
import sys

DEFAULTS = {
    "model_path": None,
    "served_model_name": None,
    "host": "127.0.0.1",
    "port": 30000,
    "api_key": None,
    "admin_api_key": None,
    "tp_size": 1,
    "nnodes": 1,
    "node_rank": 0,
    "dist_init_addr": None,
    "reasoning_parser": None,
    "tool_call_parser": None,
    "enable_metrics": False,
    "skip_server_warmup": False,
    "context_length": None,
    "log_level": "info",
}
"""What the stand-in itself looks at; every other option is kept and shown, and has no effect."""

ALIASES = {
    "model": "model_path",
    "tensor_parallel_size": "tp_size",
    "tp": "tp_size",
    "nccl_init_addr": "dist_init_addr",
}


def option_table():
    """The options of this release, `[{"names": ["--tp-size", …], "dest": …, "takes": …}]`, or None without one."""
    try:
        text = pkgutil.get_data("sglang.srt", "options.json")
    except OSError:
        return None
    return json.loads(text)


class ServerArgs:
    """The effective arguments, one attribute for each option given or looked at."""

    def __init__(self, **values):
        self.__dict__.update(DEFAULTS)
        self.__dict__.update({ALIASES.get(key, key): value for key, value in values.items()})

    def __repr__(self):
        return "ServerArgs(%s)" % ", ".join("%s=%r" % item for item in self.__dict__.items())

    @staticmethod
    def add_cli_args(parser):
        """Declares the options of the packed table; with no table, only what the stand-in looks at."""
        for option in option_table() or []:
            parser.add_argument(*option["names"], **keywords(option))
        if option_table() is None:
            for name, default in DEFAULTS.items():
                flag = {"action": "store_true"} if default is False else {"default": default}
                parser.add_argument("--" + name.replace("_", "-"), **flag)

    @classmethod
    def from_cli_args(cls, namespace):
        """The arguments of a parsed namespace."""
        return cls(**vars(namespace))


def keywords(option):
    """One table row as the keywords of `add_argument`."""
    if option["takes"] == "nothing":
        return {"action": "store_true", "dest": option["dest"]}
    kinds = {"int": int, "float": float}
    count = {"one": None, "some": "+", "any": "*"}[option["takes"]]
    wanted = {"type": kinds.get(option.get("type"), str), "default": option.get("default"), "nargs": count}
    return dict(wanted, dest=option["dest"], choices=option.get("choices"), required=option.get("required", False))


def prepare_server_args(argv):
    """`argv` with the values of `--config FILE` put before it, as one `ServerArgs`; a release's table is enforced."""
    if "--config" in argv:
        at = argv.index("--config")
        argv = config_arguments(argv[at + 1]) + argv[:at] + argv[at + 2 :]
    if option_table() is not None:
        parser = argparse.ArgumentParser(prog="sglang.launch_server")
        ServerArgs.add_cli_args(parser)
        known = ServerArgs.from_cli_args(parser.parse_args(argv))
    else:
        known = ServerArgs(**loose(argv))
    if known.model_path is None:
        sys.exit("launch_server.py: error: the following arguments are required: --model-path")
    known.served_model_name = known.served_model_name or known.model_path
    known.port, known.nnodes, known.node_rank = int(known.port), int(known.nnodes), int(known.node_rank)
    return known


def loose(argv):
    """Any `--name value …` list as a dictionary, without knowing one option."""
    values, name = {}, None
    for word in argv:
        if word.startswith("--"):
            name, equals, value = word[2:].partition("=")
            name = name.replace("-", "_")
            values[name] = value if equals else True
        elif name is not None:
            values[name] = word if values[name] is True else [values[name], word]
    return values


def config_arguments(path):
    """A flat YAML file (`key: value`, `key: [a, b]`, `- item` lines) as command-line words."""
    words, last = [], None
    with open(path, encoding="utf-8") as file:
        for line in file:
            text = line.split(" #")[0].strip()
            if not text or text.startswith("#") or text == "---":
                continue
            if text.startswith("- "):
                words.append(scalar(text[2:]))
                continue
            last, _, value = text.partition(":")
            value = value.strip()
            if value.lower() == "false" or value.lower() in ("null", "~"):
                continue
            words.append("--" + last.strip().strip("'\"").replace("_", "-"))
            if value.startswith("[") and value.endswith("]"):
                words.extend(scalar(item) for item in value[1:-1].split(","))
            elif value and value.lower() != "true":
                words.append(scalar(value))
    return words


def scalar(text):
    """A YAML scalar without its quotes."""
    text = text.strip()
    if text.startswith('"') and text.endswith('"') and len(text) > 1:
        return json.loads(text)
    if text.startswith("'") and text.endswith("'") and len(text) > 1:
        return text[1:-1].replace("''", "'")
    return text
