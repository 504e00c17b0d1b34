#include "test/support/random_network.hpp"

#include <string>
#include <utility>
#include <vector>

#include "arch/base/config.hpp"
#include "workloads/load.hpp"

namespace tessera::test {

namespace {

using Options = RandomNetworkOptions;

std::string text(std::int64_t value) { return std::to_string(value); }

/// Writes a network file operator by operator and keeps the shapes that the next one may read.
class Author final {
 public:
  Author(std::mt19937_64& random, Options const& options)
      : random_{&random},
        options_{options},
        least_{least(options.levels)},
        least_side_{least(options.map_levels.value_or(options.levels))},
        widths_{extent(), extent()} {}

  [[nodiscard]] ConfigNode write() {
    auto network = ConfigNode::map();
    network.add("schema", "tessera.network/1").add("name", "random").add("batch", text(extent()));
    network.add("element", one_in(2) ? "fp32" : "bf16");
    auto training = ConfigNode::map();
    training.add("input_error", one_in(2) ? "computed" : "skipped");
    network.add("training", std::move(training)).add("input", input());
    auto const linears = between(0, options_.operators);
    for (int made = 0; made < options_.operators; ++made) {
      bool const maps_left = !maps_.empty() && made + linears < options_.operators;
      operators_.push_back(maps_left ? map_operator() : vector_operator());
    }
    if (options_.weights == Options::Weights::tied) tie_weights();
    auto operators = ConfigNode::list();
    for (auto& op : operators_) operators.append(std::move(op));
    network.add("operators", std::move(operators));
    return network;
  }

 private:
  struct Map {
    std::string name;
    std::int64_t channels;
    std::int64_t rows;
    std::int64_t columns;
    bool read = false;
  };
  struct Vector {
    std::string name;
    std::int64_t features;
  };

  /// Of an operator, by its index.
  struct Weights {
    std::size_t op = 0;
    std::vector<std::int64_t> shape;
    bool is_shared = false;
    std::size_t owner = 0;

    [[nodiscard]] bool fits(Weights const& other) const {
      bool const is_transposed =
          shape.size() == 2 && std::vector(shape.rbegin(), shape.rend()) == other.shape;
      return shape == other.shape || is_transposed;
    }
  };

  /// Every other operator that can share an earlier one's weights is tied to it, or it to this one.
  void tie_weights() {
    for (auto& weights : weights_) {
      for (auto& earlier : weights_) {
        if (&earlier == &weights) break;
        if (!earlier.fits(weights) || !one_in(2)) continue;
        bool const backwards = !earlier.is_shared && one_in(2);
        (backwards ? earlier : weights).owner = backwards ? weights.op : earlier.owner;
        earlier.is_shared = weights.is_shared = true;
        break;
      }
    }
    for (auto const& weights : weights_) {
      if (weights.owner != weights.op) {
        operators_[weights.op].add("tied_to",
                                   "op" + text(static_cast<std::int64_t>(weights.owner) + 1));
      }
    }
  }
  void has_weights(std::vector<std::int64_t> shape) {
    weights_.push_back({operators_.size(), std::move(shape), false, operators_.size()});
  }

  [[nodiscard]] bool divisible() const { return options_.extents == Options::Extents::divisible; }
  [[nodiscard]] bool is_dag() const { return options_.graph == Options::Graph::dag; }
  std::int64_t between(std::int64_t least, std::int64_t most) {
    return random_between(*random_, least, most);
  }
  bool one_in(std::int64_t chances) { return between(1, chances) == 1; }
  [[nodiscard]] std::int64_t least(int levels) const {
    return divisible() ? options_.factor << levels : 1;
  }
  std::int64_t extent_from(std::int64_t least) {
    return divisible() ? least << between(0, 1) : between(1, 20);
  }
  std::int64_t extent() { return extent_from(least_); }
  std::int64_t side() { return extent_from(least_side_); }
  std::int64_t width() { return widths_[one_in(2) ? 0 : 1]; }

  template <typename Item>
  std::size_t pick(std::vector<Item> const& items) {
    auto const last = static_cast<std::int64_t>(items.size()) - 1;
    return static_cast<std::size_t>(between(is_dag() ? 0 : last, last));
  }

  [[nodiscard]] ConfigNode named(char const* kind) {
    auto op = ConfigNode::map();
    op.add("name", "op" + text(++count_)).add("kind", kind);
    return op;
  }
  [[nodiscard]] std::string last_name() const { return "op" + text(count_); }

