"""Ways to make a wrong file of a right one.

Each of CHANGES takes a source of chance, a text and its parsed root, and gives a Mutant, or None where the text has nothing that can be
changed in that way.
"""

import re

import yaml

# Free text, or the name of something that need not exist.
FREE = {"schema", "name", "description", "planner", "array", "source", "note", "deviation"}


class Pair:
    """A key and its value, with the places of both in the text."""

    def __init__(self, key, value, is_flow, siblings):
        self.key = key.value
        self.value = value
        self.is_flow = is_flow
        self.siblings = siblings
        self.column = key.start_mark.column
        self.begin, self.key_end = key.start_mark.index, key.end_mark.index
        self.value_begin, self.end = value.start_mark.index, value.end_mark.index


def pairs_of(node):
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield Pair(key, value, node.flow_style, [other.value for other, _ in node.value])
            yield from pairs_of(value)
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield from pairs_of(item)


def scalars_of(node, key=None):
    """Scalars with the key of the map or list that they are in."""
    if isinstance(node, yaml.MappingNode):
        for own_key, value in node.value:
            yield from scalars_of(value, own_key.value)
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield from scalars_of(item, key)
    else:
        yield key, node


NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")
QUANTITY = re.compile(r"([0-9]+(\.[0-9]+)?) ([A-Za-z]+(/s)?)")
UNITS = ("ns", "GB/s", "Gb/s", "GHz", "GiB", "pJ", "s", "W", "B", "bytes", "x", "ms ", "Hz/s")


class Mutant:
    """A changed text; `must_fail` where there is no way to read it right."""

    def __init__(self, what, text, must_fail):
        self.what = what
        self.text = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
        self.must_fail = must_fail


def edited(text, begin, end, new):
    return text[:begin] + new + text[end:]


def misspelt(rng, word):
    index = rng.randrange(len(word))
    letter = rng.choice("abcdefghijklmnopqrstuvwxyz_")
    return rng.choice([word[:index] + word[index + 1:], word[:index] + letter + word[index:], word + "s", word.upper(),
                       word[:index] + letter + word[index + 1:], word[:index] + word[index:index + 2][::-1] + word[index + 2:],
                       word.replace("_", "-"), word + letter])


def misspell_key(rng, text, root):
    pair = rng.choice(list(pairs_of(root)))
    known = {other.key for other in pairs_of(root)} | {"n", "m", "k", "h", "w", "row", "bank"}
    new = misspelt(rng, pair.key)
    if new in known or not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_./-]*", new):
        new = pair.key + "_zz"
    return Mutant(f"key {pair.key} misspelt {new}", edited(text, pair.begin, pair.key_end, new), True)


def add_key(rng, text, root):
    pair = rng.choice(list(pairs_of(root)))
    joint = ", " if pair.is_flow else "\n" + " " * pair.column
    return Mutant(f"key zzz before {pair.key}", edited(text, pair.begin, pair.begin, "zzz: 1" + joint), True)


def duplicate_key(rng, text, root):
    pair = rng.choice(list(pairs_of(root)))
    joint = ", " if pair.is_flow else "\n" + " " * pair.column
    again = text[pair.begin:pair.end].rstrip() + joint
    return Mutant(f"key {pair.key} twice", edited(text, pair.begin, pair.begin, again), True)


def delete_key(rng, text, root):
    pair = rng.choice(list(pairs_of(root)))
    end = pair.end
    if pair.is_flow:
        end = re.compile(r",?\s*").match(text, end).end()
    return Mutant(f"key {pair.key} deleted", edited(text, pair.begin, end, ""), False)


def change_unit(rng, text, root):
    quantities = [(key, node) for key, node in scalars_of(root) if QUANTITY.fullmatch(node.value) and key not in FREE]
    if not quantities:
        return None
    key, node = rng.choice(quantities)
    number, unit = QUANTITY.fullmatch(node.value).group(1, 3)
    family = {"b/s": "rate", "B/s": "rate", "Hz": "frequency", "J": "energy", "B": "size"}
    def kind(name):
        return next((what for end, what in family.items() if name.endswith(end)), "time" if name in ("ns", "ps", "us", "ms", "s") else name)
    others = [other for other in UNITS if kind(other.strip()) != kind(unit)]
    new = rng.choice([number, f"{number}{rng.choice(others)}", f"{number} {rng.choice(others)}", f"{number} {unit}{unit}",
                      f"{number} {unit.swapcase()}x", unit, f"{number} {number} {unit}", f"-{number} {unit}", f"nan {unit}", f"inf {unit}",
                      f"1e999 {unit}", f"0x10 {unit}", f"{number};{unit}"])
    return Mutant(f"{key}: {node.value} as {new}", edited(text, node.start_mark.index, node.end_mark.index, new), True)


def change_number(rng, text, root):
    numbers = [(key, node) for key, node in scalars_of(root) if NUMBER.fullmatch(node.value) and key not in FREE]
    if not numbers:
        return None
    key, node = rng.choice(numbers)
    wrong = ("-1", "-7", "nan", ".nan", "inf", "-.inf", "1e999", "0x10", "1_000", "9" * 30, "1.2.3", "4 GB", "٣", "''", "+", "1 000")
    possible = ("0", "1", "1000000", "1048576", "4294967296", "9223372036854775807", "3", "0.5", "1e3", "1e-300", "00004")
    is_wrong = rng.random() < 0.5
    new = rng.choice(wrong if is_wrong else possible)
    must_fail = is_wrong and not (key in ("time_s", "energy_j", "value") and new.isdigit())  # as large as a float can be
    return Mutant(f"{key}: {node.value} as {new}", edited(text, node.start_mark.index, node.end_mark.index, new), must_fail)


