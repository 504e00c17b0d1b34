// Find a course and use it; else catch up, work the step out, and keep its course.
#include "sim/model/compute/step_repeater.hpp"

#include <algorithm>

namespace tessera::sim {

namespace {

constexpr std::int64_t never = INT64_MAX / 2;

}  // namespace

StepRepeater::StepRepeater(TileEngine& engine, Clock clock, CalmMemory& memory,
                           BusyHistogram& utilisation, StepMemo& memo)
    : engine_{engine},
      clock_{clock},
      memory_{memory},
      rules_{memory.rules()},
      utilisation_{utilisation},
      memory_utilisation_{memory.utilisation()},
      memo_{memo},
      has_end_{rules_.end != UINT64_MAX} {
  auto const block = static_cast<std::uint64_t>(rules_.block.value());
  while (std::uint64_t{1} << block_bits_ < block) ++block_bits_;
  EXPECTS(std::uint64_t{1} << block_bits_ == block, block);
}

TileEngine::Outcome StepRepeater::run(TileProgram const& program,
                                      TileEngine::Addresses const& addresses, Time start) {
  if (memo_.is_full()) memo_.clear();
  if (patience_.is_asleep()) {  // naming steps costs, too
    auto const outcome = engine_.run(program, addresses, start);
    static_cast<void>(patience_.looks(outcome.tiles));
    return outcome;
  }
  engine_.restart(addresses, start);
  state_.reset();
  caught_up_ = true;
  memo_.for_each_step(program, [this](ProgramStep const& it) { step(it); });
  catch_up();
  memory_.add(counts_);
  counts_ = {};
  return engine_.ended();
}

void StepRepeater::step(ProgramStep const& step) {
  auto const& kind = memo_.kind(step.kind);
  if (kind.role != Role::next || !patience_.looks() || !locate(kind, step)) {
    catch_up();
    state_.reset();
    return perform(kind, step);
  }
  auto const* course = memo_.find(key_);
  if (course == nullptr || cycle_ + course->until > refresh_ - rules_.closing) {
    key_.set_room(refresh_ - cycle_);
    course = memo_.find(key_);
  }
  if (course == nullptr) return work_out(kind, step);
  use(*course);
  if (key_.is_free()) feel_refresh();
}

/// Finds out in which state it is, and the key of the step; false where it cannot be repeated.
bool StepRepeater::locate(StepKind const& kind, ProgramStep const& step) {
  std::array<std::uint64_t, 3> const blocks = {block_of(kind.store_before, step.store_before),
                                               block_of(kind.loads[0], step.loads[0]),
                                               block_of(kind.loads[1], step.loads[1])};
  if (has_end_ && reaches_end(kind, blocks)) return false;
  bool const moves_any = kind.moves[0] || kind.moves[1] || kind.moves[2];
  auto const first = kind.moves[0] ? blocks[0] : kind.moves[1] ? blocks[1] : blocks[2];
  auto const aligned = moves_any ? first & ~(rules_.turn - 1) : 0;
  if (!state_) {
    block_ = aligned;
    if (!recognise()) return false;
  } else if (memo_.state(*state_).is_uniform) {
    block_ = aligned;
  }
  auto const place = [&](std::size_t index) {
    return kind.moves[index] ? (blocks[index] - block_) & (rules_.wrap - 1) : 0;
  };
  key_.what = static_cast<std::uint64_t>(state_->index()) << 32 | step.kind.index();
  key_.moves = place(0) << 32 | place(1);
  key_.rest = place(2) << 32;
  return true;
}

bool StepRepeater::reaches_end(StepKind const& kind,
                               std::array<std::uint64_t, 3> const& blocks) const {
  std::array<Bytes, 3> const sizes = {kind.store_before.size, kind.loads[0].size,
                                      kind.loads[1].size};
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    auto const length = static_cast<std::uint64_t>(sizes.at(i).value()) >> block_bits_;
    if (kind.moves.at(i) && blocks.at(i) + length + 2 > rules_.end) return true;
  }
  return false;
}

/// Finds the state that engine and memory are in.
bool StepRepeater::recognise() {
  if (memo_.is_full()) return false;
  now_ = std::max(engine_.asked_, engine_.computed_);
  if (!memory_.settle(now_)) return false;
  cycle_ = memory_.cycle_at_or_after(now_);
  refresh_ = rules_.interval == 0 ? never : (cycle_ / rules_.interval + 1) * rules_.interval;
  state_ = state_now();
  return true;
}

void StepRepeater::use(StepCourse const& course) {
  utilisation_.add(now_ + course.computed.begin, now_ + course.computed.end);
  for (std::size_t i = 0; i < course.busy_count; ++i) {
    memory_utilisation_.add(now_ + course.busy[i].begin, now_ + course.busy[i].end);
  }
  for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += course.counts[i];
  auto& outcome = engine_.outcome_;
  outcome.waited += course.waited;
  outcome.computed += course.computed.end - course.computed.begin;
  outcome.late_tiles += course.is_late ? 1 : 0;
  ++outcome.tiles;
  ++repeated_tiles_;
  patience_.found();
  caught_up_ = false;
  go_to(course);
}

