#include "sim/import/pipedream_profile.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>

#include "arch/base/config_source.hpp"
#include "arch/base/nearest_name.hpp"
#include "workloads/graph_view.hpp"

namespace tessera::sim {

namespace {

constexpr std::int64_t element_bytes = 4;
constexpr std::string_view separator = " -- ";
constexpr std::string_view blanks = " \t\r";

/// Nodes and edges as they are written.
struct WrittenGraph {
  struct Edge {
    ConfigNode from;
    ConfigNode to;
  };
  std::vector<PipeDreamNode> nodes;
  std::vector<Edge> edges;
};

bool begins_with(std::string const& text, std::string_view prefix) {
  return text.compare(0, prefix.size(), prefix) == 0;
}

bool is_input(PipeDreamNode const& node) { return begins_with(node.description, "Input"); }

Time read_ms(ConfigNode const& cell) {
  return cell.with_text(cell.as<std::string>() + " ms").as<Time>();
}

Bytes read_bytes(ConfigNode const& cell) {
  constexpr double most = 1e15;
  auto const bytes = cell.as<double>();
  if (!(bytes >= 0 && bytes <= most) || std::floor(bytes) != bytes) {
    throw cell.error(in_quotes(cell.text()) + " is no number of bytes (whole, from 0 to 10^15)");
  }
  return Bytes{static_cast<std::int64_t>(bytes)};
}

/// "[6291456.0; 131072.0]": several outputs.
Bytes read_sum_of_bytes(ConfigNode const& cell) {
  auto const& text = cell.text();
  if (text.empty() || text.front() != '[') return read_bytes(cell);
  if (text.back() != ']') throw cell.error(in_quotes(text) + " does not end with ']'");
  Bytes sum{0};
  std::size_t begin = 1;
  while (begin < text.size()) {
    auto const end = std::min(text.find(';', begin), text.size() - 1);
    auto const first = text.find_first_not_of(blanks, begin);
    sum += read_bytes(cell.with_text(text.substr(first, end - first)));
    begin = end + 1;
  }
  return sum;
}

/// A line of text that is taken apart from its front.
class Line final {
 public:
  Line(std::string_view text, std::string const& file, int number)
      : text_{text.substr(0, text.find_last_not_of(blanks) + 1)}, where_{file, number, 1} {}

  [[nodiscard]] bool is_empty() const { return text_.empty(); }
  [[nodiscard]] bool is_indented() const {
    return !text_.empty() && blanks.find(text_.front()) != std::string_view::npos;
  }

  void skip_blanks() { skip(std::min(text_.find_first_not_of(blanks), text_.size())); }

  [[nodiscard]] bool begins_with(std::string_view word) const {
    return text_.substr(0, word.size()) == word;
  }

  /// `what` must be next.
  void expect(std::string_view what) {
    if (!begins_with(what)) throw here().error("expected " + in_quotes(what));
    skip(what.size());
  }

  /// What stands before `end`, which is skipped; the rest if it is not there and need not be.
  [[nodiscard]] ConfigNode take_until(std::string_view end) {
    auto const found = text_.find(end);
    auto cell = here();
    cell = cell.with_text(std::string{text_.substr(0, found)});
    skip(found == std::string_view::npos ? text_.size() : found + end.size());
    return cell;
  }

  [[nodiscard]] bool has(std::string_view what) const {
    return text_.find(what) != std::string_view::npos;
  }

  [[nodiscard]] ConfigNode here() const {
    auto node = ConfigNode::scalar(std::string{text_});
    node.set_origin(where_);
    return node;
  }

 private:
  void skip(std::size_t letters) {
    text_.remove_prefix(letters);
    where_.column += static_cast<int>(letters);
  }

  std::string_view text_;
  SourceLocation where_;
};

PipeDreamNode read_node(Line line) {
  PipeDreamNode node;
  node.place = line.here();
  auto const expect_separator = [&line] {
    if (!line.has(separator))
      throw line.here().error(
          "expected ' -- ' behind it (a node is ID -- "
          "DESCRIPTION -- times and sizes)");
  };
  expect_separator();
  node.id = line.take_until(separator).text();
  expect_separator();
  node.description = line.take_until(separator).text();
  line.expect("forward_compute_time=");
  node.forward = read_ms(line.take_until(", "));
  line.expect("backward_compute_time=");
  node.backward = read_ms(line.take_until(", "));
  line.expect("activation_size=");
  node.activation = read_sum_of_bytes(line.take_until(", "));
  line.expect("parameter_size=");
  node.parameters = read_bytes(line.take_until(separator));
  if (!line.is_empty()) {
    line.expect("stage_id=");
    static_cast<void>(line.take_until(separator).as<std::int64_t>());
  }
  return node;
}

WrittenGraph::Edge read_edge(Line line) {
  line.skip_blanks();
  if (!line.has(separator))
    throw line.here().error("expected ID -- ID (an indented line is an edge)");
  auto from = line.take_until(separator);
  return {std::move(from), line.take_until(separator)};
}

PipeDreamNode read_node(ConfigNode const& row) {
  auto map = row.as_map();
  PipeDreamNode node;
  node.id = map.required<std::string>("node");
  node.place = map.node("node");
  node.description = map.required<std::string>("desc");
  node.forward = read_ms(map.node("forward_ms"));
  node.backward = read_ms(map.node("backward_ms"));
  node.activation = read_bytes(map.node("activation_bytes"));
  node.parameters = read_bytes(map.node("parameter_bytes"));
  map.finish();
  return node;
}

/// Indices of nodes instead of their names, and only what is computed.
class GraphChecker final {
 public:
  explicit GraphChecker(WrittenGraph const& written) : written_{written} {
    for (std::size_t i = 0; i < written.nodes.size(); ++i) {
      auto const& node = written.nodes[i];
      if (!indices_.emplace(node.id, i).second) {
        throw node.place.error("a second node " + in_quotes(node.id));
      }
    }
    for (auto const& edge : written.edges) add(edge);
    check_acyclic();
  }

