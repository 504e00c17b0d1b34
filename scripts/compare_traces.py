#!/usr/bin/python3
"""Compares two run files: what was simulated and what happened, not where and when.

    compare_traces.py A.h5 B.h5

Provenance (version, commit, command line, host, seed) is ignored. Exit code 0: the same; 3: different; 2: a file cannot
be used. traces/schema.md describes the files.
"""

import argparse
import itertools
import pathlib
import sys

import h5py
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "python"))
from tessera import RunFileError, open_run_file  # noqa: E402  (that of this checkout)

PROVENANCE = {"tessera_version", "commit", "command_line", "host", "seed"}
SHOWN = 3  # differing rows per table
BLOCK = 1 << 20  # rows of a table in memory at a time

SAME, UNUSABLE, DIFFERENT = 0, 2, 3


def attributes(item):
    return {name: value for name, value in item.attrs.items() if name not in PROVENANCE}


def datasets(run):
    found = {}
    run.visititems(lambda name, item: found.update({name: item}) if isinstance(item, h5py.Dataset) else None)
    return found


def plain(value):
    """A value of a file as it is printed."""
    value = value.item() if isinstance(value, (np.generic, np.ndarray)) and value.ndim == 0 else value
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


def difference(a, b):
    """`a != b`, with the relative change where there is one."""
    a, b = plain(a), plain(b)
    numbers = isinstance(a, (int, float)) and isinstance(b, (int, float))
    change = f" ({100 * (b - a) / a:+.4g} %)" if numbers and a else ""
    return f"{a} != {b}{change}"


def compare_attributes(where, a, b):
    for name in sorted(a.keys() | b.keys()):
        if name not in a or name not in b:
            yield f"{where}{name}: only in {'B' if name in b else 'A'}"
        elif not np.array_equal(a[name], b[name]):
            yield f"{where}{name}: {difference(a[name], b[name])}"


def compare_text(name, a, b):
    lines = itertools.zip_longest(plain(a).splitlines(), plain(b).splitlines(), fillvalue="(end)")
    for number, (line_a, line_b) in enumerate(lines, 1):
        if line_a != line_b:
            yield f"{name}, line {number}: {line_a.strip()} != {line_b.strip()}"
            return


def compare_rows(name, row, a, b):
    if a.dtype.names is None:
        yield f"{name}[{row}]: {difference(a, b)}" if a.ndim == 0 else f"{name}[{row}] differs"
        return
    changes = [f"{column} {difference(a[column], b[column])}" for column in a.dtype.names if a[column] != b[column]]
    yield f"{name}[{row}]: {', '.join(changes)}"


def compare_tables(name, a, b):
    if a.dtype.names != b.dtype.names or a.shape[1:] != b.shape[1:]:
        yield f"{name}: the columns differ"
        return
    if len(a) != len(b):
        yield f"{name}: {len(a)} != {len(b)} rows"
    differing = 0
    for start in range(0, min(len(a), len(b)), BLOCK):
        end = min(start + BLOCK, len(a), len(b))
        block_a, block_b = a[start:end], b[start:end]
        unequal = (block_a != block_b).reshape(end - start, -1).any(axis=1)
        for row in np.flatnonzero(unequal)[: max(0, SHOWN - differing)]:
            yield from compare_rows(name, start + row, np.asarray(block_a[row]), np.asarray(block_b[row]))
        differing += int(unequal.sum())
    if differing > SHOWN:
        yield f"{name}: {differing} rows differ in all"


def compare_datasets(name, a, b):
    yield from compare_attributes(f"{name}.", attributes(a), attributes(b))
    if a.shape == () and b.shape == ():
        yield from compare_text(name, a[()], b[()])
    else:
        yield from compare_tables(name, a, b)


def compare(a, b):
    """Yields a line per difference."""
    yield from compare_attributes("", attributes(a), attributes(b))
    in_a, in_b = datasets(a), datasets(b)
    for name in sorted(in_a.keys() | in_b.keys()):
        if name not in in_a or name not in in_b:
            yield f"{name}: only in {'B' if name in in_b else 'A'}"
        else:
            yield from compare_datasets(name, in_a[name], in_b[name])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("a", metavar="A.h5")
    parser.add_argument("b", metavar="B.h5")
    options = parser.parse_args()
    try:
        differences = list(compare(open_run_file(options.a), open_run_file(options.b)))
    except (RunFileError, OSError, KeyError) as error:
        print(error, file=sys.stderr)
        return UNUSABLE
    print("\n".join(differences) if differences else "the same")
    return DIFFERENT if differences else SAME


if __name__ == "__main__":
    sys.exit(main())
