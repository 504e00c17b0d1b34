#include "partition/schedule/program_walk.hpp"

#include <algorithm>
#include <set>

#include "arch/base/contract.hpp"

namespace tessera::partition {

namespace {

class Walker final {
 public:
  explicit Walker(PipelineProgram const& program) : program_{program} {
    for (auto const& replicas : program.orders) next_.emplace_back(replicas.size(), 0);
    updates_.resize(program.orders.size());
  }

  /// One round over all replicas; false when none got any further.
  bool round(std::function<void(Turn const&)> const& visit) {
    bool moved = false;
    for (std::size_t stage = 0; stage < next_.size(); ++stage) {
      for (std::size_t replica = 0; replica < next_[stage].size(); ++replica) {
        while (can_go(stage, replica)) {
          go(stage, replica, visit);
          moved = true;
        }
      }
    }
    return moved;
  }

  [[nodiscard]] bool is_over() const {
    for (std::size_t stage = 0; stage < next_.size(); ++stage) {
      for (std::size_t replica = 0; replica < next_[stage].size(); ++replica) {
        if (slot_of(stage, replica) != nullptr) return false;
      }
    }
    return true;
  }

 private:
  /// A part of the network and a micro-batch.
  using Passed = std::set<std::pair<std::size_t, std::int64_t>>;

  [[nodiscard]] Slot const* slot_of(std::size_t stage, std::size_t replica) const {
    auto const& order = program_.orders[stage][replica];
    auto const index = next_[stage][replica];
    return index < order.size() ? &order[index] : nullptr;
  }

  [[nodiscard]] std::size_t part_of(std::size_t stage, Slot const& slot) const {
    return static_cast<std::size_t>(slot.chunk) * program_.shape.stages() + stage;
  }
  [[nodiscard]] std::size_t parts() const {
    return static_cast<std::size_t>(program_.shape.chunks) * program_.shape.stages();
  }

  [[nodiscard]] bool can_go(std::size_t stage, std::size_t replica) const {
    auto const* const slot = slot_of(stage, replica);
    if (slot == nullptr || !has_tied_weights(stage, *slot)) return false;
    auto const part = part_of(stage, *slot);
    auto const b = slot->micro_batch;
    switch (slot->pass) {
      case Pass::forward:
        return part == 0 || forward_.count({part - 1, b}) != 0;
      case Pass::backward:
      case Pass::backward_data:
        return forward_.count({part, b}) != 0 &&
               (part + 1 == parts() || backward_.count({part + 1, b}) != 0);
      case Pass::backward_weight:
        return backward_.count({part, b}) != 0;
      case Pass::update:
        return all_update(stage);
    }
    return false;
  }

  /// Those of other stages that a pass is on, or on which an update's last gradients were.
  [[nodiscard]] bool has_tied_weights(std::size_t stage, Slot const& slot) const {
    auto const version = slot.pass == Pass::update ? slot.version - 1 : slot.version;
    auto const tied = program_.shape.tied_to(stage);
    return std::all_of(tied.begin(), tied.end(),
                       [&](std::size_t other) { return updates_[other] >= version; });
  }

  [[nodiscard]] bool all_update(std::size_t stage) const {
    for (std::size_t replica = 0; replica < next_[stage].size(); ++replica) {
      auto const* const slot = slot_of(stage, replica);
      if (slot == nullptr || slot->pass != Pass::update) return false;
    }
    return true;
  }

  void go(std::size_t stage, std::size_t replica, std::function<void(Turn const&)> const& visit) {
    auto const slot = *slot_of(stage, replica);
    if (slot.pass == Pass::update) {
      visit({stage, 0, slot});
      updates_[stage] = slot.version;
      for (auto& next : next_[stage]) ++next;
      return;
    }
    visit({stage, replica, slot});
    ++next_[stage][replica];
    if (slot.pass == Pass::forward) forward_.insert({part_of(stage, slot), slot.micro_batch});
    if (slot.pass == Pass::backward || slot.pass == Pass::backward_data) {
      backward_.insert({part_of(stage, slot), slot.micro_batch});
    }
  }

  PipelineProgram const& program_;
  std::vector<std::vector<std::size_t>> next_;  ///< slot, by stage and replica
  std::vector<std::int64_t> updates_;           ///< up to now, by stage
  Passed forward_;
  Passed backward_;
};

}  // namespace

void walk(PipelineProgram const& program, std::function<void(Turn const&)> const& visit) {
  Walker walker{program};
  while (walker.round(visit)) {
  }
  ENSURES(walker.is_over(), program.shape.stages());
}

}  // namespace tessera::partition
