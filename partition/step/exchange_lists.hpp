// The exchanges of a step's conversions between all accelerators of an array without stages. Sums of equal gradients are equal lists,
// worked out once: a network has hundreds of gradients of a few sizes.
#pragma once

#include <memory>
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
  /// A sum, and all that its list depends on.
  struct Sum {
    Layout layout;
    GroupCollective const* collective = nullptr;
    std::vector<Elements> held;  ///< by accelerator
    List list;
  };

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
  std::vector<Sum> sums_;
  std::vector<OfGrid> of_grid_;
};

}  // namespace tessera::partition
