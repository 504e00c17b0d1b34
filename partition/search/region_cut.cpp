#include "partition/search/region_cut.hpp"

namespace tessera::partition {

namespace {

using Kind = Holding::Kind;

double const uncuttable = 100;  // times the elements of both regions

double size_of(Region const& region) { return static_cast<double>(region.elements().value()); }

double common(Region const& a, Region const& b) { return size_of(a.intersect(b)); }

/// The larger ones first.
std::vector<Region> parts(CutRegion const& cut, std::size_t ways) {
  std::vector<Region> all(ways, cut.region);
  if (cut.holding.kind != Kind::split) return all;
  auto const axis = cut.holding.axis;
  auto [begin, end] = cut.region.axes[axis].ranges().front();
  auto const extent = end - begin;
  for (std::size_t part = 0; part < ways; ++part) {
    end = begin + equal_part(extent, part, ways);
    all[part].axes[axis] = IndexSet::range(begin, end);
    begin = end;
  }
  return all;
}

bool is_cuttable(CutRegion const& cut, std::size_t ways) {
  if (cut.holding.kind != Kind::split) return true;
  auto const extent = cut.region.axes[cut.holding.axis].size();
  return ways == 2 ? extent % 2 == 0 : extent >= static_cast<std::int64_t>(ways);
}

/// What every part needs of what the others hold.
double exchanged(CutRegion const& held, CutRegion const& needed, std::size_t ways) {
  auto const holders = parts(held, ways);
  auto const readers = parts(needed, ways);
  double elements = 0;
  for (std::size_t i = 0; i < ways; ++i) {
    for (std::size_t j = 0; j < ways; ++j) {
      if (i != j) elements += common(holders[i], readers[j]);
    }
  }
  return elements;
}

}  // namespace

Region whole_region(std::vector<std::int64_t> const& extents) {
  Region region;
  for (auto const extent : extents) region.axes.push_back(IndexSet::range(0, extent));
  return region;
}

Region first_part_of(CutRegion const& cut, std::size_t ways) { return parts(cut, ways).front(); }

double conversion_cost(CutRegion const& held, CutRegion const& needed, std::size_t ways) {
  EXPECTS(needed.holding.kind != Kind::partial, needed.region.axes.size());
  if (!is_cuttable(held, ways) || !is_cuttable(needed, ways)) {
    return uncuttable * (size_of(held.region) + size_of(needed.region));
  }
  auto const others = static_cast<double>(ways - 1);
  bool const wants_all = needed.holding.kind == Kind::replicated;
  if (held.holding.kind == Kind::partial) {
    return others * size_of(held.region) * (wants_all ? 2 : 1);
  }
  auto const missing = wants_all ? size_of(needed.region) - common(held.region, needed.region) : 0;
  if (held.holding.kind == Kind::replicated) return others * missing;
  return exchanged(held, needed, ways) + others * missing;
}

}  // namespace tessera::partition
