"""What the program says of itself with --help: subcommands and options, for man pages and completion."""

import dataclasses
import re
import subprocess

KINDS = {"-w": "networks", "-a": "archs", "-p": "planners"}  # what `tessera list` knows, by the option that takes it


@dataclasses.dataclass(frozen=True)
class Option:
    names: tuple  # ("-w", "--workload")
    takes_value: bool
    help: str


@dataclasses.dataclass(frozen=True)
class Help:
    words: tuple  # of the subcommand: ("probe", "memory")
    text: str  # without the examples
    examples: str
    options: tuple
    subcommands: tuple  # (name, help)


def section(text, title):
    found = re.search(rf"^{title}:\n(.*?)(?:\n\n|\Z)", text, re.M | re.S)
    return found[1].splitlines() if found else []


def entries(lines):
    """(left, help) of lines like "  -w,--workload NETWORK   Network: ..."; a long left side has its help below."""
    found = []
    for line in lines:
        if line.startswith("   "):
            found[-1][1] = (found[-1][1] + " " + line.strip()).strip()
        else:
            left, _, text = line[2:].partition("  ")
            found.append([left.strip(), text.strip()])
    return found


def help_of(program, words=()):
    done = subprocess.run([program, *words, "--help"], capture_output=True, text=True, check=True)
    text, found, examples = done.stdout.partition("\nExample:\n")
    options = []
    for left, said in entries(section(text, "Options")):
        names, _, value = left.partition(" ")
        options.append(Option(tuple(names.split(",")), bool(value), said))
    subcommands = tuple((left, said) for left, said in entries(section(text, "Subcommands")))
    return Help(tuple(words), text, examples, tuple(options), subcommands)


def all_helps(program):
    """Of the program, then of each subcommand."""
    top = help_of(program)
    found = [top]
    for name, _ in top.subcommands:
        found.append(help_of(program, (name,)))
        found += [help_of(program, (name, inner)) for inner, _ in found[-1].subcommands]
    return found
