#include "partition/solvers/binary_cut.hpp"

#include <algorithm>
#include <utility>

namespace tessera::partition {

namespace {

using Kind = Holding::Kind;

double const uncuttable = 100;  // times the elements of both boxes

double size_of(Box const& box) {
  double product = 1;
  for (auto const& axis : box) product *= static_cast<double>(axis.size());
  return product;
}

double common(Box const& a, Box const& b) {
  double product = 1;
  for (std::size_t axis = 0; axis < a.size(); ++axis) {
    Interval const both{std::max(a[axis].begin, b[axis].begin), std::min(a[axis].end, b[axis].end)};
    product *= static_cast<double>(both.size());
  }
  return product;
}

std::pair<Box, Box> halves(CutBox const& cut) {
  std::pair<Box, Box> both{cut.box, cut.box};
  if (cut.holding.kind != Kind::split) return both;
  auto const axis = cut.holding.axis;
  auto const middle = (cut.box[axis].begin + cut.box[axis].end) / 2;
  both.first[axis].end = middle;
  both.second[axis].begin = middle;
  return both;
}

bool is_cuttable(CutBox const& cut) {
  return cut.holding.kind != Kind::split || cut.box[cut.holding.axis].size() % 2 == 0;
}

}  // namespace

Box box_of(std::vector<std::int64_t> const& extents) {
  Box box;
  for (auto const extent : extents) box.push_back({0, extent});
  return box;
}

Box first_half(CutBox const& cut) { return halves(cut).first; }

double conversion_cost(CutBox const& held, CutBox const& needed) {
  EXPECTS(held.box.size() == needed.box.size(), held.box.size(), needed.box.size());
  EXPECTS(needed.holding.kind != Kind::partial, needed.box.size());
  if (!is_cuttable(held) || !is_cuttable(needed)) {
    return uncuttable * (size_of(held.box) + size_of(needed.box));
  }
  bool const wants_all = needed.holding.kind == Kind::replicated;
  if (held.holding.kind == Kind::partial) return size_of(held.box) * (wants_all ? 2 : 1);
  auto const missing = wants_all ? size_of(needed.box) - common(held.box, needed.box) : 0;
  if (held.holding.kind == Kind::replicated) return missing;
  auto const [held_first, held_second] = halves(held);
  auto const [needed_first, needed_second] = halves(needed);
  return common(held_first, needed_second) + common(held_second, needed_first) + missing;
}

}  // namespace tessera::partition
