#include "partition/step/collectives.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <utility>

#include "partition/step/conversion_memo.hpp"
#include "partition/step/exchanges.hpp"

namespace tessera::partition {

namespace {

using How = std::shared_ptr<GroupCollective const>;  // none: level by level

bool is_same(ReshardStep const& a, ReshardStep const& b) {
  return a.exchanges.size() == b.exchanges.size() &&
         std::equal(a.exchanges.begin(), a.exchanges.end(), b.exchanges.begin(),
                    [](Exchange const& x, Exchange const& y) {
                      return x.from == y.from && x.to == y.to && x.elements == y.elements;
                    });
}

std::vector<arch::Topology::Sent> messages_of(ReshardStep const& step, DeviceMesh const& mesh,
                                              Bytes element_size) {
  std::vector<arch::Topology::Sent> messages;
  for (auto const& exchange : step.exchanges) {
    messages.push_back({arch::NodeId{mesh.devices[exchange.from]},
                        arch::NodeId{mesh.devices[exchange.to]},
                        element_size * exchange.elements.value()});
  }
  return messages;
}

/// What is said of each step, once of those that are as the one before, like rounds of a ring.
template <typename Say>
auto of_each(std::vector<ReshardStep> const& steps, Say const& say) {
  std::vector<decltype(say(steps.front()))> all;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    bool const is_known = i > 0 && is_same(steps[i], steps[i - 1]);
    auto now = is_known ? all.back() : say(steps[i]);
    all.push_back(std::move(now));
  }
  return all;
}

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
  [[nodiscard]] How choice_for(Conversion const& conversion) {
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
  [[nodiscard]] How cheapest(std::vector<How> const& able, Conversion const& conversion) {
    How best;
    Time least{INT64_MAX};
    for (auto const& how : able) {
      auto const time = time_of(conversion, how);
      if (time >= least) continue;
      best = how;
      least = time;
    }
    return best;
  }

  [[nodiscard]] Time time_of(Conversion conversion, How const& how) {
    bool const is_sum = conversion.kind == Conversion::Kind::gradient_sum;
    if (is_sum && how && conversion.pieces == arch::SumPieces::padded) {
      auto const piece = padded_piece(*tiling_, conversion.tensor, conversion.from, *how);
      return time_of(two_byte_sum(conversion.from, how), element_size_ * piece.value());
    }
    conversion.collective = how;
    return exchange_time(*topology_, stage_->mesh, element_size_,
                         exchanges_of(*tiling_, conversion, everybody(stage_->mesh.devices.size()),
                                      Waits::left_out));
  }

  /// What is carried in each round where a piece has two bytes: so its halves, which may go two
  /// ways, are whole.
  using Rounds = std::vector<std::vector<arch::Topology::Load>>;

  [[nodiscard]] static Time time_of(Rounds const& of_two_bytes, Bytes piece) {
    EXPECTS(piece.value() % 2 == 0, piece);
    Time sum{0};
    for (auto loads : of_two_bytes) {
      for (auto& load : loads) load.size = load.size * (piece.value() / 2);
      sum += arch::exchange_time(loads);
    }
    return sum;
  }

  /// Of the last one by each algorithm.
  [[nodiscard]] Rounds const& two_byte_sum(Layout const& layout, How const& how) {
    std::vector<bool> levels;
    for (auto const& holding : layout) levels.push_back(holding.kind == Holding::Kind::partial);
    auto& [of, rounds] = two_byte_sums_[how.get()];
    if (of == levels) return rounds;
    of = levels;
    auto const steps = unit_all_reduce(tiling_->hierarchy(), layout, *how);
    rounds = of_each(steps, [this](ReshardStep const& step) {
      return topology_->heaviest_loads(messages_of(step, stage_->mesh, Bytes{2}));
    });
    return rounds;
  }

  arch::Topology const* topology_;
  Stage const* stage_;
  Tiling const* tiling_;
  Bytes element_size_;
  std::vector<How> candidates_;
  ConversionMemo<How> known_;  ///< by what conversions are before anything is chosen
  std::map<GroupCollective const*, std::pair<std::vector<bool>, Rounds>>
      two_byte_sums_;  ///< over which levels
};

}  // namespace

void choose_collectives(Problem const& problem, Step& step) {
  if (problem.array.execution.collectives.go_by_levels()) return;
  arch::Topology const topology{problem.array};
  for (auto const id : step.stages.ids()) {
    auto const& stage = step.stages[id];
    CollectiveChooser chooser{problem.array, topology, step, stage, tiling_of(step, id)};
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
  auto const times = of_each(steps, [&](ReshardStep const& step) {
    return arch::exchange_time(topology.heaviest_loads(messages_of(step, mesh, element_size)));
  });
  return std::accumulate(times.begin(), times.end(), Time{0});
}

}  // namespace tessera::partition
