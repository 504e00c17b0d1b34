"""Writes wrong files by changing right ones, and checks what the program says of them.

Every kind of file that the program reads as YAML is changed in every way of CHANGES: keys misspelt, deleted, twice; units, types, numbers
and words that do not belong; files cut off, with bytes that are no text, nested, with anchors. Whatever was done, the program must end
with 0 or 2 (a table of references also with 3), in time, print nothing that a terminal would obey, and complain in one line that says
file, line and column. Where the change is wrong for certain, it must complain.

    TESSERA=build/release/tessera python3 test/end_to_end/mutants.py [COUNT [SEED]]

runs COUNT mutants and prints those that were not dealt with, with the seed that makes each again (COUNT 1, SEED as printed).
"""

import concurrent.futures
import os
import random
import re
import subprocess
import sys
import tempfile

import yaml

from program import CHECK_FAILED, DONE, PROGRAM, USERS_FAULT, run_program

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SECONDS = 60

# A fabric with what the built-in ones lack: networks in the places of another, edges, ports, half duplex.
FABRIC = """\
schema: tessera.interconnect/1
name: boards
flit: 16 B
packet: 256 B
header: 16 B
topology:
  kind: ring
  shape: [2]
  link: {bandwidth: 240 Gb/s, latency: 11 ns, duplex: half}
  members:
    - topology:
        kind: edges
        shape: [3]
        links: [{bandwidth: 240 Gb/s, latency: 11 ns}, {bandwidth: 120 Gb/s, latency: 5 ns}]
        port: {bandwidth: 240 Gb/s, latency: 1 ns}
        edges: [[0, 1], [1, 2, 1]]
    - count: 1
      topology: {kind: star, shape: [4], link: {bandwidth: 240 Gb/s, latency: 11 ns}}
router: {pipeline: 3 ns, virtual_channels: 4, buffer_packets: 8, paths: one}
energy: {router_flit: 4.49 pJ, link_bit: 5 pJ, idle_bit: 1.5 pJ}
"""

# Of two kinds of accelerators, with packets, and with options of several planners.
ARRAY = """\
schema: tessera.array/1
name: mixed
accelerators: 4
groups:
  - count: 2
    accelerator:
      clock: 1 GHz
      processing_unit: {kind: mac-rate, macs_per_cycle: 16, mac_count: output-map, update: charged}
      memory: {kind: bandwidth, bandwidth: 10 GB/s, latency: 5 ns, capacity: 8 GB}
  - count: 2
    accelerator:
      processing_unit: {kind: core, core: tpu-v3, view: chip}
      memory: {kind: dram, dram: hbm2}
fabric:
  clock: 1 GHz
  topology: {kind: mesh, shape: [2, 2], link: {bandwidth: 240 Gb/s, latency: 11 ns}}
  packet: 4 KiB
  router: {pipeline: 3 ns, virtual_channels: 2, buffer_packets: 8}
execution: {overlap: communication}
energy:
  multiply: 4 pJ
  add: 1 pJ
  buffer_access: 5 pJ
  memory_access: 640 pJ
  link_word: 10 pJ
  local_memory: counted
  exchanged_word_accesses: 2
planner: {inter_layer: printed, ratio: equal, fit: reject, errors: tied, shortcut_spans: {accpar-released/resnet18: 2}}
"""

# Plans with stages: replicas, axes of three kinds and accelerators here and there; chunks and a share.
STAGES = """\
schema: tessera.plan/2
planner: by-hand
network: hypar/lenet-c
array: hypar-paper
batch: 256
accelerators: 16
pipeline:
  schedule: 1f1b
  micro_batches: 8
  stages:
    - {accelerators: [0-7], arity: [2, 4], replicas: 2, operators: [conv1, conv2]}
    - {accelerators: [8-9, 12, 14], operators: [fc1]}
    - {accelerators: [13], operators: [fc2]}
operators: {conv1: [n], conv2: [k], fc1: [c, k], fc2: []}
"""
CHUNKS = """\
schema: tessera.plan/2
planner: by-hand
network: hypar/lenet-c
array: hypar-paper
batch: 256
accelerators: 16
pipeline:
  schedule: interleaved-1f1b
  micro_batches: 4
  stages:
    - accelerators: [0-7]
      chunks: [[conv1], [fc1]]
    - accelerators: [8-15]
      chunks: [[conv2], [fc2]]
operators:
  conv1: [n, n, n]
  conv2: [n, n, n]
  fc1: [c, k, n]
  fc2: [{n: 0.25}, "-", c]
"""

