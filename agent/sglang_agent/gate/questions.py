"""The questions of a gate, made from its specification: pure data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Optional

from sglang_agent.documents import Gate, Greedy
from sglang_agent.gate import checks

Check = Callable[[Any], Optional[str]]

CHAT = "/v1/chat/completions"
GENERATE = "/generate"
TOOL = "get_weather"
TOOL_QUESTION = "What is the weather in Paris right now? Use the tool."
TOOL_TOKENS = 1024
# A prompt without its chat template may be gone on with for ever; this many tokens show whether they are numbers.
NUMBERS_TOKENS = 64
# A plain text to go on with, where no known prompt is given.
PLAIN = "The capital of France is"
STREAM_TOKENS = 64
FALLBACK: Greedy = {"prompt": "What is 17 + 25?", "expect": "42", "maxTokens": 2048}
# Words before the question, by turns: a batch of unlike lengths is where some faults first show (sglang #20043).
FILLER_WORDS = (0, 24, 120, 7, 480, 60)


@dataclass(frozen=True)
class Question:
    """One request, and what its answer must stand up to. `check` is the name that a verdict gives."""

    check: str
    path: str
    body: dict[str, Any]
    checks: tuple[Check, ...]


def series(gate: Gate) -> list[Question]:
    """Asked one after the other; greedy before sampled, because sampling may end a broken server."""
    asked: list[Question] = []
    for index, entry in enumerate(gate.get("greedy") or []):
        few = min(entry["maxTokens"], NUMBERS_TOKENS)
        asked.append(_finite(f"greedy[{index}].numbers", entry["prompt"], few, 0.0))
        asked.append(known(f"greedy[{index}].answer", gate, entry, entry["prompt"], entry["maxTokens"]))
    sampled = gate.get("sampled") or {}
    prompts = _prompts(gate)
    for index in range(sampled.get("requests", 0)):
        prompt, most, temperature = prompts[index % len(prompts)], sampled["maxTokens"], sampled["temperature"]
        if index % 2 == 0:
            asked.append(_finite(f"sampled[{index}].numbers", prompt, most, temperature))
        else:
            body = {**_chat(gate, prompt, most), "temperature": temperature}
            asked.append(Question(f"sampled[{index}].text", CHAT, body, (checks.nan_marker, checks.something_said)))
    if gate.get("toolCall"):
        asked.append(_tool(gate))
    if gate.get("reasoning"):
        entry = _first_known(gate)
        body = _chat(gate, entry["prompt"], entry["maxTokens"])
        asked.append(Question("reasoning", CHAT, body, (checks.nan_marker, checks.something_said, checks.reasoning)))
    if gate.get("structured"):
        asked.append(_structured(gate))
    if "longCharacters" in gate:
        entry = _first_known(gate)
        prompt = long_filler(gate["longCharacters"]) + entry["prompt"]
        asked.append(known("long.answer", gate, entry, prompt, entry["maxTokens"]))
    return asked


def streamed(gate: Gate) -> Question:
    """A short known question whose answer comes in pieces."""
    body = {**_chat(gate, _first_known(gate)["prompt"], STREAM_TOKENS), "stream": True}
    return Question("stream", CHAT, body, ())


def long_filler(characters: int) -> str:
    """A text of so many characters, with no more tokens than that."""
    words = " ".join(str(number) for number in range(1000, 1000 + characters // 4))
    return f"Do not mind these numbers: {words}"[:characters] + ".\n\n"


def _first_known(gate: Gate) -> Greedy:
    return (gate.get("greedy") or [FALLBACK])[0]


def _structured(gate: Gate) -> Question:
    place = {"properties": {"city": {"type": "string"}}, "required": ["city"], "type": "object"}
    schema = {**place, "additionalProperties": False}
    body = _chat(gate, "What is the capital of France? Answer as JSON with the key city.", TOOL_TOKENS)
    body["response_format"] = {
        "json_schema": {"name": "place", "schema": schema, "strict": True},
        "type": "json_schema",
    }

    def shaped(document: Any) -> str | None:
        return checks.structured(document, ("city",))

    return Question("structured", CHAT, body, (checks.nan_marker, shaped))


def crowd(gate: Gate) -> list[Question]:
    """Asked all at once: known questions behind fillers of unlike lengths, and sampled texts of unlike lengths."""
    concurrency = gate.get("concurrency") or {}
    greedy = gate.get("greedy") or []
    prompts = _prompts(gate)
    asked: list[Question] = []
    for index in range(concurrency.get("requests", 0)):
        before = filler(index)
        name = f"concurrent[{index}]"
        if greedy and index % 2 == 0:
            entry = greedy[(index // 2) % len(greedy)]
            most = max(concurrency["maxTokens"], entry["maxTokens"])
            asked.append(known(f"{name}.answer", gate, entry, before + entry["prompt"], most))
        else:
            most = max(8, concurrency["maxTokens"] >> (index % 3))
            temperature = (gate.get("sampled") or {}).get("temperature", 1.0)
            asked.append(_finite(f"{name}.numbers", before + prompts[index % len(prompts)], most, temperature))
    return asked


def filler(index: int) -> str:
    """Different for each index from its first word on, so that no two share a cached prefix."""
    words = FILLER_WORDS[index % len(FILLER_WORDS)]
    if words == 0:
        return ""
    listed = " ".join(str((index + 1) * 1000 + word) for word in range(words))
    return f"{index}. Do not mind these numbers: {listed}.\n\n"


def known(check: str, gate: Gate, entry: Greedy, prompt: str, most: int) -> Question:
    def answer(document: Any) -> str | None:
        return checks.expected_answer(document, entry["expect"])

    return Question(check, CHAT, _chat(gate, prompt, most), (checks.nan_marker, checks.something_said, answer))


def _finite(check: str, prompt: str, most: int, temperature: float) -> Question:
    body = {
        "return_logprob": True,
        "sampling_params": {"max_new_tokens": most, "temperature": temperature},
        "text": prompt,
    }
    return Question(check, GENERATE, body, (checks.nan_marker, checks.token_ids, checks.log_probabilities))


def _tool(gate: Gate) -> Question:
    body = _chat(gate, TOOL_QUESTION, TOOL_TOKENS)
    place = {"properties": {"city": {"type": "string"}}, "required": ["city"], "type": "object"}
    described = {"description": "The weather in a city", "name": TOOL, "parameters": place}
    body.update(tool_choice="auto", tools=[{"function": described, "type": "function"}])

    def called(document: Any) -> str | None:
        return checks.tool_call(document, TOOL)

    return Question("toolCall", CHAT, body, (checks.nan_marker, called))


def _chat(gate: Gate, prompt: str, most: int) -> dict[str, Any]:
    messages = [{"content": prompt, "role": "user"}]
    return {"max_tokens": most, "messages": messages, "model": gate["servedModelName"], "temperature": 0}


def _prompts(gate: Gate) -> list[str]:
    return [entry["prompt"] for entry in gate.get("greedy") or []] or [PLAIN]
