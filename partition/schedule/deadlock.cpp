// Runs the orders without times: every replica goes on as far as it can, again and again until none can. What is then left stands in
// a circle, because each slot that waits needs one of a replica that waits itself.
#include <algorithm>

#include "arch/base/contract.hpp"
#include "partition/schedule/order_check.hpp"
#include "partition/schedule/slot_text.hpp"

namespace tessera::partition {

namespace {

struct Seat {
  std::size_t stage = 0;
  std::size_t replica = 0;
};
bool operator==(Seat a, Seat b) { return a.stage == b.stage && a.replica == b.replica; }
bool operator<(Seat a, Seat b) {
  return a.stage != b.stage ? a.stage < b.stage : a.replica < b.replica;
}

/// What a slot needs of another replica, or of its own.
struct Need {
  Seat seat;
  Slot slot;  ///< forward, backward_data (an error) or update
};

class Run final {
 public:
  explicit Run(PipelineProgram const& program) : program_{program} {
    auto const parts =
        static_cast<std::size_t>(program.shape.chunks * program.shape.micro_batches_in_all());
    for (auto const replicas : program.shape.replicas) {
      next_.emplace_back(replicas, 0);
      arrived_.emplace_back(replicas, 0);
      forward_.emplace_back(parts, false);
      error_.emplace_back(parts, false);
    }
  }

  /// False: nobody could go on.
  bool advance_all() {
    bool has_advanced = false;
    for (auto const seat : seats()) has_advanced |= advance(seat);
    return has_advanced;
  }

  [[nodiscard]] std::vector<Seat> seats() const {
    std::vector<Seat> all;
    for (std::size_t stage = 0; stage < next_.size(); ++stage) {
      for (std::size_t replica = 0; replica < next_[stage].size(); ++replica) {
        all.push_back({stage, replica});
      }
    }
    return all;
  }

  [[nodiscard]] bool is_finished(Seat seat) const { return next(seat) == order(seat).size(); }
  [[nodiscard]] Slot const& waiting_slot(Seat seat) const { return order(seat)[next(seat)]; }
  [[nodiscard]] std::size_t next(Seat seat) const { return next_[seat.stage][seat.replica]; }

  /// The first need of the slot where `seat` stands that is not met.
  [[nodiscard]] std::optional<Need> unmet_need(Seat seat) const {
    auto const needs = needs_of(seat, waiting_slot(seat));
    auto const found =
        std::find_if(needs.begin(), needs.end(), [&](Need const& need) { return !is_met(need); });
    return found == needs.end() ? std::nullopt : std::optional{*found};
  }

 private:
  [[nodiscard]] Order const& order(Seat seat) const {
    return program_.orders[seat.stage][seat.replica];
  }

  bool advance(Seat seat) {
    auto const before = next(seat);
    while (!is_finished(seat)) {
      auto const& slot = waiting_slot(seat);
      if (slot.pass == Pass::update) arrived_[seat.stage][seat.replica] = slot.version;
      if (unmet_need(seat)) break;
      finish(seat, slot);
    }
    return next(seat) > before;
  }

  void finish(Seat seat, Slot const& slot) {
    if (slot.pass == Pass::forward) forward_[seat.stage][index_of(slot)] = true;
    if (slot.pass == Pass::backward || slot.pass == Pass::backward_data) {
      error_[seat.stage][index_of(slot)] = true;
    }
    ++next_[seat.stage][seat.replica];
  }

  [[nodiscard]] std::size_t index_of(Slot const& slot) const {
    return static_cast<std::size_t>(slot.chunk * program_.shape.micro_batches_in_all() +
                                    slot.micro_batch);
  }

  [[nodiscard]] bool is_met(Need const& need) const {
    if (need.slot.pass == Pass::update) {
      return arrived_[need.seat.stage][need.seat.replica] >= need.slot.version;
    }
    auto const& done = need.slot.pass == Pass::forward ? forward_ : error_;
    return done[need.seat.stage][index_of(need.slot)];
  }

  [[nodiscard]] std::vector<Need> needs_of(Seat seat, Slot const& slot) const {
    auto needs = own_needs(seat, slot);
    auto const version = slot.pass == Pass::update ? slot.version - 1 : slot.version;
    for (auto const stage : program_.shape.tied_to(seat.stage)) {
      if (version > 0) add_updates(needs, stage, version);
    }
    return needs;
  }

