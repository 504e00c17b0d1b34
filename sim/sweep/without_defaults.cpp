// An array's file as short as it can be: a key goes if the array is the same without it.
#include "arch/array/load.hpp"
#include "sim/sweep/study_point.hpp"

namespace tessera::sim {

namespace {

using KeyPath = std::vector<std::string>;

/// A copy of `node` without the entry at `path`, counted from its `depth`-th key.
ConfigNode without(ConfigNode const& node, KeyPath const& path, std::size_t depth = 0) {
  auto copy = ConfigNode::map();
  for (auto const& [key, value] : node.entries()) {
    if (key != path[depth]) {
      copy.add(key, value);
    } else if (depth + 1 < path.size()) {
      copy.add(key, without(value, path, depth + 1));
    }
  }
  return copy;
}

class Shortener final {
 public:
  explicit Shortener(ConfigNode const& array) : node_{array}, whole_{write_config(array)} {}

  [[nodiscard]] ConfigNode shortened() && {
    auto const all = node_;
    shorten(all, {});
    return std::move(node_);
  }

 private:
  void shorten(ConfigNode const& map, KeyPath const& path) {
    for (auto const& [key, value] : map.entries()) {
      auto at = path;
      at.push_back(key);
      auto shorter = without(node_, at);
      if (means_the_same(shorter)) {
        node_ = std::move(shorter);
      } else if (value.kind() == ConfigNode::Kind::map) {
        shorten(value, at);
      }
    }
  }

  [[nodiscard]] bool means_the_same(ConfigNode const& shorter) const {
    try {
      return write_config(arch::to_config(arch::array_from(shorter))) == whole_;
    } catch (ConfigError const&) {
      return false;
    }
  }

  ConfigNode node_;
  std::string whole_;
};

}  // namespace

ConfigNode without_defaults(arch::ArraySpec const& array) {
  auto undescribed = array;
  undescribed.description.clear();
  return Shortener{arch::to_config(undescribed)}.shortened();
}

}  // namespace tessera::sim
