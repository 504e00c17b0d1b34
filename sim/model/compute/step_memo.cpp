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
    if (!kind_ || !(*kind_ == kind)) id_ = memo_.id_of(kind);
    kind_ = kind;
    visit_({id_, stored_.offset, now.store.offset, {next.loads[0].offset, next.loads[1].offset}});
    stored_ = stores ? none : now.store;
  }

  static constexpr TileMove none{Operand::c, Bytes{0}, Bytes{0}};

  StepMemo& memo_;
  std::function<void(ProgramStep const&)> const& visit_;
  std::optional<TileStep> tile_;  ///< the last one
  TileMove stored_ = none;        ///< of the one before, not stored yet
  std::optional<StepKind> kind_;
  StepKindId id_;
};

}  // namespace

std::size_t hash_of(std::vector<std::int64_t> const& words) {
  std::uint64_t hash = 0;
  for (auto const word : words) {
    hash = (hash ^ hash >> 31 ^ static_cast<std::uint64_t>(word)) * 0x9e3779b97f4a7c15;
  }
  return static_cast<std::size_t>(hash);
}

bool operator==(StepKind const& a, StepKind const& b) {
  return a.role == b.role && a.compute == b.compute && a.kernel_start == b.kernel_start &&
         is_same(a.store_before, b.store_before) && is_same(a.store_after, b.store_after) &&
         is_same(a.loads[0], b.loads[0]) && is_same(a.loads[1], b.loads[1]);
}

StepKindId StepMemo::id_of(StepKind const& kind) {
  auto const hash = sim::hash_of({static_cast<std::int64_t>(kind.role), kind.compute.value(),
                                  kind.store_before.size.value(), kind.loads[0].size.value(),
                                  kind.loads[1].size.value()});
  auto const [first, last] = by_kind_.equal_range(hash);
  auto const found = std::find_if(
      first, last, [&](auto const& candidate) { return kinds_[candidate.second] == kind; });
  if (found != last) return found->second;
  return by_kind_.emplace(hash, kinds_.push_back(kind))->second;
}

void StepMemo::for_each_step(TileProgram const& program,
                             std::function<void(ProgramStep const&)> const& visit) {
  StepMaker maker{*this, visit};
  program.for_each([&](TileStep const& tile) { maker(tile); });
  maker.end();
}

std::vector<ProgramStep> const* StepMemo::steps_of(TileProgram const& program) {
  auto const [it, is_new] = programs_.try_emplace(&program);
  auto& steps = it->second;
  if (is_new) {
    for_each_step(program, [&](ProgramStep const& step) {
      if (steps.size() <= steps_left_) steps.push_back(step);
    });
    bool const fits = steps.size() <= steps_left_;
    if (fits) steps_left_ -= steps.size();
    if (!fits) steps.clear();
    steps.shrink_to_fit();
  }
  return steps.empty() ? nullptr : &steps;
}

std::optional<StepStateId> StepMemo::find_state(StateWriter const& text) const {
  auto const [first, last] = by_text_.equal_range(sim::hash_of(text.words()));
  auto const found = std::find_if(
      first, last, [&](auto const& candidate) { return texts_[candidate.second] == text.words(); });
  if (found == last) return std::nullopt;
  return found->second;
}

StepStateId StepMemo::add_state(StateWriter const& text, StepState state) {
  auto const id = states_.push_back(std::move(state));
  texts_.push_back(text.words());
  by_text_.emplace(sim::hash_of(text.words()), id);
  return id;
}

void StepMemo::add(StepKey const& key, StepCourse const& course) {
  courses_.emplace_back(key, course);
  auto place = hash_of(key);
  while (places_[place & (places_.size() - 1)] != 0) ++place;
  places_[place & (places_.size() - 1)] = static_cast<std::uint32_t>(courses_.size());
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
  by_text_.clear();
  courses_.clear();
  refreshed_.clear();
  places_.assign(2 * most_courses, 0);
}

}  // namespace tessera::sim