  void add_updates(std::vector<Need>& needs, std::size_t stage, std::int64_t version) const {
    for (std::size_t replica = 0; replica < next_[stage].size(); ++replica) {
      needs.push_back({{stage, replica}, {Pass::update, 0, 0, version}});
    }
  }

  /// But for those of tied weights.
  [[nodiscard]] std::vector<Need> own_needs(Seat seat, Slot const& slot) const {
    switch (slot.pass) {
      case Pass::forward:
        return part_before(seat, slot);
      case Pass::backward:
      case Pass::backward_data: {
        std::vector<Need> needs = {{seat, {Pass::forward, slot.micro_batch, slot.chunk}}};
        auto const after = part_after(seat, slot);
        needs.insert(needs.end(), after.begin(), after.end());
        return needs;
      }
      case Pass::backward_weight:
        return {{seat, {Pass::backward_data, slot.micro_batch, slot.chunk}}};
      case Pass::update:
        break;
    }
    std::vector<Need> needs;
    add_updates(needs, seat.stage, slot.version);
    return needs;
  }

  [[nodiscard]] std::vector<Need> part_before(Seat seat, Slot const& slot) const {
    if (seat.stage > 0) return {need_of(seat.stage - 1, Pass::forward, slot, slot.chunk)};
    if (slot.chunk == 0) return {};
    return {need_of(next_.size() - 1, Pass::forward, slot, slot.chunk - 1)};
  }

  [[nodiscard]] std::vector<Need> part_after(Seat seat, Slot const& slot) const {
    if (seat.stage + 1 < next_.size()) {
      return {need_of(seat.stage + 1, Pass::backward_data, slot, slot.chunk)};
    }
    if (slot.chunk + 1 == program_.shape.chunks) return {};
    return {need_of(0, Pass::backward_data, slot, slot.chunk + 1)};
  }

  [[nodiscard]] Need need_of(std::size_t stage, Pass pass, Slot const& slot,
                             std::int64_t chunk) const {
    return {{stage, replica_of(program_.shape, stage, slot.micro_batch)},
            {pass, slot.micro_batch, chunk}};
  }

  PipelineProgram const& program_;
  std::vector<std::vector<std::size_t>> next_;      // slot per stage and replica
  std::vector<std::vector<std::int64_t>> arrived_;  // at which update, per stage and replica
  std::vector<std::vector<bool>> forward_;  // done, per stage and part of the network's input
  std::vector<std::vector<bool>> error_;    // computed, per stage and the same
};

/// The replicas of a circle in the order in which each waits for the next, from the lowest one on.
std::vector<Seat> circle_from(Run const& run, Seat start) {
  std::vector<Seat> path = {start};
  while (true) {
    auto const next = run.unmet_need(path.back())->seat;
    auto const seen = std::find(path.begin(), path.end(), next);
    if (seen == path.end()) {
      path.push_back(next);
      continue;
    }
    path.erase(path.begin(), seen);
    std::rotate(path.begin(), std::min_element(path.begin(), path.end()), path.end());
    return path;
  }
}

std::string circle_text(Run const& run, PipelineShape const& shape,
                        std::vector<Seat> const& circle) {
  auto const text = [&](Seat seat) { return stage_text(shape, seat.stage, seat.replica); };
  auto message = "the orders deadlock: " + text(circle.front());
  for (std::size_t i = 0; i < circle.size(); ++i) {
    auto const need = *run.unmet_need(circle[i]);
    message += " waits at " + text_of(run.waiting_slot(circle[i]), shape) + " for ";
    if (circle.size() == 1) {
      return message + "its own " + text_of(need.slot, shape) + ", which comes later in its order";
    }
    auto const is_last = i + 1 == circle.size();
    message += text_of(need.slot, shape) + " on " + text(need.seat) + (is_last ? "" : ", which");
  }
  return message + "; let every pass come after those that it needs";
}

}  // namespace

std::optional<OrderProblem> deadlock(PipelineProgram const& program) {
  Run run{program};
  while (run.advance_all()) {
  }
  for (auto const seat : run.seats()) {
    if (run.is_finished(seat)) continue;
    auto const circle = circle_from(run, seat);
    auto const first = circle.front();
    return OrderProblem{first.stage, first.replica, run.next(first),
                        circle_text(run, program.shape, circle)};
  }
  return {};
}

}  // namespace tessera::partition
