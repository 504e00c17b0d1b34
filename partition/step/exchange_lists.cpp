#include "partition/step/exchange_lists.hpp"

#include <utility>

#include "partition/geometry/equal_rounds.hpp"

namespace tessera::partition {

ExchangeLists::ExchangeLists(Tiling const& tiling, DeviceMesh const& mesh, Folding folding)
    : tiling_{&tiling},
      mesh_{&mesh},
      folding_{std::move(folding)},
      is_of_whole_array_{mesh == hierarchy_mesh(folding_.hierarchy())},
      known_{tiling},
      known_sums_{tiling} {}

ExchangeLists::List ExchangeLists::of(Conversion const& conversion) {
  return known_.of(conversion, [&] {
    auto const sum = ring_sum(conversion);
    auto list = sum ? of(*sum) : nullptr;
    return list ? list : work_out(conversion);
  });
}

std::shared_ptr<RingSum const> ExchangeLists::ring_sum(Conversion const& conversion) {
  if (!is_of_whole_array_) return nullptr;
  return known_sums_.of(conversion, [&]() -> std::shared_ptr<RingSum const> {
    auto sum = ring_sum_of(*tiling_, conversion);
    return sum ? std::make_shared<RingSum const>(*std::move(sum)) : nullptr;
  });
}

ExchangeLists::List ExchangeLists::of(RingSum const& sum) {
  auto const [known, is_new] = in_rings_.try_emplace(sum.kind());
  auto const representatives = is_new ? sum.representatives(folding_) : RingSum::Representatives{};
  if (is_new && sum.stay_in_groups(representatives)) {
    known->second = std::make_shared<std::vector<ReshardStep> const>(
        merge_equal_rounds(sum.rounds(representatives)));
  }
  return known->second;
}

ExchangeLists::List ExchangeLists::work_out(Conversion const& conversion) const {
  auto const all = everybody(tiling_->accelerators());
  auto steps = on_devices(*mesh_, exchanges_of(*tiling_, conversion, all));
  return std::make_shared<std::vector<ReshardStep> const>(
      merge_equal_rounds(sent_by_representatives(std::move(steps), folding_)));
}

}  // namespace tessera::partition
