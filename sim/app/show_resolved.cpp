#include "sim/app/show_resolved.hpp"

#include <algorithm>

#include "arch/accelerator/core_writer.hpp"
#include "arch/accelerator/profile_spec.hpp"
#include "arch/array/load.hpp"
#include "arch/fabric/interconnect_spec.hpp"
#include "arch/memory/dram_writer.hpp"
#include "workloads/load.hpp"

namespace tessera::sim {

namespace {

constexpr std::size_t comment_column = 56;
constexpr char const* no_source = "default";

/// The node of a file at some path; none: the file does not have it. A scalar stands for all below.
using Source = ConfigNode const*;

[[nodiscard]] Source below(Source source, std::string const& key) {
  if (source == nullptr || source->kind() == ConfigNode::Kind::scalar) return source;
  if (source->kind() == ConfigNode::Kind::list) {
    auto const& items = source->as_list();
    auto const index = std::stoul(key);
    return index < items.size() ? &items[index] : nullptr;
  }
  for (auto const& [name, value] : source->entries()) {
    if (name == key) return &value;
  }
  return nullptr;
}

/// "hypar-paper.yaml:12", "--set arch.accelerators=64", "default".
[[nodiscard]] std::string place_text(Source source) {
  if (source == nullptr || source->where().file.empty()) return no_source;
  auto const& where = source->where();
  return where.line == 0 ? where.file : where.file + ':' + std::to_string(where.line);
}

/// With what stands there where that is not what it means.
[[nodiscard]] std::string source_text(ConfigNode const& value, Source source) {
  auto place = place_text(source);
  bool const are_scalars = source != nullptr && place != no_source &&
                           value.kind() == ConfigNode::Kind::scalar &&
                           source->kind() == ConfigNode::Kind::scalar;
  if (!are_scalars || value.text() == source->text()) return place;
  return place + ", there " + in_quotes(source->text());
}

[[nodiscard]] std::string commented(std::string const& line, std::string const& comment) {
  auto const gap = line.size() + 2 < comment_column ? comment_column - line.size() : 2;
  return line + std::string(gap, ' ') + "# " + comment + '\n';
}

[[nodiscard]] bool is_scalar(ConfigNode const& node) {
  return node.kind() == ConfigNode::Kind::scalar;
}

/// Is it a list of scalars, or empty? Such stand on one line.
[[nodiscard]] bool is_short(ConfigNode const& node) {
  if (is_scalar(node)) return true;
  if (node.kind() == ConfigNode::Kind::map) return node.entries().empty();
  auto const& items = node.as_list();
  return std::all_of(items.begin(), items.end(), is_scalar);
}

/// As YAML has it in one line: "key: value", "key: [a, b]".
[[nodiscard]] std::string one_line(std::string const& key, ConfigNode const& value) {
  auto map = ConfigNode::map();
  auto text = write_config(map.add(key, value));
  text.pop_back();
  return text;
}

[[nodiscard]] std::string lines_of(ConfigNode const& node, Source source, std::size_t indent);

[[nodiscard]] std::string entry_lines(std::string const& key, ConfigNode const& value,
                                      Source source, std::string const& start, std::size_t indent) {
  auto const text = is_short(value) ? one_line(key, value) : std::string{};
  if (!text.empty() && text.find('\n') == std::string::npos) {
    return commented(start + text, source_text(value, source));
  }
  auto head = one_line(key, ConfigNode::scalar("x"));
  head.erase(head.size() - 2);  // " x"
  return start + head + '\n' + lines_of(value, source, indent + 2);
}

[[nodiscard]] std::string lines_of(ConfigNode const& node, Source source, std::size_t indent) {
  std::string text;
  if (node.kind() == ConfigNode::Kind::map) {
    for (auto const& [key, value] : node.entries()) {
      text += entry_lines(key, value, below(source, key), std::string(indent, ' '), indent);
    }
    return text;
  }
  std::size_t index = 0;
  for (auto const& item : node.as_list()) {
    auto const from = below(source, std::to_string(index++));
    if (item.kind() != ConfigNode::Kind::map) {
      auto list = ConfigNode::list();
      auto line = write_config(list.append(item));
      line.pop_back();
      text += commented(std::string(indent, ' ') + "- " + line.substr(1, line.size() - 2),
                        source_text(item, from));
      continue;
    }
    bool is_first = true;
    for (auto const& [key, value] : item.entries()) {
      auto const start = std::string(indent, ' ') + (is_first ? "- " : "  ");
      text += entry_lines(key, value, below(from, key), start, indent + 2);
      is_first = false;
    }
  }
  return text;
}

void add_latency(ConfigNode& node, std::string const& path, Cycles latency) {
  node.override_key(path + ".latency", std::to_string(latency.value()), no_source);
}

/// With what a run file leaves out, since files of earlier versions did not have it.
[[nodiscard]] ConfigNode whole_config(arch::ArraySpec const& array) {
  auto node = arch::to_config(array);
  add_latency(node, "fabric.hop", array.fabric.hop_latency);
  for (std::size_t group = 0; group < array.groups.size(); ++group) {
    auto const path =
        array.groups.size() == 1 ? std::string{} : "groups." + std::to_string(group) + '.';
    add_latency(node, path + "accelerator.dispatch",
                array.groups[group].accelerator.dispatch_latency);
  }
  if (array.execution.kernels == arch::ExecutionSpec::Kernels::free) {
    node.override_key("execution.kernels", "free", no_source);
  }
  if (array.execution.sums == arch::SumPieces::exact) {
    node.override_key("execution.sums", "exact", no_source);
  }
  if (array.execution.collectives.go_by_levels()) {
    node.override_key("execution.collectives", "hierarchical", no_source);
  }
  return node;
}

}  // namespace

std::string with_sources(ConfigNode const& resolved, ConfigNode const& written) {
  return lines_of(resolved, &written, 0);
}

std::string resolved_text(Thing const& thing, std::vector<std::string> const& settings) {
  auto const file = written(thing, settings);
  switch (thing.kind) {
    case ThingKind::network: {
      static_cast<void>(workloads::network_from(file));  // with all that may be wrong with it
      auto const network = workloads::resolved(file);
      return with_sources(network, network);
    }
    case ThingKind::core:
      return with_sources(arch::to_config(arch::core_from(file)), file);
    case ThingKind::memory:
      return with_sources(arch::to_config(arch::dram_from(file)), file);
    case ThingKind::fabric: {
      auto const fabric = arch::load_fabric(thing.name, overrides_of(thing, settings));
      return with_sources(arch::to_config(fabric.spec, file.as_map().node("topology")), file);
    }
    case ThingKind::profile:
      return with_sources(arch::to_config(arch::profile_from(file)), file);
    default:
      return with_sources(whole_config(arch::array_from(file)), file);
  }
}

}  // namespace tessera::sim
