#include "partition/price/program_clock.hpp"

#include <algorithm>

namespace tessera::partition {

namespace {

/// Of the weights that it must wait for.
std::size_t version_of(Turn const& turn) {
  return turn.slot.pass == Pass::forward ? static_cast<std::size_t>(turn.slot.version) : 0;
}

double duration(Pass pass, PassTimes const& times) {
  switch (pass) {
    case Pass::forward:
      return times.forward_s;
    case Pass::backward:
      return times.backward_data_s + times.backward_weight_s;
    case Pass::backward_data:
      return times.backward_data_s;
    case Pass::backward_weight:
      return times.backward_weight_s;
    case Pass::update:
      break;
  }
  return 0;
}

}  // namespace

ProgramClock::ProgramClock(PipelineShape const& shape, std::vector<PassTimes> const& parts,
                           std::vector<double> const& updates, bool overlaps)
    : shape_{shape}, parts_{parts}, updates_{updates}, overlaps_{overlaps} {
  for (auto const replicas : shape.replicas) free_s_.emplace_back(replicas, 0.0);
  made_s_.resize(shape.stages(), {0.0});
}

void ProgramClock::take(Turn const& turn) {
  if (turn.slot.pass == Pass::update) return update(turn.stage);
  auto const part = static_cast<std::size_t>(turn.slot.chunk) * shape_.stages() + turn.stage;
  auto const& times = parts_[part];
  auto& free_s = free_s_[turn.stage][turn.replica];
  auto const begin =
      std::max({free_s, arrival(turn, part), made_s_[turn.stage].at(version_of(turn))});
  free_s = begin + duration(turn.slot.pass, times);
  send(turn, part, free_s);
  end_s_ = std::max(end_s_, free_s);
}

double ProgramClock::arrival(Turn const& turn, std::size_t part) const {
  auto const b = turn.slot.micro_batch;
  auto const& from = turn.slot.pass == Pass::forward ? features_s_ : errors_s_;
  if (turn.slot.pass == Pass::backward_weight) return 0;
  bool const is_forward = turn.slot.pass == Pass::forward;
  if (is_forward && part == 0) return 0;
  auto const found = from.find(Key{is_forward ? part - 1 : part + 1, b});
  return found == from.end() ? 0 : found->second;
}

void ProgramClock::send(Turn const& turn, std::size_t part, double& free_s) {
  if (turn.slot.pass == Pass::backward_weight) return;
  bool const is_forward = turn.slot.pass == Pass::forward;
  auto const& times = parts_[part];
  auto const arrives = free_s + (is_forward ? times.features_leave_s : times.errors_leave_s);
  (is_forward ? features_s_ : errors_s_)[Key{part, turn.slot.micro_batch}] = arrives;
  if (!overlaps_) free_s = arrives;
}

void ProgramClock::update(std::size_t stage) {
  auto const& free_s = free_s_[stage];
  made_s_[stage].push_back(*std::max_element(free_s.begin(), free_s.end()) + updates_[stage]);
  end_s_ = std::max(end_s_, made_s_[stage].back());
}

}  // namespace tessera::partition
