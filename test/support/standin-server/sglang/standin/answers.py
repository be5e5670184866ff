"""Right answers to simple questions, and the tokens they are made of."""

import json
import re
import zlib

CAPITALS = {
    "australia": "Canberra",
    "austria": "Vienna",
    "brazil": "Brasília",
    "canada": "Ottawa",
    "china": "Beijing",
    "egypt": "Cairo",
    "france": "Paris",
    "germany": "Berlin",
    "greece": "Athens",
    "india": "New Delhi",
    "ireland": "Dublin",
    "italy": "Rome",
    "japan": "Tokyo",
    "kenya": "Nairobi",
    "mexico": "Mexico City",
    "norway": "Oslo",
    "poland": "Warsaw",
    "portugal": "Lisbon",
    "russia": "Moscow",
    "south korea": "Seoul",
    "spain": "Madrid",
    "sweden": "Stockholm",
    "switzerland": "Bern",
    "the united kingdom": "London",
    "the united states": "Washington, D.C.",
    "turkey": "Ankara",
    "ukraine": "Kyiv",
}

DAYS = "monday tuesday wednesday thursday friday saturday sunday".split()

NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve".split()

FILLER = (
    "The river comes down from the hills in spring and carries fine sand to the sea. Along its banks people have "
    "built small towns with bridges, mills and markets, and each of them keeps a record of the years of flood. "
)
"""Text without end for prompts that have no known answer."""


def answer(prompt):
    """The right answer as a short sentence, or None for a prompt that has none."""
    text = " ".join(prompt.lower().split())
    for word, number in zip(NUMBERS, range(len(NUMBERS))):
        text = re.sub(r"\b%s\b" % word, str(number), text)
    sum_ = re.findall(r"(-?\d+)\s*(\+|-|−|\*|×|x|/|plus|minus|times|multiplied by|divided by)\s*(-?\d+)", text)
    if sum_:
        return "The answer is %s." % calculate(*sum_[-1])
    capital = re.findall(r"capital(?: city)? of ([a-z ]+)", text)
    for country, city in CAPITALS.items():
        if capital and capital[-1].startswith((country, country.replace("the ", ""))):
            return "The capital of %s is %s." % (country.title().replace("The ", "the "), city)
    day = re.search(r"day comes after (%s)" % "|".join(DAYS), text)
    if day:
        return "The day after %s is %s." % (day.group(1).title(), DAYS[(DAYS.index(day.group(1)) + 1) % 7].title())
    said = re.search(
        r"(?:say|repeat|reply with|answer with)(?: exactly| only)?(?: the words?)?:? [\"'“]?([\w ,.-]+)", prompt, re.I
    )
    return said.group(1).strip() if said else None


def calculate(left, operator, right):
    """One sum of two whole numbers."""
    left, right = int(left), int(right)
    if operator in ("+", "plus"):
        return left + right
    if operator in ("-", "−", "minus"):
        return left - right
    if operator in ("/", "divided by"):
        return left // right if right and left % right == 0 else (left / right if right else "undefined")
    return left * right


def pieces(text):
    """Text cut into tokens: a word with the space before it, or one sign."""
    return re.findall(r"\s*[^\W\d_]+|\s*\d|\s*[^\w\s]|\s+|_", text)


def token_id(piece):
    """A steady id between 10 and 150009, which is inside the vocabulary of every real model."""
    return 10 + zlib.crc32(piece.encode()) % 150000


def tool_call(tools, choice, prompt):
    """The call of the asked or the first tool, its required arguments filled from the prompt."""
    functions = [tool["function"] for tool in tools if tool.get("type") == "function"]
    wanted = choice.get("function", {}).get("name") if isinstance(choice, dict) else None
    function = next((one for one in functions if one["name"] == wanted), functions[0])
    schema = function.get("parameters") or {}
    properties = schema.get("properties") or {}
    filled = {name: fill(properties.get(name) or {}, prompt) for name in schema.get("required") or list(properties)}
    return function["name"], json.dumps(filled)


def fill(schema, prompt):
    """One argument for a tool: an enum's first, the prompt's number, or its last proper name."""
    if schema.get("enum"):
        return next((one for one in schema["enum"] if str(one).lower() in prompt.lower()), schema["enum"][0])
    if schema.get("type") in ("integer", "number"):
        numbers = re.findall(r"-?\d+", prompt)
        return int(numbers[0]) if numbers else 1
    if schema.get("type") == "boolean":
        return True
    if schema.get("type") == "array":
        return [fill(schema.get("items") or {}, prompt)]
    names = re.findall(r"(?<![.?!] )(?<!^)\b[A-Z][a-z]+", prompt)
    return names[-1] if names else "Paris"
