"""sim/study/version.cmake: the commit that goes into the binary is the one that was built."""

import pathlib
import shutil
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "sim/study/version.cmake"
IDENTITY = ["-c", "user.name=test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false"]


class Version(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.source = pathlib.Path(folder.name) / "source"
        self.source.mkdir()
        self.output = pathlib.Path(folder.name) / "version.cpp"

    def git(self, *arguments):
        command = ["git", "-C", self.source, *IDENTITY, *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    def commit(self, text):
        (self.source / "file").write_text(text)
        self.git("init", "-q")
        self.git("add", "file")
        self.git("commit", "-q", "-m", text)
        return self.git("rev-parse", "HEAD")

    def written(self):
        subprocess.run(["cmake", f"-DSOURCE={self.source}", "-DVERSION=1.2.3", f"-DOUTPUT={self.output}", "-P", SCRIPT],
                       check=True, capture_output=True)
        return self.output.read_text()

    def test_a_clean_checkout_gives_its_commit(self):
        commit = self.commit("one")
        self.assertIn(f'"{commit}"', self.written())
        self.assertIn('"1.2.3"', self.written())

    def test_a_new_commit_is_seen(self):
        self.commit("one")
        self.written()
        commit = self.commit("two")
        self.assertIn(f'"{commit}"', self.written())

    def test_a_changed_file_makes_it_dirty(self):
        commit = self.commit("one")
        (self.source / "file").write_text("changed")
        self.assertIn(f'"{commit}-dirty"', self.written())

    def test_results_beside_the_sources_do_not_make_it_dirty(self):
        commit = self.commit("one")
        (self.source / "run.h5").write_text("not tracked")
        self.assertIn(f'"{commit}"', self.written())

    def test_tags_do_not_hide_the_commit(self):
        commit = self.commit("one")
        self.git("tag", "-a", "v1", "-m", "one")
        self.assertIn(f'"{commit}"', self.written())

    def test_outside_a_checkout_it_is_unknown(self):
        self.assertIn('"unknown"', self.written())

    def test_the_commit_of_a_checkout_around_it_is_not_ours(self):
        self.commit("one")
        archive = self.source / "unpacked"
        archive.mkdir()
        self.source = archive
        self.assertIn('"unknown"', self.written())

    def test_a_checkout_without_a_commit_is_unknown(self):
        self.git("init", "-q")
        self.assertIn('"unknown"', self.written())

    def test_nothing_is_written_when_nothing_changed(self):
        self.commit("one")
        self.written()
        before = self.output.stat().st_mtime_ns
        self.written()
        self.assertEqual(self.output.stat().st_mtime_ns, before)


if __name__ == "__main__":
    for program in ("git", "cmake"):
        if shutil.which(program) is None:
            raise SystemExit(f"{program} is not installed; run scripts/setup")
    unittest.main()
