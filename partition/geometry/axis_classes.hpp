// Classes of axes and loop dimensions that are cut alike, each kept once: who has the same number has the same parts.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "partition/geometry/index_set.hpp"

namespace tessera::partition {

/// What all members of a class follow.
struct AxisClass {
  AxisTree tree;
  bool slides = false;  ///< members are rows or columns that windows slide over

  /// What a holder has of a member that is `extent` long. Requires a multiple of the tree's extent
  /// unless the class slides: then cuts are rounded to whole positions.
  [[nodiscard]] IndexSet part(std::int64_t extent, Parts const& parts) const;

  friend bool operator==(AxisClass const& a, AxisClass const& b) {
    return a.slides == b.slides && a.tree == b.tree;
  }
};

class AxisClasses final {
 public:
  /// Equal classes have one number.
  [[nodiscard]] std::size_t number_of(AxisClass it);

  [[nodiscard]] AxisClass const& operator[](std::size_t number) const { return classes_[number]; }
  [[nodiscard]] std::vector<AxisClass> const& all() const { return classes_; }

 private:
  std::vector<AxisClass> classes_;
  std::map<std::int64_t, std::vector<std::size_t>> by_extent_;  ///< numbers
};

}  // namespace tessera::partition
