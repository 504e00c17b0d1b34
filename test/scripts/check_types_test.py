"""check_types.py finds the second definition of a name, and lets pass what only looks like one."""

import contextlib
import io
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import check_types  # noqa: E402  (found through the line above)


def run(files):
    """Checks a tree that holds `files` (path: text); returns the exit code and the lines printed."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for path, text in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, encoding="utf-8")
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            code = check_types.main([folder])
        return code, printed.getvalue().splitlines()


MODEL = "namespace tessera::sim {\n\nclass Breakdown final {\n  int a = 1;\n};\n\n}\n"


class CheckTypes(unittest.TestCase):
    def assert_one_type(self, first, second):
        code, lines = run({"sim/model/a.hpp": first, "sim/model/b.hpp": second})
        self.assertEqual(code, 0, lines)

    def test_two_types_of_one_name_in_two_headers_are_found(self):
        again = "namespace tessera {\nnamespace sim {\nstruct Breakdown { double a; };\n}\n}\n"
        code, lines = run({"sim/model/record/breakdown.hpp": MODEL, "sim/study/result.hpp": again})
        self.assertEqual(code, 1)
        self.assertEqual(lines, ["sim/study/result.hpp:3: tessera::sim::Breakdown is defined in sim/model/record/breakdown.hpp, too; "
                                 "give one of them another name"])

    def test_enums_and_types_inside_of_types_count(self):
        for inner in ("enum class Kind : int { a };", "struct Kind : public Base<int> { int a; };"):
            text = "namespace tessera { struct Outer { " + inner + " }; }"
            self.assertEqual(run({"arch/a.hpp": text, "workloads/b.cpp": text})[0], 1, inner)

    def test_types_of_files_clash_within_a_folder_only(self):
        text = "namespace tessera {\nnamespace {\nstruct Case { int a; };\n}\n}\n"
        self.assertEqual(run({"arch/a.cpp": text, "arch/b.cpp": text})[0], 1)
        self.assertEqual(run({"arch/a.cpp": text, "workloads/b.cpp": text})[0], 0)

    def test_other_namespaces_have_other_types(self):
        self.assert_one_type(MODEL, MODEL.replace("sim", "traces"))

    def test_declarations_and_uses_define_nothing(self):
        self.assert_one_type(MODEL, "namespace tessera::sim {\nclass Breakdown;\nstruct Other { class Breakdown* a; };\n}\n")

    def test_comments_and_literals_define_nothing(self):
        self.assert_one_type(MODEL, "namespace tessera::sim {\n// struct Breakdown {\n/* struct Breakdown { */\n"
                                    'char const* a = "} struct Breakdown {";\nchar b = \'{\';\nlong c = 1\'000;\n}\n')

    def test_types_of_functions_belong_to_them(self):
        text = "namespace tessera {\nvoid %s() {\n  struct Local { int a; };\n}\n}\n"
        self.assert_one_type(text % "one", text % "other")

    def test_specialisations_differ_by_their_arguments(self):
        text = "namespace std {\ntemplate <>\nstruct hash<%s> { int a; };\n}\n"
        self.assert_one_type(text % "int", text % "long")
        self.assertEqual(run({"arch/a.hpp": text % "int", "arch/b.hpp": text % "int"})[0], 1)


if __name__ == "__main__":
    unittest.main()
