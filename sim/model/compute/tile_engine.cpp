// Step by step, as the recurrences say.
#include "sim/model/compute/tile_engine.hpp"

#include <algorithm>

namespace tessera::sim {

TileEngine::Outcome TileEngine::run(TileProgram const& program, Addresses const& addresses,
                                    Time start) {
  asked_ = computed_ = computed_before_ = stored_ = start;
  to_store_ = {};
  outcome_ = {};
  program.for_each([&](TileStep const& next) { step(next, addresses); });
  store(addresses);
  outcome_.end = clock_.edge(clock_.edge_at_or_after(std::max(computed_, stored_)));
  outcome_.waited += outcome_.end - computed_;
  return outcome_;
}

void TileEngine::begin_kernel(Cycles start, Addresses const& addresses) {
  store(addresses);
  asked_ = clock_.edge(clock_.edge_at_or_after(std::max(computed_, stored_)) + start);
}

void TileEngine::step(TileStep const& step, Addresses const& addresses) {
  if (step.kernel_start) begin_kernel(*step.kernel_start, addresses);
  asked_ = std::max(asked_, computed_before_);
  auto const first = move(Access::read, step.loads[0], addresses);
  auto const second = move(Access::read, step.loads[1], addresses);
  store(addresses);
  compute(step.compute, std::max(first, second));
  to_store_ = step.store;
}

/// When it is there.
Time TileEngine::move(Access access, TileMove const& move, Addresses const& addresses) {
  if (move.size == Bytes{0}) return Time{0};
  auto const address = addresses.at(static_cast<std::size_t>(move.operand)) + move.offset;
  return memory_.transfer(asked_, {access, address, move.size});
}

/// Stores what the tile before has finished.
void TileEngine::store(Addresses const& addresses) {
  if (to_store_.size == Bytes{0}) return;
  asked_ = std::max(asked_, computed_);
  stored_ = std::max(stored_, move(Access::write, to_store_, addresses));
  to_store_ = {};
}

void TileEngine::compute(Cycles cycles, Time loaded) {
  auto const first = clock_.edge_at_or_after(std::max(computed_, loaded));
  auto const start = clock_.edge(first);
  auto const end = clock_.edge(first + cycles);
  outcome_.waited += start - computed_;
  outcome_.computed += end - start;
  ++outcome_.tiles;
  outcome_.late_tiles += start > computed_ ? 1 : 0;
  utilisation_.add(start, end);
  computed_before_ = computed_;
  computed_ = end;
}

}  // namespace tessera::sim
