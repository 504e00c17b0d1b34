// Which parts of an array there are, and plans for them.
#include "partition/plan/sub_array.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "arch/array/load.hpp"

namespace tessera::partition {

namespace {

/// Accelerators of a group, or of several from the first.
struct Run {
  std::size_t first = 0;
  std::size_t count = 0;
};

std::vector<arch::AcceleratorGroup> groups_of(arch::ArraySpec const& whole, Run run) {
  std::vector<arch::AcceleratorGroup> groups;
  std::size_t begin = 0;
  for (auto const& group : whole.groups) {
    auto const end = begin + static_cast<std::size_t>(group.count);
    auto const from = std::max(begin, run.first);
    auto const to = std::min(end, run.first + run.count);
    if (from < to) {
      groups.push_back(group);
      groups.back().count = static_cast<std::int64_t>(to - from);
    }
    begin = end;
  }
  return groups;
}

/// Read anew from its file: whatever follows from its size is made for its size. None where there
/// is no such fabric.
std::optional<arch::ArraySpec> array_of(arch::ArraySpec const& whole, Run run) {
  auto part = whole;
  part.accelerators = static_cast<std::int64_t>(run.count);
  part.groups = groups_of(whole, run);
  if (part.groups.size() == 1) {
    part.fabric.link_bandwidth = whole.link_bandwidth(part.groups.front());
    part.groups.front().link_bandwidth.reset();
  }
  try {
    return arch::array_from(arch::to_config(part));
  } catch (ConfigError const&) {
    return std::nullopt;
  }
}

std::vector<Run> halves_of(Run run) {
  std::vector<Run> halves;
  for (; run.count % 2 == 0; run.count /= 2) halves.push_back({run.first, run.count / 2});
  return halves;
}

/// None where there is one only.
std::vector<Run> runs_of_groups(arch::ArraySpec const& whole) {
  std::vector<Run> runs;
  if (whole.groups.size() < 2) return runs;
  std::size_t first = 0;
  for (auto const& group : whole.groups) {
    runs.push_back({first, static_cast<std::size_t>(group.count)});
    first += runs.back().count;
  }
  return runs;
}

/// The largest first, each once.
std::vector<Run> runs_of(arch::ArraySpec const& whole) {
  auto runs = halves_of({0, static_cast<std::size_t>(whole.accelerators)});
  for (auto const group : runs_of_groups(whole)) {
    runs.push_back(group);
    for (auto const half : halves_of(group)) runs.push_back(half);
  }
  auto const by_size = [](Run a, Run b) {
    return a.count != b.count ? a.count > b.count : a.first < b.first;
  };
  std::sort(runs.begin(), runs.end(), by_size);
  auto const are_equal = [](Run a, Run b) { return a.first == b.first && a.count == b.count; };
  runs.erase(std::unique(runs.begin(), runs.end(), are_equal), runs.end());
  return runs;
}

std::vector<SubArray> parts_of(arch::ArraySpec const& whole, std::vector<Run> const& runs) {
  std::vector<SubArray> parts;
  for (auto const run : runs) {
    if (auto array = array_of(whole, run)) parts.push_back({run.first, *std::move(array)});
  }
  return parts;
}

}  // namespace

std::string SubArray::name() const {
  auto const last = first + static_cast<std::size_t>(array.accelerators) - 1;
  return first == last ? "accelerator " + std::to_string(first)
                       : "accelerators " + std::to_string(first) + "-" + std::to_string(last);
}

std::vector<SubArray> sub_arrays_of(arch::ArraySpec const& whole) {
  return parts_of(whole, runs_of(whole));
}

std::vector<SubArray> groups_alone(arch::ArraySpec const& whole) {
  return parts_of(whole, runs_of_groups(whole));
}

Plan lifted(Plan plan, SubArray const& from, arch::ArraySpec const& whole,
            workloads::Network const& network) {
  if (!plan.pipeline) {
    Stage all{hierarchy_mesh(from.array.hierarchy()), 1, {{}}};
    for (auto const op : network.operators().ids()) all.chunks.front().push_back(op);
    plan.pipeline = Pipeline{};
    plan.pipeline->stages.push_back(std::move(all));
  }
  for (auto& stage : plan.pipeline->stages) {
    for (auto& device : stage.mesh.devices) device += from.first;
  }
  plan.array = whole.name;
  plan.accelerators = whole.accelerators;
  plan.predicted.reset();
  return plan;
}

}  // namespace tessera::partition
