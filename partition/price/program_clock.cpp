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

double MessageClock::send(End from, std::int64_t micro_batch, double ready_s, double takes_s) {
  auto& last_s = last_sent_s_[from];
  last_s = std::max(last_s, ready_s) + takes_s;
  sent_[{from.first, micro_batch}] = {last_s, takes_s};
  return last_s;
}

double MessageClock::receive(std::size_t from, std::int64_t micro_batch, End to) {
  auto const found = sent_.find({from, micro_batch});
  if (found == sent_.end()) return 0;
  auto& last_s = last_received_s_[to];
  last_s = std::max(found->second.arrives_s, last_s + found->second.takes_s);
  return last_s;
}

ProgramClock::ProgramClock(PipelineShape const& shape, std::vector<PassTimes> const& parts,
                           std::vector<UpdateTimes> const& updates, bool overlaps)
    : shape_{shape}, parts_{parts}, updates_{updates}, overlaps_{overlaps} {
  for (auto const replicas : shape.replicas) free_s_.emplace_back(replicas, 0.0);
  updated_s_.resize(shape.stages(), {0.0});
}

void ProgramClock::take(Turn const& turn) {
  if (turn.slot.pass == Pass::update) {
    auto const& free_s = free_s_[turn.stage];
    auto const begin_s = *std::max_element(free_s.begin(), free_s.end());
    updated_s_[turn.stage].push_back(begin_s + updates_[turn.stage].update_s);
    return;
  }
  auto const part = static_cast<std::size_t>(turn.slot.chunk) * shape_.stages() + turn.stage;
  auto const& times = parts_[part];
  auto& free_s = free_s_[turn.stage][turn.replica];
  auto const begin = std::max({free_s, arrival(turn, part), made_s(turn.stage, version_of(turn))});
  free_s = begin + duration(turn.slot.pass, times);
  send(turn, part, free_s);
  end_s_ = std::max(end_s_, free_s);
}

double ProgramClock::arrival(Turn const& turn, std::size_t part) {
  if (turn.slot.pass == Pass::backward_weight) return 0;
  bool const is_forward = turn.slot.pass == Pass::forward;
  if (is_forward && part == 0) return 0;
  auto& messages = is_forward ? features_ : errors_;
  auto const from = is_forward ? part - 1 : part + 1;
  return messages.receive(from, turn.slot.micro_batch, {part, turn.replica});
}

void ProgramClock::send(Turn const& turn, std::size_t part, double& free_s) {
  if (turn.slot.pass == Pass::backward_weight) return;
  bool const is_forward = turn.slot.pass == Pass::forward;
  auto const& times = parts_[part];
  auto const takes_s = is_forward ? times.features_leave_s : times.errors_leave_s;
  auto const arrives_s = (is_forward ? features_ : errors_)
                             .send({part, turn.replica}, turn.slot.micro_batch, free_s, takes_s);
  if (!overlaps_) free_s = arrives_s;
}

double ProgramClock::made_s(std::size_t stage, std::size_t version) const {
  auto made_s = updated_s_[stage].at(version);
  if (version == 0) return made_s;
  for (auto const other : shape_.tied_to(stage)) {
    made_s = std::max(made_s, updated_s_[other].at(version));
  }
  return made_s + updates_[stage].sums_arrive_s;
}

double ProgramClock::end_s() const {
  auto end_s = end_s_;
  for (std::size_t stage = 0; stage < updated_s_.size(); ++stage) {
    end_s = std::max(end_s, made_s(stage, updated_s_[stage].size() - 1));
  }
  return end_s;
}

}  // namespace tessera::partition
