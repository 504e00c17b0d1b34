"""The table of a sweep, as figures read it: rows that are done, columns as numbers, and how a column is called on an axis."""

import csv
import os
import re

import yaml

import figure_kit as kit
from tessera import number  # that of this checkout, which the kit found

UNIT_ENDINGS = {"_s": "s", "_j": "J", "_bytes": "B"}
BASES = ("b/s", "B/s", "Hz", "s", "B")  # of what number() reads, the longest first where one ends with another


def as_map(text):
    """Of "{kind: ideal, capacity: 8 GB}"; None of what is no map."""
    if not text.startswith("{"):
        return None
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError:
        return None


def different_entries(maps):
    """Of each map what not all have: "bandwidth 450 GB/s"."""
    keys = [key for key in dict.fromkeys(key for each in maps for key in each) if len({str(each.get(key)) for each in maps}) > 1]
    return [" ".join(f"{key} {each[key]}" for key in keys if key in each) or "-" for each in maps]


def short_names(texts):
    """Without what all have: "vgg-a" of "hypar/vgg-a", "bandwidth 450 GB/s" of maps that differ in it."""
    maps = [as_map(text) for text in texts]
    if None not in maps and len(set(texts)) > 1:
        return different_entries(maps)
    folders = {text.rpartition("/")[0] for text in texts if text != kit.GMEAN}
    return [text.rpartition("/")[2] if len(folders) == 1 else text for text in texts]


class StudyTable:
    """The rows of a table that are done."""

    def __init__(self, path):
        try:
            with open(path, encoding="utf-8", newline="") as file:
                rows = list(csv.DictReader(file))
        except (OSError, UnicodeDecodeError, csv.Error) as error:
            raise kit.FigureError(f"{path}: {error}") from error
        if not rows or "state" not in rows[0]:
            raise kit.FigureError(f"{path}: no table of a sweep (tessera sweep collect writes one)")
        self.path = path
        self.rows = [row for row in rows if row["state"] == "done"]
        self.others = len(rows) - len(self.rows)
        if not self.rows:
            raise kit.FigureError(f"{path}: no point is done")

    def check(self, column):
        if column not in self.rows[0]:
            raise kit.FigureError(f"{self.path}: no column '{column}'; there are: {', '.join(self.rows[0])}")

    def series(self, columns):
        """The rows by what they have in `columns`, in the order of the table: (label, rows)."""
        for column in columns:
            self.check(column)
        groups = {}
        for row in self.rows:
            groups.setdefault(tuple(row[column] for column in columns), []).append(row)
        names = [short_names(texts) for texts in zip(*groups)]
        return [(", ".join(key), rows) for key, rows in zip(zip(*names), groups.values())] if columns else [("", self.rows)]

    def values(self, rows, column):
        """Numbers, in seconds, joules, bytes, hertz or bits per second where they have a unit."""
        self.check(column)
        values = [number(row[column]) for row in rows]
        if None in values:
            raise kit.FigureError(f"{self.path}: '{rows[values.index(None)][column]}' of column {column} is no number")
        return values

    def unit(self, column):
        """Of values(): as its name says, or as its texts do; "" of none."""
        for ending, unit in UNIT_ENDINGS.items():
            if column.endswith(ending):
                return unit
        text = self.rows[0].get(column) or ""
        written = text.rpartition(" ")[2] if number(text) is not None and " " in text else ""
        unit = next((base for base in BASES if written.endswith(base)), "")
        return "b/s" if unit == "B/s" else unit  # as number() counts

    def name(self, column):
        """Without its unit and in words: "exposed communication" of exposed_communication_s."""
        if "." in column:
            return column  # a key
        for ending in UNIT_ENDINGS:
            column = column.removesuffix(ending)
        return column.replace("_", " ")

    def footer(self):
        programs = ", ".join(sorted({re.sub(r"\((.*)\)", lambda commit: f"({kit.short_commit(commit[1])})", row["program"])
                                     for row in self.rows}))
        left = f"; {self.others} of {self.others + len(self.rows)} points are not done" if self.others else ""
        return f"{len(self.rows)} points of {os.path.basename(self.path)}, simulated by Tessera {programs}{left}."
