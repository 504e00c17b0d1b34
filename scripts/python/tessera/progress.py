"""How far a pool or a sweep is: a bar in a notebook, a line on a terminal, nothing elsewhere."""

from __future__ import annotations

import sys
import time


def in_notebook() -> bool:
    """Is this a notebook's kernel?"""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return shell is not None and type(shell).__name__ == "ZMQInteractiveShell"


class Progress:
    """`wanted`: None shows it where somebody may see it."""

    def __init__(self, noun: str, total: int, wanted: bool | None = None) -> None:
        self._noun, self._total, self._start = noun, total, time.monotonic()
        self._notebook = in_notebook()
        self._shown = wanted if wanted is not None else self._notebook or sys.stderr.isatty()
        self._handle = None
        self._drawn = False

    def text(self, done: int) -> str:
        """"3/12 runs, 4 s left"."""
        seconds = time.monotonic() - self._start
        left = f", {seconds / done * (self._total - done):.0f} s left" if 0 < done < self._total else ""
        return f"{done}/{self._total} {self._noun}{left}"

    def update(self, done: int) -> None:
        """So many of the total are done."""
        if not self._shown:
            return
        if not self._notebook:
            print(f"\r\033[K{self.text(done)}", end="", file=sys.stderr, flush=True)
            self._drawn = True
            return
        from IPython import display

        bar = display.HTML(f'<progress value="{done}" max="{self._total}"></progress> {self.text(done)}')
        if self._handle is None:
            self._handle = display.display(bar, display_id=True)
        else:
            self._handle.update(bar)

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._drawn:
            print(file=sys.stderr)
