// A memo per core.
#include "sim/study/core_times.hpp"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "sim/model/compute/compute_cost.hpp"
#include "sim/model/compute/fusion.hpp"

namespace tessera::sim {

namespace {

using workloads::Operator;
using workloads::PerDim;
using workloads::Phase;

class CoreTimes final {
 public:
  explicit CoreTimes(workloads::Network const& network) : element_{network.element_size()} {
    auto const fusions = fusions_of(network.operators());
    for (auto const id : network.operators().ids()) {
      fusions_[network.at(id).name] = fusions[id];
    }
  }

  [[nodiscard]] double seconds(arch::AcceleratorSpec const& accelerator, Operator const& op,
                               Phase phase, PerDim<std::int64_t> const& part) {
    auto const* const unit = std::get_if<arch::CoreUnitSpec>(&accelerator.processing_unit);
    if (unit == nullptr) return at_peak_(accelerator, op, phase, part);
    if (!op.has(phase) || workloads::is_a_view(op.kind)) return 0;
    for (auto const dim : workloads::all_dims) {
      if (part[dim] == 0) return 0;
    }
    auto const fusion = unit->core.has_vector_unit() ? fusions_.at(op.name) : Fusion{};
    auto const& cost = memo(unit->core).cost(shape_of(op, part, fusion), phase);
    return static_cast<double>(cost.cycles.value()) /
           static_cast<double>(accelerator.clock.value());
  }

 private:
  [[nodiscard]] ComputeMemo& memo(arch::CoreSpec const& core) {
    auto& known = memos_[&core];
    if (!known) {
      ComputeOptions options;
      options.memory = ComputeOptions::Memory::core;
      options.element = element_;
      known = std::make_unique<ComputeMemo>(core, options);
    }
    return *known;
  }

  Bytes element_;
  std::map<std::string, Fusion> fusions_;  ///< by operator
  std::map<arch::CoreSpec const*, std::unique_ptr<ComputeMemo>> memos_;
  partition::OperatorTimes at_peak_ = partition::peak_rates();
};

}  // namespace

partition::OperatorTimes core_times(workloads::Network const& network) {
  return [times = std::make_shared<CoreTimes>(network)](arch::AcceleratorSpec const& accelerator,
                                                        Operator const& op, Phase phase,
                                                        PerDim<std::int64_t> const& part) {
    return times->seconds(accelerator, op, workloads::computed_as(phase), part);
  };
}

}  // namespace tessera::sim