  [[nodiscard]] PipeDreamProfile computed() const {
    PipeDreamProfile profile;
    std::vector<std::size_t> place(written_.nodes.size(), 0);
    for (std::size_t i = 0; i < written_.nodes.size(); ++i) {
      auto const& node = written_.nodes[i];
      if (is_input(node)) profile.input += node.activation;
      if (!is_computed(i)) continue;
      place[i] = profile.nodes.size();
      profile.nodes.push_back(node);
      auto const& sources = sources_[i];
      profile.reads_input.push_back(
          sources.empty() || std::any_of(sources.begin(), sources.end(), [this](std::size_t from) {
            return is_input(written_.nodes[from]);
          }));
    }
    for (auto const& [from, to] : edges_) {
      if (is_computed(from) && is_computed(to)) profile.edges.push_back({place[from], place[to]});
    }
    if (profile.nodes.empty()) {
      throw ConfigError{{}, {}, "the profile has no node that computes anything"};
    }
    return profile;
  }

 private:
  void add(WrittenGraph::Edge const& edge) {
    auto const from = index_of(edge.from);
    auto const to = index_of(edge.to);
    if (is_input(written_.nodes[to])) {
      throw edge.to.error(in_quotes(edge.to.text()) + " is an input node, and reads none");
    }
    auto& sources = sources_[to];
    if (std::find(sources.begin(), sources.end(), from) != sources.end()) {
      throw edge.from.error("a second edge from " + in_quotes(edge.from.text()) + " to " +
                            in_quotes(edge.to.text()));
    }
    sources.push_back(from);
    edges_.push_back({from, to});
    is_read_[from] = true;
  }

  [[nodiscard]] std::size_t index_of(ConfigNode const& id) const {
    auto const found = indices_.find(id.text());
    if (found != indices_.end()) return found->second;
    std::vector<std::string> known;
    for (auto const& node : written_.nodes) known.push_back(node.id);
    auto const nearest = nearest_name(id.text(), known);
    throw id.error("there is no node " + in_quotes(id.text()) +
                   (nearest ? "; did you mean " + in_quotes(*nearest) + "?" : ""));
  }

  void check_acyclic() const {
    auto const sorted = workloads::topological_sort(sources_);
    if (sorted.cycle.empty()) return;
    std::string text;
    for (auto const index : sorted.cycle) text += written_.nodes[index].id + " -> ";
    auto const& first = written_.nodes[sorted.cycle.front()];
    throw first.place.error("the nodes form a cycle: " + text + first.id +
                            " (a profile's graph must be acyclic)");
  }

  [[nodiscard]] bool is_computed(std::size_t index) const {
    auto const& node = written_.nodes[index];
    return !is_input(node) && (is_read_[index] || !begins_with(node.description, "__getitem__"));
  }

