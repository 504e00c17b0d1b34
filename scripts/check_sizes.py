#!/usr/bin/python3
"""Checks that files and types stay small enough to be read at once: at most 350 lines a file, 20 data members and 25 functions a type.

What is in a type is universal-ctags' answer; functions are clang-tidy's (readability-function-size). What was larger when the check
came is below with its size: it may shrink, not grow, and a size that is no longer reached is a finding, so that the list only gets
shorter. Prints one line per finding and exits with 1 when there is one.
"""

import argparse
import collections
import json
import pathlib
import subprocess
import sys

from check_types import FOLDERS, source_files

TYPES = ("class", "struct", "union")

MOST_LINES, MOST_MEMBERS, MOST_FUNCTIONS = 350, 20, 25

# Of a file, lines; of a type, data members and functions.
LARGER = {
    "arch/memory/dram_spec.cpp": (364,),
    "sim/import/pipedream_profile.cpp": (397,),
    "sim/probe/collective.cpp": (358,),
    "tessera::arch::DramTiming": (22, 25),  # the names of JEDEC's timings
    "tessera::arch::Topology": (20, 34),
    "tessera::sim::CutThroughNetwork": (24, 43),
    "tessera::sim::DramChannel": (20, 32),
    "tessera::sim::DramStream": (26, 26),
    "tessera::sim::HmcCube": (23, 27),
    "tessera::sim::TaskGraph": (20, 29),
    "tessera::sim::UniformNetwork": (40, 42),
    "tessera::sim::WormholeNetwork": (27, 37),
}


def tags(root):
    """What ctags finds in the packages."""
    command = ("ctags", "--languages=C++", "--kinds-C++=mpfcsu", "--fields=NFPKsneZ", "--output-format=json", "-R", "-f", "-",
               *(folder for folder in FOLDERS if (root / folder).is_dir()))
    return [json.loads(line) for line in
            subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout.splitlines()]


def sizes_of_types(root):
    """Full name -> (file, line, data members, functions), of what stands between its braces."""
    found = tags(root)
    types = {f"{tag.get('scope', '')}::{tag['name']}".lstrip(":"): tag for tag in found if tag["kind"] in TYPES}
    members, functions = collections.Counter(), collections.Counter()
    for tag in found:
        owner = types.get(tag.get("scope")) if tag["kind"] not in TYPES else None
        if owner and tag["path"] == owner["path"] and owner["line"] <= tag["line"] <= owner["end"]:
            (members if tag["kind"] == "member" else functions)[tag["scope"]] += 1
    return {name: (tag["path"], tag["line"], members[name], functions[name]) for name, tag in types.items()}


def sizes(root):
    """Triples of a file or type, its place, and its sizes with the most that each may be."""
    for path in source_files(root):
        lines = (root / path).read_text(encoding="utf-8").count("\n")
        yield path, f"{path}:1", {"lines": (lines, MOST_LINES)}
    for name, (path, line, members, functions) in sorted(sizes_of_types(root).items()):
        limits = {"data members": (members, MOST_MEMBERS), "functions": (functions, MOST_FUNCTIONS)}
        yield name, f"{path}:{line}", limits


def problems(root, larger=None):
    """One line for each size that is too large, and for each exception that can be smaller."""
    larger = dict(LARGER if larger is None else larger)
    found = []
    for name, place, limits in sizes(root):
        allowed = larger.pop(name, None)
        for index, (what, (size, most)) in enumerate(limits.items()):
            limit = max(most, allowed[index]) if allowed else most
            if size > limit:
                found.append(f"{place}: {name} has {size} {what}, at most {limit}; which part is an idea of its own?")
            elif allowed and size < limit and limit > most:
                found.append(f"{place}: {name} has {size} {what} by now; scripts/check_sizes.py allows {limit}")
    return found + [f"scripts/check_sizes.py: there is no {name} (any more)" for name in larger]


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", nargs="?", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent,
                        help="the source tree to check (default: this one)")
    root = parser.parse_args(arguments).root
    found = problems(root)
    print("\n".join(found or [f"check_sizes: {len(source_files(root))} files and their types are small enough"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
