"""Whatever cannot be written: one line, exit code 2, nothing left behind."""

import os
import resource
import signal
import subprocess
import unittest

from program import PROGRAM, USERS_FAULT, ProgramTest

PROBLEM = ("-w", "hypar/lenet-c", "-a", "hypar-paper", "-p", "dp")


def limit_file_size():
    """No file may grow over 4 KiB, which is less than any run file or plan has... a disk that is full."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))


class UnwritableFiles(ProgramTest):
    def refuse(self, output, because):
        self.assert_refused("simulate", *PROBLEM, "-o", output, because=because)
        self.assert_refused("plan", *PROBLEM, "-o", output, because=because)

    def test_below_a_regular_file(self):
        self.write("file", "kept")
        self.refuse("file/run", ["file/run", "Not a directory"])
        self.assert_refused("compare", *PROBLEM, "-o", "file/runs", because="file/runs")

    def test_in_a_folder_that_does_not_exist(self):
        self.refuse("nowhere/run", ["nowhere/run", "No such file or directory"])

    def test_in_proc(self):
        self.refuse("/proc/tessera-run", "/proc/tessera-run")

    def test_a_directory(self):
        os.mkdir(self.path("folder"))
        self.refuse("folder", ["folder", "is a directory"])

    def test_a_device(self):
        self.refuse("/dev/full", ["/dev/full", "not a regular file"])

    def test_no_name(self):
        self.refuse("", "the name is empty")

    def test_an_existing_file_is_kept_when_the_new_one_fails(self):
        self.write("run.h5", "kept")
        self.assert_refused("simulate", *PROBLEM, "-o", "run.h5", "--force", because="File too large",
                            preexec_fn=limit_file_size)
        with open(self.path("run.h5"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "kept")


class FullDisks(ProgramTest):
    def test_no_run_file_is_left(self):
        self.assert_refused("simulate", *PROBLEM, "-o", "run.h5", because="cannot write run.h5",
                            preexec_fn=limit_file_size)
        self.assert_refused("simulate", *PROBLEM, "-o", "run.h5", "--trace", "none", because="cannot write run.h5",
                            preexec_fn=limit_file_size)

    def test_no_plan_is_left(self):
        self.assert_refused("plan", *PROBLEM, "-o", "plan.yaml", because="cannot write plan.yaml",
                            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (16, 16)))

    def test_of_several_runs_the_first_that_failed_is_named(self):
        os.mkdir(self.path("runs"))
        self.assert_refused("compare", "-w", "hypar/lenet-c,hypar/sfc", "-a", "hypar-paper", "-p", "dp,hypar", "-o",
                            "runs", because=["hypar_lenet-c.hypar-paper.dp.h5", "hypar/lenet-c"],
                            preexec_fn=limit_file_size)

    def test_a_real_one(self):
        os.mkdir(self.path("disk"))
        mount = ["mount", "-t", "tmpfs", "-o", "size=8k", "tmpfs", self.path("disk")]
        try:
            mounted = subprocess.run(mount, capture_output=True, check=False).returncode == 0
        except FileNotFoundError:
            mounted = False
        if not mounted:
            self.skipTest("mounting takes privileges")
        self.addCleanup(subprocess.run, ["umount", self.path("disk")], check=True)
        self.assert_refused("simulate", *PROBLEM, "-o", "disk/run.h5", because="No space left on device")


class StandardOutput(ProgramTest):
    def refuse(self, because, **options):
        for arguments in (("list", "networks"), ("--help",), ("plan", *PROBLEM, "--json"), ("simulate", *PROBLEM)):
            self.assert_refused(*arguments, because=["standard output", because], **options)

    def test_on_a_full_disk(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            self.refuse("No space left on device", stdout=full)

    def test_that_is_closed(self):
        self.refuse("Bad file descriptor", stdout=None, preexec_fn=lambda: os.close(1))

    def test_whose_reader_is_gone(self):
        reader, writer = os.pipe()
        os.close(reader)
        self.addCleanup(os.close, writer)
        self.refuse("Broken pipe", stdout=writer)

    def test_a_closed_one_does_not_spoil_the_run_file(self):
        run = self.run_program("simulate", *PROBLEM, "-o", "run.h5", stdout=None, preexec_fn=lambda: os.close(1))
        self.assertEqual(run.returncode, USERS_FAULT)
        with open(self.path("run.h5"), "rb") as file:
            self.assertEqual(file.read(8), b"\x89HDF\r\n\x1a\n")  # HDF5 format specification, II.A

    def test_closed_input_and_errors_do_no_harm(self):
        run = self.run_program("simulate", *PROBLEM, "-o", "run.h5", stdin=None, stderr=None,
                               preexec_fn=lambda: (os.close(0), os.close(2)))
        self.assertEqual(run.returncode, 0)
        self.assertIn("cycles", run.stdout)


class Signals(ProgramTest):
    def test_an_interrupted_run_leaves_nothing_and_tells_the_shell(self):
        # Large enough to be under way for seconds; the unfinished file says when it is.
        arguments = ("simulate", "-w", "hypar/vgg-e", "-a", "hmc-htree-16", "-p", "dp", "--set", "arch.accelerators=512",
                     "--set", "workload.batch=1024", "-o", "run.h5")
        for number in (signal.SIGINT, signal.SIGTERM):
            with subprocess.Popen([PROGRAM, *arguments], cwd=self.folder, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.PIPE) as run:
                while run.poll() is None and not self.files():
                    os.sched_yield()
                self.assertIsNone(run.poll(), "it was over before it could be interrupted")
                run.send_signal(number)
                self.assertEqual(run.wait(timeout=60), -number)
                self.assertEqual(run.stderr.read(), b"")
            self.assertEqual(self.files(), [])


if __name__ == "__main__":
    unittest.main()
