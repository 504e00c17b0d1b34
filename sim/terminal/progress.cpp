// Draws one line on stderr over and over.
#include "sim/terminal/progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "sim/terminal/table.hpp"

namespace tessera::sim {

namespace {

constexpr std::size_t bar_width = 24;
constexpr auto drawing_interval = std::chrono::milliseconds{100};
constexpr char const* clear_line = "\r\x1b[K";  // ECMA-48: erase to the end of the line

std::string duration_text(double seconds) {
  auto const whole = static_cast<long long>(std::ceil(seconds));
  if (whole < 120) return std::to_string(whole) + " s";
  if (whole < 7200) return std::to_string(whole / 60) + " min";
  return std::to_string(whole / 3600) + " h";
}

}  // namespace

std::string progress_text(std::size_t done, std::size_t total, std::string const& noun,
                          double elapsed_seconds) {
  auto const share =
      total == 0 ? 1.0 : std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
  auto const filled = static_cast<std::size_t>(share * static_cast<double>(bar_width));
  auto text = "[" + std::string(filled, '#') + std::string(bar_width - filled, '.') + "] " +
              percent_text(share) + "  " + std::to_string(done) + "/" + std::to_string(total) +
              " " + noun;
  if (done == 0 || elapsed_seconds <= 0) return text;
  auto const rate = static_cast<double>(done) / elapsed_seconds;
  auto const left = static_cast<double>(total - std::min(done, total)) / rate;
  return text + "  " + number_text(rate, 3) + " " + noun + "/s  " + duration_text(left) + " left";
}

Progress::Progress(std::size_t total, std::string noun, Wanted wanted)
    : total_{total},
      noun_{std::move(noun)},
      shown_{wanted == Wanted::yes && isatty(STDERR_FILENO) == 1} {}

Progress::~Progress() {
  if (shown_) std::cerr << clear_line << std::flush;
}

void Progress::update(std::size_t done, std::string const& note) {
  if (!shown_ || Clock::now() - last_drawn_ < drawing_interval) return;
  last_drawn_ = Clock::now();
  std::chrono::duration<double> const elapsed = last_drawn_ - start_;
  std::cerr << clear_line << progress_text(done, total_, noun_, elapsed.count())
            << (note.empty() ? "" : "  " + note) << std::flush;
}

}  // namespace tessera::sim