  ConfigNode input() {
    auto node = ConfigNode::map();
    node.add("name", "x");
    if (one_in(3)) {
      vectors_.push_back({"x", extent()});
      node.add("features", text(vectors_[0].features));
    } else {
      maps_.push_back({"x", extent(), side(), side()});
      node.add("channels", text(maps_[0].channels)).add("rows", text(maps_[0].rows));
      node.add("columns", text(maps_[0].columns));
    }
    return node;
  }

  ConfigNode map_operator() {
    auto const source = pick(maps_);
    for (std::size_t other = 0; is_dag() && other < maps_.size(); ++other) {
      auto& a = maps_[source];
      auto& b = maps_[other];
      bool const alike = a.channels == b.channels && a.rows == b.rows && a.columns == b.columns;
      if (other == source || !alike || !one_in(2)) continue;
      a.read = b.read = true;
      auto node = add(a.name, b.name);
      maps_.push_back({last_name(), a.channels, a.rows, a.columns});
      return node;
    }
    return conv(maps_[source]);
  }

  ConfigNode conv(Map& source) {
    source.read = true;
    auto map = Map{{}, width(), source.rows, source.columns};
    auto node = named("conv");
    map.name = last_name();
    auto const kernel = one_in(2) ? 1 : 3;
    auto const padding = (kernel - 1) / 2;
    auto const stride = one_in(4) && halves(map) ? 2 : 1;
    if (stride == 2) map = {map.name, map.channels, (map.rows + 1) / 2, (map.columns + 1) / 2};
    node.add("input", source.name).add("filters", text(map.channels));
    node.add("kernel", text(kernel)).add("padding", text(padding)).add("stride", text(stride));
    if (one_in(4) && halves(map)) {
      map = {map.name, map.channels, map.rows / 2, map.columns / 2};
      node.add("pool", "2");
    }
    has_weights({map.channels, source.channels, kernel, kernel});
    maps_.push_back(std::move(map));
    return node;
  }

  /// May rows and columns be halved once more?
  [[nodiscard]] bool halves(Map const& map) const {
    return map.rows >= 2 * least_side_ && map.columns >= 2 * least_side_;
  }

  /// A linear operator over a vector, or over a map that nobody else reads; or a sum of two
  /// vectors.
  ConfigNode vector_operator() {
    bool const from_map = !maps_.empty() && !maps_.back().read && (vectors_.empty() || one_in(3));
    if (from_map) {
      auto& map = maps_.back();
      map.read = true;
      return linear({map.name, map.channels * map.rows * map.columns});
    }
    auto const source = pick(vectors_);
    for (std::size_t other = 0; is_dag() && other < vectors_.size(); ++other) {
      auto const& a = vectors_[source];
      auto const& b = vectors_[other];
      if (other == source || a.features != b.features || !one_in(2)) continue;
      auto node = add(a.name, b.name);
      vectors_.push_back({last_name(), a.features});
      return node;
    }
    return linear(vectors_[source]);
  }

  ConfigNode linear(Vector const& source) {
    auto const outputs = width();
    auto node = named("linear");
    node.add("input", source.name).add("outputs", text(outputs));
    has_weights({outputs, source.features});
    vectors_.push_back({last_name(), outputs});
    return node;
  }

  ConfigNode add(std::string const& a, std::string const& b) {
    auto inputs = ConfigNode::list();
    inputs.append(ConfigNode::scalar(a)).append(ConfigNode::scalar(b));
    auto node = named("add");
    node.add("inputs", std::move(inputs));
    return node;
  }

  std::mt19937_64* random_;
  Options options_;
  std::int64_t least_;
  std::int64_t least_side_;           ///< of rows and columns
  std::vector<std::int64_t> widths_;  ///< two, so that tensors of one shape are frequent
  std::vector<Map> maps_;
  std::vector<Vector> vectors_;
  std::vector<ConfigNode> operators_;
  std::vector<Weights> weights_;
  std::int64_t count_ = 0;
};

}  // namespace

workloads::Network random_network(std::mt19937_64& random, RandomNetworkOptions const& options) {
  return workloads::network_from(Author{random, options}.write());
}

std::int64_t random_between(std::mt19937_64& random, std::int64_t least, std::int64_t most) {
  auto const count = static_cast<std::uint64_t>(most - least) + 1;
  return least + static_cast<std::int64_t>(random() % count);
}

}  // namespace tessera::test
