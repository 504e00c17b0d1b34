// What a repeater of walks (dram_repeater.hpp) knows: states of a channel, and the courses that pieces of walks take from them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>

#include "arch/base/hash.hpp"
#include "sim/model/memory/dram/dram_stream_moment.hpp"
#include "sim/model/record/known_tables.hpp"

namespace tessera::sim {

struct DramStateTag;
using DramStateId = Id<DramStateTag>;

/// A piece of a walk that stays in one turn, from where it starts. Pieces with equal keys come to
/// the same banks of equal channels in the same order, and find their row open in the same ones.
struct DramPieceKey {
  static constexpr std::uint64_t free = 0;           ///< of refreshes
  static constexpr std::uint64_t in_calendar = ~0U;  ///< which the state holds

  std::uint64_t what = 0;   ///< state; access and bursts of a block
  std::uint64_t where = 0;  ///< from which block of a turn on; how many blocks
  std::uint64_t hits = 0;   ///< for each epoch and bank, whether it finds its row open
  std::uint64_t rest = 0;   ///< how many turns behind the state's; clocks to the next refresh

  void set_room(std::uint64_t clocks) { rest = rest >> 32 << 32 | clocks; }
  [[nodiscard]] std::size_t hash() const { return hash_of_key(what, where, hits, rest); }
  friend bool operator==(DramPieceKey const& a, DramPieceKey const& b) {
    return a.what == b.what && a.where == b.where && a.hits == b.hits && a.rest == b.rest;
  }
};

/// What a piece of a walk does, relative to the last arrival before it.
struct DramPieceCourse {
  DramStateId next;
  std::int64_t by = 0;      ///< clocks to the last arrival
  std::int64_t issued = 0;  ///< clocks to its last command
  std::int64_t until = 0;   ///< clocks for which no refresh may begin to close rows
  std::int64_t refreshes = 0;
  DramStatistics counts;
  /// In each epoch that has begun then, which of the banks that it comes to are open where it was,
  /// and which are closed. (Others are as they were.)
  std::array<std::uint64_t, DramStream::Moment::most_epochs> open{}, closed{};
};

/// The banks that a piece comes to, in order, and the row of all of them.
struct DramTouched {
  static constexpr std::size_t most = 32;
  using Rows = DramStream::Moment::Rows;

  std::array<std::uint16_t, most> banks{};
  std::size_t count = 0;
  std::int64_t row = 0;

  /// For each epoch and bank, whether it finds its row open.
  [[nodiscard]] std::uint64_t hits(Rows const& rows) const;
  /// What a course that has led to `rows` says of them.
  void tell(Rows const& rows, DramPieceCourse& course) const;
  /// What a course makes of the rows before it.
  void apply(DramPieceCourse const& course, Rows& rows) const;
};

class DramCourses final {
 public:
  struct State {
    DramStream::Moment moment;
    bool is_uniform = false;               ///< all banks are alike
    std::optional<DramStateId> settled{};  ///< what it becomes with time, where that is known
  };

  explicit DramCourses(arch::DramSpec spec) : spec_{std::move(spec)} {}
  /// Of the channels whose courses these are.
  [[nodiscard]] arch::DramSpec const& spec() const { return spec_; }
  [[nodiscard]] bool has_refresh() const {
    return spec_.policy.refresh != arch::DramPolicy::Refresh::none;
  }
  /// Clocks from a request's last command to its answer.
  [[nodiscard]] std::int64_t answers_after(Access access) const {
    auto const& timing = spec_.timing;
    return (access == Access::read ? timing.tCL : timing.tCWL) + timing.tBL + spec_.policy.latency;
  }

  /// The state of a channel as a walk sees it, if it is known.
  [[nodiscard]] std::optional<DramStateId> find(StateWriter const& text) const {
    return texts_.find(text);
  }
  DramStateId add(StateWriter const& text, State state) {
    states_.push_back(std::move(state));
    return texts_.add(text);
  }
  [[nodiscard]] State const& state(DramStateId id) const { return states_[id]; }

  [[nodiscard]] DramPieceCourse const* find(DramPieceKey const& key) const {
    return courses_.find(key);
  }
  void add(DramPieceKey const& key, DramPieceCourse const& course) { courses_.add(key, course); }

  /// What a state becomes without arrivals for so many clocks, of which at most those until it has
  /// settled count; and what any becomes by a refresh so many clocks ago.
  [[nodiscard]] std::optional<DramStateId> later(DramStateId id, std::int64_t clocks) const;
  void add_later(DramStateId id, std::int64_t clocks, DramStateId later);
  [[nodiscard]] std::optional<DramStateId> refreshed(std::int64_t clocks) const;
  void add_refreshed(std::int64_t clocks, DramStateId id) { refreshed_.emplace(clocks, id); }

  /// As much is known as may be.
  [[nodiscard]] bool is_full() const {
    return courses_.size() >= most_courses || later_.size() >= most_courses ||
           states_.size() >= most_states;
  }

 private:
  static constexpr std::size_t most_courses = std::size_t{1} << 17;  // 30 MB
  static constexpr std::size_t most_states = 8192;                   // 4 KB each

  arch::DramSpec spec_;
  IdVector<DramStateId, State> states_;
  KnownTexts<DramStateId> texts_;
  KnownCourses<DramPieceKey, DramPieceCourse> courses_;
  std::unordered_map<std::int64_t, DramStateId> later_;
  std::unordered_map<std::int64_t, DramStateId> refreshed_;
};

}  // namespace tessera::sim
