"""What goes wrong, as exceptions: the program's one line, and its exit code."""

from __future__ import annotations


class TesseraError(RuntimeError):
    """The program refused (its line: `file:line:column: key: problem; suggestion`), or something that it needs is not there."""

    #: The program's exit code: 2 the input, 3 a check, 4 no progress, 5 a mistake in Tessera, negative a signal.
    code: int = 2

    def __init__(self, message: str, code: int | None = None) -> None:
        super().__init__(message)
        if code is not None:
            self.code = code


class CheckFailed(TesseraError):
    """A check failed: points of a comparison or of a validation."""

    code = 3


class NoProgress(TesseraError):
    """The simulation could not go on: a deadlock, with what waits."""

    code = 4


class InternalError(TesseraError):
    """A broken invariant of Tessera, with its values."""

    code = 5


class RunFileError(TesseraError):
    """A file that is no run file, or that has no such table."""


class TesseraRemark(UserWarning):
    """What the program said besides its result."""


def error_of(code: int, message: str) -> TesseraError:
    """The exception for an exit code."""
    for kind in (CheckFailed, NoProgress, InternalError):
        if kind.code == code:
            return kind(message)
    return TesseraError(message, code)
