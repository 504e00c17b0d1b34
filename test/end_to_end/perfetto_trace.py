"""Reads a trace of Perfetto back, through protoc and the subset of its schema: processes, tracks, slices, flows and counters."""

import collections
import pathlib
import re
import shutil
import subprocess

SUBSET = pathlib.Path(__file__).resolve().with_name("perfetto_subset.proto")
PROTOC = shutil.which("protoc")


class UnknownField(ValueError):
    """A field that is not in the subset, or of another type there."""


def decoded(path):
    """The packets of a trace, as dictionaries of lists."""
    with open(path, "rb") as trace:
        text = subprocess.run([PROTOC, "--decode=tessera.Trace", f"--proto_path={SUBSET.parent}", SUBSET.name], stdin=trace,
                              stdout=subprocess.PIPE, check=True, text=True).stdout
    stack = [collections.defaultdict(list)]
    for line in text.splitlines():
        words = line.split(maxsplit=1)
        if words[0] == "}":
            stack.pop()
            continue
        name = words[0].rstrip(":")
        if name.isdigit():
            raise UnknownField(line)
        if words[1] == "{":
            stack.append(collections.defaultdict(list))
            stack[-2][name].append(stack[-1])
        else:
            stack[-1][name].append(value(words[1]))
    return stack[0]["packet"]


def value(text):
    if text.startswith('"'):
        return re.sub(r"\\(.)", r"\1", text[1:-1])
    if re.fullmatch(r"-?\d+", text):
        return int(text)
    try:
        return float(text)
    except ValueError:
        return text  # of an enumeration


Slice = collections.namedtuple("Slice", "process track number begin end name arguments flows")


class Trace:
    """What a trace shows. Slices that overlap on a track, and begins without ends, are errors."""

    def __init__(self, path):
        self.names, self.tracks = {}, {}
        self.slices, self.instants, self.counters = [], [], collections.defaultdict(list)
        events = collections.defaultdict(list)
        for packet in decoded(path):
            for data in packet["interned_data"]:
                for kind, entries in data.items():
                    self.names.update({(kind, entry["iid"][0]): entry["str"][0] for entry in entries})
            for track in packet["track_descriptor"]:
                self.tracks[track["uuid"][0]] = track
            for event in packet["track_event"]:
                events[event["track_uuid"][0]].append((packet["timestamp"][0], event))
        for number, found in events.items():
            self.add_track(number, sorted(found, key=lambda entry: entry[0]))  # stable, as Perfetto sorts

    def add_track(self, number, events):
        open_slice = None
        for time, event in events:
            kind = event["type"][0]
            if kind == "TYPE_SLICE_BEGIN":
                if open_slice:
                    raise ValueError(f"a slice begins at {time} within another")
                open_slice = self.slice_of(number, time, event)
            elif kind == "TYPE_SLICE_END":
                self.slices.append(open_slice._replace(end=time))
                open_slice = None
            elif kind == "TYPE_INSTANT":
                self.instants.append(self.slice_of(number, time, event)._replace(end=time))
            else:
                self.counters[self.place_of(number)].append((time, event["double_counter_value"][0]))
        if open_slice:
            raise ValueError("a slice does not end")

    def place_of(self, number):
        """The names of a track's process and of the track."""
        track = self.tracks[number]
        if track["process"]:
            return track["process"][0]["process_name"][0], ""
        return self.place_of(track["parent_uuid"][0])[0], track["name"][0]

    def slice_of(self, number, begin, event):
        flows = [("leaves", flow) for flow in event["flow_ids"]] + [("arrives", flow) for flow in event["terminating_flow_ids"]]
        return Slice(*self.place_of(number), number, begin, None, self.names["event_names", event["name_iid"][0]],
                     dict(map(self.argument, event["debug_annotations"])), flows)

    def argument(self, annotation):
        name = annotation["name"][0] if annotation["name"] else self.names["debug_annotation_names", annotation["name_iid"][0]]
        if annotation["string_value_iid"]:
            return name, self.names["debug_annotation_string_values", annotation["string_value_iid"][0]]
        return name, (annotation["int_value"] or annotation["string_value"])[0]
