#!/usr/bin/env python3
"""PipeDream's recurrence in plain Python, timed in turn with tessera_bench's `pipedream/` on the same graphs.

Per level, for every first and last state, number of machines, cut and replicas of the last stage (the rule and the bytes of the
released optimizer, activations sent uncompressed; partition/search/pipedream.hpp has both). Of the highest level only what begins
with the first state is worked out, of levels below all; with --as-written all of the highest, too. Both find the graph's states, too; reading the graph is not timed. What both find is held against the released optimizer's bottleneck (sim/validation/references/pipedream).

    test/bench/plain_pipedream.py --bench build/release/tessera_bench
"""

import argparse
import csv
import json
import statistics
import subprocess
import time
from pathlib import Path

REFERENCES = Path(__file__).resolve().parents[2] / "sim/validation/references/pipedream"
FLAT = ((16, 1.25e9),)
TWO_LEVELS = ((4, 1.2e10), (4, 1.25e9))
CASES = [(model, levels) for levels in (FLAT, TWO_LEVELS) for model in ("vgg16", "gnmt", "resnet18", "resnet50")]


def table(name):
    with open(REFERENCES / name, encoding="utf-8") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


class Graph:
    """What is computed of a profile, sets of nodes as bits of integers."""

    def __init__(self, model):
        rows = {row["node"]: row for row in table(f"{model}.nodes.csv")}
        edges = [(row["src"], row["dst"]) for row in table(f"{model}.edges.csv")]
        read = {source for source, _ in edges}
        names = [
            name
            for name, row in rows.items()
            if not row["desc"].startswith("Input") and (name in read or not row["desc"].startswith("__getitem__"))
        ]
        index = {name: i for i, name in enumerate(names)}
        self.seconds = [(float(rows[n]["forward_ms"]) + float(rows[n]["backward_ms"])) / 1000 for n in names]
        self.activations = [float(rows[n]["activation_bytes"]) for n in names]
        self.parameters = [float(rows[n]["parameter_bytes"]) for n in names]
        self.sources = [set() for _ in names]
        self.readers = [set() for _ in names]
        for source, reader in edges:
            if source in index and reader in index:
                self.sources[index[reader]].add(index[source])
                self.readers[index[source]].add(index[reader])
        self.closures = [self.closure(node) for node in range(len(names))]

    def closure(self, node):
        found, waiting = 0, [node]
        while waiting:
            node = waiting.pop()
            if not found >> node & 1:
                found |= 1 << node
                waiting.extend(self.sources[node])
        return found

    def next_source(self, state):
        return next((n for n, s in enumerate(self.sources) if not s and not state >> n & 1), None)

    def states(self):
        """Every one after its subsets."""
        found = [self.closures[self.next_source(0)]]
        known = set(found)
        for state in found:
            following = {r for n in self.members(state) for r in self.readers[n] if not state >> r & 1}
            source = None if following else self.next_source(state)
            for node in sorted(following) if source is None else [source]:
                joined = state | self.closures[node]
                if joined not in known:
                    known.add(joined)
                    found.append(joined)
        return sorted(found, key=lambda state: bin(state).count("1"))

    def members(self, state):
        return [node for node in range(len(self.sources)) if state >> node & 1]

    def antichain_bytes(self, state):
        """Of the maximal members, and of what feeds anything outside the closure of one (PipelineState::antichain_bytes)."""
        joined = set()
        for member in self.members(state):
            if any(state >> reader & 1 for reader in self.readers[member]):
                continue
            closure = self.closures[member]
            joined.add(member)
            joined.update(n for n in self.members(closure) if any(not closure >> r & 1 for r in self.readers[n]))
        return sum(self.activations[node] for node in joined)


