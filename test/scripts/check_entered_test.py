"""check_entered.py finds functions that no run enters, and reasons that nothing needs any more."""

import pathlib
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import check_entered  # noqa: E402  (found through the line above)

ROOT = "/tree"
HEADER = "sim/model/memory/a.hpp"


def document(file, *functions):
    """What gcov says of a file in one compiled file: (name, line, times)."""
    return {"current_working_directory": "/tree/build",
            "files": [{"file": file, "functions": [{"demangled_name": name, "start_line": line, "start_column": 3,
                                                    "execution_count": times} for name, line, times in functions]}]}


def problems(documents, *not_entered):
    return check_entered.problems_of(check_entered.functions_of(documents, ROOT), not_entered)


RUN = subprocess.run


def skips_cmake(command, **how):
    return None if command[0] == "cmake" else RUN(command, **how)


class CheckEntered(unittest.TestCase):
    def test_a_function_that_no_run_enters_is_named_with_its_place(self):
        found = problems([document("/tree/" + HEADER, ("sim::A::f()", 3, 7), ("sim::A::g()", 9, 0))])
        self.assertEqual(len(found), 1)
        self.assertTrue(found[0].startswith(HEADER + ":9: no simulate enters sim::A::g()"), found)

    def test_it_is_enough_to_be_entered_in_one_of_the_files_that_compile_it(self):
        self.assertEqual(problems([document("../" + HEADER, ("sim::A::f()", 3, 0)),
                                   document("/tree/" + HEADER, ("sim::A::f()", 3, 2))]), [])

    def test_of_a_template_any_instance_counts(self):
        self.assertEqual(problems([document("/tree/" + HEADER, ("f<int>()", 3, 0), ("f<long>()", 3, 1))]), [])

    def test_only_models_count(self):
        self.assertEqual(problems([document("/tree/sim/probe/memory.cpp", ("sim::probe()", 3, 0))]), [])

    def test_a_reason_excuses_what_it_names(self):
        documents = [document("/tree/" + HEADER, ("sim::A::f()", 3, 0), ("sim::A::g()", 9, 0))]
        self.assertEqual(problems(documents, (HEADER, "sim::A::*", "of the probe")), [])
        self.assertEqual(len(problems(documents, (HEADER, "sim::A::f()", "of the probe"))), 1)
        self.assertEqual(len(problems(documents, ("sim/model/memory/b.hpp", "*", "of the probe"))), 3)  # and it is not needed itself

    def test_files_that_no_array_can_have_are_excused_with_both_their_parts(self):
        for suffix in (".hpp", ".cpp"):
            path = "sim/model/memory/closed_loop" + suffix
            self.assertIn("sim/model/memory/closed_loop.hpp", check_entered.check_models.EXCEPTIONS)
            self.assertEqual(problems([document("/tree/" + path, ("sim::f()", 3, 0))]), [])

    def test_a_reason_that_nothing_needs_is_to_be_deleted(self):
        found = problems([document("/tree/" + HEADER, ("sim::A::f()", 3, 1))], (HEADER, "sim::A::f()", "of the probe"),
                         (HEADER, "sim::A::gone()", "of the probe"))
        self.assertEqual(len(found), 2, found)
        self.assertIn("sim::A::f() of sim/model/memory/a.hpp is entered", found[0])
        self.assertIn("sim::A::gone() of sim/model/memory/a.hpp is no function", found[1])

    def test_programs_write_their_counters_also_where_they_end_at_once(self):
        with tempfile.TemporaryDirectory() as folder:
            program, counters = pathlib.Path(folder) / "ends", pathlib.Path(folder) / "ends-main.gcda"
            with unittest.mock.patch.object(check_entered.subprocess, "run", wraps=skips_cmake) as run:
                check_entered.configure(check_entered.ROOT, pathlib.Path(folder))
            flags = next(word for word in run.call_args.args[0] if str(word).startswith("-DCMAKE_EXE_LINKER_FLAGS=")).partition("=")[2]
            source = pathlib.Path(folder) / "main.c"
            source.write_text("#include <unistd.h>\nint main(void) { _exit(0); }\n", encoding="utf-8")
            for more, written in (([], False), (flags.split(), True)):
                subprocess.run(["gcc", "--coverage", "-o", program, source, *more], check=True, cwd=folder)
                subprocess.run([program], check=True, cwd=folder)
                self.assertEqual(counters.exists(), written, more)

    def test_a_run_that_fails_is_a_violation(self):
        self.assertIn("failed", check_entered.simulate(check_entered.ROOT, "/bin/false", "-w hypar/sfc"))
        self.assertIsNone(check_entered.simulate(check_entered.ROOT, "/bin/true", "-w hypar/sfc"))

    def test_a_run_that_does_not_end_is_a_violation(self):
        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch.object(check_entered, "MOST_SECONDS", 0.1):
            program = pathlib.Path(folder) / "sleeps"
            program.write_text("#!/bin/sh\nexec sleep 60\n", encoding="utf-8")
            program.chmod(0o755)
            self.assertIn("had not ended", check_entered.simulate(check_entered.ROOT, program, "-w hypar/sfc"))


if __name__ == "__main__":
    unittest.main()
