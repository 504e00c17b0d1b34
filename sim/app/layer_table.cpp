#include "sim/app/layer_table.hpp"

#include <algorithm>
#include <cctype>
#include <set>

#include "sim/app/stages_report.hpp"
#include "sim/study/result.hpp"
#include "sim/terminal/table.hpp"
#include "workloads/repeated_blocks.hpp"

namespace tessera::sim {

using partition::Plan;
using workloads::Network;
using workloads::OperatorId;

namespace {

/// "II", and where the halves are unequal the first one's share: "II 0.2692".
std::string cell_of(std::optional<partition::Split> const& split) {
  auto const type = partition::type_name(split);
  return !split || split->is_even() ? type : type + " " + number_text(split->first);
}

/// The stage, if there are any, and a phase's splits: along the levels, or along the axes of its
/// stage that operators can be split along.
std::vector<std::string> cells_of(Plan const& plan,
                                  IdVector<OperatorId, partition::StagePart> const& parts,
                                  OperatorId op, workloads::Phase phase) {
  std::vector<std::string> cells;
  for (auto const& split : plan.splits_of(op, phase)) cells.push_back(cell_of(split));
  if (!plan.pipeline) return cells;
  bool const has_replicas = plan.pipeline->stages[parts[op].stage].replicas > 1;
  if (has_replicas) cells.erase(cells.begin());
  cells.insert(cells.begin(), stage_name(*plan.pipeline, op));
  return cells;
}

bool is_digit(char letter) { return std::isdigit(static_cast<unsigned char>(letter)) != 0; }

/// "layer1..24/inner" of "layer1/inner" and "layer24/inner".
std::string range_text(std::string const& first, std::string const& last) {
  if (first == last) return first;
  auto const length = std::min(first.size(), last.size());
  std::size_t begin = 0;
  while (begin < length && first[begin] == last[begin]) ++begin;
  while (begin > 0 && is_digit(first[begin - 1])) --begin;
  auto const number_end = [begin](std::string const& name) {
    auto end = begin;
    while (end < name.size() && is_digit(name[end])) ++end;
    return end;
  };
  auto const rest = first.substr(number_end(first));
  if (rest != last.substr(number_end(last))) return first + " .. " + last;
  return first.substr(0, number_end(first)) + ".." + last.substr(begin);
}

struct LayerRow {
  std::string name;
  std::vector<std::string> cells;  ///< but for the name
  std::string key;                 ///< what rows that are folded have in common
};

std::vector<LayerRow> rows_of(Network const& network, Plan const& plan) {
  auto const parts = plan.pipeline ? parts_of(*plan.pipeline, network)
                                   : IdVector<OperatorId, partition::StagePart>{};
  std::vector<LayerRow> rows;
  for (auto const op : network.operators().ids()) {
    for (auto const phase : workloads::all_phases) {
      bool const is_forward = phase == workloads::Phase::forward;
      if (!is_forward && plan.phase_splits.count({op, phase}) == 0) continue;
      auto const suffix = is_forward ? std::string{} : std::string{", "} + name(phase);
      LayerRow row{network.at(op).name + suffix, cells_of(plan, parts, op, phase),
                   block_key(network.at(op)) + suffix};
      for (auto const& cell : row.cells) row.key.append("|").append(cell);
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

std::vector<std::string> titles_of(Plan const& plan, std::size_t axes, bool has_times) {
  std::vector<std::string> titles = {"layer"};
  if (plan.pipeline) titles.emplace_back("stage");
  for (std::size_t axis = 1; axis <= axes; ++axis) {
    titles.push_back((plan.pipeline ? "A" : "H") + std::to_string(axis));
  }
  if (has_times) titles.emplace_back("times");
  return titles;
}

bool splits_anything(Plan const& plan) {
  return std::any_of(plan.splits.begin(), plan.splits.end(), [](auto const& splits) {
    return std::any_of(splits.begin(), splits.end(),
                       [](auto const& split) { return split.has_value(); });
  });
}

/// What the entries of the table mean, for those that occur.
std::string legend(Plan const& plan) {
  std::set<std::string> used;
  for (auto const& splits : plan.splits) {
    for (auto const& split : splits) used.insert(partition::type_name(split));
  }
  for (auto const& [phase, splits] : plan.phase_splits) {
    for (auto const& split : splits) used.insert(partition::type_name(split));
  }
  std::string text;
  for (auto const& [type, meaning] : Named<std::string>{{"I", "samples (n; HyPar's dp)"},
                                                        {"II", "input channels (c; HyPar's mp)"},
                                                        {"III", "output channels (k)"},
                                                        {"h", "output rows"},
                                                        {"w", "output columns"},
                                                        {"-", "not split"}}) {
    if (used.count(type) == 0) continue;
    text.append(text.empty() ? "split over: " : ", ").append(type).append(" = ").append(meaning);
  }
  if (partition::unevenly_split(plan)) {
    text += "; a number is the share of each group's first half (else 0.5)";
  }
  return text;
}

}  // namespace

LayerTable layers_of(Network const& network, Plan const& plan) {
  if (plan.pipeline && !splits_anything(plan)) return {};
  auto const rows = rows_of(network, plan);
  std::vector<std::string> keys;
  keys.reserve(rows.size());
  std::size_t cells = 0;
  for (auto const& row : rows) {
    keys.push_back(row.key);
    cells = std::max(cells, row.cells.size());
  }
  auto const blocks = workloads::repeats(keys);
  bool const has_times =
      std::any_of(blocks.begin(), blocks.end(), [](auto const& block) { return block.times > 1; });
  LayerTable table{titles_of(plan, plan.pipeline ? cells - 1 : cells, has_times), {}, legend(plan)};
  for (auto const& [begin, length, times] : blocks) {
    for (auto row = begin; row < begin + length; ++row) {
      auto texts = rows[row].cells;
      texts.insert(texts.begin(),
                   range_text(rows[row].name, rows[row + (times - 1) * length].name));
      texts.resize(cells + 1);
      if (has_times) texts.push_back(times > 1 ? "x" + std::to_string(times) : "");
      table.rows.push_back(std::move(texts));
    }
  }
  return table;
}

std::string layer_table(Network const& network, Plan const& plan) {
  auto const layers = layers_of(network, plan);
  if (layers.rows.empty()) return {};
  std::vector<Table::Column> columns;
  for (auto const& title : layers.titles) {
    columns.push_back({title, title == "stage" ? Table::Align::right : Table::Align::left});
  }
  Table table{columns};
  for (auto const& row : layers.rows) table.add(row);
  return table.text() + "\n" + (layers.legend.empty() ? "" : layers.legend + "\n");
}

}  // namespace tessera::sim
