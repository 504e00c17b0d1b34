// A progress bar for people who wait: done, total, rate and the time left. Only where stderr is a terminal.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace tessera::sim {

class Progress final {
 public:
  enum class Wanted { yes, no };

  /// Shows nothing when it is not wanted or when stderr is no terminal. `noun`: what is counted.
  Progress(std::size_t total, std::string noun, Wanted wanted);
  ~Progress();
  Progress(Progress const&) = delete;
  Progress& operator=(Progress const&) = delete;

  /// `done` of the total are done; `note` is shown behind. Cheap: draws ten times a second at most.
  void update(std::size_t done, std::string const& note = {});
  /// The total turns out to be another.
  void expect(std::size_t total) { total_ = total; }

 private:
  using Clock = std::chrono::steady_clock;

  std::size_t total_;
  std::string noun_;
  bool shown_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_drawn_ = start_;  ///< nothing for what is done at once
};

/// "[#####.....]  50 %  10/20 runs  2.5 runs/s  4 s left"
[[nodiscard]] std::string progress_text(std::size_t done, std::size_t total,
                                        std::string const& noun, double elapsed_seconds);

}  // namespace tessera::sim
