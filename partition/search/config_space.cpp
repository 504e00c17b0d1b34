#include "partition/search/config_space.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <utility>

#include "partition/geometry/halo.hpp"

namespace tessera::partition {

using workloads::Dim;
using workloads::Operator;
using workloads::OperatorId;

namespace {

/// In the order in which parts are numbered.
constexpr std::array<Dim, 4> soap_dims = {Dim::n, Dim::k, Dim::h, Dim::w};

/// Powers of two up to the number of accelerators, and what divides it.
std::vector<std::int64_t> degrees_for(std::int64_t accelerators) {
  std::vector<std::int64_t> all;
  for (std::int64_t degree = 1; degree <= accelerators; ++degree) {
    bool const is_power_of_two = (degree & (degree - 1)) == 0;
    if (is_power_of_two || accelerators % degree == 0) all.push_back(degree);
  }
  return all;
}

std::vector<std::int64_t> legal_degrees(workloads::Network const& network, Operator const& op,
                                        Dim dim, std::vector<std::int64_t> const& degrees) {
  std::vector<std::int64_t> legal{1};
  if (!op.can_split(dim)) return legal;
  auto const most = most_parts(op, dim);
  for (auto const degree : degrees) {
    if (degree == 1 || degree > most) continue;
    if (dim == Dim::n && network.batch() % degree != 0) continue;
    legal.push_back(degree);
  }
  return legal;
}

std::vector<Degrees> all_degrees(Problem const& problem, Operator const& op) {
  auto const accelerators = problem.array.accelerators;
  auto const degrees = degrees_for(accelerators);
  auto const legal = [&](Dim dim) { return legal_degrees(problem.network, op, dim, degrees); };
  std::vector<Degrees> all;
  for (auto const samples : legal(Dim::n)) {
    for (auto const channels : legal(Dim::k)) {
      for (auto const rows : legal(Dim::h)) {
        for (auto const columns : legal(Dim::w)) {
          Degrees const one{samples, channels, rows, columns};
          if (one.parts() <= accelerators) all.push_back(one);
        }
      }
    }
  }
  return all;
}

void keep_most_parts(std::vector<Degrees>& all) {
  std::int64_t most = 0;
  for (auto const& degrees : all) most = std::max(most, degrees.parts());
  all.erase(std::remove_if(all.begin(), all.end(),
                           [most](Degrees const& one) { return one.parts() < most; }),
            all.end());
}

template <typename T>
T const& any_of(std::vector<T> const& all, std::mt19937_64& random) {
  return all[random() % all.size()];
}

/// The first `count` of a random order.
std::vector<std::size_t> any_devices(std::size_t count, std::size_t accelerators,
                                     std::mt19937_64& random) {
  std::vector<std::size_t> all(accelerators);
  std::iota(all.begin(), all.end(), std::size_t{0});
  for (std::size_t i = 0; i < count; ++i) {
    std::swap(all[i], all[i + random() % (accelerators - i)]);
  }
  all.resize(count);
  return all;
}

std::int64_t degree_over(OperatorConfig const& config, Dim dim) {
  std::int64_t degree = 1;
  for (std::size_t axis = 0; axis < config.splits.size(); ++axis) {
    if (is_over(config.splits[axis], dim)) {
      degree *= static_cast<std::int64_t>(config.mesh.arity[axis]);
    }
  }
  return degree;
}

}  // namespace

ConfigSpace::Devices devices_from(ConfigMap& options) {
  using Devices = ConfigSpace::Devices;
  return options.choice<Devices>("devices",
                                 {{"runs", Devices::runs},
                                  {"aligned", Devices::aligned},
                                  {"whole", Devices::whole},
                                  {"any", Devices::any}},
                                 Devices::runs);
}

OperatorConfig config_of(Degrees const& degrees, std::vector<std::size_t> const& devices) {
  OperatorConfig config;
  config.mesh.devices = devices;
  std::array<std::int64_t, 4> const by_dim = {degrees.samples, degrees.channels, degrees.rows,
                                              degrees.columns};
  for (std::size_t i = 0; i < soap_dims.size(); ++i) {
    for (auto const ways : axes_of(static_cast<std::size_t>(by_dim.at(i)))) {
      config.mesh.arity.push_back(ways);
      config.splits.emplace_back(soap_dims.at(i));
    }
  }
  return config;
}

std::vector<std::size_t> devices_of(DeviceRun const& run, std::size_t accelerators) {
  std::vector<std::size_t> devices;
  for (std::size_t i = 0; i < run.count; ++i) {
    devices.push_back((run.first + i * run.stride) % accelerators);
  }
  return devices;
}

ConfigSpace::ConfigSpace(Problem const& problem, Devices devices)
    : devices_{devices}, accelerators_{static_cast<std::size_t>(problem.array.accelerators)} {
  for (auto const& op : problem.network.operators()) {
    auto degrees = all_degrees(problem, op);
    if (devices == Devices::whole) keep_most_parts(degrees);
    degrees_.push_back(std::move(degrees));
  }
}

std::vector<DeviceRun> ConfigSpace::runs(std::size_t count) const {
  std::vector<DeviceRun> all;
  if (devices_ == Devices::aligned) {
    for (std::size_t first = 0; first + count <= accelerators_; first += count) {
      all.push_back({first, 1, count});
    }
    return all;
  }
  auto const firsts = count == accelerators_ ? 1 : accelerators_;
  for (std::size_t first = 0; first < firsts; ++first) all.push_back({first, 1, count});
  if (count == 1) return all;
  for (std::size_t stride = 2; stride * count <= accelerators_; ++stride) {
    if (accelerators_ % stride != 0) continue;
    for (std::size_t first = 0; first + (count - 1) * stride < accelerators_; ++first) {
      all.push_back({first, stride, count});
    }
  }
  return all;
}

std::vector<OperatorConfig> ConfigSpace::configs(OperatorId op) const {
  std::vector<OperatorConfig> all;
  for (auto const& degrees : degrees_[op]) {
    for (auto const& run : runs(static_cast<std::size_t>(degrees.parts()))) {
      all.push_back(config_of(degrees, devices_of(run, accelerators_)));
    }
  }
  return all;
}

OperatorConfig ConfigSpace::random_config(OperatorId op, std::mt19937_64& random) const {
  auto const& degrees = any_of(degrees_[op], random);
  auto const parts = static_cast<std::size_t>(degrees.parts());
  if (devices_ == Devices::any) {
    return config_of(degrees, any_devices(parts, accelerators_, random));
  }
  return config_of(degrees, devices_of(any_of(runs(parts), random), accelerators_));
}

Strategy ConfigSpace::random_strategy(std::mt19937_64& random) const {
  Strategy strategy;
  for (auto const op : degrees_.ids()) strategy.push_back(random_config(op, random));
  return strategy;
}

bool ConfigSpace::has_degrees(OperatorId op, OperatorConfig const& config) const {
  auto const& all = degrees_[op];
  return std::any_of(all.begin(), all.end(), [&](Degrees const& one) {
    return one.samples == degree_over(config, Dim::n) &&
           one.channels == degree_over(config, Dim::k) && one.rows == degree_over(config, Dim::h) &&
           one.columns == degree_over(config, Dim::w) &&
           one.parts() == static_cast<std::int64_t>(config.mesh.devices.size());
  });
}

}  // namespace tessera::partition
