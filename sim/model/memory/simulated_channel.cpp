// Delegates to the one of three models that serves the memory.
#include "sim/model/memory/simulated_channel.hpp"

namespace tessera::sim {

SimulatedChannel::Model SimulatedChannel::make(arch::DramSpec const& spec, DramLibrary& library,
                                               Repeats repeats,
                                               DramChannel::Observer const& observer) {
  bool const repeats_turns = repeats == Repeats::skipped && !observer;
  if (repeats_turns && DramRepeater::serves(spec)) return DramRepeater{spec, library};
  if (DramStream::serves(spec)) return DramStream{spec, observer};
  return DramFeed{spec, observer};
}

SimulatedChannel::SimulatedChannel(arch::DramSpec const& spec, DramLibrary& library,
                                   Repeats repeats, DramChannel::Observer const& observer)
    : model_{make(spec, library, repeats, observer)}, repeats_{repeats} {}

std::int64_t SimulatedChannel::serve(std::int64_t cycle, DramWalk const& walk, std::uint64_t first,
                                     std::uint64_t count) {
  auto* const feed = std::get_if<DramFeed>(&model_);
  if (feed != nullptr) return feed->serve(cycle, walk, first, count);
  auto* const repeater = std::get_if<DramRepeater>(&model_);
  if (repeater != nullptr) return repeater->serve_stream(cycle, walk, first, count).done;
  auto& stream = std::get<DramStream>(model_);
  if (repeats_ == Repeats::skipped) return stream.serve_stream(cycle, walk, first, count).done;
  std::int64_t done = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    done = stream.serve(cycle, walk((first + i) % walk.blocks())).done;
  }
  return done;
}

void SimulatedChannel::finish(std::int64_t now) {
  std::visit([&](auto& model) { model.finish(now); }, model_);
}

void SimulatedChannel::close(std::int64_t now) {
  if (auto* const feed = std::get_if<DramFeed>(&model_)) feed->close(now);
}

DramStatistics const& SimulatedChannel::statistics() const {
  return std::visit([](auto const& model) -> DramStatistics const& { return model.statistics(); },
                    model_);
}

RepeatedBlocks SimulatedChannel::repeated_blocks() const {
  auto const* const repeater = std::get_if<DramRepeater>(&model_);
  if (repeater == nullptr) return {};
  return {repeater->asked_blocks(), repeater->repeated_blocks()};
}

void SimulatedChannel::serialize(std::int64_t now, StateWriter& out) const {
  std::visit([&](auto const& model) { model.serialize(now, out); }, model_);
}

void SimulatedChannel::shift(std::int64_t by) {
  std::visit([&](auto& model) { model.shift(by); }, model_);
}

}  // namespace tessera::sim
