#!/usr/bin/python3
"""Checks that one name is one type: no class, struct or enum of the program is defined in two files under the same full name.

Two types of one name in one program are undefined behaviour that no compiler sees: the linker keeps one of their destructors.
Types in anonymous namespaces belong to their file; but a folder may be compiled as one file (TESSERA_UNITY), so that within a
folder they have names of their own, too. Prints one line per second definition, "file:line: problem", and exits with 1 when
there is one. Looks at every .hpp and .cpp of the packages.
"""

import argparse
import pathlib
import re
import sys

FOLDERS = ("arch", "workloads", "traces", "partition", "sim")

# Comments and literals, which may hold braces and the word class.
NOISE = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])+\'', re.DOTALL)
TOKEN = re.compile(r"[{};]")
NAMESPACE = re.compile(r"\bnamespace(?:\s+([\w:]+))?\s*$")
# The head of a definition; what follows the name is its bases, its template arguments, or nothing.
TYPE = re.compile(r"\b(?:class|struct|union|enum(?:\s+(?:class|struct))?)\s+(?:\[\[.*?\]\]\s*)?"
                  r"([A-Za-z_][\w:]*(?:\s*<[^{}]*>)?)\s*(?:final\s*)?(?::[^{}]*)?$", re.DOTALL)
ANONYMOUS = "(anonymous)"


def without_noise(text):
    """`text` with blanks instead of comments and literals; lines stay where they are."""
    return NOISE.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def opened_by(head):
    """What a brace behind `head` opens: the name of a namespace or of a type, or None for anything else."""
    namespace = NAMESPACE.search(head)
    if namespace:
        return "namespace", namespace[1] or ANONYMOUS
    found = TYPE.search(head)
    return ("type", re.sub(r"\s+", "", found[1])) if found else (None, None)


def definitions(text):
    """The types that `text` defines outside of functions, as pairs of full name and line."""
    text = without_noise(text)
    scopes, start = [], 0
    for token in TOKEN.finditer(text):
        if token[0] == "{":
            kind, name = opened_by(text[start:token.start()])
            scopes.append((kind, name))
            if kind == "type" and all(outer for outer, _ in scopes):
                yield "::".join(name for _, name in scopes), text.count("\n", 0, token.start()) + 1
        elif token[0] == "}" and scopes:
            scopes.pop()
        start = token.end()


def unit_of(path, name):
    """Where `name` may be defined once: the program, or for a file's own names the folder."""
    return path.rpartition("/")[0] if ANONYMOUS in name else ""


def problems(root):
    """All second definitions, as lines "path:line: problem"."""
    first = {}
    for path in source_files(root):
        for name, line in definitions((root / path).read_text(encoding="utf-8")):
            other = first.setdefault((unit_of(path, name), name), path)
            if other != path:
                yield f"{path}:{line}: {name} is defined in {other}, too; give one of them another name"


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
    found = list(problems(root))
    print("\n".join(found or [f"check_types: {len(source_files(root))} files define every type once"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
