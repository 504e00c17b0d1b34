// Block by block up to the last arrival, then a copy to the last answer.
#include "sim/model/memory/dram/dram_feed.hpp"

#include <algorithm>

namespace tessera::sim {

std::int64_t DramFeed::serve(std::int64_t cycle, DramWalk const& walk, std::uint64_t first,
                             std::uint64_t count) {
  EXPECTS(count > 0, first);
  ++run_;
  waiting_ = count;
  done_ = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    auto request = walk((first + i) % walk.blocks());
    request.tag = run_;
    cycle = std::max(cycle, channel_.next_arrival());
    channel_.advance(cycle - 1, out_);
    if (!channel_.has_room(request.access)) cycle = channel_.advance_to_room(request.access, out_);
    channel_.push(cycle, request);
    take_answers();
  }
  return run_ahead();
}

void DramFeed::take_answers() {
  for (auto const& answer : out_) {
    if (answer.tag != run_) continue;
    --waiting_;
    done_ = std::max(done_, answer.done);
  }
  out_.clear();
}

std::int64_t DramFeed::run_ahead() {
  if (waiting_ == 0) return done_;
  ahead_ = channel_;
  ahead_.silence();
  while (waiting_ > 0) {
    ahead_.advance(*ahead_.next_wakeup(), out_);
    take_answers();
  }
  return done_;
}

void DramFeed::close(std::int64_t now) {
  while (auto const wakeup = channel_.next_wakeup()) channel_.advance(*wakeup, out_);
  channel_.advance(now, out_);
  out_.clear();
}

void DramFeed::serialize(std::int64_t now, StateWriter& out) const {
  auto const from = std::max(now, channel_.next_arrival());
  auto channel = channel_;
  channel.silence();
  std::vector<DramCompletion> unheard;
  channel.advance(from - 1, unheard);
  out.put(from - now);
  channel.serialize(from, out);
}

}  // namespace tessera::sim
