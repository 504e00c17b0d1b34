"""Writes wrong files by changing right ones, and checks what the program says of them.

Every kind of file that the program reads as YAML is changed in every way of yaml_changes.py: keys misspelt, deleted, twice; units, types,
numbers and words that do not belong; files cut off, with bytes that are no text, nested, with anchors. Whatever was done, the program must
end with 0 or 2 (a table of references also with 3), in time, print nothing that a terminal would obey, and complain in one line that says
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
from yaml_changes import CHANGES

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SECONDS = 60


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


def written(*names):
    """Files of mutated/, written by hand for what those of the program lack."""
    return [text_of("test", "end_to_end", "mutated", f"{name}.yaml") for name in names]


LENET = ("-w", "hypar/lenet-c", "--set", "workload.batch=256")


def kinds():
    networks = ("hypar/lenet-c", "accpar/resnet-18", "rnnlm", "bert-base", "inception-v3", "accpar-released/alexnet")
    presets = ("arch", "presets")
    return [
        Kind("network", [text_of("workloads", "zoo", f"{name}.yaml") for name in networks],
             ("plan", "-w", "FILE", "-a", "hypar-paper", "-p", "dp"), ("plan", "-w", "FILE", "-a", "hypar-paper", "-p", "hypar")),
        Kind("array", [*written("array"), *(text_of(*presets, f"{name}.yaml") for name in (
            "hypar-paper", "accpar-paper-256", "accpar-released", "hmc-htree-16", "tpu-v3-128", "eyeriss"))],
             ("plan", "-a", "FILE", "-p", "dp", *LENET), ("simulate", "-a", "FILE", "-p", "dp", *LENET)),
        Kind("core", [text_of(*presets, "cores", f"{name}.yaml") for name in ("tpu-v3", "eyeriss")],
             ("probe", "compute", "--core", "FILE", "-w", "hypar/lenet-c", "--batch", "2")),
        Kind("memory", [text_of(*presets, "memory", f"{name}.yaml") for name in ("hbm2", "hmc-2.0", "peers/ramulator1-hbm-4gb")],
             ("probe", "memory", "-a", "FILE", "--requests", "50", "--pattern", "sequential"),
             ("probe", "memory", "-a", "FILE", "--requests", "50", "--pattern", "random", "--read-fraction", "0.5")),
        Kind("fabric", [*written("fabric"), text_of(*presets, "fabrics", "hmc-mesh.yaml")],
             ("probe", "fabric", "-a", "FILE", "--rate", "0.1", "--warm-up", "10", "--cycles", "100")),
        Kind("plan", [plan_of("-a", "hypar-paper", "-p", "hypar", *LENET),
                      plan_of("-a", "accpar-paper-256", "-p", "accpar", *LENET)],
             ("simulate", "-a", "hypar-paper", "--plan", "FILE", *LENET),
             ("simulate", "-a", "accpar-paper-256", "--plan", "FILE", *LENET)),
        Kind("plan with stages or phases", written("plan_stages", "plan_chunks", "plan_orders", "plan_versions", "plan_phases"),
             ("simulate", "-a", "hypar-paper", "--plan", "FILE", *LENET)),
        Kind("profile", written("profile"),
             ("simulate", "-a", "hypar-paper", "-p", "hypar", *LENET,
              "--set", "arch.accelerator.processing_unit={kind: profile, times: FILE}")),
        Kind("references", written("references"), ("validate", "FILE"), ends=(DONE, USERS_FAULT, CHECK_FAILED)),
    ]


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
