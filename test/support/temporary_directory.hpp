// A directory of a test's own, removed with all that is in it.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace tessera::test {

class TemporaryDirectory final {
 public:
  TemporaryDirectory() {
    auto name = (std::filesystem::temp_directory_path() / "tessera-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make " + name);
    path_ = name;
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryDirectory(TemporaryDirectory const&) = delete;
  TemporaryDirectory& operator=(TemporaryDirectory const&) = delete;

  /// The path of `name` in it.
  [[nodiscard]] std::string path(std::string const& name) const { return (path_ / name).string(); }

  /// The names of all that is in it.
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (auto const& entry : std::filesystem::directory_iterator{path_}) {
      all.push_back(entry.path().filename().string());
    }
    return all;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace tessera::test
