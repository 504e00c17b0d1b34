#include "sim/export/names.hpp"

#include <algorithm>
#include <string_view>

namespace tessera::sim {

TaskNames::TaskNames(traces::RunFile const& run)
    : run_{run},
      operators_{run.texts("names/operators")},
      phases_{run.texts("names/phases")},
      kinds_{run.texts("names/task_kinds")},
      causes_{run.content().texts("names/causes").value_or(std::vector<std::string>{})},
      transfer_{static_cast<std::size_t>(std::find(kinds_.begin(), kinds_.end(), "transfer") -
                                         kinds_.begin())} {}

std::string const& TaskNames::name(std::vector<std::string> const& names, std::size_t number,
                                   char const* column) const {
  if (number < names.size()) return names[number];
  run_.refuse(std::string{"/tasks has "} + column + " " + std::to_string(number) +
              ", and /names only " + std::to_string(names.size()) + " of them; simulate again");
}

std::string const& TaskNames::operator_of(std::size_t op) const {
  return name(operators_, op, "operator");
}
std::string const& TaskNames::phase_of(std::size_t phase) const {
  return name(phases_, phase, "phase");
}
std::string const& TaskNames::kind_of(std::size_t kind) const { return name(kinds_, kind, "kind"); }

std::string const& TaskNames::cause_of(std::size_t cause) const {
  return name(causes_, cause, "cause");
}

std::pair<std::optional<std::size_t>, std::string> split_resource(std::string const& resource) {
  constexpr std::string_view prefix = "accelerator-";
  if (resource.compare(0, prefix.size(), prefix) != 0) return {std::nullopt, resource};
  auto const dot = resource.find_first_not_of("0123456789", prefix.size());
  bool const has_part = dot != std::string::npos && dot > prefix.size() && resource[dot] == '.';
  constexpr std::size_t most_digits = 9;
  if (!has_part || dot - prefix.size() > most_digits) return {std::nullopt, resource};
  return {std::stoul(resource.substr(prefix.size(), dot - prefix.size())),
          resource.substr(dot + 1)};
}

std::map<std::string, std::int64_t> lanes_of_links(traces::RunFile const& run) {
  std::map<std::string, std::int64_t> lanes;
  auto const links = run.rows("links");
  auto const from = links.find("from"), to = links.find("to"), count = links.find("lanes");
  if (!from || !to || !count) return lanes;
  for (std::size_t row = 0; row < links.count; ++row) {
    auto const name = std::string{links.text(row, *from)} + '>' + std::string{links.text(row, *to)};
    lanes[name] = std::max<std::int64_t>(1, links.integer(row, *count));
  }
  return lanes;
}

}  // namespace tessera::sim
