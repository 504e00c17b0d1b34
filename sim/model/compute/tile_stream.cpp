// A loop nest as a product of matrices, one per kind of tile.
#include "sim/model/compute/tile_stream.hpp"

#include "arch/base/config_error.hpp"
#include "sim/model/compute/max_plus.hpp"

namespace tessera::sim {

namespace {

using Matrix = MaxPlus<3>;
constexpr double most_cycles = 0x1p58;  ///< a sixteenth of what 64 bits hold, for sums of times
enum State : std::size_t { engine, computed_before, computed };

/// A dimension cut into `whole` tiles of one size and a last one.
struct Cut {
  std::int64_t tiles;
  std::int64_t tile;
  std::int64_t last;

  [[nodiscard]] std::int64_t extent(std::int64_t index) const {
    return index + 1 == tiles ? last : tile;
  }

  Cut(std::int64_t extent, std::int64_t size)
      : tiles{ceil_divide(extent, size)}, tile{size}, last{extent - (tiles - 1) * size} {}
};

/// Loads a tile while the one before is computed, stores what that one has finished, computes.
Matrix step_matrix(Cycles load, Cycles compute, Cycles earlier_store) {
  Matrix matrix;
  auto const loaded =
      Matrix::after(Matrix::latest(matrix[engine], matrix[computed_before]), load.value());
  auto const done = Matrix::after(Matrix::latest(matrix[computed], loaded), compute.value());
  matrix[engine] =
      earlier_store == Cycles{0}
          ? loaded
          : Matrix::after(Matrix::latest(loaded, matrix[computed]), earlier_store.value());
  matrix[computed_before] = matrix[computed];
  matrix[computed] = done;
  return matrix;
}

/// Times from the end of the last tile's computation on.
StreamCost ended(Matrix::Vector const& end, Cycles computed_cycles, Cycles ramp,
                 Cycles last_store) {
  StreamCost cost;
  cost.computed = computed_cycles + ramp;
  auto const done = end[computed] + ramp.value();
  auto const stored = std::max(end[engine], done) + last_store.value();
  cost.cycles = Cycles{stored};
  cost.stalled = Cycles{done} - cost.computed;
  cost.draining = Cycles{stored - done};
  return cost;
}

/// Which operands a tile finds another tile of than its predecessor had.
struct Loads {
  bool outer = true;
  bool inner = true;
};

/// The nest outer, inner, k of one product.
class Nest final {
 public:
  Nest(TileRules const& rules, Gemm const& gemm, Tiling const& tiling, MemoryPort const& memory,
       std::function<Cycles(Gemm const&)> const& compute)
      : rules_{rules},
        memory_{memory},
        compute_{compute},
        m_outside_{tiling.outer == Tiling::Outer::m},
        outer_{m_outside_ ? gemm.m : gemm.n, m_outside_ ? tiling.tile.m : tiling.tile.n},
        inner_{m_outside_ ? gemm.n : gemm.m, m_outside_ ? tiling.tile.n : tiling.tile.m},
        depth_{gemm.k, tiling.tile.k} {}

  [[nodiscard]] std::int64_t tiles() const { return outer_.tiles * inner_.tiles * depth_.tiles; }

  /// All of it; before it, the engine still has to store `earlier`.
  [[nodiscard]] Matrix all(Cycles earlier) const {
    if (outer_.tiles == 1) return row(outer_.last, earlier, true);
    auto const next = row(outer_.tile, store(outer_.tile, inner_.last), false);
    return row(outer_.last, store(outer_.tile, inner_.last), false) * next.power(outer_.tiles - 2) *
           row(outer_.tile, earlier, true);
  }

  [[nodiscard]] Cycles last_store() const { return store(outer_.last, inner_.last); }

  /// The sum over all tiles of what they keep the array.
  [[nodiscard]] Cycles work() const {
    auto const row_work = [this](std::int64_t outer) {
      return block_work(outer, inner_.tile) * (inner_.tiles - 1) + block_work(outer, inner_.last);
    };
    return row_work(outer_.tile) * (outer_.tiles - 1) + row_work(outer_.last);
  }

