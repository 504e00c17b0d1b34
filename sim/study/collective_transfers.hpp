// The messages of a collective (arch/collective/collective.hpp), in bytes, as transfers that a network runs by itself.
#pragma once

#include <vector>

#include "arch/base/contract.hpp"
#include "arch/collective/collective.hpp"
#include "sim/model/fabric/collective/transfer_graph.hpp"

namespace tessera::sim {

/// Of as many bytes at most as a Transfer can have.
[[nodiscard]] inline TransferGraph transfers_of(arch::CollectiveSpec const& spec,
                                                std::uint32_t ranks) {
  TransferGraph graph;
  for (auto const& message : collective_messages(spec, ranks)) {
    auto const bytes = static_cast<std::uint32_t>(message.size);
    EXPECTS(message.size == bytes, message.size);
    auto const id = graph.add({message.from, message.to, bytes, message.reduces});
    for (auto const earlier : message.after) graph.order(static_cast<TransferId>(earlier), id);
  }
  return graph;
}

}  // namespace tessera::sim
