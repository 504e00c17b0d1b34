// A walk through SystemC's objects, and copies of what a folded machine has one of.
#include "sim/shell/module_list.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "sim/shell/machine.hpp"
#include "sim/shell/memory_module.hpp"

namespace tessera::sim::shell {

namespace {

using Entries = std::vector<ModuleEntry>;

/// A number within a name, or what lies between numbers.
std::string_view next_part(std::string_view text) {
  auto const is_digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  std::size_t end = 1;
  while (end < text.size() && is_digit(text[end]) == is_digit(text.front())) ++end;
  return text.substr(0, end);
}

/// "vault-9" before "vault-10".
bool comes_before(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    auto const x = next_part(a), y = next_part(b);
    if (x != y) {
      bool const are_numbers = std::isdigit(static_cast<unsigned char>(x.front())) != 0 &&
                               std::isdigit(static_cast<unsigned char>(y.front())) != 0;
      return are_numbers && x.size() != y.size() ? x.size() < y.size() : x < y;
    }
    a.remove_prefix(x.size());
    b.remove_prefix(y.size());
  }
  return a.size() < b.size();
}

std::vector<sc_core::sc_module*> modules_in(sc_core::sc_object const& parent) {
  std::vector<sc_core::sc_module*> modules;
  for (auto* const child : parent.get_child_objects()) {
    auto* const module = dynamic_cast<sc_core::sc_module*>(child);
    if (module != nullptr) modules.push_back(module);
  }
  std::sort(modules.begin(), modules.end(),
            [](auto* a, auto* b) { return comes_before(a->basename(), b->basename()); });
  return modules;
}

/// The vaults that have no module.
void add_mirrored(MemoryModule const& memory, Entries& into) {
  auto const inside = memory.inside();
  auto const prefix = std::string{memory.name()} + '.';
  for (auto index = inside.simulated.size(); index < inside.channels; ++index) {
    into.push_back({prefix + channel_name(inside, index),
                    inside.kind,
                    prefix + channel_name(inside, 0),
                    {},
                    {}});
  }
}

/// What of a memory is there, but no request passes, and what the memory simulates all in one.
void add_parts(MemoryModule const& memory, Entries& into) {
  auto const prefix = std::string{memory.name()} + '.';
  for (auto const& [name, kind] : memory.inside().unused) {
    into.push_back({prefix + name, kind, {}, "requests come from the logic layer", {}});
  }
  for (auto const& [name, kind] : memory.inside().together) {
    into.push_back({prefix + name, kind, {}, {}, "memory"});
  }
}

using Parts = std::vector<Machine::Part>;

/// With `parts` in it that have no module.
void add(sc_core::sc_module const& module, Entries& into, Parts const& parts = {}) {
  into.push_back({module.name(), module.kind(), {}, {}, {}});
  auto const* const memory = dynamic_cast<MemoryModule const*>(&module);
  if (memory != nullptr) add_parts(*memory, into);
  auto part = parts.begin();
  auto const add_part = [&] {
    into.push_back({std::string{module.name()} + '.' + part->name, part->kind, {}, {}, "messages"});
    ++part;
  };
  for (auto const* const child : modules_in(module)) {
    while (part != parts.end() && comes_before(part->name, child->basename())) add_part();
    add(*child, into);
  }
  while (part != parts.end()) add_part();
  if (memory != nullptr) add_mirrored(*memory, into);
}

/// What of the fabric has no module.
ModuleEntry carried(Machine::Hardware const& part, std::string const& prefix) {
  bool const is_original = part.name == part.original;
  return {prefix + part.name,
          part.carried,
          is_original ? "" : prefix + part.original,
          {},
          is_original ? "messages" : ""};
}

/// The entries of a module that was simulated, for another one that it stands for.
void add_copy(Entries const& of_original, std::string const& original, std::string const& name,
              Entries& into) {
  for (auto const& entry : of_original) {
    auto copy = entry;
    copy.name = name + entry.name.substr(original.size());
    if (entry.is_simulated()) {
      copy.mirrors = entry.name;
      copy.core.clear();
    }
    into.push_back(std::move(copy));
  }
}

}  // namespace

Entries list_modules(Machine const& machine) {
  Entries all{{machine.name(), machine.kind(), {}, {}, {}}};
  auto const prefix = std::string{machine.name()} + '.';
  for (auto const& part : machine.hardware()) {
    auto const& [name, original, kind_if_carried, parts_inside] = part;
    if (kind_if_carried != nullptr) {
      all.push_back(carried(part, prefix));
      continue;
    }
    auto const* const module = sc_core::sc_find_object((prefix + original).c_str());
    Entries entries;
    add(dynamic_cast<sc_core::sc_module const&>(*module), entries, parts_inside);
    if (name == original) {
      all.insert(all.end(), entries.begin(), entries.end());
    } else {
      add_copy(entries, prefix + original, prefix + name, all);
    }
  }
  return all;
}

}  // namespace tessera::sim::shell