# Each way to write a time of the backward pass, and what may be left out.
PROFILE = """\
schema: tessera.profile/1
name: measured
description: times of no machine
batch: 256
backward_data_share: 0.4
operators:
  - {name: conv1, forward: 2 ms, backward: 3 ms, update: 10 us}
  - {name: conv2, forward: 1.5 ms, backward_data: 2 ms, backward_weight: 1 ms}
  - {name: fc1, forward: 300 us, backward: 600 us, output: 1 MB}
  - {name: fc2, forward: 20 us, backward_data: 20 us, backward_weight: 20 us, update: 1 us}
"""

# A ratio with every key, and choices.
REFERENCES = """\
schema: tessera.references/1
description: two checks
checks:
  - source: "a paper, Fig. 1"
    note: on both
    metric: speedup
    arch: hypar-paper
    planner: hypar
    set: [arch.accelerators=4]
    baseline: {planner: dp, arch: hypar-paper, set: [arch.accelerators=2]}
    tolerance: 5000 %
    networks: [hypar/lenet-c]
    cases:
      - {workload: hypar/lenet-c, value: 1.0, tolerance: 9000 %, note: of one, set: [arch.accelerators=8], planner: mp}
      - {workload: geomean, value: 2.5, deviation: D1}
  - source: the same
    metric: choices
    arch: hypar-paper
    planner: hypar
    tolerance: exact
    cases: [{workload: hypar/lenet-c, value: 0011 0010 0000 0011}]
"""

# Free text, or the name of something that need not exist.
FREE = {"schema", "name", "description", "planner", "array", "source", "note", "deviation"}


class Kind:
    """A kind of file: what it may look like, what reads it, and how that may end."""

    def __init__(self, name, texts, *commands, ends=(DONE, USERS_FAULT)):
        self.name = name
        self.texts = texts
        self.commands = commands
        self.ends = ends


