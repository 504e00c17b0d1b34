// All that decides what parts of an operator are, as numbers.
#include "partition/geometry/equal_operators.hpp"

#include <cstdint>
#include <cstring>
#include <map>
#include <utility>
#include <vector>

namespace tessera::partition {

using workloads::Network;
using workloads::Operator;
using workloads::OperatorId;
using workloads::TensorAccess;

namespace {

class Description final {
 public:
  Description(Network const& network, Tiling const& tiling, OperatorId id) : tiling_{tiling} {
    auto const& op = network.at(id);
    numbers_.reserve(256);
    add_shape(op);
    add(tiling.cuts_of(id));
    put(op.inputs.size());
    for (auto const& input : op.inputs) add(input);
    put(op.weight.has_value());
    if (op.weight) add(*op.weight);
    add(op.output);
    auto const& forward = tiling.splits(id);
    add(forward);
    for (auto const phase : workloads::all_phases) {
      auto const& splits = tiling.splits(id, phase);
      bool const is_as_forward = &splits == &forward;
      put(is_as_forward);
      if (!is_as_forward) add(splits);
    }
  }

  [[nodiscard]] std::vector<std::int64_t> take() && { return std::move(numbers_); }

 private:
  template <typename Number>
  void put(Number number) {
    numbers_.push_back(static_cast<std::int64_t>(number));
  }

  void add_shape(Operator const& op) {
    put(op.kind);
    for (auto const dim : workloads::all_dims) put(op.extents[dim]);
    put(op.input_rows);
    put(op.input_columns);
    put(op.groups);
    put(op.propagates_error);
  }

  void add(TensorAccess const& access) {
    for (auto const& axis : access.axes) {
      put(axis.dim);
      put(axis.step);
      put(axis.window);
      put(axis.before);
    }
    add(tiling_.cuts_of(access.tensor));
  }

  void add(std::vector<Tiling::AxisCuts> const& cuts) {
    put(cuts.size());
    for (auto const& [number, extent] : cuts) {
      put(number);
      put(extent);
    }
  }

  void add(Splits const& splits) {
    for (auto const& split : splits) {
      put(split.has_value());
      if (!split) continue;
      put(split->dim);
      std::int64_t bits = 0;
      static_assert(sizeof bits == sizeof split->first);
      std::memcpy(&bits, &split->first, sizeof bits);
      put(bits);
    }
  }

  Tiling const& tiling_;
  std::vector<std::int64_t> numbers_;
};

}  // namespace

EqualOperators::EqualOperators(Network const& network, Tiling const& tiling)
    : counts_{network.operators().size()} {
  std::map<std::vector<std::int64_t>, OperatorId> known;
  for (auto const op : network.operators().ids()) {
    auto description = Description{network, tiling, op}.take();
    first_like_.push_back(known.try_emplace(std::move(description), op).first->second);
    ++counts_[first_like_[op]];
  }
}

}  // namespace tessera::partition
