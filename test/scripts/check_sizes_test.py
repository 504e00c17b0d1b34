"""check_sizes.py finds what has grown too large, and an exception that has shrunk; of this tree it finds nothing."""

import pathlib
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import check_sizes  # noqa: E402  (found through the line above)


def type_of(members, functions):
    """A class with functions that are defined in it, declared only, and defined behind it."""
    lines = [f"  int member_{i} = 0;" for i in range(members)]
    lines += [f"  int function_{i}() const {';' if i % 2 else '{ return 1; }'}" for i in range(functions)]
    return "namespace a {\nclass B {\n" + "\n".join(lines) + "\n};\nint B::function_1() const { return 2; }\n}\n"


def problems(text, larger=None):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "sim/b.hpp"
        path.parent.mkdir()
        path.write_text(text, encoding="utf-8")
        return check_sizes.problems(pathlib.Path(folder), larger or {})


@unittest.skipUnless(shutil.which("ctags"), "needs universal-ctags (scripts/setup --dev)")
class CheckSizes(unittest.TestCase):
    def test_what_is_as_large_as_allowed_passes(self):
        self.assertEqual(problems(type_of(20, 25)), [])

    def test_what_is_larger_is_found(self):
        self.assertEqual(problems(type_of(21, 25)),
                         ["sim/b.hpp:2: a::B has 21 data members, at most 20; which part is an idea of its own?"])
        self.assertEqual(len(problems(type_of(20, 26))), 1)
        self.assertEqual(len(problems("\n" * 351)), 1)

    def test_an_exception_may_shrink_and_not_grow(self):
        self.assertEqual(problems(type_of(22, 30), {"a::B": (22, 30)}), [])
        self.assertEqual(len(problems(type_of(23, 30), {"a::B": (22, 30)})), 1)
        self.assertIn("has 29 functions by now", problems(type_of(22, 29), {"a::B": (22, 30)})[0])
        self.assertIn("there is no a::C", problems(type_of(1, 1), {"a::C": (22, 30)})[0])

    def test_this_tree_has_none(self):
        self.assertEqual(check_sizes.main([]), 0)


if __name__ == "__main__":
    unittest.main()
