// A copy of /proc/self/exe, and exec.
#include "sim/sweep/study_program.hpp"

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "arch/base/config_error.hpp"
#include "traces/fingerprint.hpp"
#include "traces/pending_file.hpp"

namespace tessera::sim {

namespace {

namespace fs = std::filesystem;

std::string own_bytes() {
  std::ifstream file{"/proc/self/exe", std::ios::binary};
  std::ostringstream bytes;
  bytes << file.rdbuf();
  if (!file) throw ConfigError{{}, {}, "cannot read this program (/proc/self/exe) to copy it"};
  return bytes.str();
}

std::string fingerprint_of(std::string const& bytes) {
  traces::Fingerprint fingerprint;
  fingerprint.add(bytes);
  return traces::to_hex(fingerprint.value());
}

}  // namespace

std::string copy_program_to(std::string const& folder) {
  auto const bytes = own_bytes();
  auto const path = fs::absolute(folder) / "bin" / fingerprint_of(bytes) / "tessera";
  if (fs::exists(path)) return path.string();
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  traces::PendingFile file{path.string()};
  file.write_at(0, bytes.data(), bytes.size());
  file.publish();
  fs::permissions(path, fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                  fs::perm_options::add, error);
  if (!error) return path.string();
  throw ConfigError{{path.string()}, {}, "cannot be made a program: " + error.message()};
}

void become(std::vector<std::string> const& command, std::string const& advice) {
  std::vector<std::string> words = command;
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (auto& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::signal(SIGPIPE, SIG_DFL);  // which the program ignores, and who is executed inherits
  std::signal(SIGXFSZ, SIG_DFL);
  execvp(arguments.front(), arguments.data());
  std::string const problem = std::strerror(errno);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  throw ConfigError{{}, {}, "cannot start " + command.front() + ": " + problem + "; " + advice};
}

}  // namespace tessera::sim
