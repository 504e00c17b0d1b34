// What the accelerators of a stage hold of a micro-batch (liveness.hpp). Who makes and who reads a value is the same for all of them
// and found once; which part it is, and of which others it is a part, is found for each.
#pragma once

#include <vector>

#include "partition/step/value_regions.hpp"

namespace tessera::partition {

/// All values, or for those who need no more and are in a hurry, inputs alone: all that can be
/// kept.
enum class Wanted { all, kept };

/// A value that an action makes, whether or not it is a part of another one.
struct MadeValue {
  LiveValue value;
  ValueKey key;
  std::size_t region = 0;  ///< ValueRegions::number()
};

class StageValues final {
 public:
  /// `tiling` is of `stage`. All must outlive it.
  StageValues(Step const& step, Tiling const& tiling, StageId stage, Wanted wanted = Wanted::all);

  /// Of the accelerator at `position` of the stage's mesh.
  [[nodiscard]] LiveValues at(std::size_t position) const;

 private:
  /// Values of one tensor, at one time.
  struct Kin {
    std::vector<std::size_t> members;  ///< of `made_`
    std::size_t first_alike = 0;       ///< which of `kin_` has the same regions, and keeps the same
  };

  void find_kin();
  [[nodiscard]] std::vector<std::size_t> containers(std::vector<Region> const& regions) const;
  [[nodiscard]] std::size_t container(Kin const& kin, std::size_t index,
                                      std::vector<Region> const& regions) const;
  void hold_weights(std::size_t position, LiveValues& held) const;
  void take(std::vector<std::size_t> const& containers, std::vector<Region> const& regions,
            LiveValues& held) const;
  [[nodiscard]] Bytes bytes(Region const& region) const;

  Step const* step_;
  Tiling const* tiling_;
  StageId stage_;
  ValueRegions regions_;
  std::vector<MadeValue> made_;
  std::vector<Kin> kin_;
  IdVector<ActionId, LiveOperands> operands_;  ///< of `made_`
};

}  // namespace tessera::partition