 private:
  /// All blocks with one index of the outer loop.
  [[nodiscard]] Matrix row(std::int64_t outer, Cycles earlier, bool is_first) const {
    Loads const entry{true, is_first || inner_.tiles > 1 || depth_.tiles > 1};
    if (inner_.tiles == 1) return block(outer, inner_.last, entry, earlier);
    Loads const next{depth_.tiles > 1, true};
    auto const previous = store(outer, inner_.tile);
    return block(outer, inner_.last, next, previous) *
           block(outer, inner_.tile, next, previous).power(inner_.tiles - 2) *
           block(outer, inner_.tile, entry, earlier);
  }

  /// All tiles of one block of sums.
  [[nodiscard]] Matrix block(std::int64_t outer, std::int64_t inner, Loads loads,
                             Cycles earlier) const {
    if (depth_.tiles == 1) return step(outer, inner, depth_.last, loads, earlier);
    return step(outer, inner, depth_.last, {}, Cycles{0}) *
           step(outer, inner, depth_.tile, {}, Cycles{0}).power(depth_.tiles - 2) *
           step(outer, inner, depth_.tile, loads, earlier);
  }

  [[nodiscard]] Matrix step(std::int64_t outer, std::int64_t inner, std::int64_t k, Loads loads,
                            Cycles earlier) const {
    auto const& of_outer = m_outside_ ? rules_.shares.a : rules_.shares.b;
    auto const& of_inner = m_outside_ ? rules_.shares.b : rules_.shares.a;
    auto const elements =
        (loads.outer ? of_outer.of(outer * k) : 0) + (loads.inner ? of_inner.of(inner * k) : 0);
    return step_matrix(memory_.transfer(rules_.element * elements), compute_(tile(outer, inner, k)),
                       earlier);
  }

  [[nodiscard]] Gemm tile(std::int64_t outer, std::int64_t inner, std::int64_t k) const {
    return m_outside_ ? Gemm{1, outer, inner, k} : Gemm{1, inner, outer, k};
  }
  [[nodiscard]] Cycles block_work(std::int64_t outer, std::int64_t inner) const {
    return compute_(tile(outer, inner, depth_.tile)) * (depth_.tiles - 1) +
           compute_(tile(outer, inner, depth_.last));
  }
  [[nodiscard]] Cycles store(std::int64_t outer, std::int64_t inner) const {
    return memory_.transfer(rules_.element * outer * inner);
  }

  TileRules const& rules_;
  MemoryPort const& memory_;
  std::function<Cycles(Gemm const&)> const& compute_;
  bool m_outside_;
  Cut outer_;
  Cut inner_;
  Cut depth_;
};

/// The tiles of one product in their order.
class Walk final {
 public:
  Walk(TileRules const& rules, Gemm const& gemm, Tiling const& tiling)
      : rules_{rules},
        m_outside_{tiling.outer == Tiling::Outer::m},
        m_{gemm.m, tiling.tile.m},
        n_{gemm.n, tiling.tile.n},
        k_{gemm.k, tiling.tile.k} {}

  template <typename Visit>
  void visit_all(Visit const& visit) {
    a_held_ = b_held_ = -1;
    auto const& outer = m_outside_ ? m_ : n_;
    auto const& inner = m_outside_ ? n_ : m_;
    for (std::int64_t o = 0; o < outer.tiles; ++o) {
      for (std::int64_t i = 0; i < inner.tiles; ++i) {
        for (std::int64_t k = 0; k < k_.tiles; ++k) {
          visit(m_outside_ ? tile(o, i, k) : tile(i, o, k));
        }
      }
    }
  }

