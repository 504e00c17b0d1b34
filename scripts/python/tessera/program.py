"""The program: where it is, and one call of it."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
import threading
import warnings
from collections.abc import Iterable, Mapping
from typing import Any

from .errors import TesseraError, TesseraRemark, error_of

_REMARK = "remark: "


def program() -> str:
    """The path of the program: `$TESSERA`, else that of PATH, else that of this checkout."""
    named = os.environ.get("TESSERA") or shutil.which("tessera")
    if named:
        return named
    built = pathlib.Path(__file__).resolve().parents[3] / "build/release/tessera"
    if built.is_file():
        return str(built)
    raise TesseraError("no program 'tessera' in PATH; set the environment variable TESSERA to its path")


def program_version() -> str:
    """What `tessera --version` says: "tessera 0.1.0 (COMMIT)"."""
    return call(["--version"]).stdout.strip()


def setting_options(settings: Mapping[str, Any] | None) -> list[str]:
    """--set for each; lists and mappings are written as YAML has them, True as true."""
    def text(value: Any) -> str:
        return value if isinstance(value, str) else json.dumps(value)
    return [word for key, value in (settings or {}).items() for word in ("--set", f"{key}={text(value)}")]


class Calls:
    """Calls of the program that end together: stop() ends those that still run, and no other starts."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: set[subprocess.Popen[str]] = set()
        self._stopped = False

    def run(self, arguments: Iterable[object]) -> subprocess.CompletedProcess[str]:
        """Runs `tessera ARGUMENTS` to its end, whatever that is."""
        words = [program(), *map(str, arguments)]
        with self._lock:
            if self._stopped:
                raise TesseraError("interrupted", -2)
            try:
                process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            except OSError as error:
                raise TesseraError(f"cannot run {words[0]}: {error.strerror}") from error
            self._running.add(process)
        try:
            out, err = process.communicate()
        except BaseException:
            process.terminate()
            process.wait()
            raise
        finally:
            with self._lock:
                self._running.discard(process)
        return subprocess.CompletedProcess(words, process.returncode, out, err)

    def stop(self) -> None:
        """Ends what runs."""
        with self._lock:
            self._stopped = True
            for process in self._running:
                process.terminate()


def call(arguments: Iterable[object], calls: Calls | None = None, accept: Iterable[int] = (0,)) -> subprocess.CompletedProcess[str]:
    """Runs `tessera ARGUMENTS`; an exit code that is not in `accept` is an exception, a remark a warning."""
    done = (calls or Calls()).run(arguments)
    lines = done.stderr.splitlines()
    for line in lines:
        if line.startswith(_REMARK):
            warnings.warn(line[len(_REMARK):], TesseraRemark, stacklevel=4)
    if done.returncode not in accept:
        said = "\n".join(line for line in lines if not line.startswith(_REMARK)).strip()
        raise error_of(done.returncode, said or f"{done.args[0]} ended with {done.returncode}")
    return done


def call_json(arguments: Iterable[object], calls: Calls | None = None, accept: Iterable[int] = (0,)) -> dict[str, Any]:
    """The document that `tessera ARGUMENTS --json` prints."""
    return json.loads(call([*arguments, "--json"], calls, accept).stdout)
