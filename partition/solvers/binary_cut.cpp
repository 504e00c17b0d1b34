#include "partition/solvers/binary_cut.hpp"

#include <utility>

namespace tessera::partition {

namespace {

using Kind = Holding::Kind;

double const uncuttable = 100;  // times the elements of both regions

double size_of(Region const& region) { return static_cast<double>(region.elements().value()); }

double common(Region const& a, Region const& b) { return size_of(a.intersect(b)); }

/// The larger half first.
std::pair<Region, Region> halves(CutRegion const& cut) {
  std::pair<Region, Region> both{cut.region, cut.region};
  if (cut.holding.kind != Kind::split) return both;
  auto const axis = cut.holding.axis;
  auto const [begin, end] = cut.region.axes[axis].ranges().front();
  auto const middle = begin + (end - begin + 1) / 2;
  both.first.axes[axis] = IndexSet::range(begin, middle);
  both.second.axes[axis] = IndexSet::range(middle, end);
  return both;
}

bool is_cuttable(CutRegion const& cut) {
  return cut.holding.kind != Kind::split || cut.region.axes[cut.holding.axis].size() % 2 == 0;
}

}  // namespace

Region whole_region(std::vector<std::int64_t> const& extents) {
  Region region;
  for (auto const extent : extents) region.axes.push_back(IndexSet::range(0, extent));
  return region;
}

Region first_half(CutRegion const& cut) { return halves(cut).first; }

double conversion_cost(CutRegion const& held, CutRegion const& needed) {
  EXPECTS(needed.holding.kind != Kind::partial, needed.region.axes.size());
  if (!is_cuttable(held) || !is_cuttable(needed)) {
    return uncuttable * (size_of(held.region) + size_of(needed.region));
  }
  bool const wants_all = needed.holding.kind == Kind::replicated;
  if (held.holding.kind == Kind::partial) return size_of(held.region) * (wants_all ? 2 : 1);
  auto const missing = wants_all ? size_of(needed.region) - common(held.region, needed.region) : 0;
  if (held.holding.kind == Kind::replicated) return missing;
  auto const [held_first, held_second] = halves(held);
  auto const [needed_first, needed_second] = halves(needed);
  return common(held_first, needed_second) + common(held_second, needed_first) + missing;
}

}  // namespace tessera::partition