 private:
  [[nodiscard]] TileVisit tile(std::int64_t m, std::int64_t n, std::int64_t k) {
    TileVisit visit;
    visit.tile = {1, m_.extent(m), n_.extent(n), k_.extent(k)};
    visit.a_place = m * k_.tiles + k;
    visit.b_place = n * k_.tiles + k;
    visit.c_place = m * n_.tiles + n;
    if (visit.a_place != a_held_)
      visit.a_elements = rules_.shares.a.of(visit.tile.m * visit.tile.k);
    if (visit.b_place != b_held_)
      visit.b_elements = rules_.shares.b.of(visit.tile.n * visit.tile.k);
    visit.finishes_sums = k + 1 == k_.tiles;
    visit.is_first = m == 0 && n == 0 && k == 0;
    visit.is_last = m + 1 == m_.tiles && n + 1 == n_.tiles && k + 1 == k_.tiles;
    a_held_ = visit.a_place;
    b_held_ = visit.b_place;
    return visit;
  }

  TileRules const& rules_;
  bool m_outside_;
  Cut m_;
  Cut n_;
  Cut k_;
  std::int64_t a_held_ = -1;  ///< the place of the tile that is in the scratchpad
  std::int64_t b_held_ = -1;
};

}  // namespace

Cycles MemoryPort::transfer(Bytes size) const {
  auto const cycles = static_cast<double>(size.value()) * 8 * static_cast<double>(clock.value()) /
                      static_cast<double>(bandwidth.value());
  if (cycles > most_cycles) {
    throw ConfigError({}, {},
                      "moving " + to_text(size) + " at " + to_text(bandwidth) +
                          " takes more cycles than can be counted; use a higher memory bandwidth");
  }
  return Cycles{
      tessera::detail::multiply_divide_ceil(size.value() * 8, clock.value(), bandwidth.value())};
}

StreamCost stream(TileRules const& rules, Gemm const& gemm, Tiling const& tiling,
                  MemoryPort const& memory, TileTimes const& times) {
  Nest const nest{rules, gemm, tiling, memory, times.busy};
  auto const traffic = traffic_of(rules, gemm, tiling);
  auto const work = nest.work() * gemm.batch;
  // Neither all transfers nor all work come near what max-plus sums can hold.
  static_cast<void>(memory.transfer(traffic));
  EXPECTS(static_cast<double>(work.value()) <= most_cycles, work);
  auto const all = nest.all(nest.last_store()).power(gemm.batch - 1) * nest.all(Cycles{0});
  auto cost = ended(all * Matrix::Vector{0, 0, 0}, work, times.ramp, nest.last_store());
  cost.traffic = traffic;
  cost.tiles = nest.tiles() * gemm.batch;
  return cost;
}

StreamCost stream(PassTile const& whole, PassTile const& last, std::int64_t tiles,
                  MemoryPort const& memory) {
  auto const traffic = (whole.load + whole.store) * (tiles - 1) + last.load + last.store;
  auto const work = whole.compute * (tiles - 1) + last.compute;
  static_cast<void>(memory.transfer(traffic));
  auto const step = [&memory](PassTile const& tile, Cycles earlier) {
    return step_matrix(memory.transfer(tile.load), tile.compute, earlier);
  };
  auto const store = memory.transfer(whole.store);
  auto const all =
      tiles == 1 ? step(last, Cycles{0})
                 : step(last, store) * step(whole, store).power(tiles - 2) * step(whole, Cycles{0});
  auto cost = ended(all * Matrix::Vector{0, 0, 0}, work, Cycles{0}, memory.transfer(last.store));
  cost.traffic = traffic;
  cost.tiles = tiles;
  return cost;
}

void for_each_tile(TileRules const& rules, Gemm const& gemm, Tiling const& tiling,
                   std::function<void(TileVisit const&)> const& visit) {
  Walk walk{rules, gemm, tiling};
  for (std::int64_t batch = 0; batch < gemm.batch; ++batch) {
    walk.visit_all([&](TileVisit tile) {
      tile.is_first = tile.is_first && batch == 0;
      tile.is_last = tile.is_last && batch + 1 == gemm.batch;
      visit(tile);
    });
  }
}

}  // namespace tessera::sim
