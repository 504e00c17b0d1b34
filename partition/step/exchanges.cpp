#include "partition/step/exchanges.hpp"

#include "partition/geometry/halo.hpp"

namespace tessera::partition {

std::vector<ReshardStep> exchanges_of(Tiling const& tiling, Conversion const& conversion,
                                      Holders const& holders) {
  auto const& [kind, tensor, from, to, halo] = conversion;
  if (kind == Conversion::Kind::gradient_sum) return all_reduce(tiling, tensor, from, holders);
  auto steps = reshard(tiling, tensor, from, to, holders);
  if (!halo) return steps;
  if (kind == Conversion::Kind::features) {
    append(steps, fetch_halo(tiling, halo->reader, *halo->input, holders));
    return steps;
  }
  auto back = return_halo(tiling, halo->reader, *halo->input, holders);
  append(back, std::move(steps));
  return back;
}

Crossing crossing_of(Hierarchy const& array, Conversion const& conversion,
                     MeshHolders const& senders, MeshHolders const& receivers) {
  auto const& [kind, tensor, from, to, halo] = conversion;
  EXPECTS(kind != Conversion::Kind::gradient_sum, tensor);
  Crossing crossing;
  if (halo && kind == Conversion::Kind::errors) {
    crossing.before = return_halo(senders.tiling, halo->reader, *halo->input, senders.positions);
  }
  auto const leaves = layout_of_loss(from);
  append(crossing.before, reshard(senders.tiling, tensor, from, leaves, senders.positions));
  crossing.across = mesh_transfer(array, tensor, senders, leaves, receivers, to);
  if (halo && kind == Conversion::Kind::features) {
    crossing.after = fetch_halo(receivers.tiling, halo->reader, *halo->input, receivers.positions);
  }
  return crossing;
}

}  // namespace tessera::partition