def text_of(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as file:
        return file.read()


def plan_of(*arguments):
    """A plan as `plan -o` writes it."""
    with tempfile.TemporaryDirectory(prefix="tessera-test-") as folder:
        path = os.path.join(folder, "plan.yaml")
        run = run_program("plan", *arguments, "-o", path)
        if run.returncode != DONE:
            raise ValueError(run.stderr)
        return text_of(path)


LENET = ("-w", "hypar/lenet-c", "--set", "workload.batch=256")


def kinds():
    networks = ("hypar/lenet-c", "accpar/resnet-18", "rnnlm", "bert-base", "inception-v3", "accpar-released/alexnet")
    presets = ("arch", "presets")
    return [
        Kind("network", [text_of("workloads", "zoo", f"{name}.yaml") for name in networks],
             ("plan", "-w", "FILE", "-a", "hypar-paper", "-p", "dp"), ("plan", "-w", "FILE", "-a", "hypar-paper", "-p", "hypar")),
        Kind("array", [ARRAY, *(text_of(*presets, f"{name}.yaml") for name in (
            "hypar-paper", "accpar-paper-256", "accpar-released", "hmc-htree-16", "tpu-v3-128", "eyeriss"))],
             ("plan", "-a", "FILE", "-p", "dp", *LENET), ("simulate", "-a", "FILE", "-p", "dp", *LENET)),
        Kind("core", [text_of(*presets, "cores", f"{name}.yaml") for name in ("tpu-v3", "eyeriss")],
             ("probe", "compute", "--core", "FILE", "-w", "hypar/lenet-c", "--batch", "2")),
        Kind("memory", [text_of(*presets, "memory", f"{name}.yaml") for name in ("hbm2", "hmc-2.0", "peers/ramulator1-hbm-4gb")],
             ("probe", "memory", "-a", "FILE", "--requests", "50", "--pattern", "sequential"),
             ("probe", "memory", "-a", "FILE", "--requests", "50", "--pattern", "random", "--read-fraction", "0.5")),
        Kind("fabric", [FABRIC, text_of(*presets, "fabrics", "hmc-mesh.yaml")],
             ("probe", "fabric", "-a", "FILE", "--rate", "0.1", "--warm-up", "10", "--cycles", "100")),
        Kind("plan", [plan_of("-a", "hypar-paper", "-p", "hypar", *LENET),
                      plan_of("-a", "accpar-paper-256", "-p", "accpar", *LENET)],
             ("simulate", "-a", "hypar-paper", "--plan", "FILE", *LENET),
             ("simulate", "-a", "accpar-paper-256", "--plan", "FILE", *LENET)),
        Kind("plan with stages", [STAGES, CHUNKS], ("simulate", "-a", "hypar-paper", "--plan", "FILE", *LENET)),
        Kind("profile", [PROFILE],
             ("simulate", "-a", "hypar-paper", "-p", "hypar", *LENET,
              "--set", "arch.accelerator.processing_unit={kind: profile, times: FILE}")),
        Kind("references", [REFERENCES], ("validate", "FILE"), ends=(DONE, USERS_FAULT, CHECK_FAILED)),
    ]


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
    return Mutant(f"{key}: {node.value} as {new or 'nothing'}", edited(text, node.start_mark.index, node.end_mark.index, new), True)


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

# Complaints about several files at once, each right by itself.
PLACELESS = (
    r"workload\.batch: batch [0-9]+ is not divisible by",  # a network's batch, an array's accelerators
    r"no mapping fits the row-stationary array",  # a network's layer, a core's scratchpads
)


def mutant_of(seed, all_kinds):
    rng = random.Random(seed)
    while True:
        kind = rng.choice(all_kinds)
        index = rng.randrange(len(kind.texts))
        text = kind.texts[index]
        mutant = rng.choice(CHANGES)(rng, text, yaml.compose(text))
        if mutant is None or mutant.text == text.encode():
            continue
        # A plan is for one array.
        command = kind.commands[index if kind.name == "plan" else rng.randrange(len(kind.commands))]
        return kind, mutant, command


def problem_of(kind, mutant, command, path):
    """What is wrong with how the program deals with a mutant; None if nothing is."""
    with open(path, "wb") as file:
        file.write(mutant.text)
    arguments = [word.replace("FILE", path) for word in command]
    try:
        run = subprocess.run([PROGRAM, *arguments, "--quiet"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
                             timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return f"not done in {SECONDS} s"
    stderr = run.stderr.decode("utf-8", "replace")
    printed = run.stdout.decode("utf-8", "replace") + stderr
    if run.returncode not in kind.ends:
        return f"exit {run.returncode}: {stderr.strip()}"
    if re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", printed):
        return f"raw characters on the terminal: {printed.strip()!r}"
    if run.returncode != USERS_FAULT:
        return "silently accepted" if mutant.must_fail else None
    if not re.fullmatch(r"[^\n]+\n", stderr):
        return f"not one line: {stderr!r}"
    has_place = re.search(r"\A\S+:[0-9]+:[0-9]+: ", stderr)  # in the file, or in one that it names
    if not has_place and not any(re.match(pattern, stderr) for pattern in PLACELESS):
        return f"no place: {stderr.strip()}"
    return None


def run_mutants(count, first_seed, workers=1):
    """(seed, kind, what was done, what is wrong) of each that is not dealt with."""
    all_kinds = kinds()

    def checked(seed):
        kind, mutant, command = mutant_of(seed, all_kinds)
        with tempfile.TemporaryDirectory(prefix="tessera-test-") as folder:
            problem = problem_of(kind, mutant, command, os.path.join(folder, "mutant.yaml"))
        return problem and (seed, kind.name, mutant.what, problem)

    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        return [found for found in pool.map(checked, range(first_seed, first_seed + count)) if found]


def main(words):
    count = int(words[0]) if words else 3000
    seed = int(words[1]) if len(words) > 1 else 1
    found = run_mutants(count, seed, os.cpu_count())
    for seed_of, kind, what, problem in found:
        print(f"seed {seed_of}: {kind}: {what}: {problem}")
    print(f"{count} mutants from seed {seed}: {len(found)} not dealt with")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
