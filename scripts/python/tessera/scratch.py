"""Folders that go away with what they belong to."""

from __future__ import annotations

import shutil
import tempfile
import weakref


class ScratchFolder:
    """A temporary folder; removed with the object, at the latest when Python ends."""

    def __init__(self) -> None:
        self.path = tempfile.mkdtemp(prefix="tessera-")
        self._finalizer = weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)

    def __enter__(self) -> str:
        return self.path

    def __exit__(self, *_: object) -> None:
        self._finalizer()
