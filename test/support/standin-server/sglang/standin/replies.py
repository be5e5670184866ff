"""Request in, JSON reply out: the shapes of the generating endpoints, as recorded from a real server."""

import json
import time
import uuid

from sglang.standin import answers

TOP_GAP = 0.45
"""How far below the chosen token its recorded runner-up stands."""


class BadRequest(Exception):
    """A request that gets status 400 and its message."""


def usage(prompt_tokens, made, reasoning=0):
    """Token counts of one answer."""
    done = len(made.ids)
    return {
        "prompt_tokens": prompt_tokens,
        "total_tokens": prompt_tokens + done,
        "completion_tokens": done,
        "prompt_tokens_details": None,
        "reasoning_tokens": reasoning,
    }


def envelope(kind, server_args, body, choices, counts):
    """What chat and text completions share. A wrong model name is served all the same and given back."""
    return {
        "id": uuid.uuid4().hex,
        "object": kind,
        "created": int(time.time()),
        "model": body.get("model") or server_args.served_model_name,
        "choices": choices,
        "usage": counts,
        "metadata": {"weight_version": "default"},
    }


def temperature_of(parameters):
    """The temperature; 1.0 when none is given, as the API has it."""
    given = parameters.get("temperature")
    return 1.0 if given is None else float(given)


def generate(engine, server_args, body):
    """`/generate`."""
    if isinstance(body.get("text"), list):
        return [generate(engine, server_args, dict(body, text=text)) for text in body["text"]]
    if body.get("text") is None and body.get("input_ids") is None:
        raise BadRequest("Either text, input_ids or input_embeds should be provided.")
    prompt = body.get("text") or ""
    parameters = body.get("sampling_params") or {}
    limit = int(parameters.get("max_new_tokens", 128))
    begun = time.time()
    if body.get("return_logprob") and (body.get("top_logprobs_num") or body.get("logprob_start_len") == 0):
        return numbers(engine, server_args, body, limit)
    made = engine.generate(
        prompt,
        limit,
        temperature_of(parameters),
        ignore_end=parameters.get("ignore_eos", False),
        warm_up=body.get("standin_warm_up", False),
    )
    reason = {"type": made.reason}
    reason.update({"length": len(made.ids)} if made.reason == "length" else {"matched": made.matched})
    meta = meta_of(reason, len(answers.pieces(prompt)), len(made.ids), begun)
    if body.get("return_logprob"):
        top = int(body.get("top_logprobs_num") or 0)
        meta["input_token_logprobs"] = []
        meta["output_token_logprobs"] = [[value, token, None] for value, token in zip(made.logprobs, made.ids)]
        meta["output_token_logprobs_length"] = len(made.ids)
        meta["input_top_logprobs"] = []
        meta["output_top_logprobs"] = [
            [[value if value is None else value - TOP_GAP * rank, token + rank, None] for rank in range(top)]
            for value, token in zip(made.logprobs, made.ids)
        ]
    return {"text": made.text, "output_ids": made.ids, "meta_info": meta}


def meta_of(reason, prompt_tokens, tokens, begun):
    """What every answer of `/generate` says beside its text."""
    return {
        "id": uuid.uuid4().hex,
        "finish_reason": reason,
        "prompt_tokens": prompt_tokens,
        "weight_version": "default",
        "num_retractions": 0,
        "queue_time": 0.0,
        "reasoning_tokens": 0,
        "completion_tokens": tokens,
        "cached_tokens": 0,
        "cached_tokens_details": {"device": 0, "host": 0},
        "dp_rank": None,
        "e2e_latency": time.time() - begun,
    }


def numbers(engine, server_args, body, limit):
    """`/generate` where the numbers are what is asked for: of the same token ids always the same."""
    ids = body.get("input_ids") or [answers.token_id(piece) for piece in answers.pieces(body["text"])]
    context = int(server_args.context_length or 0)
    if context and len(ids) >= context:
        raise BadRequest(
            "The input (%d tokens) is longer than the model's context length (%d tokens)." % (len(ids), context)
        )
    whole = body.get("logprob_start_len") == 0
    begun = time.time()
    made = engine.numbers(ids, limit, int(body.get("top_logprobs_num") or 0), whole)
    meta = meta_of({"type": "length", "length": limit}, len(ids), limit, begun)
    meta["cached_tokens"] = 0 if whole else len(ids) - 1
    meta["input_token_logprobs"] = made.prompt if whole else []
    meta["output_token_logprobs"] = made.answer
    meta["output_token_logprobs_length"] = limit
    meta["input_top_logprobs"] = []
    meta["output_top_logprobs"] = made.best
    return {"text": " token" * limit, "output_ids": [token for _, token, _ in made.answer], "meta_info": meta}


