#include "partition/step/exchanges.hpp"

#include "partition/halo.hpp"

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

}  // namespace tessera::partition
