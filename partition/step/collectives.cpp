#include "partition/step/collectives.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "partition/step/conversion_memo.hpp"
#include "partition/step/exchanges.hpp"

namespace tessera::partition {

namespace {

using How = std::shared_ptr<GroupCollective const>;  // none: level by level

/// In one stage.
class CollectiveChooser final {
 public:
  CollectiveChooser(arch::ArraySpec const& array, arch::Topology const& topology, Step const& step,
                    Stage const& stage, Tiling const& tiling)
      : topology_{&topology},
        stage_{&stage},
        tiling_{&tiling},
        element_size_{step.network->element_size()},
        known_{tiling} {
    std::vector<std::vector<std::size_t>> coordinates;
    for (auto const device : stage.mesh.devices) {
      auto places = topology.coordinates(arch::NodeId{device});
      if (!places.empty()) coordinates.push_back(std::move(places));
    }
    for (auto const& algorithm : array.execution.collectives.candidates) {
      if (!algorithm) {
        candidates_.push_back(nullptr);
      } else if (algorithm->rank_order() != arch::RankOrder::dimensions || !coordinates.empty()) {
        candidates_.push_back(
            std::make_shared<GroupCollective const>(GroupCollective{algorithm, coordinates}));
      }
    }
  }

  [[nodiscard]] How of(Conversion const& conversion) {
    return known_.of(conversion, [&] { return choice_for(conversion); });
  }

 private:
  [[nodiscard]] How choice_for(Conversion const& conversion) const {
    if (!has_collective(conversion)) return nullptr;
    std::vector<How> able;
    std::copy_if(candidates_.begin(), candidates_.end(), std::back_inserter(able),
                 [&](How const& how) { return is_for(how, conversion); });
    if (able.empty()) return nullptr;
    return able.size() == 1 ? able.front() : cheapest(able, conversion);
  }

  [[nodiscard]] static bool has_collective(Conversion const& conversion) {
    auto const& [kind, tensor, from, to, halo, collective, pieces] = conversion;
    if (kind == Conversion::Kind::gradient_sum) return true;
    for (auto const& change : layout_changes(from, to)) {
      if (change.reduces() || change.gathers()) return true;
    }
    return false;
  }

  /// Trees sum gradients only.
  [[nodiscard]] static bool is_for(How const& how, Conversion const& conversion) {
    using Kind = arch::CollectiveKind;
    if (!how) return true;
    auto const& algorithm = *how->algorithm;
    return conversion.kind == Conversion::Kind::gradient_sum
               ? algorithm.makes(Kind::all_reduce)
               : algorithm.makes(Kind::reduce_scatter) || algorithm.makes(Kind::all_gather);
  }

  /// Of several that are equally cheap the first.
  [[nodiscard]] How cheapest(std::vector<How> const& able, Conversion const& conversion) const {
    Holders all(stage_->mesh.devices.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    auto const time_of = [&](How const& how) {
      auto candidate = conversion;
      candidate.collective = how;
      return exchange_time(*topology_, stage_->mesh, element_size_,
                           exchanges_of(*tiling_, candidate, all));
    };
    auto best = able.front();
    auto least = time_of(best);
    for (auto it = able.begin() + 1; it != able.end(); ++it) {
      auto const time = time_of(*it);
      if (time >= least) continue;
      best = *it;
      least = time;
    }
    return best;
  }

  arch::Topology const* topology_;
  Stage const* stage_;
  Tiling const* tiling_;
  Bytes element_size_;
  std::vector<How> candidates_;
  ConversionMemo<How> known_;  ///< by what conversions are before anything is chosen
};

bool is_same(ReshardStep const& a, ReshardStep const& b) {
  return a.exchanges.size() == b.exchanges.size() &&
         std::equal(a.exchanges.begin(), a.exchanges.end(), b.exchanges.begin(),
                    [](Exchange const& x, Exchange const& y) {
                      return x.from == y.from && x.to == y.to && x.elements == y.elements;
                    });
}

}  // namespace

void choose_collectives(Problem const& problem, Plan const& plan, Step& step) {
  if (problem.array.execution.collectives.go_by_levels()) return;
  arch::Topology const topology{problem.array};
  for (auto const id : step.stages.ids()) {
    auto const& stage = step.stages[id];
    auto const tiling = tiling_of(step, plan, id);
    CollectiveChooser chooser{problem.array, topology, step, stage, tiling};
    for (auto& action : step.actions) {
      if (!action.conversion || action.at.stage != id) continue;
      auto const& conversion = *action.conversion;
      action.conversion->collective =
          chooser.of(action.to ? before_crossing(conversion) : conversion);
    }
  }
}

Time exchange_time(arch::Topology const& topology, DeviceMesh const& mesh, Bytes element_size,
                   std::vector<ReshardStep> const& steps) {
  Time sum{0};
  Time last{0};
  for (std::size_t i = 0; i < steps.size(); ++i) {
    bool const is_known = i > 0 && is_same(steps[i], steps[i - 1]);  // as rounds of a ring are
    if (!is_known) {
      std::vector<arch::Topology::Sent> messages;
      for (auto const& exchange : steps[i].exchanges) {
        messages.push_back({arch::NodeId{mesh.devices[exchange.from]},
                            arch::NodeId{mesh.devices[exchange.to]},
                            element_size * exchange.elements.value()});
      }
      last = topology.exchange_time(messages);
    }
    sum += last;
  }
  return sum;
}

}  // namespace tessera::partition
