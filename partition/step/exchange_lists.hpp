// The exchanges of a step's conversions between all accelerators of an array without stages: one list of conversions that are alike.
#pragma once

#include <memory>
#include <vector>

#include "partition/step/conversion_memo.hpp"
#include "partition/step/exchange_index.hpp"
#include "partition/step/exchanges.hpp"

namespace tessera::partition {

class ExchangeLists final {
 public:
  using List = std::shared_ptr<std::vector<ReshardStep> const>;

  /// Of those that the representatives of `folding` send; of a trivial one all. `tiling` must
  /// outlive the lists.
  ExchangeLists(Tiling const& tiling, Folding folding)
      : tiling_{&tiling}, folding_{std::move(folding)}, known_{tiling} {}

  [[nodiscard]] List of(Conversion const& conversion);

 private:
  /// A sum along the dimensions of a grid depends on its size only.
  struct OfGrid {
    GroupCollective const* collective = nullptr;
    Elements elements{0};
    List list;
  };

  [[nodiscard]] List of(GridSum const& sum, GroupCollective const& collective);
  [[nodiscard]] List work_out(Conversion const& conversion) const;

  Tiling const* tiling_;
  Folding folding_;
  ConversionMemo<List> known_;
  std::vector<OfGrid> of_grid_;
};

}  // namespace tessera::partition
