#!/usr/bin/python3
"""Debian's changelog: changelog.py PROGRAM PREFIX writes PREFIX/share/doc/tessera/changelog.gz. Its date is SOURCE_DATE_EPOCH's, else the
commit's, else 1970's: never the clock's.
"""

import email.utils
import gzip
import os
import pathlib
import subprocess
import sys


def seconds():
    if "SOURCE_DATE_EPOCH" in os.environ:
        return int(os.environ["SOURCE_DATE_EPOCH"])
    here = pathlib.Path(__file__).resolve().parent
    done = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=here, capture_output=True, text=True, check=False)
    return int(done.stdout) if done.returncode == 0 and done.stdout.strip() else 0


def main():
    program, prefix = sys.argv[1], pathlib.Path(sys.argv[2])
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
    text = (f"tessera ({version}) unstable; urgency=medium\n\n  * Version {version}; scripts/docs/CHANGELOG.md says what changed.\n\n"
            f" -- The Tessera developers <tessera@tessera.invalid>  {email.utils.formatdate(seconds())}\n")
    folder = prefix / "share/doc/tessera"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "changelog.gz").write_bytes(gzip.compress(text.encode(), 9, mtime=0))


if __name__ == "__main__":
    main()
