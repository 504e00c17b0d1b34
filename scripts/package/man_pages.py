#!/usr/bin/python3
"""Man pages of the program and of each subcommand, by help2man: man_pages.py PROGRAM PREFIX writes PREFIX/share/man/man1/*.1.gz.

Without help2man it says so and writes none.
"""

import gzip
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from helps import all_helps


def page(help_, version, others, folder):
    """The page's text. help2man runs a program that prints the help without its examples, which are a section of their own."""
    name = "-".join(("tessera", *help_.words))
    said = folder / "help"
    said.write_text(help_.text, encoding="utf-8")
    program = folder / name
    program.write_text(f"#!/bin/sh\ncat {said}\n", encoding="utf-8")
    program.chmod(0o755)
    examples = "".join(f".nf\n{line.strip()}\n.fi\n" for line in help_.examples.replace("\\", "\\e").splitlines())
    include = folder / "include"
    include.write_text((f"[EXAMPLES]\n{examples}\n" if examples else "") + "[SEE ALSO]\n" +
                       ", ".join(f".BR {other} (1)".replace(".BR ", "\\fB").replace(" (1)", "\\fR(1)") for other in others) + "\n",
                       encoding="utf-8")
    summary = help_.text.splitlines()[0].rstrip(".")
    summary = "simulator of accelerator arrays that train deep neural networks" if not help_.words else summary[0].lower() + summary[1:]
    words = ["help2man", "--no-info", f"--name={summary}", f"--version-string={version}", f"--include={include}",
             "--manual=Tessera", f"--source=tessera {version}", str(program)]
    return name, subprocess.run(words, capture_output=True, text=True, check=True, env={**os.environ, "LC_ALL": "C.UTF-8"}).stdout


def main():
    program, prefix = sys.argv[1], pathlib.Path(sys.argv[2])
    if not shutil.which("help2man"):
        print("man pages: none, as help2man is not installed (apt-get install help2man)", file=sys.stderr)
        return
    folder = prefix / "share/man/man1"
    folder.mkdir(parents=True, exist_ok=True)
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
    helps = all_helps(program)
    pages = ["-".join(("tessera", *help_.words)) for help_ in helps]
    for help_, own in zip(helps, pages):
        with tempfile.TemporaryDirectory() as scratch:
            others = [other for other in pages if other != own and (len(help_.words) == 0 or other == "tessera"
                                                                    or other.startswith(own) or own.startswith(other))]
            name, text = page(help_, version, others, pathlib.Path(scratch))
        # No time stamp: equal programs have equal pages.
        (folder / f"{name}.1.gz").write_bytes(gzip.compress(text.encode(), 9, mtime=0))


if __name__ == "__main__":
    main()
