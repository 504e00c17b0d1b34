#include "partition/geometry/layout_change.hpp"

#include <utility>

#include "arch/base/contract.hpp"

namespace tessera::partition {

namespace {

std::size_t const sample_axis = 0;

/// Applies changes one level at a time and remembers those that move data.
class Stager final {
 public:
  explicit Stager(Layout layout) : layout_{std::move(layout)} {}

  [[nodiscard]] Holding at(std::size_t level) const { return layout_[level]; }
  void drop(std::size_t level, Holding after) { layout_[level] = after; }
  void exchange(std::size_t level, Holding after) {
    auto const before = layout_;
    layout_[level] = after;
    changes_.push_back({level, before, layout_});
  }
  [[nodiscard]] std::vector<LayoutChange> const& changes() const { return changes_; }

 private:
  Layout layout_;
  std::vector<LayoutChange> changes_;
};

Holding scattered(Holding read) {
  return read.kind == Holding::Kind::split ? read : Holding::split(sample_axis);
}

}  // namespace

std::vector<LayoutChange> layout_changes(Layout const& from, Layout const& to) {
  EXPECTS(from.size() == to.size(), from.size(), to.size());
  auto const levels = from.size();
  Stager stager{from};
  for (std::size_t level = 0; level < levels; ++level) {
    if (from[level].kind == Holding::Kind::replicated) stager.drop(level, to[level]);
  }
  for (std::size_t level = levels; level-- > 0;) {
    if (from[level].kind == Holding::Kind::partial) stager.exchange(level, scattered(to[level]));
  }
  for (std::size_t level = 0; level < levels; ++level) {
    if (to[level].kind == Holding::Kind::split && stager.at(level) != to[level]) {
      stager.exchange(level, to[level]);
    }
  }
  for (std::size_t level = 0; level < levels; ++level) {
    if (stager.at(level) != to[level]) stager.exchange(level, to[level]);
  }
  return stager.changes();
}

}  // namespace tessera::partition
