// Results as append-only files, and what they say together.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "sim/study/host.hpp"
#include "sim/sweep/study_folder.hpp"
#include "sim/terminal/failure.hpp"

namespace tessera::sim {

namespace {

/// In the order in which their workers began, as their names say.
std::vector<std::filesystem::path> segments_in(std::string const& folder) {
  std::vector<std::filesystem::path> paths;
  std::error_code error;
  for (auto const& entry :
       std::filesystem::directory_iterator{std::filesystem::path{folder} / "results", error}) {
    if (entry.path().extension() == ".jsonl") paths.push_back(entry.path());
  }
  if (error)
    throw ConfigError{{folder + "/results"}, {}, error.message() + "; is this a study's folder?"};
  std::sort(paths.begin(), paths.end());
  return paths;
}

/// Two results of one point by one program are the same.
void check_agreement(StudyRecord const& first, StudyRecord const& second) {
  bool const are_done = first.state == PointState::done && second.state == PointState::done;
  if (!are_done || first.program != second.program || first.columns == second.columns) return;
  throw FailureError{
      {ExitCode::our_fault, "tessera: internal error: point " + first.id +
                                " was simulated twice with different results (fingerprints " +
                                *first.column("fingerprint") + " and " +
                                *second.column("fingerprint") + ")"}};
}

/// Which of two records of a point counts: done before all else, then the later one.
void keep_better(StudyRecord& kept, StudyRecord record) {
  check_agreement(kept, record);
  bool const is_worse = kept.state == PointState::done && record.state != PointState::done;
  if (!is_worse) kept = std::move(record);
}

std::string segment_name() {
  auto const now = std::chrono::system_clock::now().time_since_epoch();
  auto nanoseconds =
      std::to_string(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
  return nanoseconds + "-" + host_name() + "-" + std::to_string(getpid()) + ".jsonl";
}

}  // namespace

StudyResults read_results(std::string const& folder, Programs programs) {
  StudyResults results;
  std::map<std::string, StudyRecord> of_others;
  auto const program = this_program();
  for (auto const& path : segments_in(folder)) {
    std::ifstream lines{path, std::ios::binary};
    std::string line;
    while (std::getline(lines, line)) {
      auto record = lines.eof() ? std::nullopt : record_from(line);  // the last line has no end
      if (!record) {
        ++results.torn_lines;
        continue;
      }
      bool const counts = programs == Programs::any || record->program == program;
      auto& records = counts ? results.records : of_others;
      auto const [entry, is_new] = records.try_emplace(record->id, *record);
      if (!is_new) keep_better(entry->second, std::move(*record));
    }
  }
  results.stale = static_cast<std::size_t>(
      std::count_if(of_others.begin(), of_others.end(),
                    [&](auto const& other) { return results.records.count(other.first) == 0; }));
  return results;
}

ResultSegment::ResultSegment(std::string const& folder)
    : path_{(std::filesystem::path{folder} / "results" / segment_name()).string()},
      // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg): declared so
      descriptor_{open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0644)} {
  if (descriptor_ >= 0) return;
  throw ConfigError{{path_}, {}, std::string{"cannot be created: "} + std::strerror(errno)};
}

ResultSegment::~ResultSegment() {
  close(descriptor_);
  if (size_ == 0) unlink(path_.c_str());
}

void ResultSegment::append(std::string line) {
  line += '\n';
  std::size_t written = 0;
  while (written < line.size()) {
    auto const size = write(descriptor_, line.data() + written, line.size() - written);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) break;
    written += static_cast<std::size_t>(size);
  }
  if (written == line.size()) {
    size_ += static_cast<std::int64_t>(written);
    return;
  }
  auto const error = problem();
  static_cast<void>(ftruncate(descriptor_, size_) == 0);
  throw error;
}

void ResultSegment::sync() const {
  if (fdatasync(descriptor_) != 0) throw problem();
}

ConfigError ResultSegment::problem() const {
  return {{},
          {},
          std::string{"cannot write "} + path_ + ": " + std::strerror(errno) +
              "; what was done is kept: make room and resume"};
}

}  // namespace tessera::sim
