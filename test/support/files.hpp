// Whole files as text, for tests.
#pragma once

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace tessera::test {

[[nodiscard]] inline std::string read_file(std::string const& path) {
  std::ifstream file{path, std::ios::binary};
  if (!file) throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>{file}, {}};
}

inline void write_file(std::string const& path, std::string const& text) {
  std::ofstream file{path, std::ios::binary};
  file << text;
  if (!file.flush()) throw std::runtime_error("cannot write " + path);
}

}  // namespace tessera::test
