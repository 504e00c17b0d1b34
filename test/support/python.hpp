// What the system's Python prints: tests read HDF5 files as their users do, with h5py and pandas.
#pragma once

#include <sys/wait.h>

#include <cstdio>
#include <stdexcept>
#include <string>

#include "test/support/files.hpp"
#include "test/support/temporary_directory.hpp"

namespace tessera::test {

/// Runs `program` in `directory` and returns its standard output; throws when it fails.
[[nodiscard]] inline std::string python(TemporaryDirectory const& directory,
                                        std::string const& program) {
  TemporaryDirectory const scratch;
  write_file(scratch.path("program.py"), program);
  auto const command =
      "cd '" + directory.path("") + "' && /usr/bin/python3 -B '" + scratch.path("program.py") + "'";
  auto* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot run " + command);
  std::string output;
  for (int letter = std::fgetc(pipe); letter != EOF; letter = std::fgetc(pipe)) {
    output += static_cast<char>(letter);
  }
  if (pclose(pipe) != 0) throw std::runtime_error("this failed:\n" + program);
  return output;
}

}  // namespace tessera::test
