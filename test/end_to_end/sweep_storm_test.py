"""Sweeps whose processes are killed at any moment, several at once in one folder, on disks that fill up: nothing is lost, and nothing
is there twice. TESSERA_STORM_KILLS=100 kills as often (by hand); the suite less often."""

import csv
import io
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import time
import unittest

from program import DONE, IS_SANITIZED, PROGRAM, USERS_FAULT, ProgramTest

KILLS = int(os.environ.get("TESSERA_STORM_KILLS", "3" if IS_SANITIZED else "8"))
SWEEP = """\
schema: tessera.sweep/1
name: storm
options: {arch: hypar-paper}
axes:
  workload: [hypar/lenet-c, hypar/sconv, hypar/vgg-a]
  planner: [dp, hypar]
  workload.batch: [64, 256]
  arch.fabric.link.bandwidth: {from: 1 Gb/s, to: 16 Gb/s, factor: 2}
results: {edp: energy_j * time_s}
"""
POINTS = 3 * 2 * 2 * 5


def children_of(process):
    try:
        return [int(child) for child in pathlib.Path(f"/proc/{process}/task/{process}/children").read_text("ascii").split()]
    except OSError:  # it has ended
        return []


def kill(process, name):
    try:
        os.kill(process, name)
    except ProcessLookupError:  # it has ended
        return 0
    return 1


class Storm(ProgramTest):
    undisturbed = seconds = None  # of a sweep that nobody disturbs, on SystemC; made once

    def setUp(self):
        super().setUp()
        self.write("sweep.yaml", SWEEP)
        seed = int(os.environ.get("TESSERA_STORM_SEED", time.time_ns() % 10**6))
        self.rng = random.Random(seed)
        print(f"TESSERA_STORM_SEED={seed}")
        if Storm.undisturbed is None:
            self.done("sweep", "sweep.yaml", "on-systemc", "-j", "2", "--quiet", "--host", "systemc")
            Storm.undisturbed = self.output_of("sweep", "collect", "on-systemc")
            self.assertEqual(self.undisturbed.count(",done,"), POINTS)
            begin = time.monotonic()
            self.done("sweep", "sweep.yaml", "quiet", "-j", "2", "--quiet")
            Storm.seconds = time.monotonic() - begin

    def done(self, *arguments):
        run = self.run_program(*arguments)
        self.assertEqual(run.returncode, DONE, run.stderr)

    def sweep(self, folder):
        return subprocess.Popen([PROGRAM, "sweep", "sweep.yaml", folder, "-j", "2", "--quiet"], cwd=self.folder,
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def kill_one(self, sweep):
        """The process that deals out, or one of those that simulate. Returns how many died of it."""
        if sweep.poll() is not None:
            return 0
        workers = children_of(sweep.pid)
        if workers and self.rng.random() < 0.5:
            return kill(self.rng.choice(workers), signal.SIGKILL)
        return kill(sweep.pid, self.rng.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM]))

    def recorded(self, folder, state="done"):
        """Points that are done, or have the wanted state (None: any), by the lines that are whole."""
        found = set()
        for path in pathlib.Path(self.path(folder), "results").glob("*.jsonl"):
            for line in path.read_text("utf-8").splitlines(keepends=True):
                if line.endswith("\n") and state in (None, json.loads(line)["state"]):
                    found.add(json.loads(line)["id"])
        return found

    def storm(self, folder, kills):
        """Two sweeps at a time into one folder, until so many processes were killed or nothing is left to do (points that a worker
        died at have failed, and are not tried again). Returns how many were."""
        killed = 0
        found = set()
        seconds = self.seconds
        while killed < kills and len(self.recorded(folder, None)) < POINTS:
            begin = time.monotonic()
            sweeps = [self.sweep(folder) for _ in range(2)]
            for sweep in sweeps:
                try:
                    sweep.wait(self.rng.uniform(0, seconds))
                except subprocess.TimeoutExpired:
                    killed += self.kill_one(sweep)
                if sweep.poll() == USERS_FAULT:  # the disk is full, and the next one finds that as soon
                    seconds = min(seconds, time.monotonic() - begin)
            for sweep in sweeps:
                _, problems = sweep.communicate()
                if sweep.returncode == USERS_FAULT:
                    self.assertIn("No space left on device", problems)
            after = self.recorded(folder)
            self.assertLessEqual(found, after)
            found = after
        return killed

    def assert_nothing_is_lost(self, folder):
        recorded = self.recorded(folder)
        is_planned = os.path.exists(self.path(f"{folder}/points.jsonl"))
        # points whose process was killed have failed
        self.done("sweep", *(("retry", folder) if is_planned else ("sweep.yaml", folder)), "-j", "2", "--quiet")
        table = self.output_of("sweep", "collect", folder)
        self.assertEqual(table, self.undisturbed)
        done = [row["id"] for row in csv.DictReader(io.StringIO(table)) if row["state"] == "done"]
        self.assertEqual(len(done), len(set(done)))
        self.assertLessEqual(recorded, set(done))
        self.assertEqual([name for name in self.files() if ".partial" in name], [])

    def test_killed_at_any_moment(self):
        killed = studies = 0
        while killed < KILLS:
            killed += self.storm(f"study-{studies}", KILLS - killed)
            self.assert_nothing_is_lost(f"study-{studies}")
            studies += 1
        print(f"{killed} processes killed in {studies} studies of {POINTS} points")

    def test_two_sweeps_into_one_folder_at_once(self):
        for sweep in [self.sweep("study"), self.sweep("study"), self.sweep("study")]:
            _, problems = sweep.communicate()
            self.assertEqual(sweep.returncode, DONE, problems)
        self.assert_nothing_is_lost("study")

    @unittest.skipUnless(os.geteuid() == 0 and shutil.which("mount"), "only root makes a small disk, with mount(8)")
    def test_killed_on_a_disk_that_fills_up(self):
        for index, size in enumerate((24, 100)):  # in KiB: too small for the points, too small for their results
            disk = self.path(f"disk-{index}")
            os.mkdir(disk)
            if subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}k", "tmpfs", disk], check=False, capture_output=True).returncode:
                self.skipTest("no tmpfs may be mounted here")
            self.addCleanup(subprocess.run, ["umount", "-l", disk], check=True)
            self.storm(f"disk-{index}", max(1, KILLS // 4))
            run = self.run_program("sweep", "sweep.yaml", f"disk-{index}", "--quiet")
            self.assertEqual(run.returncode, USERS_FAULT, (run.stdout, run.stderr))
            self.assertRegex(run.stderr, r"\A[^\n]*No space left on device[^\n]*\n\Z")
            subprocess.run(["mount", "-o", "remount,size=8m", disk], check=True)
            self.assert_nothing_is_lost(f"disk-{index}")


if __name__ == "__main__":
    unittest.main()
