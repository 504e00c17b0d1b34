"""Quantities of configurations as numbers."""

from __future__ import annotations

import re

#: Of each unit, in seconds, hertz, bits per second and bytes.
UNITS = {"ps": 1e-12, "ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1, "Hz": 1, "kHz": 1e3, "MHz": 1e6, "GHz": 1e9, "THz": 1e12,
         "b/s": 1, "kb/s": 1e3, "Mb/s": 1e6, "Gb/s": 1e9, "Tb/s": 1e12, "B/s": 8, "kB/s": 8e3, "MB/s": 8e6, "GB/s": 8e9,
         "TB/s": 8e12, "B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}


def number(text: str) -> float | None:
    """`text` as a number in seconds, hertz, bits per second or bytes: 16 of "16", 2e9 of "2 Gb/s"; None of what is none."""
    found = re.fullmatch(r"(-?[0-9.]+(?:[eE][-+]?[0-9]+)?)(?: ?([A-Za-z/]+))?", text)
    if not found or (found[2] and found[2] not in UNITS):
        return None
    return float(found[1]) * UNITS.get(found[2], 1)
