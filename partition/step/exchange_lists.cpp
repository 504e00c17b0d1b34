#include "partition/step/exchange_lists.hpp"

#include <numeric>

namespace tessera::partition {

ExchangeLists::List ExchangeLists::of(Conversion const& conversion) {
  return known_.of(conversion, [&] {
    auto const sum = grid_sum_of(*tiling_, conversion);
    return sum ? of(*sum, *conversion.collective) : work_out(conversion);
  });
}

ExchangeLists::List ExchangeLists::of(GridSum const& sum, GroupCollective const& collective) {
  for (auto const& known : of_grid_) {
    if (known.collective == &collective && known.elements == sum.elements()) return known.list;
  }
  auto list = std::make_shared<std::vector<ReshardStep> const>(sum.rounds(folding_));
  of_grid_.push_back({&collective, sum.elements(), std::move(list)});
  return of_grid_.back().list;
}

ExchangeLists::List ExchangeLists::work_out(Conversion const& conversion) const {
  Holders all(tiling_->accelerators());
  std::iota(all.begin(), all.end(), std::size_t{0});
  auto steps = exchanges_of(*tiling_, conversion, all);
  if (!folding_.is_trivial()) {
    steps = sent_by_representatives(ExchangeIndex{steps, all.size()}, folding_);
  }
  return std::make_shared<std::vector<ReshardStep> const>(std::move(steps));
}

}  // namespace tessera::partition
