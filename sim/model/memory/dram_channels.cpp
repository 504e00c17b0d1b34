// Each of the channels in turn.
#include "sim/model/memory/dram_channels.hpp"

#include <algorithm>

namespace tessera::sim {

DramChannels::DramChannels(arch::DramSpec const& spec, DramLibrary& library, Simulated simulated,
                           SimulatedChannel::Repeats repeats, DramChannel::Observer const& observer)
    : at_first_{spec, library, repeats, observer},
      simulated_(
          simulated == Simulated::one ? 1 : static_cast<std::size_t>(spec.organization.channels),
          at_first_),
      stands_for_{spec.organization.channels / static_cast<std::int64_t>(simulated_.size())} {
  for (auto& channel : simulated_) callers_.push_back(&channel);
}

std::int64_t DramChannels::serve(std::int64_t cycle, DramWalk const& walk, std::uint64_t first,
                                 std::uint64_t count) {
  std::int64_t done = 0;
  for (auto* const channel : callers_) {
    done = std::max(done, channel->serve(cycle, walk, first, count));
  }
  return done;
}

void DramChannels::finish(std::int64_t now) {
  for (auto& channel : simulated_) channel.finish(now);
}

void DramChannels::close(std::int64_t now) {
  for (auto& channel : simulated_) channel.close(now);
}

void DramChannels::serialize(std::int64_t now, StateWriter& out) const {
  for (auto const& channel : simulated_) channel.serialize(now, out);
}

RepeatedBlocks DramChannels::repeated_blocks() const {
  auto blocks = before_restart_;
  for (auto const& channel : simulated_) blocks += channel.repeated_blocks();
  return blocks;
}

void DramChannels::restart() {
  before_restart_ = repeated_blocks();
  std::fill(simulated_.begin(), simulated_.end(), at_first_);
  taken_ = statistics();
}

void DramChannels::go_on(SimulatedChannel const& from, std::int64_t by) {
  EXPECTS(is_one(), simulated_.size());
  simulated_.front() = from;
  simulated_.front().shift(by);
  taken_ = statistics();
}

DramStatistics DramChannels::statistics() const {
  DramStatistics sum;
  for (auto const& channel : simulated_) sum += channel.statistics();
  return sum;
}

DramStatistics DramChannels::take_statistics() {
  auto const now = statistics();
  auto added = now;
  added -= taken_;
  taken_ = now;
  added.repeat({}, stands_for_ - 1);
  return added;
}

}  // namespace tessera::sim
