#!/usr/bin/python3
"""Checks that what is probed and validated is what runs: suites and probes include only models that an array can have.

A model that an array can have is a header of sim/model that the cores of an array (sim/model/array) or the program around them
(sim/shell) include, directly or through others; the .cpp beside a header counts as the header. A suite (sim/validation), a probe
(sim/probe) or a case of the bench (sim/bench) that includes any other header of sim/model measures what no `simulate` enters. The
exceptions below say why; one that is not needed any more is to be deleted. The page on validation has every suite, and headers that are
there and are models of arrays or exceptions.

Prints one line per violation, "file:line: problem", and exits with 1 when there is one.
"""

import argparse
import pathlib
import re
import sys

ROOTS = ("sim/model/array", "sim/shell")
NO_ARRAY = "sim/shell/tlm/"  # a memory by itself, for other platforms
JUDGED = ("sim/validation", "sim/probe", "sim/bench")
MODELS = "sim/model/"

# Headers that no array reaches, each with the reason why a suite or a probe includes it all the same.
EXCEPTIONS = {
    # What stands before a component in place of an array, and what counts behind it.
    "sim/model/fabric/packet/load_test.hpp": "synthetic traffic in place of accelerators, and its statistics",
    "sim/model/fabric/packet/zero_load.hpp": "one packet at a time in place of accelerators",
    "sim/model/fabric/packet/fabric_use.hpp": "counts of a network's channels, which an array has of its links",
    "sim/model/memory/closed_loop.hpp": "requests in place of an accelerator's",
    "sim/model/memory/memory_traffic.hpp": "requests in place of an accelerator's",
    "sim/model/memory/dram/dram_energy.hpp": "the energy of a channel by itself; arrays have the ledger of sim/shell",
    "sim/model/memory/hmc/hmc_host.hpp": "a host with a list of requests for chains of cubes; an array's is LinkPort, held equal to it",
    "sim/model/compute/layer_costs.hpp": "a core beside a memory of one bandwidth, in closed form; held equal to the tile engine",
    # ASTRA-sim's collectives that no array can send: switches that add, switches that store and forward, all-to-all.
    "sim/model/fabric/collective/collective_run.hpp": "messages of a collective on a network by itself",
    "sim/model/fabric/collective/in_switch.hpp": "no array's switches add",
    "sim/model/fabric/collective/least_time.hpp": "a lower bound for messages on a network by itself",
}

SUITES = "sim/validation/builtin_suites.cpp"
REFERENCES = "sim/validation/references"  # a suite for each of its .yaml
PAGE = "scripts/docs/pages/validation.md"
TABLE_HEAD = "| suite |"

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"')


def includes(root, path):
    """The project headers that a file includes, with their lines."""
    lines = (root / path).read_text(encoding="utf-8").splitlines()
    found = ((number, INCLUDE.match(line)) for number, line in enumerate(lines, start=1))
    return [(number, match[1]) for number, match in found if match]


def sources(root, folders):
    return sorted(path.relative_to(root).as_posix()
                  for folder in folders
                  for path in (root / folder).rglob("*")
                  if path.suffix in (".hpp", ".cpp"))


def reached_by_arrays(root):
    """All files that an array's program is made of, by includes."""
    reached = set()
    waiting = [path for path in sources(root, ROOTS) if not path.startswith(NO_ARRAY)]
    while waiting:
        path = waiting.pop()
        if path in reached or not (root / path).is_file():
            continue
        reached.add(path)
        if path.endswith(".hpp"):
            waiting.append(path[:-len("hpp")] + "cpp")
        waiting.extend(header for _, header in includes(root, path))
    return reached


def problems_of(root, exceptions):
    reached = reached_by_arrays(root)
    unused = dict(exceptions)
    problems = []
    for path in sources(root, JUDGED):
        for line, header in includes(root, path):
            if not header.startswith(MODELS) or header in reached:
                continue
            if header in exceptions:
                unused.pop(header, None)
            else:
                problems.append(f"{path}:{line}: {header} is a model that no array can have; run the one that arrays run, or give "
                                "the reason in scripts/check_models.py")
    problems += [f"scripts/check_models.py:1: the exception of {header} is not needed; delete it" for header in unused]
    return problems


def table_rows(root):
    """The table of suites on the page: (line, cells)."""
    lines = (root / PAGE).read_text(encoding="utf-8").splitlines()
    head = next((number for number, line in enumerate(lines) if line.startswith(TABLE_HEAD)), None)
    rows = []
    for number in range(head + 2, len(lines)) if head is not None else ():
        if not lines[number].startswith("|"):
            break
        rows.append((number + 1, lines[number].strip("|").split("|")))
    return rows


def problems_of_table(root, exceptions):
    """Every suite is there, and what its rows run is what arrays run."""
    suites = {path.stem for path in (root / REFERENCES).glob("*.yaml")}
    suites |= set(re.findall(r'add\("([^"]+)"', (root / SUITES).read_text(encoding="utf-8")))
    reached = reached_by_arrays(root)
    named, problems = set(), []
    for line, cells in table_rows(root):
        named |= set(re.findall(r"`([^`]+)`", cells[0]))
        for header in re.findall(r"`([^`]+\.hpp)`", cells[3]):
            if not (root / header).is_file():
                problems.append(f"{PAGE}:{line}: {header} is not there")
            elif header.startswith(MODELS) and header not in reached and header not in exceptions:
                problems.append(f"{PAGE}:{line}: {header} is a model that no array can have")
    problems += [f"{PAGE}:1: suite {suite} is not in the table of suites" for suite in sorted(suites - named)]
    return problems + [f"{PAGE}:1: the table of suites has {suite}, which is none" for suite in sorted(named - suites)]


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", nargs="?", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent,
                        help="the source tree to check (default: this one)")
    root = parser.parse_args(arguments).root
    problems = problems_of(root, EXCEPTIONS) + problems_of_table(root, EXCEPTIONS)
    for problem in problems:
        print(problem)
    if not problems:
        print(f"check_models: suites and probes include models of arrays, but for {len(EXCEPTIONS)} exceptions")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
