"""check_layers.py catches each kind of violation, and lets pass what is allowed."""

import contextlib
import io
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import check_layers  # noqa: E402  (found through the line above)


def run(files):
    """Checks a tree that holds `files` (path: text); returns the exit code and the lines printed."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for path, text in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, encoding="utf-8")
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            code = check_layers.main([folder])
        return code, printed.getvalue().splitlines()


class CheckLayers(unittest.TestCase):
    def assert_allowed(self, path, include):
        code, lines = run({path: f"#include {include}\n"})
        self.assertEqual(code, 0, lines)

    def assert_caught(self, path, include, reason):
        code, lines = run({path: f"#pragma once\n\n#include {include}\n"})
        self.assertEqual(code, 1, f"{path} was allowed to include {include}")
        self.assertEqual(len(lines), 1, lines)
        self.assertTrue(lines[0].startswith(f"{path}:3: "), lines[0])
        self.assertIn(reason, lines[0])

    def test_a_package_may_include_itself_and_what_is_below_it(self):
        self.assert_allowed("partition/planners/hypar.cpp", '"partition/plan/plan.hpp"')
        self.assert_allowed("partition/plan/plan.hpp", '"workloads/network.hpp"')
        self.assert_allowed("workloads/network.hpp", '"arch/base/id.hpp"')
        self.assert_allowed("sim/app/simulate.cpp", '"sim/shell/run.hpp"')
        self.assert_allowed("arch/base/id.hpp", "<vector>")

    def test_nothing_includes_upwards(self):
        self.assert_caught("arch/base/id.hpp", '"arch/array/array_spec.hpp"', "arch/base must not include arch/array")
        self.assert_caught("workloads/network.cpp", '"partition/plan/plan.hpp"', "workloads must not include partition")
        self.assert_caught("partition/plan/plan.cpp", '"sim/shell/run.hpp"', "partition/plan must not include sim/shell")

    def test_siblings_do_not_include_each_other(self):
        siblings = {"workloads": "network.hpp", "arch/array": "array_spec.hpp", "traces": "event.hpp"}
        for package in siblings:
            for other, header in siblings.items():
                if other != package:
                    self.assert_caught(f"{package}/x.hpp", f'"{other}/{header}"', f"{package} must not include {other}")

    def test_the_simulator_does_not_know_plans(self):
        self.assert_caught("sim/shell/run.cpp", '"partition/plan/plan.hpp"', "sim/shell must not include partition")
        self.assert_caught("sim/model/protocol/core.hpp", '"sim/lower/lower.hpp"', "sim/model must not include sim/lower")
        self.assert_caught("sim/lower/lower.cpp", '"sim/model/protocol/core.hpp"', "sim/lower must not include sim/model")
        self.assert_caught("sim/lower/lower.cpp", '"sim/shell/run.hpp"', "sim/lower must not include sim/shell")
        self.assert_caught("sim/model/protocol/core.hpp", '"sim/shell/run.hpp"', "sim/model must not include sim/shell")
        self.assert_caught("sim/task/task_graph.hpp", '"sim/model/protocol/core.hpp"', "sim/task must not include sim/model")
        self.assert_caught("sim/shell/run.cpp", '"sim/study/version.hpp"', "sim/shell must not include sim/study")

    def test_heavy_headers_stay_where_they_belong(self):
        heavy = {"systemc": "sim/shell/run.cpp", "yaml-cpp/yaml.h": "arch/base/config_reader.cpp",
                 "boost/graph/topological_sort.hpp": "partition/search/graph_view.cpp", "hdf5.h": "traces/hdf5_sink.cpp",
                 "nlohmann/json.hpp": "sim/app/json.cpp", "CLI/CLI.hpp": "sim/command/parser.cpp",
                 "cereal/archives/binary.hpp": "sim/study/point_archive.cpp"}
        for header, home in heavy.items():
            self.assert_allowed(home, f"<{header}>")
            for elsewhere in ("sim/model/protocol/core.cpp", "arch/array/load.cpp", "traces/sink.cpp"):
                self.assert_caught(elsewhere, f"<{header}>", "may only be included by")

    def test_heavy_headers_have_many_spellings(self):
        for header in ("<systemc.h>", "<sysc/kernel/sc_time.h>", "<tlm>", '"systemc"'):
            self.assert_caught("sim/model/protocol/core.hpp", header, "SystemC")
        self.assert_caught("sim/app/run.cpp", "<H5Cpp.h>", "HDF5")

    def test_headers_see_names_of_json_only(self):
        self.assert_allowed("sim/study/result.hpp", "<nlohmann/json_fwd.hpp>")
        self.assert_caught("sim/study/result.hpp", "<nlohmann/json.hpp>", "sim/study/*.cpp")

    def test_one_file_sees_the_parser_of_the_command_line(self):
        self.assert_caught("sim/command/options.cpp", "<CLI/CLI.hpp>", "sim/command/parser.cpp")

    def test_boost_graph_stays_out_of_headers(self):
        self.assert_caught("partition/search/graph_view.hpp", "<boost/graph/adjacency_list.hpp>", "Boost")

    def test_the_main_program_may_see_systemc_and_the_rest_of_the_app_may_not(self):
        self.assert_allowed("sim/app/main/main.cpp", "<systemc>")
        self.assert_caught("sim/app/simulate.cpp", "<systemc>", "SystemC")

    def test_test_libraries_stay_in_test(self):
        self.assert_caught("sim/model/protocol/core.cpp", "<gtest/gtest.h>", "tests")

    def test_project_headers_are_written_with_their_package_and_quotes(self):
        self.assert_caught("arch/array/load.cpp", '"load.hpp"', "package/file.hpp")
        self.assert_caught("arch/array/load.cpp", '"../workloads/load.hpp"', "package/file.hpp")
        self.assert_caught("arch/array/load.cpp", "<arch/array/load.hpp>", 'write "arch/array/load.hpp"')

    def test_library_headers_are_written_with_angle_brackets(self):
        self.assert_caught("sim/command/parser.cpp", '"CLI/CLI.hpp"', "write <CLI/CLI.hpp>")

    def test_spaces_do_not_hide_an_include(self):
        code, lines = run({"arch/array/x.hpp": '  #  include   "workloads/network.hpp"  // why\n'})
        self.assertEqual(code, 1, lines)

    def test_an_include_in_a_comment_is_no_include(self):
        self.assertEqual(run({"arch/array/x.hpp": '// #include "workloads/network.hpp"\n'})[0], 0)

    def test_every_violation_has_its_line(self):
        code, lines = run({"arch/array/x.hpp": '#include "workloads/a.hpp"\n#include <systemc>\n', "traces/y.cpp": '#include "arch/z.hpp"\n'})
        self.assertEqual(code, 1)
        self.assertEqual([line.split(" ")[0] for line in lines], ["arch/array/x.hpp:1:", "arch/array/x.hpp:2:", "traces/y.cpp:1:"])

    def test_a_folder_without_a_package_is_a_violation(self):
        code, lines = run({"sim/extra/x.cpp": ""})
        self.assertEqual(code, 1)
        self.assertIn("sim/extra/x.cpp:1: this folder is in no package", lines[0])

    def test_a_tree_without_sources_is_a_violation(self):
        self.assertEqual(run({"README.md": ""})[0], 1)

    def test_the_order_has_no_cycle(self):
        above = dict(check_layers.PACKAGES)
        while above:
            bottom = [package for package, below in above.items() if not below & above.keys()]
            self.assertTrue(bottom, f"a cycle among {sorted(above)}")
            for package in bottom:
                del above[package]


if __name__ == "__main__":
    unittest.main()
