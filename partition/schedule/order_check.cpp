#include "partition/schedule/order_check.hpp"

#include <map>
#include <set>
#include <utility>

#include "arch/base/contract.hpp"
#include "partition/schedule/slot_text.hpp"

namespace tessera::partition {

namespace {

/// A micro-batch in a chunk.
using Part = std::pair<std::int64_t, std::int64_t>;

Part part_of(Slot const& slot) { return {slot.micro_batch, slot.chunk}; }

/// A problem at a slot, or without one.
struct Finding {
  std::optional<std::size_t> slot;
  std::string problem;
};
using Found = std::optional<Finding>;

std::string updates_text(std::int64_t count) {
  return std::to_string(count) + (count == 1 ? " update" : " updates");
}

/// A slot that is not for this replica.
Found stranger(Order const& order, PipelineShape const& shape, std::size_t stage,
               std::size_t replica) {
  auto const batches = shape.micro_batches_in_all();
  for (std::size_t i = 0; i < order.size(); ++i) {
    auto const& slot = order[i];
    if (slot.pass == Pass::update) continue;
    if (slot.micro_batch < 0 || slot.micro_batch >= batches) {
      return Finding{i, "there is no micro-batch " + std::to_string(slot.micro_batch) +
                            " (they are numbered from 0 to " + std::to_string(batches - 1) + ")"};
    }
    if (slot.chunk < 0 || slot.chunk >= shape.chunks) {
      return Finding{i, "there is no chunk " + std::to_string(slot.chunk) +
                            " (they are numbered from 0 to " + std::to_string(shape.chunks - 1) +
                            ")"};
    }
    auto const owner = replica_of(shape, stage, slot.micro_batch);
    if (owner != replica) {
      return Finding{i, "micro-batch " + std::to_string(slot.micro_batch) + " belongs to replica " +
                            std::to_string(owner) + " (a stage's replicas take turns)"};
    }
  }
  return {};
}

/// A backward unit is both an error and a gradient.
std::vector<Pass> halves_of(Pass pass) {
  if (pass == Pass::backward) return {Pass::backward_data, Pass::backward_weight};
  return {pass};
}

/// A pass that comes twice, or not at all.
Found miscounted(Order const& order, PipelineShape const& shape, std::size_t stage,
                 std::size_t replica) {
  std::set<std::pair<Part, Pass>> seen;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (order[i].pass == Pass::update) continue;
    for (auto const half : halves_of(order[i].pass)) {
      if (seen.emplace(part_of(order[i]), half).second) continue;
      return Finding{i, text_of(order[i], shape) + " has been done before"};
    }
  }
  for (auto const batch :
       micro_batches_of(shape, stage, replica, 0, shape.micro_batches_in_all())) {
    for (std::int64_t chunk = 0; chunk < shape.chunks; ++chunk) {
      bool const has_gradient = seen.count({{batch, chunk}, Pass::backward_weight}) > 0;
      for (auto const pass : {Pass::forward, Pass::backward_data, Pass::backward_weight}) {
        if (seen.count({{batch, chunk}, pass}) > 0) continue;
        bool const is_all_missing = pass == Pass::backward_data && !has_gradient;
        auto const missing = is_all_missing ? Pass::backward : pass;
        return Finding{{}, "there is no " + text_of({missing, batch, chunk}, shape)};
      }
    }
  }
  return {};
}

/// A pass on weights that have not been made, or on others than its forward pass was on.
Found out_of_version(Order const& order, PipelineShape const& shape) {
  std::int64_t newest = 0;
  std::map<Part, std::int64_t> forward_on;
  for (std::size_t i = 0; i < order.size(); ++i) {
    auto const& slot = order[i];
    if (slot.pass == Pass::update) {
      EXPECTS(slot.version == newest + 1, slot.version, newest);
      newest = slot.version;
      continue;
    }
    EXPECTS(slot.version >= 0, slot.version);
    if (slot.version > newest) {
      return Finding{i, text_of(slot, shape) + " is on the weights after " +
                            updates_text(slot.version) + ", but only " + updates_text(newest) +
                            " come before it"};
    }
    if (slot.pass == Pass::forward) forward_on[part_of(slot)] = slot.version;
    auto const forward = forward_on.find(part_of(slot));
    if (forward != forward_on.end() && forward->second != slot.version) {
      return Finding{i, text_of(slot, shape) + " is on the weights after " +
                            updates_text(slot.version) + ", but its forward pass on those after " +
                            updates_text(forward->second)};
    }
  }
  return {};
}

/// A gradient that comes after the last update.
Found left_over(Order const& order, PipelineShape const& shape) {
  for (std::size_t i = order.size(); i-- > 0;) {
    auto const pass = order[i].pass;
    if (pass == Pass::update) return {};
    if (pass == Pass::forward || pass == Pass::backward_data) continue;
    return Finding{i, "no update takes the gradients of " + text_of(order[i], shape) +
                          "; end the order with an update"};
  }
  return {};
}

std::int64_t updates_in(Order const& order) {
  std::int64_t count = 0;
  for (auto const& slot : order) count += slot.pass == Pass::update ? 1 : 0;
  return count;
}

/// Replicas of a stage that do not agree on how many updates there are.
Found updated_unequally(std::vector<Order> const& orders, std::size_t replica) {
  auto const own = updates_in(orders[replica]);
  auto const first = updates_in(orders.front());
  if (own == first) return {};
  return Finding{{},
                 "there are " + updates_text(own) + ", and " + std::to_string(first) +
                     " in replica 0 (an update takes the gradients of all replicas)"};
}

Found problem_of(PipelineProgram const& program, std::size_t stage, std::size_t replica) {
  auto const& shape = program.shape;
  auto const& order = program.orders[stage][replica];
  if (auto found = stranger(order, shape, stage, replica)) return found;
  if (auto found = miscounted(order, shape, stage, replica)) return found;
  if (auto found = out_of_version(order, shape)) return found;
  if (auto found = left_over(order, shape)) return found;
  return updated_unequally(program.orders[stage], replica);
}

}  // namespace