/// To when the next step asks, with a memory that felt no refresh since unless the course says so.
void StepRepeater::go_to(StepCourse const& course) {
  now_ += course.by;
  cycle_ += course.clocks;
  state_ = course.next;
  since_refresh_ = cycle_ - refresh_;
  if (since_refresh_ < 0) return;
  refresh_ += (since_refresh_ / rules_.interval + 1) * rules_.interval;
  since_refresh_ %= rules_.interval;
}

/// If one has come since the step before asked, of which nothing was still to be done then.
void StepRepeater::feel_refresh() {
  if (since_refresh_ < 0 || !state_) return;
  bool const is_rested = since_refresh_ >= rules_.recovery;
  if (auto const known =
          is_rested ? memo_.rested(*state_) : memo_.refreshed(*state_, since_refresh_)) {
    state_ = known;
    return;
  }
  catch_up();
  memory_.refresh(now_);
  auto const refreshed = state_now();
  if (is_rested) {
    memo_.add_rested(*state_, refreshed);
  } else {
    memo_.add_refreshed(*state_, since_refresh_, refreshed);
  }
  state_ = refreshed;
}

void StepRepeater::work_out(StepKind const& kind, ProgramStep const& step) {
  catch_up();
  if (memo_.is_full()) {
    state_.reset();
    return perform(kind, step);
  }
  bool const is_calm = memory_.settle(now_);
  EXPECTS(is_calm, now_);
  auto const before = engine_.outcome_;
  memory_.watch();
  perform(kind, step);
  auto const used = memory_.watched(std::max(engine_.asked_, engine_.computed_));
  auto course = course_since(before, used);
  patience_.missed();
  // It may last over a refresh, and yet not have minded it.
  bool const is_free = used.stayed_calm && cycle_ + course.until <= refresh_ - rules_.closing;
  key_.set_room(is_free ? StepKey::free : refresh_ - cycle_);
  go_to(course);
  if (!is_free && !memory_.settle(now_)) return state_.reset();
  course.next = state_now();
  state_ = course.next;
  memo_.add(key_, course);
  if (is_free) feel_refresh();
}

/// What engine and memory have done since they were at now_.
StepCourse StepRepeater::course_since(TileEngine::Outcome const& before,
                                      CalmMemory::Used const& used) const {
  auto const& outcome = engine_.outcome_;
  StepCourse course;
  course.until = std::max<std::int64_t>(used.until - cycle_, 0);
  auto const next = std::max(engine_.asked_, engine_.computed_);
  course.by = next - now_;
  course.clocks = memory_.cycle_at_or_after(next) - cycle_;
  course.waited = outcome.waited - before.waited;
  course.computed.end = engine_.computed_ - now_;
  course.computed.begin = course.computed.end - (outcome.computed - before.computed);
  course.is_late = outcome.late_tiles > before.late_tiles;
  for (auto const& [begin, end] : used.busy.all()) {
    course.busy.at(course.busy_count++) = {begin - now_, end - now_};
  }
  course.counts = used.counts;
  return course;
}

/// Engine and memory become what the state says.
void StepRepeater::catch_up() {
  if (caught_up_) return;
  auto const& state = memo_.state(*state_);
  engine_.asked_ = engine_.computed_before_ = now_;
  engine_.computed_ = now_ + state.computed;
  engine_.loaded_ = engine_.computed_ + state.loaded;
  engine_.stored_ = engine_.computed_ + state.stored;
  memory_.put_back(*state.memory, now_, block_);
  caught_up_ = true;
}

/// The state that engine and memory are in. Where the clock's edges lie is part of it.
StepStateId StepRepeater::state_now() {
  StepState state;
  state.computed = engine_.computed_ - now_;
  state.loaded = std::max(engine_.loaded_ - engine_.computed_, Time{0});
  state.stored = std::max(engine_.stored_ - engine_.computed_, Time{0});
  StateWriter text;
  text.put_phase(clock_, now_ - engine_.origin_);
  for (auto const time : {state.computed, state.loaded, state.stored}) text.put(time.value());
  auto turned = text;
  memory_.write(now_, block_, text);
  if (auto const known = memo_.find_state(text)) return *known;
  memory_.write(now_, block_ + rules_.turn, turned);
  state.is_uniform = turned.words() == text.words();
  state.memory = memory_.keep(now_, block_);
  return memo_.add_state(text, std::move(state));
}

void StepRepeater::perform(StepKind const& kind, ProgramStep const& step) {
  TileStep now;
  now.compute = kind.compute;
  now.store = {kind.store_after.operand, step.store_after, kind.store_after.size};
  TileStep next;
  for (std::size_t i = 0; i < next.loads.size(); ++i) {
    next.loads.at(i) = {kind.loads.at(i).operand, step.loads.at(i), kind.loads.at(i).size};
  }
  if (kind.role != Role::first) {
    engine_.to_store_ = {kind.store_before.operand, step.store_before, kind.store_before.size};
    engine_.store();
    engine_.compute(now);
  }
  if (kind.kernel_start) engine_.begin_kernel(*kind.kernel_start);
  if (kind.role == Role::last) return engine_.store();
  engine_.load(next);
}

}  // namespace tessera::sim
