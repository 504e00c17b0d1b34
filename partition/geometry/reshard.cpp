#include "partition/geometry/reshard.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace tessera::partition {

using workloads::TensorId;

namespace {

using Kind = Holding::Kind;
std::size_t const sample_axis = 0;

/// One level's change within a reshard: the layouts of all levels before and after it.
struct LayoutChange {
  std::size_t level;
  Layout before;
  Layout after;
};

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
  return read.kind == Kind::split ? read : Holding::split(sample_axis);
}

std::vector<LayoutChange> stage(Layout const& from, Layout const& to) {
  EXPECTS(from.size() == to.size(), from.size(), to.size());
  auto const levels = from.size();
  Stager stager{from};
  for (std::size_t level = 0; level < levels; ++level) {
    if (from[level].kind == Kind::replicated) stager.drop(level, to[level]);
  }
  for (std::size_t level = levels; level-- > 0;) {
    if (from[level].kind == Kind::partial) stager.exchange(level, scattered(to[level]));
  }
  for (std::size_t level = 0; level < levels; ++level) {
    if (to[level].kind == Kind::split && stager.at(level) != to[level]) {
      stager.exchange(level, to[level]);
    }
  }
  for (std::size_t level = 0; level < levels; ++level) {
    if (stager.at(level) != to[level]) stager.exchange(level, to[level]);
  }
  return stager.changes();
}

/// A step per sibling, of which the first is the next part's.
std::vector<ReshardStep> exchanges_of(Tiling const& tiling, TensorId tensor,
                                      LayoutChange const& change, Holders const& receivers) {
  bool const reduces = change.before[change.level].kind == Kind::partial;
  auto const siblings = tiling.hierarchy().ways(change.level) - 1;
  std::vector<ReshardStep> steps(siblings, {change.level, reduces, {}});
  for (auto const receiver : receivers) {
    auto const wanted = tiling.region(tensor, change.after, receiver);
    auto const owned = wanted.intersect(tiling.region(tensor, change.before, receiver)).elements();
    auto had = owned;
    for (std::size_t turn = 1; turn <= siblings; ++turn) {
      auto const sender = tiling.hierarchy().sibling(receiver, change.level, turn);
      auto const sent = wanted.intersect(tiling.region(tensor, change.before, sender)).elements();
      if (reduces) ENSURES(owned == wanted.elements() && sent == owned, owned, sent);
      if (sent > Elements{0}) steps[turn - 1].exchanges.push_back({sender, receiver, sent});
      had += sent;
    }
    if (!reduces) ENSURES(had == wanted.elements(), owned, had, wanted.elements());
  }
  return steps;
}

Holders everybody(Tiling const& tiling) {
  Holders all(tiling.accelerators());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

}  // namespace

void append(std::vector<ReshardStep>& steps, std::vector<ReshardStep> more) {
  steps.insert(steps.end(), std::make_move_iterator(more.begin()),
               std::make_move_iterator(more.end()));
}

Elements part_of(Elements elements, std::size_t part, std::size_t ways) {
  return Elements{equal_part(elements.value(), part, ways)};
}

std::vector<ReshardStep> reshard(Tiling const& tiling, TensorId tensor, Layout const& from,
                                 Layout const& to) {
  return reshard(tiling, tensor, from, to, everybody(tiling));
}

std::vector<ReshardStep> reshard(Tiling const& tiling, TensorId tensor, Layout const& from,
                                 Layout const& to, Holders const& receivers) {
  std::vector<ReshardStep> steps;
  for (auto const& change : stage(from, to)) {
    append(steps, exchanges_of(tiling, tensor, change, receivers));
  }
  return steps;
}

std::vector<ReshardStep> all_reduce(Tiling const& tiling, TensorId gradient, Layout const& layout) {
  return all_reduce(tiling, gradient, layout, everybody(tiling));
}

std::vector<ReshardStep> all_reduce(Tiling const& tiling, TensorId gradient, Layout const& layout,
                                    Holders const& holders) {
  std::vector<Elements> held;
  for (auto const holder : holders) {
    held.push_back(tiling.region(gradient, layout, holder).elements());
  }
  auto const& hierarchy = tiling.hierarchy();
  std::vector<ReshardStep> scatter;
  std::vector<ReshardStep> gather;
  for (auto level = layout.size(); level-- > 0;) {
    if (layout[level].kind != Kind::partial) continue;
    for (std::size_t i = 0; i < holders.size(); ++i) {
      held[i] = part_of(held[i], hierarchy.part(holders[i], level), hierarchy.ways(level));
    }
    for (std::size_t turn = 1; turn < hierarchy.ways(level); ++turn) {
      ReshardStep down{level, true, {}};
      ReshardStep up{level, false, {}};
      for (std::size_t i = 0; i < holders.size(); ++i) {
        if (held[i] == Elements{0}) continue;
        auto const sibling = hierarchy.sibling(holders[i], level, turn);
        down.exchanges.push_back({sibling, holders[i], held[i]});
        up.exchanges.push_back({holders[i], sibling, held[i]});
      }
      scatter.push_back(std::move(down));
      gather.insert(gather.begin(), std::move(up));
    }
  }
  append(scatter, std::move(gather));
  return scatter;
}

}  // namespace tessera::partition