std::optional<OrderProblem> incomplete_order(PipelineProgram const& program) {
  auto const& shape = program.shape;
  EXPECTS(program.orders.size() == shape.stages(), program.orders.size(), shape.stages());
  for (std::size_t stage = 0; stage < shape.stages(); ++stage) {
    EXPECTS(program.orders[stage].size() == shape.replicas[stage], stage);
    for (std::size_t replica = 0; replica < shape.replicas[stage]; ++replica) {
      if (auto const found = problem_of(program, stage, replica)) {
        return OrderProblem{stage, replica, found->slot,
                            stage_text(shape, stage, replica) + ": " + found->problem};
      }
    }
  }
  return {};
}

namespace {

/// By update, of all replicas of a stage: the micro-batches whose gradients it takes.
using Updates = std::vector<std::set<std::int64_t>>;

Updates updates_of(std::vector<Order> const& orders) {
  Updates updates;
  for (auto const& order : orders) {
    std::size_t next = 0;
    for (auto const& slot : order) {
      if (updates.size() == next) updates.emplace_back();
      if (slot.pass == Pass::update) ++next;
      bool const has_gradient = slot.pass == Pass::backward || slot.pass == Pass::backward_weight;
      if (has_gradient) updates[next].insert(slot.micro_batch);
    }
  }
  return updates;
}

}  // namespace

std::optional<OrderProblem> unequal_updates(PipelineProgram const& program) {
  for (std::size_t stage = 0; stage < program.shape.stages(); ++stage) {
    for (auto const other : program.shape.tied_to(stage)) {
      if (updates_of(program.orders[stage]) == updates_of(program.orders[other])) continue;
      return OrderProblem{stage,
                          0,
                          {},
                          "weights are tied over stage " + std::to_string(stage) + " and stage " +
                              std::to_string(other) +
                              ", whose updates are not of the same micro-batches; update both "
                              "after the same ones"};
    }
  }
  return {};
}

std::optional<OrderProblem> problem_of(PipelineProgram const& program) {
  if (auto problem = incomplete_order(program)) return problem;
  if (auto problem = unequal_updates(program)) return problem;
  return deadlock(program);
}

}  // namespace tessera::partition
