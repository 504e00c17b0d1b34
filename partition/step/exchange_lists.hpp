// The exchanges of a step's conversions between all accelerators of an array without stages. Conversions of tensors that are cut alike,
// between the same layouts are equal lists, worked out once: a network of a hundred layers has hundreds of conversions of a few kinds.
#pragma once

#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "partition/step/exchange_index.hpp"
#include "partition/step/exchanges.hpp"

namespace tessera::partition {

class ExchangeLists final {
 public:
  using List = std::shared_ptr<std::vector<ReshardStep> const>;

  /// Of those that the representatives of `folding` send; of a trivial one all. `tiling` must
  /// outlive the lists.
  ExchangeLists(Tiling const& tiling, Folding folding)
      : tiling_{&tiling}, folding_{std::move(folding)} {}

  [[nodiscard]] List of(Conversion const& conversion);

 private:
  /// All that the list of a conversion without windows across its parts depends on.
  using Key = std::tuple<Conversion::Kind, std::vector<Tiling::AxisCuts>, Layout, Layout,
                         GroupCollective const*>;

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
  std::map<Key, List> known_;
  std::vector<OfGrid> of_grid_;
};

}  // namespace tessera::partition
