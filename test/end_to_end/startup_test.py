"""What the program loads when it starts: not HDF5, which took longer than all the rest together."""

import os
import unittest

from program import ProgramTest


class Startup(ProgramTest):
    def test_hdf5_and_what_it_reads_clouds_with_are_not_loaded(self):
        run = self.run_program("--version", env=dict(os.environ, LD_DEBUG="libs"))
        self.assertIn("calling init: ", run.stderr)  # the loader's words about every library
        for library in ("libhdf5", "libcurl", "libcrypto", "libssl"):
            self.assertNotIn(library, run.stderr, "CMake says whether it found an archive of HDF5 to link instead")


if __name__ == "__main__":
    unittest.main()
