#include "sim/lower/address_books.hpp"

#include <algorithm>
#include <variant>
#include <vector>

#include "partition/step/stage_values.hpp"

namespace tessera::sim {

using partition::LiveValue;
using partition::LiveValues;

namespace {

/// Accelerators that share a layout.
struct Peers {
  arch::AcceleratorSpec const* kind = nullptr;
  LiveValues held;  ///< the largest of theirs
  Bytes begin{0};   ///< behind what any of them has already
  partition::Holders positions;
};

bool is_alike(LiveValue const& a, LiveValue const& b) {
  return a.chunk == b.chunk && a.made == b.made && a.last == b.last;
}

/// Whatever the sizes.
bool come_and_go_alike(LiveValues const& a, LiveValues const& b) {
  return std::equal(a.operands.begin(), a.operands.end(), b.operands.begin(), b.operands.end()) &&
         std::equal(a.values.begin(), a.values.end(), b.values.begin(), b.values.end(), is_alike);
}

void enlarge(Bytes& size, Bytes other) { size = std::max(size, other); }

void enlarge(LiveValues& held, LiveValues const& others) {
  for (std::size_t i = 0; i < held.values.size(); ++i) {
    enlarge(held.values[i].bytes, others.values[i].bytes);
  }
  for (auto const op : held.weights.ids()) {
    enlarge(held.weights[op], others.weights[op]);
    enlarge(held.gradients[op], others.gradients[op]);
  }
}

void join(std::vector<Peers>& all, Peers peer) {
  auto const known = std::find_if(all.begin(), all.end(), [&](Peers const& others) {
    return others.kind == peer.kind && come_and_go_alike(others.held, peer.held);
  });
  if (known == all.end()) return all.push_back(std::move(peer));
  enlarge(known->held, peer.held);
  enlarge(known->begin, peer.begin);
  known->positions.push_back(peer.positions.front());
}

}  // namespace

void AddressBooks::give(partition::StageId id, StageParts const& stage, std::size_t replica,
                        partition::Order const& order, TaskGraphBuilder& build) {
  auto const member_at = [&](std::size_t position) {
    return build.folding().representative(stage.stage->mesh.devices[position]);
  };
  partition::StageValues const values{step_, *stage.tiling, id};
  std::vector<Peers> all;
  for (auto const position : stage.of_replica[replica]) {
    auto const& kind = array_.accelerator(stage.stage->mesh.devices[position]);
    if (!std::holds_alternative<arch::CoreUnitSpec>(kind.processing_unit)) continue;
    join(all, {&kind, values.at(position), build.addressed(member_at(position)), {position}});
  }
  for (auto& [kind, held, begin, positions] : all) {
    auto const book = std::make_shared<AddressBook const>(step_, std::move(held), order,
                                                          alignment_of(kind->memory), begin);
    for (auto const position : positions) {
      build.set_addressed(member_at(position), book->end());
      books_.emplace(std::pair{id, position}, book);
    }
  }
}

}  // namespace tessera::sim