def completions(engine, server_args, body):
    """`/v1/completions`."""
    prompt = body.get("prompt") or ""
    prompt = prompt[0] if isinstance(prompt, list) else prompt
    made = engine.generate(
        prompt, int(body.get("max_tokens") or 16), temperature_of(body), ignore_end=body.get("ignore_eos", False)
    )
    logprobs = None
    if body.get("logprobs"):
        logprobs = {"token_logprobs": made.logprobs, "tokens": made.texts, "top_logprobs": [], "text_offset": []}
    choice = {"index": 0, "text": made.text, "logprobs": logprobs}
    choice.update(finish_reason=made.reason, matched_stop=made.matched)
    return envelope("text_completion", server_args, body, [choice], usage(len(answers.pieces(prompt)), made))


def chat(engine, server_args, body):
    """`/v1/chat/completions`, with the reasoning and the tool call taken out where the server has a parser for them."""
    messages = body.get("messages") or []
    if not messages:
        raise BadRequest("Messages cannot be empty.")
    prompt = " ".join(content_text(one.get("content")) for one in messages if one.get("role") == "user")
    tools = body.get("tools") if body.get("tool_choice") != "none" else None
    thinks = server_args.reasoning_parser and (body.get("chat_template_kwargs") or {}).get("enable_thinking", True)
    thought = "The user wants a short and exact answer, so I work it out first. " if thinks else ""
    called = None
    wanted = (body.get("response_format") or {}).get("json_schema")
    if wanted:
        spoken = json.dumps({name: answers.fill(one, prompt) for name, one in wanted["schema"]["properties"].items()})
    elif tools and engine.fault != "no-tool-call":
        called = answers.tool_call(tools, body.get("tool_choice"), prompt)
        spoken = '<tool_call>\n{"name": "%s", "arguments": %s}\n</tool_call>' % called
    else:
        spoken = answers.answer(prompt)
    limit = int(body.get("max_completion_tokens") or body.get("max_tokens") or 2048)
    full = thought + spoken if spoken is not None else None
    made = engine.generate(prompt, limit, temperature_of(body), full, ignore_end=body.get("ignore_eos", False))
    spoiled = engine.fault and not made.text.startswith(thought[:20] or "\0")
    shown = made.text
    reasoning, content = (
        (shown[: len(thought)].strip(), shown[len(thought) :]) if thought and not spoiled else (None, shown)
    )
    message = {"role": "assistant", "content": content or ("" if not thought else None)}
    message.update(reasoning_content=reasoning, tool_calls=None)
    if engine.fault == "empty-content":
        message.update(content="", reasoning_content=shown)
    reason = made.reason
    if called and server_args.tool_call_parser and content.strip() == spoken.strip():
        message.update(content=None, tool_calls=[parsed_call(called)])
        reason = "tool_calls"
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": reason, "matched_stop": made.matched}
    if body.get("logprobs"):
        choice["logprobs"] = {"content": list(map(chat_logprob, made.texts, made.logprobs))}
    counts = usage(len(answers.pieces(prompt)) + 12, made, len(answers.pieces(reasoning or "")))
    return envelope("chat.completion", server_args, body, [choice], counts)


def content_text(content):
    """A message's text, also where it is a list of parts."""
    if isinstance(content, list):
        return " ".join(part.get("text", "") for part in content)
    return content or ""


def parsed_call(called):
    """One tool call as the parser gives it back."""
    name, arguments = called
    function = {"name": name, "arguments": arguments}
    return {"id": "call_" + uuid.uuid4().hex[:24], "index": 0, "type": "function", "function": function}


def chat_logprob(text, value):
    """One token's entry in a chat completion's `logprobs`."""
    one = {"token": text, "bytes": list(text.encode()), "logprob": value}
    return dict(one, top_logprobs=[dict(one)])


def chunks(reply):
    """A chat completion as the events of a stream: the role, the text word by word, the end."""
    choice = reply["choices"][0]
    head = {key: reply[key] for key in ("id", "created", "model")}
    message = choice["message"]
    deltas = [{"role": "assistant", "content": ""}]
    deltas += [{"content": piece} for piece in answers.pieces(message["content"] or "")]
    for at, delta in enumerate(deltas + [{}]):
        last = at == len(deltas)
        end = {"finish_reason": choice["finish_reason"], "matched_stop": choice["matched_stop"]}
        one = {"index": 0, "delta": dict({"reasoning_content": None}, **delta), "logprobs": None}
        one.update(end if last else dict.fromkeys(end))
        yield dict(head, object="chat.completion.chunk", choices=[one])
