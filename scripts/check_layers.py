#!/usr/bin/python3
"""Checks who includes whom: the order of the packages, and the few places where heavy headers may be seen.

Prints one line per violation, "file:line: problem", and exits with 1 when there is one. Looks at every .hpp and .cpp of the
packages, and not at test/, where a test may combine what it likes. It reads #include lines only: what one header drags in
through another counts for the header that wrote it down.
"""

import argparse
import fnmatch
import pathlib
import re
import sys

# Which packages each package may include; itself always. A folder belongs to the nearest package above it
# (partition/schedule/builtin to partition/schedule). The order: arch/base < {workloads, arch, traces} < partition < sim;
# inside of arch: base < {memory, accelerator, fabric, collective} < array; inside of partition: schedule < plan < geometry < step < price <
# search < planners; inside of sim: task < {lower, model}, model < outcome < host < {engine, shell} < study < sweep < command < import < validation < {probe, bench} < app,
# and export, which knows run files and no simulator, and terminal beside them. The simulator (model to shell) does not know that plans and planners exist, and a study has no command
# line.
HARDWARE = {"arch/base", "arch/memory", "arch/accelerator", "arch/fabric", "arch/collective"}
VALUES = HARDWARE | {"arch/array", "workloads"}
PARTITION = [f"partition/{part}" for part in ("schedule", "plan", "geometry", "step", "price", "search", "planners")]
SIMULATOR = {"traces"} | {f"sim/{part}" for part in ("task", "lower", "model", "outcome", "host", "engine", "shell")}
PROGRAM = [f"sim/{part}" for part in ("terminal", "study", "sweep", "command", "import", "validation")]
PACKAGES = {
    "arch/base": set(),
    "workloads": {"arch/base"},
    **{f"arch/{part}": {"arch/base"} for part in ("memory", "accelerator", "fabric", "collective")},
    "arch/array": HARDWARE,
    "traces": {"arch/base"},
    **{part: VALUES.union(PARTITION[:index]) for index, part in enumerate(PARTITION)},
    "sim/task": {"arch/base", "workloads"},
    "sim/lower": VALUES.union(PARTITION, {"sim/task"}),
    "sim/model": VALUES | {"sim/task"},
    "sim/outcome": VALUES | {"traces", "sim/task", "sim/model"},
    "sim/host": VALUES | {"traces", "sim/task", "sim/model", "sim/outcome"},
    **{part: VALUES | {"traces", "sim/task", "sim/model", "sim/host"} for part in ("sim/engine", "sim/shell")},
    **{part: VALUES.union(PARTITION, SIMULATOR, PROGRAM[:index]) for index, part in enumerate(PROGRAM)},
    **{part: VALUES.union(PARTITION, SIMULATOR, PROGRAM) for part in ("sim/probe", "sim/bench")},
    "sim/app": VALUES.union(PARTITION, SIMULATOR, PROGRAM, {"sim/export"}),
    "sim/export": VALUES | {"traces", "sim/terminal"},
    "sim/terminal": {"arch/base"},
}

# Headers that are slow to compile or would tie a package to a library: (headers, what they are, files that may include
# them). In a pattern * matches across folders.
JSON = ("study", "sweep", "import", "validation", "probe", "bench", "export", "app")
HEAVY_HEADERS = [
    (("systemc", "systemc.h", "systemc/*", "sysc/*", "tlm", "tlm.h", "tlm_*"), "SystemC",
     ("sim/shell/*", "sim/app/main/*")),
    (("yaml-cpp/*",), "yaml-cpp", ("arch/base/config_reader.cpp",)),
    (("boost/*",), "Boost", ("workloads/*.cpp", "partition/*.cpp", "arch/fabric/*.cpp")),
    (("hdf5.h", "hdf5_hl.h", "H5*.h"), "HDF5", ("traces/hdf5_*",)),
    (("nlohmann/json.hpp",), "nlohmann-json", tuple(f"sim/{part}/*.cpp" for part in JSON)),
    (("nlohmann/*",), "nlohmann-json", tuple(f"sim/{part}/*" for part in JSON)),
    (("cereal/*",), "cereal", ("sim/study/point_archive.cpp",)),
    (("CLI/*",), "CLI11", ("sim/command/parser.cpp",)),
    (("gtest/*", "gmock/*", "benchmark/*"), "a test library", ()),
]

FOLDERS = ("arch", "workloads", "traces", "partition", "sim")
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:<([^>]+)>|"([^"]+)")')


def package_of(path):
    """The package that `path` ("partition/planners/x.hpp") belongs to, or None."""
    folder = path.rpartition("/")[0]
    while folder and folder not in PACKAGES:
        folder = folder.rpartition("/")[0]
    return folder or None


def matches(name, patterns):
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


def library_problem(path, header, quoted):
    """What is wrong with `path` including `header` if that is a heavy one, or None."""
    for headers, library, places in HEAVY_HEADERS:
        if matches(header, headers):
            if not matches(path, places):
                return f"{library} ({header}) may only be included by {', '.join(places) or 'tests'}"
            if quoted:
                return f'"{header}" is of a library; write <{header}>'
    return None


def project_problem(path, header):
    """What is wrong with `path` including `header` of this project, or None."""
    own, other = package_of(path), package_of(header)
    if other is None:
        return f'"{header}" names no package; write project headers as "package/file.hpp"'
    if other != own and other not in PACKAGES[own]:
        return f"{own} must not include {other} ({header})"
    return None


def include_problem(path, header, quoted):
    """What is wrong with `path` including "header" (quoted) or <header>, or None."""
    problem = library_problem(path, header, quoted)
    if problem is None and quoted:
        problem = project_problem(path, header)
    if problem is None and not quoted and package_of(header):
        problem = f'<{header}> is of this project; write "{header}"'
    return problem


def check_file(root, path):
    """The problems of one file, as lines "path:line: problem"."""
    if package_of(path) is None:
        return [f"{path}:1: this folder is in no package; add it to PACKAGES in scripts/check_layers.py"]
    problems = []
    text = (root / path).read_text(encoding="utf-8")
    for number, line in enumerate(text.splitlines(), start=1):
        found = INCLUDE.match(line)
        if found:
            problem = include_problem(path, found[1] or found[2], quoted=found[1] is None)
            if problem:
                problems.append(f"{path}:{number}: {problem}")
    return problems


def source_files(root):
    """All sources of the packages below `root`, as paths with forward slashes, sorted."""
    return sorted(path.relative_to(root).as_posix()
                  for folder in FOLDERS
                  for path in (root / folder).rglob("*")
                  if path.suffix in (".hpp", ".cpp"))


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", nargs="?", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent,
                        help="the source tree to check (default: this one)")
    root = parser.parse_args(arguments).root
    files = source_files(root)
    problems = [problem for path in files for problem in check_file(root, path)]
    if not files:
        problems = [f"{root}:0: there is not one source file of {', '.join(FOLDERS)} here"]
    for problem in problems:
        print(problem)
    if not problems:
        print(f"check_layers: {len(files)} files keep the order of the packages")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
