#include "partition/step/exchanges.hpp"

#include <tuple>

#include "partition/geometry/halo.hpp"

namespace tessera::partition {

namespace {

/// From one layout to another, as the conversion says.
std::vector<ReshardStep> converted(Tiling const& tiling, Conversion const& conversion,
                                   Holders const& holders, Waits waits) {
  auto const& [tensor, from, to] = std::tie(conversion.tensor, conversion.from, conversion.to);
  return conversion.collective
             ? reshard(tiling, tensor, from, to, holders, *conversion.collective, waits)
             : reshard(tiling, tensor, from, to, holders);
}

std::vector<ReshardStep> summed(Tiling const& tiling, Conversion const& conversion,
                                Holders const& holders, Waits waits) {
  auto const& [tensor, from] = std::tie(conversion.tensor, conversion.from);
  auto const pieces = conversion.pieces;
  return conversion.collective
             ? all_reduce(tiling, tensor, from, holders, *conversion.collective, pieces, waits)
             : all_reduce(tiling, tensor, from, holders, pieces);
}

}  // namespace

std::vector<ReshardStep> exchanges_of(Tiling const& tiling, Conversion const& conversion,
                                      Holders const& holders, Waits waits) {
  auto const& [kind, tensor, from, to, halo, collective, pieces] = conversion;
  if (kind == Conversion::Kind::gradient_sum) return summed(tiling, conversion, holders, waits);
  auto steps = converted(tiling, conversion, holders, waits);
  if (!halo) return steps;
  if (kind == Conversion::Kind::features) {
    append(steps, fetch_halo(tiling, halo->reader, *halo->input, holders));
    return steps;
  }
  auto back = return_halo(tiling, halo->reader, *halo->input, holders);
  append(back, std::move(steps));
  return back;
}

std::optional<RingSum> ring_sum_of(Tiling const& tiling, Conversion const& conversion) {
  if (conversion.kind != Conversion::Kind::gradient_sum || !conversion.collective) {
    return std::nullopt;
  }
  return RingSum::of(tiling, conversion.tensor, conversion.from, *conversion.collective,
                     conversion.pieces);
}

Conversion before_crossing(Conversion conversion) {
  conversion.to = layout_of_loss(conversion.from);
  if (conversion.kind == Conversion::Kind::features) conversion.halo.reset();
  return conversion;
}

Crossing crossing_of(Hierarchy const& array, Conversion const& conversion,
                     MeshHolders const& senders, MeshHolders const& receivers, Waits waits) {
  auto const& [kind, tensor, from, to, halo, collective, pieces] = conversion;
  EXPECTS(kind != Conversion::Kind::gradient_sum, tensor);
  Crossing crossing;
  auto const before = before_crossing(conversion);
  crossing.before =
      on_devices(senders.mesh, exchanges_of(senders.tiling, before, senders.positions, waits));
  crossing.across = mesh_transfer(array, tensor, senders, before.to, receivers, to);
  if (halo && kind == Conversion::Kind::features) {
    crossing.after = on_devices(receivers.mesh, fetch_halo(receivers.tiling, halo->reader,
                                                           *halo->input, receivers.positions));
  }
  return crossing;
}

}  // namespace tessera::partition