  WrittenGraph const& written_;
  std::map<std::string, std::size_t> indices_;
  std::vector<partition::PipelineEdge> edges_;
  std::vector<std::vector<std::size_t>> sources_{written_.nodes.size()};
  std::vector<bool> is_read_ = std::vector<bool>(written_.nodes.size());
};

/// "node4.Linear"; "node4" where the description has no word at its beginning.
std::string operator_name(PipeDreamNode const& node) {
  auto const end = std::find_if(node.description.begin(), node.description.end(), [](char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) == 0 && letter != '_';
  });
  auto name = node.id;
  if (end != node.description.begin()) {
    name.append(".").append(node.description.begin(), end);
  }
  return name;
}

/// Rounded up; `is_exact` becomes false where that changes anything.
std::int64_t elements_of(Bytes bytes, std::int64_t parts, bool& is_exact) {
  auto const size = element_bytes * parts;
  auto const elements = (bytes.value() + size - 1) / size;
  is_exact = is_exact && elements * size == bytes.value();
  return elements;
}

ConfigNode list_of(std::vector<std::string> const& names) {
  auto list = ConfigNode::list();
  for (auto const& name : names) list.append(ConfigNode::scalar(name));
  return list;
}

ConfigNode header(char const* schema, std::string const& name, std::int64_t batch) {
  auto node = ConfigNode::map();
  return node.add("schema", schema)
      .add("name", name)
      .add("description", name + ", imported from a profile of PipeDream's")
      .add("batch", std::to_string(batch));
}

/// With the size of an output where the network's is larger.
ConfigNode times_of(PipeDreamProfile const& profile, std::string const& name, std::int64_t batch) {
  auto operators = ConfigNode::list();
  for (auto const& node : profile.nodes) {
    auto entry = ConfigNode::map();
    entry.add("name", operator_name(node))
        .add("forward", to_text(node.forward))
        .add("backward", to_text(node.backward));
    bool is_exact = node.activation > Bytes{0};
    static_cast<void>(elements_of(node.activation, batch, is_exact));
    if (!is_exact) entry.add("output", to_text(node.activation));
    operators.append(std::move(entry));
  }
  auto root = header("tessera.profile/1", name, batch);
  return root.add("operators", std::move(operators));
}

}  // namespace

PipeDreamProfile read_pipedream_graph(std::string_view text, std::string const& name) {
  detail::check_text(text, name);
  WrittenGraph graph;
  for (int number = 1; !text.empty(); ++number) {
    auto const end = std::min(text.find('\n'), text.size());
    Line const line{text.substr(0, end), name, number};
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.is_empty()) continue;
    if (line.is_indented()) {
      graph.edges.push_back(read_edge(line));
    } else {
      graph.nodes.push_back(read_node(line));
    }
  }
  return GraphChecker{graph}.computed();
}

PipeDreamProfile read_pipedream_tables(std::vector<ConfigNode> const& nodes,
                                       std::vector<ConfigNode> const& edges) {
  WrittenGraph graph;
  for (auto const& row : nodes) graph.nodes.push_back(read_node(row));
  for (auto const& row : edges) {
    auto map = row.as_map();
    graph.edges.push_back({map.node("src"), map.node("dst")});
    map.finish();
  }
  return GraphChecker{graph}.computed();
}

partition::PipelineGraph pipeline_graph_of(PipeDreamProfile const& profile) {
  partition::PipelineGraph graph;
  graph.edges = profile.edges;
  for (auto const& node : profile.nodes) {
    graph.nodes.push_back({seconds(node.forward + node.backward),
                           static_cast<double>(node.activation.value()),
                           static_cast<double>(node.parameters.value())});
  }
  return graph;
}

ImportedProfile import_pipedream(PipeDreamProfile const& profile, std::string const& name,
                                 std::int64_t batch) {
  EXPECTS(batch > 0, batch);
  std::vector<std::vector<std::string>> inputs(profile.nodes.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (profile.reads_input[i]) inputs[i].emplace_back("input");
  }
  for (auto const& [from, to] : profile.edges) {
    inputs[to].push_back(operator_name(profile.nodes[from]));
  }
  bool ignored = true;
  auto input = ConfigNode::map();
  input.add("name", "input")
      .add("features",
           std::to_string(std::max<std::int64_t>(1, elements_of(profile.input, batch, ignored))));
  auto operators = ConfigNode::list();
  std::int64_t rounded = 0;
  for (std::size_t i = 0; i < profile.nodes.size(); ++i) {
    auto const& node = profile.nodes[i];
    bool is_exact = node.activation > Bytes{0};
    auto const outputs = std::max<std::int64_t>(1, elements_of(node.activation, batch, is_exact));
    auto const weights = elements_of(node.parameters, 1, is_exact);
    auto entry = ConfigNode::map();
    entry.add("name", operator_name(node)).add("kind", "profiled");
    if (inputs[i].size() == 1) {
      entry.add("input", inputs[i].front());
    } else {
      entry.add("inputs", list_of(inputs[i]));
    }
    entry.add("outputs", std::to_string(outputs));
    if (weights > 0) entry.add("weights", std::to_string(weights));
    operators.append(std::move(entry));
    rounded += is_exact ? 0 : 1;
  }
  auto training = ConfigNode::map();
  ImportedProfile imported;
  imported.network = header("tessera.network/1", name, batch);
  imported.network.add("element", "fp32")
      .add("training", training.add("input_error", "computed"))
      .add("input", std::move(input))
      .add("operators", std::move(operators));
  imported.times = times_of(profile, name, batch);
  if (rounded > 0) {
    imported.remarks.push_back(std::to_string(rounded) +
                               " operators have sizes of no whole elements per sample (batch " +
                               std::to_string(batch) + "): rounded up in the network");
  }
  return imported;
}

}  // namespace tessera::sim
