// Steps of tile programs that were worked out before. A step here goes from one instant at which the tile engine asks its memory to the
// next: it stores the sums of tile t - 1, computes tile t and loads tile t + 1 (tile_engine.hpp). From equal states of engine and memory,
// relative to the time and to the banks that come next, equal steps take the same course and lead to equal states. So the courses of a
// program are a graph of few states, whatever layer, strip or accelerator they belong to.
//
// A course is either free of the calendar of refreshes (all its commands come in time before the next refresh: then it is the same
// whenever that holds) or one for steps that begin a given time before a refresh.
//
// This is what is known; when it may be used is StepRepeater's (step_repeater.hpp). States are compared in full.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "arch/base/hash.hpp"
#include "sim/model/compute/tile_program.hpp"
#include "sim/model/memory/calm_memory.hpp"
#include "sim/model/record/known_tables.hpp"

namespace tessera::sim {

struct StepStateTag;
using StepStateId = Id<StepStateTag>;
struct StepKindTag;
using StepKindId = Id<StepKindTag>;

/// What steps have in common that differ but by addresses: moves without their offsets.
struct StepKind {
  enum class Role : std::uint8_t {
    first,   ///< loads the first tile of a program
    next,    ///< as above; all that may be repeated
    kernel,  ///< also stores the sums of tile t, and begins a kernel, before it loads tile t + 1
    last     ///< also stores the sums of tile t; there is no tile t + 1
  };

  Role role = Role::next;
  TileMove store_before{Operand::c, Bytes{0}, Bytes{0}};
  Cycles compute{0};
  TileMove store_after{Operand::c, Bytes{0}, Bytes{0}};
  std::optional<Cycles> kernel_start;
  std::array<TileMove, 2> loads;
  std::array<bool, 3> moves{};  ///< whether it has bytes: store_before, loads

  friend bool operator==(StepKind const& a, StepKind const& b);
};

/// A step of a program: its kind, and where its moves are behind their operands' starts.
struct ProgramStep {
  StepKindId kind;
  Bytes store_before{0};
  Bytes store_after{0};
  std::array<Bytes, 2> loads{Bytes{0}, Bytes{0}};
};

/// The state of the engine when it asks, relative to then: what later steps depend on.
struct StepState {
  Time computed{0};  ///< may be before
  Time loaded{0};    ///< later than `computed` by so much
  Time stored{0};    ///< likewise
  std::unique_ptr<CalmMemory::Kept> memory;
  bool is_uniform = false;            ///< all banks are alike
  std::optional<StepStateId> rested;  ///< what it becomes long after a refresh, where that is known
};

/// What a step does, relative to when it asks.
struct StepCourse {
  std::int64_t until = 0;   ///< clocks for which no refresh may begin
  Time by{0};               ///< to when the next step asks
  std::int64_t clocks = 0;  ///< likewise, of the memory
  StepStateId next;
  Time waited{0};
  BusyIntervals::Interval computed;
  bool is_late = false;
  std::uint8_t busy_count = 0;
  std::array<BusyIntervals::Interval, 3> busy{};  ///< the memory
  CalmMemory::Counts counts{};                    ///< of the memory
};

/// From where a step starts, and which one it is: two to a word, as it is looked for so often.
struct StepKey {
  static constexpr std::int64_t free = 0;

  std::uint64_t what = 0;   ///< state, kind
  std::uint64_t moves = 0;  ///< blocks of store and first load, from the state's on
  std::uint64_t rest = 0;   ///< that of the second load; room

  /// Clocks until the next refresh, for courses that are not free of it.
  void set_room(std::int64_t clocks) {
    rest = rest >> 32 << 32 | (static_cast<std::uint64_t>(clocks) & UINT32_MAX);
  }
  [[nodiscard]] bool is_free() const { return (rest & UINT32_MAX) == free; }

  [[nodiscard]] std::size_t hash() const { return hash_of_key(what, moves, rest); }
  friend bool operator==(StepKey const& a, StepKey const& b) {
    return a.what == b.what && a.moves == b.moves && a.rest == b.rest;
  }
};

class StepMemo final {
 public:
  [[nodiscard]] StepKindId id_of(StepKind const& kind);
  [[nodiscard]] StepKind const& kind(StepKindId id) const { return kinds_[id]; }

  /// Visits the steps of a program in order, which must outlive the memo. They are kept, unless
  /// they are too many.
  template <typename Visit>
  void for_each_step(TileProgram const& program, Visit const& visit) {
    auto const known = programs_.find(&program);
    if (known == programs_.end()) return make_steps(program, visit);
    for (auto const& step : known->second) visit(step);
  }

  [[nodiscard]] std::optional<StepStateId> find_state(StateWriter const& text) const {
    return texts_.find(text);
  }
  StepStateId add_state(StateWriter const& text, StepState state);
  [[nodiscard]] StepState const& state(StepStateId id) const { return states_[id]; }

  [[nodiscard]] StepCourse const* find(StepKey const& key) const {
    return (key.is_free() ? free_ : bound_).find(key);
  }
  void add(StepKey const& key, StepCourse const& course) {
    (key.is_free() ? free_ : bound_).add(key, course);
  }

  /// What a state becomes whose memory is refreshed `clocks` before the next step.
  [[nodiscard]] std::optional<StepStateId> refreshed(StepStateId id, std::int64_t clocks) const;
  void add_refreshed(StepStateId id, std::int64_t clocks, StepStateId refreshed);
  /// The same of one whose memory was refreshed so long before that nothing is felt of it.
  [[nodiscard]] std::optional<StepStateId> rested(StepStateId id) const {
    return states_[id].rested;
  }
  void add_rested(StepStateId id, StepStateId rested) { states_[id].rested = rested; }

  /// As much is known as may be: then it must be cleared, when nobody is in a state of it.
  [[nodiscard]] bool is_full() const {
    return free_.size() + bound_.size() >= most_courses || states_.size() >= most_states;
  }
  void clear();

 private:
  static constexpr std::size_t most_courses = std::size_t{1} << 17;  // 40 MB
  static constexpr std::size_t most_states = 4096;                   // 4 KB each
  static constexpr std::size_t most_steps = std::size_t{1} << 21;    // 84 MB

  void make_steps(TileProgram const& program, std::function<void(ProgramStep const&)> const& visit);

  IdVector<StepKindId, StepKind> kinds_;
  std::unordered_multimap<std::size_t, StepKindId> by_kind_;
  std::unordered_map<TileProgram const*, std::vector<ProgramStep>> programs_;
  std::size_t steps_left_ = most_steps;
  IdVector<StepStateId, StepState> states_;
  KnownTexts<StepStateId> texts_;
  KnownCourses<StepKey, StepCourse> free_;   ///< of refreshes
  KnownCourses<StepKey, StepCourse> bound_;  ///< to a distance from the next one
  std::unordered_map<std::int64_t, StepStateId> refreshed_;
};

}  // namespace tessera::sim
