"""scripts/package/release: what it refuses to release, and that it tags nothing by itself."""

import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
IDENTITY = ("-c", "user.name=test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false")
READY = {
    "CMakeLists.txt": "project(tessera VERSION 1.2.3 LANGUAGES CXX)\n",
    "scripts/python/pyproject.toml": 'version = "1.2.3" # the program\'s\n',
    "scripts/docs/CITATION.cff": "version: 1.2.3\n",
    "scripts/docs/CHANGELOG.md": "# What changed\n\n## 1.2.3, 2026-01-31\n\n## 1.2.2, 2026-01-01\n",
}


class Release(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tessera-test-")
        self.addCleanup(folder.cleanup)
        self.tree = pathlib.Path(folder.name)
        (self.tree / "scripts/package").mkdir(parents=True)
        shutil.copy(ROOT / "scripts/package/release", self.tree / "scripts/package/release")
        for path, text in READY.items():
            (self.tree / path).parent.mkdir(parents=True, exist_ok=True)
            (self.tree / path).write_text(text, encoding="utf-8")
        self.git("init", "-q")
        self.commit()

    def git(self, *arguments):
        return subprocess.run(["git", "-C", self.tree, *IDENTITY, *arguments], check=True, capture_output=True, text=True).stdout

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "one")

    def release(self, *words):
        return subprocess.run([self.tree / "scripts/package/release", *words], capture_output=True, text=True, check=False)

    def assert_refused(self, message, *words):
        done = self.release(*words)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertEqual(done.stderr.count("\n"), 1)
        self.assertIn(message, done.stderr)

    def test_a_tree_that_is_ready(self):
        done = self.release("1.2.3", "--check")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("1.2.3 is ready at", done.stdout)
        self.assertEqual(self.git("tag"), "")

    def test_every_file_has_the_version(self):
        for path, message in (("CMakeLists.txt", "CMakeLists.txt has no line 'project(tessera VERSION 1.2.3'"),
                              ("scripts/python/pyproject.toml", "pyproject.toml has no line 'version = \"1.2.3\"'"),
                              ("scripts/docs/CITATION.cff", "CITATION.cff has no line 'version: 1.2.3'"),
                              ("scripts/docs/CHANGELOG.md", "begins with '## 1.2.30, 2026-01-31'")):
            (self.tree / path).write_text(READY[path].replace("1.2.3", "1.2.30"), encoding="utf-8")
            self.commit()
            self.assert_refused(message, "1.2.3", "--check")
            (self.tree / path).write_text(READY[path], encoding="utf-8")

    def test_a_changelog_of_what_is_not_yet_released(self):
        path = self.tree / "scripts/docs/CHANGELOG.md"
        path.write_text("## Not yet released (1.2.3)\n", encoding="utf-8")
        self.commit()
        self.assert_refused("begins with '## Not yet released (1.2.3)'", "1.2.3", "--check")

    def test_changes_that_are_not_committed(self):
        (self.tree / "new").write_text("", encoding="utf-8")
        self.assert_refused("changes that are not committed", "1.2.3", "--check")

    def test_a_tag_that_is_there(self):
        self.git("tag", "v1.2.3")
        self.assert_refused("tag v1.2.3 is there already", "1.2.3", "--check")

    def test_what_is_no_version(self):
        self.assert_refused("give a version, as 0.2.0")
        self.assert_refused("give a version, as 0.2.0", "v1")
        self.assert_refused("unknown option '--push'; known: --check, --tag", "1.2.3", "--push")


if __name__ == "__main__":
    unittest.main()
