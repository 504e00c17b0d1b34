// A search along the edge of what fits: as tiles get shorter in m they may get longer in n.
#include "sim/model/compute/tiling.hpp"

#include <algorithm>
#include <optional>
#include <tuple>
#include <vector>

#include "arch/base/config_error.hpp"

namespace tessera::sim {

namespace {

using Outer = Tiling::Outer;

/// The largest tile for every possible number of tiles along a dimension, in falling order.
std::vector<std::int64_t> tile_extents(std::int64_t extent, std::int64_t granule) {
  auto const units = ceil_divide(extent, granule);
  std::vector<std::int64_t> extents;
  for (std::int64_t tile = units; tile > 0;) {
    extents.push_back(std::min(tile * granule, extent));
    if (tile == 1) break;
    tile = ceil_divide(units, ceil_divide(units, tile - 1));  // the smallest with as many tiles
  }
  return extents;
}

std::int64_t tiles_of(Gemm const& gemm, Gemm const& tile) {
  return ceil_divide(gemm.m, tile.m) * ceil_divide(gemm.n, tile.n) * ceil_divide(gemm.k, tile.k);
}

/// The least traffic so far.
class LeastTraffic final {
 public:
  LeastTraffic(TileRules const& rules, Gemm const& gemm) : rules_{rules}, gemm_{gemm} {}

  void consider(Gemm const& tile) {
    for (auto const outer : {Outer::m, Outer::n}) {
      Tiling const tiling{tile, outer};
      auto const key =
          std::make_tuple(traffic_of(rules_, gemm_, tiling).value(), tiles_of(gemm_, tile));
      if (tiling_ && key_ <= key) continue;
      tiling_ = tiling;
      key_ = key;
    }
  }

  [[nodiscard]] std::optional<Tiling> const& tiling() const { return tiling_; }

 private:
  TileRules const& rules_;
  Gemm const& gemm_;
  std::optional<Tiling> tiling_;
  std::tuple<std::int64_t, std::int64_t> key_;
};

/// Walks along the largest pairs (m, n) that fit with a depth of k, and gives each the deepest k.
void walk_the_edge(TileRules const& rules, Gemm const& gemm, std::int64_t k, LeastTraffic& best) {
  auto const ms = tile_extents(gemm.m, rules.granule.m);
  auto const ns = tile_extents(gemm.n, rules.granule.n);
  auto const ks = tile_extents(gemm.k, rules.granule.k);
  auto n = ns.rbegin();
  for (auto const m : ms) {
    while (n != ns.rend() && fits(rules, {1, m, *n, k})) ++n;
    if (n == ns.rbegin()) continue;
    auto const widest = *std::prev(n);
    auto const deepest = std::find_if(ks.begin(), ks.end(), [&](std::int64_t depth) {
      return fits(rules, {1, m, widest, depth});
    });
    best.consider({1, m, widest, *deepest});
  }
}

}  // namespace

Gemm padded(Gemm const& gemm, arch::TilePadding const& padding) {
  return {gemm.batch, padded(gemm.m, padding.m), padded(gemm.n, padding.n),
          padded(gemm.k, padding.k)};
}

bool fits(TileRules const& rules, Gemm const& tile) {
  auto const [batch, m, n, k] = padded(tile, rules.granule);
  auto const banks = [&rules](Bytes size, std::int64_t elements) {
    return 2 * ceil_divide((size * elements).value(), rules.scratchpad.bank().value());
  };
  return banks(rules.element, rules.shares.a.of(m * k)) +
             banks(rules.element, rules.shares.b.of(k * n)) + banks(rules.sum, m * n) <=
         rules.scratchpad.banks;
}

Bytes traffic_of(TileRules const& rules, Gemm const& gemm, Tiling const& tiling) {
  auto const across_m = ceil_divide(gemm.m, tiling.tile.m);
  auto const across_n = ceil_divide(gemm.n, tiling.tile.n);
  bool const is_deep = ceil_divide(gemm.k, tiling.tile.k) > 1;
  bool const m_outside = tiling.outer == Outer::m;
  auto const stays = [is_deep](std::int64_t inner) { return is_deep ? inner : 1; };
  auto const again = [is_deep](std::int64_t outer, std::int64_t inner) {
    return is_deep || inner > 1 ? outer : 1;
  };
  auto const a_loads = m_outside ? stays(across_n) : again(across_n, across_m);
  auto const b_loads = m_outside ? again(across_m, across_n) : stays(across_m);
  auto const a = rules.element * rules.shares.a.of(gemm.m * gemm.k) * a_loads;
  auto const b = rules.element * rules.shares.b.of(gemm.k * gemm.n) * b_loads;
  return (a + b + rules.element * gemm.m * gemm.n) * gemm.batch;
}

Tiling choose_tiling(TileRules const& rules, Gemm const& gemm) {
  LeastTraffic best{rules, gemm};
  walk_the_edge(rules, gemm, gemm.k, best);
  walk_the_edge(rules, gemm, std::min(rules.granule.k, gemm.k), best);
  if (best.tiling()) return *best.tiling();
  throw ConfigError({}, {},
                    "a scratchpad of " + to_text(rules.scratchpad.capacity) + " in " +
                        std::to_string(rules.scratchpad.banks) +
                        " banks is too small for two of the smallest tiles; use more or larger "
                        "banks");
}

}  // namespace tessera::sim
