// Tables of kinds, states and courses.
#include "sim/model/compute/step_memo.hpp"

#include <algorithm>
#include <tuple>

namespace tessera::sim {

namespace {

bool is_same(TileMove const& a, TileMove const& b) {
  return a.operand == b.operand && a.size == b.size;
}

/// Without its offset.
TileMove kind_of(TileMove const& move) { return {move.operand, Bytes{0}, move.size}; }

/// Makes steps from instant to instant of steps from tile to tile.
class StepMaker final {
 public:
  StepMaker(StepMemo& memo, std::function<void(ProgramStep const&)> const& visit)
      : memo_{memo}, visit_{visit} {}

  void operator()(TileStep const& tile) {
    make(!tile_              ? StepKind::Role::first
         : tile.kernel_start ? StepKind::Role::kernel
                             : StepKind::Role::next,
         tile);
    tile_ = tile;
  }
  void end() {
    if (tile_) make(StepKind::Role::last, {});
  }

 private:
  void make(StepKind::Role role, TileStep const& next) {
    StepKind kind;
    kind.role = role;
    kind.store_before = kind_of(stored_);
    kind.kernel_start = next.kernel_start;
    kind.loads = {kind_of(next.loads[0]), kind_of(next.loads[1])};
    auto const now = tile_.value_or(TileStep{});
    kind.compute = now.compute;
    kind.moves = {stored_.size > Bytes{0}, next.loads[0].size > Bytes{0},
                  next.loads[1].size > Bytes{0}};
    bool const stores = role == StepKind::Role::kernel || role == StepKind::Role::last;
    if (stores) kind.store_after = kind_of(now.store);
    visit_({id_of(kind),
            stored_.offset,
            now.store.offset,
            {next.loads[0].offset, next.loads[1].offset}});
    stored_ = stores ? none : now.store;
  }

  /// Programs go through few kinds, again and again.
  [[nodiscard]] StepKindId id_of(StepKind const& kind) {
    auto const place = kind.compute.value() + kind.loads[0].size.value() / 4 +
                       kind.loads[1].size.value() / 4 + kind.store_before.size.value() / 4;
    auto& [known, id] = at_hand_[static_cast<std::size_t>(place) % at_hand_.size()];
    if (!known || !(*known == kind)) id = memo_.id_of(kind), known = kind;
    return id;
  }

  static constexpr TileMove none{Operand::c, Bytes{0}, Bytes{0}};

  StepMemo& memo_;
  std::function<void(ProgramStep const&)> const& visit_;
  std::optional<TileStep> tile_;  ///< the last one
  TileMove stored_ = none;        ///< of the one before, not stored yet
  std::array<std::pair<std::optional<StepKind>, StepKindId>, 64> at_hand_;
};

}  // namespace

bool operator==(StepKind const& a, StepKind const& b) {
  return a.role == b.role && a.compute == b.compute && a.kernel_start == b.kernel_start &&
         is_same(a.store_before, b.store_before) && is_same(a.store_after, b.store_after) &&
         is_same(a.loads[0], b.loads[0]) && is_same(a.loads[1], b.loads[1]);
}

StepKindId StepMemo::id_of(StepKind const& kind) {
  auto const hash = hash_of(std::array<std::int64_t, 5>{
      static_cast<std::int64_t>(kind.role), kind.compute.value(), kind.store_before.size.value(),
      kind.loads[0].size.value(), kind.loads[1].size.value()});
  auto const [first, last] = by_kind_.equal_range(hash);
  auto const found = std::find_if(
      first, last, [&](auto const& candidate) { return kinds_[candidate.second] == kind; });
  if (found != last) return found->second;
  return by_kind_.emplace(hash, kinds_.push_back(kind))->second;
}

void StepMemo::make_steps(TileProgram const& program,
                          std::function<void(ProgramStep const&)> const& visit) {
  std::vector<ProgramStep> kept;
  std::size_t count = 0;
  std::function<void(ProgramStep const&)> const keep = [&](ProgramStep const& step) {
    if (++count <= steps_left_) kept.push_back(step);
    visit(step);
  };
  StepMaker maker{*this, keep};
  program.for_each([&](TileStep const& tile) { maker(tile); });
  maker.end();
  if (count > steps_left_) return;
  steps_left_ -= count;
  kept.shrink_to_fit();
  programs_.emplace(&program, std::move(kept));
}

StepStateId StepMemo::add_state(StateWriter const& text, StepState state) {
  states_.push_back(std::move(state));
  return texts_.add(text);
}

std::optional<StepStateId> StepMemo::refreshed(StepStateId id, std::int64_t clocks) const {
  auto const found = refreshed_.find(clocks << 32 | static_cast<std::int64_t>(id.index()));
  if (found == refreshed_.end()) return std::nullopt;
  return found->second;
}

void StepMemo::add_refreshed(StepStateId id, std::int64_t clocks, StepStateId refreshed) {
  refreshed_.emplace(clocks << 32 | static_cast<std::int64_t>(id.index()), refreshed);
}

void StepMemo::clear() {
  states_ = {};
  texts_ = {};
  free_ = {};
  bound_ = {};
  refreshed_.clear();
}

}  // namespace tessera::sim
