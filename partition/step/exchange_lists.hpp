// The exchanges of a stage's conversions between all its accelerators: one list of conversions that are alike.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "partition/geometry/mesh_transfer.hpp"
#include "partition/step/conversion_memo.hpp"
#include "partition/step/exchange_index.hpp"
#include "partition/step/exchanges.hpp"

namespace tessera::partition {

/// Between accelerators of the whole array.
class ExchangeLists final {
 public:
  using List = std::shared_ptr<std::vector<ReshardStep> const>;

  /// Of those that the representatives of `folding` send; of a trivial one all. `tiling` is on
  /// `mesh`; both must outlive the lists.
  ExchangeLists(Tiling const& tiling, DeviceMesh const& mesh, Folding folding);

  [[nodiscard]] List of(Conversion const& conversion);

  /// A sum in rings, of the whole array or of groups of it; else none.
  [[nodiscard]] std::shared_ptr<RingSum const> ring_sum(Conversion const& conversion);

 private:
  /// None where representatives stand for members of other groups.
  [[nodiscard]] List of(RingSum const& sum);
  [[nodiscard]] List work_out(Conversion const& conversion) const;
  [[nodiscard]] Holders concerned(Conversion const& conversion) const;

  Tiling const* tiling_;
  DeviceMesh const* mesh_;
  Folding folding_;
  bool is_of_whole_array_;
  ConversionMemo<List> known_;
  ConversionMemo<std::shared_ptr<RingSum const>> known_sums_;
  std::map<RingSum::Kind, List> in_rings_;
};

}  // namespace tessera::partition