class Problem:
    def __init__(self, graph):
        sets = graph.states()
        self.count = len(sets)
        self.seconds = [sum(graph.seconds[n] for n in graph.members(s)) for s in sets]
        self.parameters = [sum(graph.parameters[n] for n in graph.members(s)) for s in sets]
        self.sent = [graph.antichain_bytes(s) for s in sets]
        self.before = [[k for k in range(j) if sets[k] & ~s == 0 and sets[k] != s] for j, s in enumerate(sets)]

    def bottleneck(self, levels, as_written):
        """Seconds between two minibatches: the recurrence, level by level."""
        inner = [
            [self.seconds[j] - (self.seconds[i - 1] if i else 0) for j in range(self.count)] for i in range(self.count)
        ]
        senders = 1
        for level, (machines, bandwidth) in enumerate(levels):
            is_enough = level + 1 == len(levels) and not as_written
            rows = range(1 if is_enough else self.count)
            inner = [self.row(i, inner, machines, bandwidth, senders) for i in rows]
            senders = machines
        return inner[0][-1]

    def row(self, i, inner, machines, bandwidth, senders):
        """A[i][j][machines] by j."""
        best = [None] * self.count
        for j in range(i, self.count):
            cuts = [k for k in self.before[j] if k >= i and best[k] is not None]
            if i and i - 1 not in self.before[j]:
                continue
            parameters = self.parameters[j] - (self.parameters[i - 1] if i else 0)
            out = 0 if j + 1 == self.count else self.sent[j]
            best[j] = [None] * (machines + 1)
            for m in range(1, machines + 1):
                least = (inner[i][j] + 4 * (m - 1) * parameters / (bandwidth * m) / senders) / m
                for k in cuts:
                    behind = self.parameters[j] - self.parameters[k]
                    sent = max(self.sent[k], out)
                    for replicas in range(1, m):
                        stage = inner[k + 1][j] + 4 * (replicas - 1) * behind / (bandwidth * replicas)
                        time_s = max(best[k][m - replicas], stage / replicas, 2 * sent / (bandwidth * replicas))
                        least = min(least, time_s)
                best[j][m] = least
        return [None if entry is None else entry[machines] for entry in best]


def named(levels):
    return "x".join(str(machines) for machines, _ in levels)


def published(model, levels):
    """The released optimizer's bottleneck, activations sent."""
    bandwidths = "/".join(f"{bandwidth:g}" for _, bandwidth in levels)
    for row in table("flat.csv" if len(levels) == 1 else "hierarchical.csv"):
        same = row["model"] == model and row["machines"] == named(levels) and row["bandwidth"] == bandwidths
        if same and row["compression"] == "1.0" and row["straight"] == row["fewer"] == "0" and not row["memory"]:
            return float(row["bottleneck_s"])
    raise LookupError(f"{model} {levels}")


def python_seconds(graph, model, levels, as_written):
    begin = time.process_time()
    found = Problem(graph).bottleneck(levels, as_written)
    seconds = time.process_time() - begin
    assert abs(found - published(model, levels)) < 1e-9, (model, levels, found)
    return seconds


def bench_seconds(bench, name):
    command = [bench, f"--benchmark_filter=^pipedream/{name}$", "--benchmark_format=json"]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    (measured,) = json.loads(printed)["benchmarks"]
    assert measured["time_unit"] == "ms"
    return measured["cpu_time"] / 1000


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench", required=True, help="the program tessera_bench")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--as-written", action="store_true", help="all first states of the highest level, too")
    parser.add_argument("--only", default="", help="graphs whose names begin so")
    options = parser.parse_args()
    print("CPU seconds, medians of rounds in turn: graph, states, machines, Python, tessera, ratios of rounds")
    for model, levels in CASES:
        if not model.startswith(options.only):
            continue
        graph = Graph(model)
        rounds = []
        for _ in range(options.rounds):
            python = python_seconds(graph, model, levels, options.as_written)
            rounds.append((python, bench_seconds(options.bench, f"{model}_{named(levels)}")))
        python, ours = (statistics.median(column) for column in zip(*rounds))
        ratios = sorted(python / ours for python, ours in rounds)
        print(
            f"{model:10} {len(graph.states()):4} {named(levels):4} {python:8.3f} {ours:.6f}"
            f" {statistics.median(ratios):6.0f} ({ratios[0]:.0f} to {ratios[-1]:.0f})",
            flush=True,
        )


if __name__ == "__main__":
    main()
