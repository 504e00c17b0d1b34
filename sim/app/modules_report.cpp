// Names become a tree, equal neighbours a line.
#include "sim/app/modules_report.hpp"

#include <algorithm>

#include "sim/terminal/table.hpp"

namespace tessera::sim {

namespace {

struct ModuleNode {
  Module const* module = nullptr;
  std::vector<ModuleNode> children;
};

bool is_simulated(Module const& module) { return !module.mirrors && !module.unused; }

bool is_inside(Module const& module, Module const& of) {
  auto const& name = of.name;
  return module.name.size() > name.size() && module.name[name.size()] == '.' &&
         module.name.compare(0, name.size(), name) == 0;
}

using ModuleIterator = std::vector<Module>::const_iterator;

/// The module at `next`, which then comes behind all that is in it.
ModuleNode take_node(ModuleIterator& next, ModuleIterator end) {
  ModuleNode node{&*next++, {}};
  while (next != end && is_inside(*next, *node.module)) {
    node.children.push_back(take_node(next, end));
  }
  return node;
}

/// Of one kind, with the same inside, and both simulated (in one core), mirrored or unused.
bool are_alike(ModuleNode const& a, ModuleNode const& b) {
  auto const& [x, y] = std::pair{*a.module, *b.module};
  return x.kind == y.kind && x.mirrors.has_value() == y.mirrors.has_value() &&
         x.unused == y.unused && x.core == y.core &&
         std::equal(a.children.begin(), a.children.end(), b.children.begin(), b.children.end(),
                    are_alike);
}

std::string parent_of(std::string const& name) { return name.substr(0, name.rfind('.')); }

std::string last_part(std::string const& name) { return name.substr(name.rfind('.') + 1); }

/// A module, or several that are alike.
struct ModuleRun {
  std::vector<ModuleNode>::const_iterator begin, end;

  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(end - begin); }
  [[nodiscard]] std::string name() const {
    auto const first = last_part(begin->module->name);
    return size() == 1 ? first : first + " .. " + last_part(std::prev(end)->module->name);
  }
  [[nodiscard]] std::string state() const {
    auto const& first = *begin->module;
    if (first.core) return "simulated, all in core " + *first.core;
    if (is_simulated(first)) return "simulated";
    if (first.unused) return "unused: " + *first.unused;
    bool const is_of_one = std::all_of(
        begin, end, [&](ModuleNode const& node) { return node.module->mirrors == first.mirrors; });
    if (!is_of_one) return "mirrored";
    bool const is_neighbour = parent_of(*first.mirrors) == parent_of(first.name);
    return "mirrors " + (is_neighbour ? last_part(*first.mirrors) : *first.mirrors);
  }
};

void add_run(Table& table, ModuleRun const& run, std::size_t depth, std::size_t times);

void add_runs(Table& table, std::vector<ModuleNode> const& nodes, std::size_t depth,
              std::size_t times) {
  for (auto begin = nodes.begin(); begin != nodes.end();) {
    auto const end = std::find_if_not(
        begin, nodes.end(), [&](ModuleNode const& node) { return are_alike(*begin, node); });
    add_run(table, {begin, end}, depth, times);
    begin = end;
  }
}

void add_run(Table& table, ModuleRun const& run, std::size_t depth, std::size_t times) {
  auto const count = times * run.size();
  table.add({std::string(2 * depth, ' ') + run.name(), std::to_string(count),
             run.begin->module->kind, run.state()});
  add_runs(table, run.begin->children, depth + 1, count);
}

}  // namespace

std::string modules_report(std::vector<Module> const& modules) {
  std::vector<ModuleNode> roots;
  for (auto next = modules.begin(); next != modules.end();) {
    roots.push_back(take_node(next, modules.end()));
  }
  Table table{{{"module", Table::Align::left},
               {"of them"},
               {"kind", Table::Align::left},
               {"", Table::Align::left}}};
  add_runs(table, roots, 0, 1);
  auto const simulated = std::count_if(modules.begin(), modules.end(), is_simulated);
  return table.text() + std::to_string(modules.size()) + " modules; " + std::to_string(simulated) +
         " were simulated\n";
}

}  // namespace tessera::sim
