"""What README and the pages of the site show: commands with their output, and files.

    ```console                     a command is run by bash in a folder of the page's own, in which the page's files lie,
    $ tessera list archs           and `tessera` is the program under test; what is shown below has to be what it prints
    hypar-paper   ...              ("..." in a line stands for anything in that line, a line "..." for any lines)
    ...
    ```

    ```yaml title="mine.yaml"      a file, which is there from the page's beginning
    ```

Blocks of `sh` are for the reader alone: commands that install or build.
"""

import dataclasses
import pathlib
import re

FENCE = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.M | re.S)


@dataclasses.dataclass(frozen=True)
class Command:
    line: int  # of the page
    text: str
    shown: str  # what the page says it prints


@dataclasses.dataclass(frozen=True)
class Page:
    path: pathlib.Path
    commands: tuple
    files: dict  # name -> text


def commands_of(block, first_line):
    """The commands of a console block; one goes on in the next line after a backslash."""
    found, lines = [], block.splitlines()
    index = 0
    while index < len(lines):
        if not lines[index].startswith("$ "):
            raise ValueError(f"line {first_line + index}: a console block begins with a command ('$ ...'), not with '{lines[index]}'")
        start, text = index, lines[index][2:]
        while text.endswith("\\"):
            index += 1
            text += "\n" + lines[index]
        index += 1
        shown = []
        while index < len(lines) and not lines[index].startswith("$ "):
            shown.append(lines[index])
            index += 1
        found.append(Command(first_line + start, text, "\n".join(shown).strip("\n")))
    return found


def page_of(path):
    text = path.read_text(encoding="utf-8")
    commands, files = [], {}
    for block in FENCE.finditer(text):
        language, options, body = block.groups()
        if language == "console":
            commands += commands_of(body, text.count("\n", 0, block.start()) + 2)
        elif title := re.search(r'title="([^"]+)"', options):
            files[title[1]] = body
    return Page(path, tuple(commands), files)


def pattern_of(shown):
    """A regular expression for what a page shows; trailing blanks do not count."""
    lines = [line.rstrip() for line in shown.splitlines()]
    parts = []
    for line in lines:
        if line.strip() == "...":
            parts.append(r"(?:.*\n)*?")
        else:
            parts.append(".*?".join(re.escape(piece) for piece in line.split("...")) + r"\n")
    return re.compile("".join(parts))


def agrees(shown, printed):
    text = "".join(line.rstrip() + "\n" for line in printed.strip("\n").splitlines())
    return not shown or pattern_of(shown).fullmatch(text) is not None