def change_quantity(rng, text, root):
    quantities = [(key, node) for key, node in scalars_of(root) if QUANTITY.fullmatch(node.value) and key not in FREE]
    if not quantities:
        return None
    key, node = rng.choice(quantities)
    unit = QUANTITY.fullmatch(node.value).group(3)
    new = rng.choice(("0", "1", "0.001", "1000000", "999999999999", "0.3", "1e3", "123456789.123")) + " " + unit
    return Mutant(f"{key}: {node.value} as {new}", edited(text, node.start_mark.index, node.end_mark.index, new), False)


def change_word(rng, text, root):
    words = [(key, node) for key, node in scalars_of(root)
             if key not in FREE and not NUMBER.match(node.value) and not QUANTITY.fullmatch(node.value)]
    if not words:
        return None
    key, node = rng.choice(words)
    new = rng.choice((node.value + "zz", "zzz", "7.5", "true", "''", "\"\\e[31m\"", "\"\\0\"", "\"a\\nb\"", "../zzz", "/dev/null", "$zzz"))
    return Mutant(f"{key}: {node.value} as {new}", edited(text, node.start_mark.index, node.end_mark.index, new), True)


def change_type(rng, text, root):
    key, node = rng.choice(list(scalars_of(root)))
    new = rng.choice(("{zzz: 1}", "[1, 2, 3]", "~", "", "[]", "{}", "[[1]]", "{zzz: {zzz: 1}}", "[zzz, zzz]"))
    is_shorter_list = new == "" and text[node.end_mark.index:].startswith("]")  # [4, ] is [4]
    return Mutant(f"{key}: {node.value} as {new or 'nothing'}", edited(text, node.start_mark.index, node.end_mark.index, new),
                  not is_shorter_list)


def flatten_type(rng, text, root):
    collections = [pair for pair in pairs_of(root) if not isinstance(pair.value, yaml.ScalarNode)]
    pair = rng.choice(collections)
    new = rng.choice(("zzz", "1 GB", "true", "~") if pair.key == "pool" else ("1", "zzz", "1 GB", "true", "~"))  # pool: 1 is a window
    end = pair.end if pair.is_flow or pair.value.flow_style else len(text[:pair.end].rstrip())
    tail = "" if pair.is_flow or pair.value.flow_style else "\n" + " " * 0
    rest = text[end:].lstrip("\n") if tail else text[end:]
    return Mutant(f"{pair.key} as {new}", text[:pair.value_begin] + new + tail + rest, True)


def truncate(rng, text, root):
    end = rng.randrange(len(text))
    return Mutant(f"cut off at {end}", text[:end], False)


def put_bytes(rng, text, root):
    data = text.encode()
    index = rng.randrange(len(data) + 1)
    while index < len(data) and data[index] & 0xC0 == 0x80:
        index += 1
    wrong = [bytes([code]) for code in (*range(0, 9), 11, 12, *range(14, 32), 127, 128, 192, 255)] + [b"\xed\xa0\x80", b"\xf8\x88\x80\x80\x80"]
    possible = [b"\xc2\x9b", b"\xe2\x80\xa8", b"\xef\xbb\xbf", b"\xe2\x80\xae", b"\t", b"\r"]
    must_fail = rng.random() < 0.6
    new = rng.choice(wrong if must_fail else possible)
    return Mutant(f"bytes {new!r} at {index}", data[:index] + new + data[index:], must_fail)


def nest(rng, text, root):
    key, node = rng.choice(list(scalars_of(root)))
    depth = rng.choice((65, 100, 1000, 20_000))
    opening, closing = rng.choice((("[", "]"), ("{a: ", "}"), ("[", ""), ("{a: ", ""), ("{? ", "}")))
    new = opening * depth + "1" + closing * depth
    return Mutant(f"{key}: nested {depth} times by {opening}", edited(text, node.start_mark.index, node.end_mark.index, new), True)


def use_yaml(rng, text, root):
    key, node = rng.choice(list(scalars_of(root)))
    begin = node.start_mark.index
    new = rng.choice(("&a ", "*a ", "!!int ", "!!str ", "!zzz ", "&a *a ", "@", "`", "%", "|\n", "? "))
    return Mutant(f"{key}: {new.strip()} before {node.value}", edited(text, begin, begin, new), True)


def add_document(rng, text, root):
    return Mutant("a second document", text + rng.choice(("---\nzzz: 1\n", "...\n---\n[]\n", "--- {zzz: 1}\n")), True)


def shuffle_lines(rng, text, root):
    """A line somewhere else, or indented otherwise."""
    lines = text.split("\n")
    index = rng.randrange(len(lines))
    line = lines.pop(index)
    if rng.random() < 0.5:
        lines.insert(rng.randrange(len(lines) + 1), line)
    else:
        lines.insert(index, " " * rng.randrange(5) + line.lstrip())
    return Mutant(f"line {index + 1} elsewhere", "\n".join(lines), False)


CHANGES = (misspell_key, misspell_key, misspell_key, add_key, duplicate_key, delete_key, delete_key, change_unit, change_unit, change_number,
           change_number, change_quantity, change_word, change_word, change_type, change_type, flatten_type, truncate, put_bytes, nest,
           use_yaml, add_document, shuffle_lines)
