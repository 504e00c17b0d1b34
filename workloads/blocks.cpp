#include "workloads/blocks.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "workloads/name_range.hpp"
#include "workloads/operator_reader.hpp"

namespace tessera::workloads {

namespace {

/// The value of a key of a map, or nullptr. Asks nothing: whoever reads the map is strict.
ConfigNode const* value_of(ConfigNode const& node, std::string const& key) {
  if (node.kind() != ConfigNode::Kind::map) return nullptr;
  for (auto const& [name, value] : node.entries()) {
    if (name == key) return &value;
  }
  return nullptr;
}

bool is_parameter(std::string const& text) { return text.size() > 1 && text.front() == '$'; }

using Arguments = std::map<std::string, ConfigNode>;  ///< by parameter, without its $

/// One entry of `blocks`.
class Block final {
 public:
  explicit Block(ConfigNode const& node) : node_{&node} {
    if (node.as_list().empty()) throw node.error("a block needs at least one operator");
    for (auto const& op : node.as_list()) add(op);
  }

  [[nodiscard]] std::set<std::string> const& parameters() const { return parameters_; }

  [[nodiscard]] std::vector<ExpandedOperator> instance(std::string const& name,
                                                       Arguments const& arguments) const {
    std::vector<ExpandedOperator> operators;
    for (auto const& op : node_->as_list()) {
      auto const replace = [&](std::string const& key, ConfigNode const& scalar) {
        return replaced(key, scalar, name, arguments);
      };
      operators.push_back({op.with_scalars(replace), name});
    }
    return operators;
  }

 private:
  void add(ConfigNode const& op) {
    auto map = op.as_map();
    names_.push_back(read_name(map.node("name")));
    if (auto const* const nested = map.find("block")) {
      throw nested->error("a block cannot hold another block");
    }
    static_cast<void>(op.with_scalars([this](std::string const&, ConfigNode const& scalar) {
      if (is_parameter(scalar.text())) parameters_.insert(scalar.text().substr(1));
      return scalar;
    }));
  }

  [[nodiscard]] ConfigNode replaced(std::string const& key, ConfigNode const& scalar,
                                    std::string const& instance, Arguments const& arguments) const {
    auto const& text = scalar.text();
    if (is_parameter(text)) return arguments.at(text.substr(1));
    if (key == "name") return scalar.with_text(global(text, instance));
    bool const is_reference = key == "input" || key == "inputs" || key == "tied_to";
    if (!is_reference) return scalar;
    if (std::find(names_.begin(), names_.end(), text) == names_.end()) {
      auto const* const what = key == "tied_to" ? "operator of the block" : "tensor of the block";
      throw scalar.error(unknown_name(what, text, names_));
    }
    return scalar.with_text(global(text, instance));
  }

  [[nodiscard]] std::string global(std::string const& local, std::string const& instance) const {
    return local == names_.back() ? instance : instance + "/" + local;
  }

  ConfigNode const* node_;
  std::vector<std::string> names_;
  std::set<std::string> parameters_;
};

class Expander final {
 public:
  explicit Expander(ConfigNode const* blocks) {
    if (blocks == nullptr) return;
    static_cast<void>(blocks->as_map());
    for (auto const& [name, block] : blocks->entries()) blocks_.emplace(name, Block{block});
  }

  [[nodiscard]] std::vector<ExpandedOperator> expand(ConfigNode const& operators,
                                                     ConfigNode const* blocks) {
    for (auto const& entry : operators.as_list()) add(entry);
    for (auto const& [name, block] : blocks_) {
      if (used_.count(name) > 0) continue;
      throw value_of(*blocks, name)->error("no operator uses the block '" + name + "'");
    }
    return std::move(expanded_);
  }

 private:
  void add(ConfigNode const& entry) {
    if (value_of(entry, "block") != nullptr) {
      add_block(entry);
      return;
    }
    auto const* const name = value_of(entry, "name");
    auto const repeated = name == nullptr ? std::vector<std::string>{} : names_of(*name);
    if (repeated.size() <= 1) {
      expanded_.push_back({entry, {}});
      return;
    }
    add_chain(entry, repeated);
  }

  void add_chain(ConfigNode const& entry, std::vector<std::string> const& names) {
    if (value_of(entry, "input") == nullptr) {
      throw entry.error("only an operator with one input can be repeated (each reads the last)");
    }
    for (std::size_t index = 0; index < names.size(); ++index) {
      auto const replace = [&](std::string const& key, ConfigNode const& scalar) {
        if (key == "name") return scalar.with_text(names[index]);
        bool const chained = key == "input" && index > 0;
        return chained ? scalar.with_text(names[index - 1]) : scalar;
      };
      append({entry.with_scalars(replace), {}}, *value_of(entry, "name"));
    }
  }

  void add_block(ConfigNode const& entry) {
    auto map = entry.as_map();
    auto const& block = block_of(map.node("block"));
    auto const& name = map.node("name");
    auto const names = names_of(name);
    Arguments arguments;
    map.require({block.parameters().begin(), block.parameters().end()});
    for (auto const& parameter : block.parameters()) {
      arguments.emplace(parameter, map.node(parameter));
    }
    map.finish();
    auto const input = arguments.find("input");
    if (input != arguments.end()) static_cast<void>(input->second.as<std::string>());
    if (names.size() > 1 && input == arguments.end()) {
      throw name.error("only a block that reads $input can be repeated (each reads the last)");
    }
    for (auto const& instance : names) {
      for (auto& op : block.instance(instance, arguments)) append(std::move(op), name);
      if (input != arguments.end()) input->second = map.node("input").with_text(instance);
    }
  }

  void append(ExpandedOperator op, ConfigNode const& name) {
    if (static_cast<std::int64_t>(expanded_.size()) == most_operators)
      throw too_many_operators(name);
    expanded_.push_back(std::move(op));
  }

  [[nodiscard]] Block const& block_of(ConfigNode const& reference) {
    auto const name = reference.as<std::string>();
    auto const found = blocks_.find(name);
    used_.insert(name);
    if (found != blocks_.end()) return found->second;
    std::vector<std::string> known;
    for (auto const& [known_name, block] : blocks_) known.push_back(known_name);
    throw reference.error(unknown_name("block", name, known));
  }

  std::map<std::string, Block> blocks_;
  std::set<std::string> used_;
  std::vector<ExpandedOperator> expanded_;
};

}  // namespace

std::vector<ExpandedOperator> expand_blocks(ConfigNode const& operators, ConfigNode const* blocks) {
  return Expander{blocks}.expand(operators, blocks);
}

}  // namespace tessera::workloads
