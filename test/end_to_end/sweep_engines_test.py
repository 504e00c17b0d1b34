"""A study by Slurm and by GNU parallel over ssh: tasks and workers are lost half-way, and the table is as of a local run."""

import glob
import os
import signal
import subprocess
import tempfile
import unittest

from daemons import Slurm, Sshd, missing, wait_until
from program import DONE, PROGRAM, ProgramTest

SWEEP = """\
schema: tessera.sweep/1
name: two-hundred
options: {arch: hypar-paper}
axes:
  workload: [hypar/lenet-c, hypar/sconv, hypar/vgg-a, hypar/vgg-e]
  planner: [dp, hypar]
  workload.batch: {from: 32, to: 512, factor: 2}
  arch.fabric.link.bandwidth: {from: 1 Gb/s, to: 16 Gb/s, factor: 2}
"""
POINTS = 4 * 2 * 5 * 5
TASKS = 5


class EnginesTest(ProgramTest):
    local_table = None  # is made once

    def setUp(self):
        super().setUp()
        self.write("sweep.yaml", SWEEP)

    def daemons(self, kind):
        why = missing(*kind.needs)
        if why:
            self.skipTest(why)
        folder = tempfile.TemporaryDirectory(prefix="tessera-daemons-")
        self.addCleanup(folder.cleanup)
        daemons = kind(folder.name)
        self.addCleanup(daemons.stop)
        daemons.begin()
        return daemons

    def status(self):
        return self.json_of("sweep", "status", "study")

    def assert_as_of_a_local_run(self):
        self.assertEqual(self.status()["done"], POINTS)
        if EnginesTest.local_table is None:
            self.assertEqual(self.run_program("sweep", "sweep.yaml", "local", "--quiet").returncode, DONE)
            EnginesTest.local_table = self.output_of("sweep", "collect", "local")
        self.assertEqual(self.output_of("sweep", "collect", "study"), EnginesTest.local_table)

    def workers(self):
        """Processes that work on the study, by their command lines: only those that this test's tasks started."""
        found = []
        program = os.path.join(self.folder, "study", "bin").encode()
        for path in glob.glob("/proc/[0-9]*/cmdline"):
            try:
                with open(path, "rb") as file:
                    if file.read().split(b"\0")[0].startswith(program):
                        found.append(int(path.split("/")[2]))
            except OSError:  # it has ended
                continue
        return found

    def lines(self):
        total = 0
        for path in glob.glob(self.path("study/results/*.jsonl")):
            with open(path, "rb") as file:
                total += file.read().count(b"\n")
        return total

    def kill_workers(self):
        """All that run at a moment at which something more is done."""
        before = self.lines()

        def have_been_killed():
            killed = 0
            for process in self.workers() if self.lines() > before else []:
                try:
                    os.kill(process, signal.SIGKILL)
                    killed += 1
                except ProcessLookupError:
                    continue
            return killed > 0
        wait_until(have_been_killed, "a worker has ended a point and runs")


class SlurmEngine(EnginesTest):
    def submit(self, *arguments, slurm):
        run = self.run_program("sweep", *arguments, "--engine", "slurm", "--tasks", str(TASKS), "--throttle", "2",
                               "--sbatch=--chdir=/", env=slurm.environment)
        self.assertEqual(run.returncode, DONE, run.stderr)
        return run.stdout.split("Submitted batch job ")[1].strip()

    def test_loses_tasks_and_workers_and_ends_with_the_same_table(self):
        slurm = self.daemons(Slurm)
        job = self.submit("sweep.yaml", "study", slurm=slurm)
        slurm.ask("scancel", f"{job}_{TASKS - 1}")  # that waits
        self.kill_workers()
        running = [line.split()[0] for line in slurm.jobs() if line.endswith(" RUNNING")]
        if running:
            slurm.ask("scancel", running[0])
        slurm.wait_for_jobs()
        status = self.status()
        self.assertGreater(status["left"], 0)
        self.assertGreater(status["done"], 0)
        self.submit("resume", "study", slurm=slurm)
        slurm.wait_for_jobs()
        self.assert_as_of_a_local_run()
        run = self.run_program("sweep", "resume", "study", "--engine", "slurm", "--tasks", "3")  # asks nobody
        self.assertIn(f"{POINTS} done", run.stdout)

    def test_warns_a_task_before_its_time_is_over_and_goes_on_later(self):
        slurm = self.daemons(Slurm)
        job = self.submit("sweep.yaml", "study", slurm=slurm)
        wait_until(lambda: self.workers() and self.lines() > 0, "a worker has ended a point")
        slurm.ask("scancel", "--batch", "--signal=USR1", job)
        wait_until(lambda: "Restarts=1" in slurm.ask("scontrol", "show", "job", job), "a task was requeued", every=0.5)
        slurm.wait_for_jobs()
        self.assert_as_of_a_local_run()


class ParallelEngine(EnginesTest):
    def test_over_two_hosts_loses_workers_and_ends_with_the_same_table(self):
        why = missing("parallel")
        if why:
            self.skipTest(why)
        sshd = self.daemons(Sshd)
        hosts = ["--engine", "parallel", "--tasks", str(TASKS), "--sshlogin", "1/one,1/two", "--ssh", f"ssh -F {sshd.config}"]
        environment = {**os.environ, "HOME": self.folder}  # where parallel keeps notes
        sweep = subprocess.Popen([PROGRAM, "sweep", "sweep.yaml", "study", *hosts], cwd=self.folder, env=environment,
                                 stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                 start_new_session=True)
        self.kill_workers()
        os.killpg(sweep.pid, signal.SIGKILL)  # and who deals out
        sweep.wait()
        wait_until(lambda: not self.workers(), "workers have noticed")
        self.assertLess(self.status()["done"], POINTS)
        run = self.run_program("sweep", "resume", "study", *hosts, env=environment)
        self.assertEqual(run.returncode, DONE, run.stderr)
        self.assertIn(f"{POINTS} done, 0 infeasible, 0 failed, 0 left", run.stdout)
        self.assert_as_of_a_local_run()

    def test_says_what_is_not_there(self):
        self.assertEqual(self.run_program("sweep", "plan", "sweep.yaml", "study").returncode, DONE)
        run = self.run_program("sweep", "work", "study", "--engine", "slurm", "--tasks", "2", env={**os.environ, "PATH": ""})
        self.assertEqual(run.returncode, 2)
        self.assertRegex(run.stderr, r"\Acannot start sbatch: No such file or directory; .*sweep script study --engine slurm.*\n\Z")
        script = self.output_of("sweep", "script", "study", "--engine", "slurm", "--tasks", "2", "--sbatch=--account=me")
        self.assertIn("#SBATCH --array=0-1\n", script)
        self.assertIn("#SBATCH --account=me\n", script)
        self.assert_refused("sweep", "work", "study", "--engine", "slurm", "--slice", "0/2", because="is for one worker")
        self.assert_refused("sweep", "work", "study", "--tasks", "2", because="--engine")
        for engine, option, because in (
                ("parallel", ("--throttle", "5"), "--throttle: is for --engine slurm, not for parallel"),
                ("slurm", ("--sshlogin", "one"), "--sshlogin: is for --engine parallel, not for slurm"),
                ("local", ("--tasks", "3"), "--tasks: is for --engine slurm and parallel, not for local")):
            self.assert_refused("sweep", "work", "study", "--engine", engine, *option, because=because)


if __name__ == "__main__":
    unittest.main()
