#include "test/support/compute/tile_twin.hpp"

#include <algorithm>
#include <optional>
#include <tuple>

namespace tessera::sim {

namespace {

using Index = std::int64_t;
using Place = std::tuple<Index, Index, Index>;  // batch and two indices: where a tile begins

struct Job {
  Gemm tile;
  Bytes load{0};
  Bytes store{0};
};

/// Every tile in the order of the loops.
class Walk final {
 public:
  Walk(TileRules const& rules, Gemm const& gemm, Tiling const& tiling)
      : rules_{rules}, gemm_{gemm}, tiling_{tiling} {
    bool const m_outside = tiling.outer == Tiling::Outer::m;
    auto const outer = m_outside ? gemm.m : gemm.n;
    auto const inner = m_outside ? gemm.n : gemm.m;
    auto const outer_step = m_outside ? tiling.tile.m : tiling.tile.n;
    auto const inner_step = m_outside ? tiling.tile.n : tiling.tile.m;
    for (Index batch = 0; batch < gemm.batch; ++batch) {
      for (Index o = 0; o < outer; o += outer_step) {
        for (Index i = 0; i < inner; i += inner_step) {
          if (m_outside) {
            block(batch, o, i);
          } else {
            block(batch, i, o);
          }
        }
      }
    }
  }

  [[nodiscard]] std::vector<Job> const& jobs() const { return jobs_; }

 private:
  void block(Index batch, Index m, Index n) {
    for (Index k = 0; k < gemm_.k; k += tiling_.tile.k) {
      Job job;
      job.tile = {1, std::min(tiling_.tile.m, gemm_.m - m), std::min(tiling_.tile.n, gemm_.n - n),
                  std::min(tiling_.tile.k, gemm_.k - k)};
      Place const a{batch, m, k};
      Place const b{batch, k, n};
      if (a_ != a) job.load += rules_.element * rules_.shares.a.of(job.tile.m * job.tile.k);
      if (b_ != b) job.load += rules_.element * rules_.shares.b.of(job.tile.k * job.tile.n);
      a_ = a;
      b_ = b;
      if (k + tiling_.tile.k >= gemm_.k) job.store = rules_.element * job.tile.m * job.tile.n;
      jobs_.push_back(job);
    }
  }

  TileRules const& rules_;
  Gemm const& gemm_;
  Tiling const& tiling_;
  std::optional<Place> a_;
  std::optional<Place> b_;
  std::vector<Job> jobs_;
};

}  // namespace

StreamCost run_tile_twin(TileRules const& rules, Gemm const& gemm, Tiling const& tiling,
                         MemoryPort const& memory, TileTimes const& times) {
  Walk const walk{rules, gemm, tiling};
  std::vector<PassTile> tiles;
  for (auto const& job : walk.jobs()) {
    tiles.push_back({job.load, times.busy(job.tile), job.store});
  }
  tiles.back().compute += times.ramp;
  return run_tile_twin(tiles, memory);
}

StreamCost run_tile_twin(std::vector<PassTile> const& tiles, MemoryPort const& memory) {
  StreamCost cost;
  Cycles engine{0};
  std::vector<Cycles> ends;  // of the computations so far
  auto const end_of = [&ends](std::size_t before) {
    return ends.size() < before ? Cycles{0} : ends[ends.size() - before];
  };
  auto const store = [&](PassTile const& tile) {
    if (tile.store == Bytes{0}) return;
    engine = std::max(engine, end_of(1)) + memory.transfer(tile.store);
  };
  for (std::size_t t = 0; t < tiles.size(); ++t) {
    auto const& tile = tiles[t];
    engine = std::max(engine, end_of(2)) + memory.transfer(tile.load);
    auto const loaded = engine;
    if (t > 0) store(tiles[t - 1]);
    auto const start = std::max(loaded, end_of(1));
    cost.stalled += start - end_of(1);
    cost.computed += tile.compute;
    cost.traffic += tile.load + tile.store;
    ends.push_back(start + tile.compute);
    ++cost.tiles;
  }
  store(tiles.back());
  cost.cycles = std::max(engine, end_of(1));
  cost.draining = cost.cycles - end_of(1);
  return cost;
}

}  // namespace tessera::sim
