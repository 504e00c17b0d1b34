// A timeline worked out anew against one that follows a change, of a graph like a step's: layers, of each a task per device and a
// message from every device to the next one.
#include <benchmark/benchmark.h>

#include <random>

#include "partition/price/timeline.hpp"

namespace tessera::partition {
namespace {

class Layers {
 public:
  explicit Layers(std::size_t devices) : devices_{devices}, timeline_{2 * devices} {
    std::vector<TimelineTaskId> before;
    for (std::size_t layer = 0; layer < layer_count; ++layer) before = add_layer(before);
    timeline_.simulate();
  }

  /// What a proposal does to one operator: its tasks take as long as other degrees would make them.
  void change() {
    auto const layer = random_() % layer_count;
    auto const duration = any_duration();
    for (std::size_t device = 0; device < devices_; ++device) {
      timeline_.set_duration(tasks_[layer * devices_ + device], duration);
    }
  }

  [[nodiscard]] Timeline& timeline() { return timeline_; }

 private:
  static constexpr std::size_t layer_count = 200;

  Time any_duration() { return Time{static_cast<std::int64_t>(1 + random_() % 1000)}; }

  /// Returns the messages, by the device that they reach.
  std::vector<TimelineTaskId> add_layer(std::vector<TimelineTaskId> const& arrived) {
    std::vector<TimelineTaskId> messages;
    auto const duration = any_duration();
    for (std::size_t device = 0; device < devices_; ++device) {
      auto const task = timeline_.add(duration, ResourceId{device});
      tasks_.push_back(task);
      if (!arrived.empty()) timeline_.connect(arrived[device], task);
      auto const sender = (device + devices_ - 1) % devices_;
      messages.push_back(timeline_.add(any_duration(), ResourceId{devices_ + sender}));
    }
    for (std::size_t device = 0; device < devices_; ++device) {
      timeline_.connect(tasks_[tasks_.size() - devices_ + device],
                        messages[(device + 1) % devices_]);
    }
    return messages;
  }

  std::size_t devices_;
  std::mt19937_64 random_{1};
  Timeline timeline_;
  std::vector<TimelineTaskId> tasks_;
};

void timeline_full(benchmark::State& state) {
  Layers layers{static_cast<std::size_t>(state.range(0))};
  for (auto unused : state) {
    static_cast<void>(unused);
    layers.change();
    layers.timeline().simulate();
  }
}
BENCHMARK(timeline_full)->RangeMultiplier(4)->Range(4, 64)->Unit(benchmark::kMicrosecond);

void timeline_delta(benchmark::State& state) {
  Layers layers{static_cast<std::size_t>(state.range(0))};
  double looks = 0;
  for (auto unused : state) {
    static_cast<void>(unused);
    layers.change();
    looks += static_cast<double>(layers.timeline().update());
  }
  auto const tasks = static_cast<double>(layers.timeline().size());
  state.counters["looked_at"] = looks / tasks / static_cast<double>(state.iterations());
}
BENCHMARK(timeline_delta)->RangeMultiplier(4)->Range(4, 64)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace tessera::partition
