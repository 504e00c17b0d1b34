// States that come with time; rows that a piece of a walk finds and leaves.
#include "sim/model/memory/dram/dram_courses.hpp"

namespace tessera::sim {

namespace {

constexpr auto closed = DramStream::Moment::closed;
constexpr auto epochs = DramStream::Moment::most_epochs;

}  // namespace

std::uint64_t DramTouched::hits(Rows const& rows) const {
  std::uint64_t hits = 0;
  for (std::size_t epoch = 0; epoch < epochs; ++epoch) {
    for (std::size_t i = 0; i < count; ++i) {
      hits |= std::uint64_t{rows[epoch][banks[i]] == row ? 1U : 0U} << (i + epoch * most);
    }
  }
  return hits;
}

void DramTouched::tell(Rows const& rows, DramPieceCourse& course) const {
  for (std::size_t epoch = 0; epoch < epochs; ++epoch) {
    for (std::size_t i = 0; i < count; ++i) {
      auto const now = rows[epoch][banks[i]];
      course.open[epoch] |= std::uint64_t{now == row ? 1U : 0U} << i;
      course.closed[epoch] |= std::uint64_t{now == closed ? 1U : 0U} << i;
    }
  }
}

/// After a refresh an epoch that had begun is the oldest one, and others begin with nothing open.
void DramTouched::apply(DramPieceCourse const& course, Rows& rows) const {
  if (course.refreshes > 0) {
    rows[0] = rows[1];
    if (course.refreshes > 1) rows[0].fill(closed);
    rows[1].fill(closed);
  }
  for (std::size_t epoch = 0; epoch < epochs; ++epoch) {
    for (std::size_t i = 0; i < count; ++i) {
      if ((course.open[epoch] >> i & 1) != 0) rows[epoch][banks[i]] = row;
      if ((course.closed[epoch] >> i & 1) != 0) rows[epoch][banks[i]] = closed;
    }
  }
}

std::optional<DramStateId> DramCourses::later(DramStateId id, std::int64_t clocks) const {
  auto const& state = states_[id];
  if (clocks >= state.moment.settles()) return state.settled;
  auto const found = later_.find(clocks << 32 | static_cast<std::int64_t>(id.index()));
  if (found == later_.end()) return std::nullopt;
  return found->second;
}

void DramCourses::add_later(DramStateId id, std::int64_t clocks, DramStateId later) {
  auto& state = states_[id];
  if (clocks >= state.moment.settles()) {
    state.settled = later;
  } else {
    later_.emplace(clocks << 32 | static_cast<std::int64_t>(id.index()), later);
  }
}

std::optional<DramStateId> DramCourses::refreshed(std::int64_t clocks) const {
  auto const found = refreshed_.find(clocks);
  if (found == refreshed_.end()) return std::nullopt;
  return found->second;
}

}  // namespace tessera::sim
