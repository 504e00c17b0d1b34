"""check_models.py finds a suite that runs a model of its own, and an exception that nobody needs."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import check_models  # noqa: E402  (found through the line above)

ARRAY = {"sim/model/array/cores.hpp": '#include "sim/model/fabric/network.hpp"\n',
         "sim/model/fabric/network.hpp": "#pragma once\n",
         "sim/model/fabric/network.cpp": '#include "sim/model/fabric/fast.hpp"\n',
         "sim/model/fabric/fast.hpp": "",
         "sim/model/fabric/probed_only.hpp": '#include "sim/model/fabric/network.hpp"\n'}


def problems(suite, exceptions=None):
    """Of a tree whose one suite is that text."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for path, text in {**ARRAY, "sim/validation/suite.cpp": suite}.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, encoding="utf-8")
        return check_models.problems_of(root, exceptions or {})


SUITES = 'suites.add(name, load(name));\n  suites.add("one", "a suite", one)\n      .add("two", "another", two);\n'
TABLE = "| suite | holds | against | its rows run |\n|---|---|---|---|\n"
PAGE = "scripts/docs/pages/validation.md"


def table_problems(rows):
    """Of a page with these rows in its table, where there are suites one, two and three."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        files = {**ARRAY, "sim/validation/builtin_suites.cpp": SUITES, "sim/validation/references/three.yaml": "",
                 PAGE: f"Words.\n\n{TABLE}{rows}\nMore words | `four` |.\n"}
        for path, text in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, encoding="utf-8")
        return check_models.problems_of_table(root, {})


class CheckModels(unittest.TestCase):
    def test_a_model_of_arrays_passes_and_so_does_what_is_behind_it(self):
        self.assertEqual(problems('#include "sim/model/fabric/network.hpp"\n#include <vector>\n#include "arch/base/id.hpp"\n'), [])
        self.assertEqual(problems('#include "sim/model/fabric/fast.hpp"\n'), [])

    def test_a_model_that_no_array_can_have_is_found(self):
        found = problems('\n#include "sim/model/fabric/probed_only.hpp"\n')
        self.assertEqual(len(found), 1)
        self.assertTrue(found[0].startswith("sim/validation/suite.cpp:2: sim/model/fabric/probed_only.hpp is a model that no array"))

    def test_an_exception_passes_until_it_is_not_needed(self):
        exception = {"sim/model/fabric/probed_only.hpp": "a reason"}
        self.assertEqual(problems('#include "sim/model/fabric/probed_only.hpp"\n', exception), [])
        self.assertIn("is not needed", problems("", exception)[0])

    def test_every_suite_is_in_the_table_with_models_that_arrays_run(self):
        rows = "| `one`, `two` | x | y | `sim/model/fabric/fast.hpp` |\n| `three` | x | y | `sim/validation/builtin_suites.cpp` |\n"
        self.assertEqual(table_problems(rows), [])
        self.assertEqual(table_problems(rows.replace("`three`", "`four`")),
                         [f"{PAGE}:1: suite three is not in the table of suites",
                          f"{PAGE}:1: the table of suites has four, which is none"])
        self.assertEqual(table_problems(rows.replace("fast", "probed_only")),
                         [f"{PAGE}:5: sim/model/fabric/probed_only.hpp is a model that no array can have"])
        self.assertEqual(table_problems(rows.replace("fast", "slow")), [f"{PAGE}:5: sim/model/fabric/slow.hpp is not there"])

    def test_this_tree_has_none(self):
        self.assertEqual(check_models.main([]), 0)


if __name__ == "__main__":
    unittest.main()
