// In every clock: whoever can begin something begins it.
#include "test/support/engine/tile_engine_twin.hpp"

#include <algorithm>
#include <deque>
#include <optional>

namespace tessera::sim {

namespace {

class Twin final {
 public:
  Twin(TileProgram const& program, TileEngine::Addresses const& addresses, Clock clock,
       Memory& memory, Time start)
      : addresses_{addresses}, clock_{clock}, memory_{memory} {
    program.for_each([this](TileStep const& step) { steps_.push_back(step); });
    now_ = clock.edge_at_or_after(start);
    idle_since_ = clock.edge(now_);
    loaded_.resize(steps_.size());
    give_orders();
  }

  TileEngine::Outcome run() {
    Time const start = clock_.edge(now_);
    while (computed_ < steps_.size() || !orders_.empty() || clock_.edge(now_) < last_stored_) {
      look();
      now_ += Cycles{1};
    }
    outcome_.end = std::max({start, idle_since_, last_stored_});
    outcome_.end = clock_.edge(clock_.edge_at_or_after(outcome_.end));
    outcome_.waited = outcome_.end - start - outcome_.computed;
    return outcome_;
  }

 private:
  struct Order {
    enum class Kind { begin_kernel, load, store } kind;
    std::size_t tile;
  };

  /// Load, then the store of the tile before; between two kernels the other way round.
  void give_orders() {
    for (std::size_t tile = 0; tile < steps_.size(); ++tile) {
      bool const begins = steps_[tile].kernel_start.has_value();
      if (begins && tile > 0) orders_.push_back({Order::Kind::store, tile - 1});
      if (begins) orders_.push_back({Order::Kind::begin_kernel, tile});
      orders_.push_back({Order::Kind::load, tile});
      if (!begins && tile > 0) orders_.push_back({Order::Kind::store, tile - 1});
    }
    if (!steps_.empty()) orders_.push_back({Order::Kind::store, steps_.size() - 1});
  }

  void look() {
    finish_tile();
    ask_memory();
    begin_tile();
    finish_tile();  // a tile of no cycles
    ask_memory();
  }

  void finish_tile() {
    if (!running_ || clock_.edge(now_) < *running_) return;
    running_.reset();
    ++computed_;
  }

  void begin_tile() {
    if (running_ || computed_ == steps_.size() || !loaded_[computed_]) return;
    if (*loaded_[computed_] > clock_.edge(now_)) return;
    Time const begin = clock_.edge(now_);
    Time const end = clock_.edge(now_ + steps_[computed_].compute);
    outcome_.late_tiles += begin > idle_since_ ? 1 : 0;
    outcome_.computed += end - begin;
    ++outcome_.tiles;
    running_ = idle_since_ = end;
  }

  /// A kernel needs all before it computed and stored, a load the buffer of two tiles before and a
  /// kernel that has started, a store its tile.
  void ask_memory() {
    while (!orders_.empty() && can_be_done(orders_.front())) {
      auto const [kind, tile] = orders_.front();
      orders_.pop_front();
      if (kind == Order::Kind::begin_kernel) started_ = now_ + *steps_[tile].kernel_start;
      if (kind == Order::Kind::load) load(tile);
      if (kind == Order::Kind::store) store(tile);
    }
  }

  [[nodiscard]] bool can_be_done(Order const& order) const {
    auto const [kind, tile] = order;
    if (kind == Order::Kind::store) return computed_ > tile;
    if (kind == Order::Kind::load) return now_ >= started_ && (tile < 2 || computed_ >= tile - 1);
    return computed_ == tile && clock_.edge(now_) >= last_stored_;
  }

  void load(std::size_t tile) {
    Time there = clock_.edge(now_);
    for (auto const& move : steps_[tile].loads) {
      if (move.size > Bytes{0}) there = std::max(there, ask(Access::read, move));
    }
    loaded_[tile] = there;
  }

  void store(std::size_t tile) {
    auto const& move = steps_[tile].store;
    if (move.size > Bytes{0}) last_stored_ = std::max(last_stored_, ask(Access::write, move));
  }

  [[nodiscard]] Time ask(Access access, TileMove const& move) {
    auto const address = addresses_.at(static_cast<std::size_t>(move.operand)) + move.offset;
    return memory_.transfer(clock_.edge(now_), {access, address, move.size});
  }

  TileEngine::Addresses addresses_;
  Clock clock_;
  Memory& memory_;
  std::deque<TileStep> steps_;
  std::deque<Order> orders_;
  std::deque<std::optional<Time>> loaded_;
  std::size_t computed_ = 0;
  std::optional<Time> running_;  ///< until when
  Time idle_since_{0};           ///< when the last tile was computed, or the start
  Time last_stored_{0};
  Cycles started_{0};  ///< when the kernel asks for its first tile
  Cycles now_{0};
  TileEngine::Outcome outcome_;
};

}  // namespace

TileEngine::Outcome run_engine_twin(TileProgram const& program,
                                    TileEngine::Addresses const& addresses, Clock clock,
                                    Memory& memory, Time start) {
  return Twin{program, addresses, clock, memory, start}.run();
}

}  // namespace tessera::sim
