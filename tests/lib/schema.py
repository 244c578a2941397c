"""schema.py - does a JSON value follow a schema of docs/json? The part of JSON Schema that they use.

    check_value("report", value)      fails with the path of what is wrong

A word of a schema that this does not know is an error, and not passed over. Beyond the schema, each
NAME_hex is checked: NAME stands there, and the bytes are not UTF-8 (so NAME alone would not do).
"""
import json
import os
import re

from tap import SOURCE_ROOT, Failure

FOLDER = os.path.join(SOURCE_ROOT, "docs/json")
TYPES = {"string": str, "boolean": bool, "null": type(None), "object": dict, "array": list}
IGNORED = {"$schema", "title", "description", "definitions"}
_loaded = {}


def load(name):
    if name not in _loaded:
        with open(os.path.join(FOLDER, name + ".schema.json"), encoding="utf-8") as file:
            _loaded[name] = json.load(file)
    return _loaded[name]


def is_type(value, name):
    if name == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    if name == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


def _follow(where, reference):
    """The file and the schema that a $ref means."""
    file, _, path = reference.partition("#/")
    name = file.replace(".schema.json", "") if file else where
    schema = load(name)
    for step in path.split("/"):
        schema = schema[step]
    return name, schema


def _errors_of_object(where, schema, value, path):
    known = schema.get("properties", {})
    patterns = schema.get("patternProperties", {})
    for key in schema.get("required", []):
        if key not in value:
            yield "%s: no %r" % (path, key)
    for key, item in value.items():
        below = "%s.%s" % (path, key)
        matching = [part for pattern, part in patterns.items() if re.search(pattern, key)]
        if key in known:
            yield from errors(where, known[key], item, below)
        elif matching:
            yield from errors(where, matching[0], item, below)
        elif isinstance(schema.get("additionalProperties"), dict):
            yield from errors(where, schema["additionalProperties"], item, below)
        elif schema.get("additionalProperties") is False:
            yield "%s: unknown key" % below


def _holds(where, schema, word, value, path):
    """None if the word of the schema holds, else what is wrong (text, or a list)."""
    wanted = schema[word]
    if word == "type":
        names = wanted if isinstance(wanted, list) else [wanted]
        return None if any(is_type(value, name) for name in names) else "%s: %r is no %s" % (path, value, wanted)
    if word == "enum":
        return None if value in wanted else "%s: %r is none of %s" % (path, value, wanted)
    if word == "const":
        return None if value == wanted else "%s: %r is not %r" % (path, value, wanted)
    if word == "pattern":
        fits = not isinstance(value, str) or re.search(wanted, value)
        return None if fits else "%s: %r does not match %s" % (path, value, wanted)
    if word == "minimum":
        return None if not is_type(value, "number") or value >= wanted else "%s: %r is below %s" % (path, value, wanted)
    if word == "items":
        items = value if isinstance(value, list) else []
        return [e for i, item in enumerate(items) for e in errors(where, wanted, item, "%s[%d]" % (path, i))]
    if word == "allOf":
        return [e for part in wanted for e in errors(where, part, value, path)]
    if word == "anyOf":
        tries = [list(errors(where, part, value, path)) for part in wanted]
        return min(tries, key=len) if all(tries) else None
    if word == "$ref":
        return list(errors(*_follow(where, wanted), value, path))
    raise Failure("%s has the word %r, which schema.py does not know" % (where, word))


def errors(where, schema, value, path="$"):
    """All that is wrong, as sentences. where: the name of the file that the schema stands in."""
    if isinstance(value, dict):
        yield from _errors_of_object(where, schema, value, path)
    for word in schema:
        if word in IGNORED or word in ("properties", "patternProperties", "additionalProperties", "required"):
            continue
        wrong = _holds(where, schema, word, value, path)
        if wrong:
            yield from [wrong] if isinstance(wrong, str) else wrong


def twin_errors(value, path="$"):
    """What is wrong with the NAME_hex in a value."""
    if isinstance(value, list):
        for i, item in enumerate(value):
            yield from twin_errors(item, "%s[%d]" % (path, i))
    if not isinstance(value, dict):
        return
    for key, item in value.items():
        yield from twin_errors(item, "%s.%s" % (path, key))
        base = value.get(key[:-4]) if key.endswith("_hex") else None
        if not key.endswith("_hex"):
            continue
        texts, twins = ([base], [item]) if isinstance(item, str) else (base, item)
        if base is None or len(texts) != len(twins):
            yield "%s.%s: it is of nothing" % (path, key)
        elif all(is_utf8(bytes.fromhex(twin)) for twin in twins):
            yield "%s.%s: the text says it all" % (path, key)


def is_utf8(body):
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def check_value(name, value):
    wrong = list(errors(name, load(name), value)) + list(twin_errors(value))
    if wrong:
        raise Failure("%s.schema.json: %s" % (name, "\n".join(wrong[:5])))


def exact(value, name):
    """The bytes of a text."""
    twin = value.get(name + "_hex")
    return bytes.fromhex(twin) if twin else value[name].encode()
