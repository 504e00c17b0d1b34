// What is worked out once for all conversions that are alike: of tensors that are cut alike, between the same layouts. A network of a
// hundred layers has hundreds of conversions of a few kinds.
#pragma once

#include <cstdint>
#include <functional>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "arch/base/hash.hpp"
#include "partition/geometry/halo.hpp"
#include "partition/geometry/tiling.hpp"
#include "partition/step/conversion.hpp"

namespace tessera::partition {

/// A value that depends on nothing but the exchanges of a conversion between all of a tiling's
/// accelerators.
template <typename Value>
class ConversionMemo final {
 public:
  /// `tiling` must outlive the memo, and so must the conversions' collectives.
  explicit ConversionMemo(Tiling const& tiling) : tiling_{&tiling} {}

  /// What `work_out` says, asked of the first conversion of its kind only; of every one whose
  /// windows reach across its parts.
  template <typename WorkOut>
  [[nodiscard]] Value of(Conversion const& conversion, WorkOut const& work_out) {
    auto const& [kind, tensor, from, to, halo, collective, pieces] = conversion;
    if (halo && is_split_along_windows(*tiling_, halo->reader, *halo->input)) return work_out();
    asked_ =
        std::forward_as_tuple(kind, tiling_->cuts_of(tensor), from, to, collective.get(), pieces);
    auto known = known_.find(asked_);
    if (known == known_.end()) {
      auto key = asked_;  // to work it out, others may be asked for
      known = known_.emplace(std::move(key), work_out()).first;
    }
    return known->second;
  }

 private:
  /// All that the exchanges of a conversion without windows across its parts depend on.
  using Key = std::tuple<Conversion::Kind, std::vector<Tiling::AxisCuts>, Layout, Layout,
                         GroupCollective const*, arch::SumPieces>;

  /// Of most of it.
  struct Hash {
    std::size_t operator()(Key const& key) const {
      auto const& [kind, cuts, from, to, collective, pieces] = key;
      auto hash = std::hash<GroupCollective const*>{}(collective);
      for (auto const& [number, extent] : cuts) {
        hash = hash_of_key(hash, number, static_cast<std::uint64_t>(extent));
      }
      for (auto const* const layout : {&from, &to}) {
        for (auto const& holding : *layout) {
          hash = hash_of_key(hash, holding.axis, static_cast<std::uint64_t>(holding.kind));
        }
      }
      return hash_of_key(hash, static_cast<std::uint64_t>(kind));
    }
  };

  Tiling const* tiling_;
  std::unordered_map<Key, Value, Hash> known_;
  Key asked_;  ///< for last: its memory is used again
};

}  // namespace tessera::partition
