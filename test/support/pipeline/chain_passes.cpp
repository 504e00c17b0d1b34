// Passes of a pipeline, simulated and by its twin, as text.
#include <algorithm>
#include <map>
#include <sstream>
#include <tuple>
#include <utility>

#include "sim/lower/lower.hpp"
#include "test/support/forked.hpp"
#include "test/support/pipeline/staged_chain.hpp"
#include "traces/sink.hpp"

namespace tessera::test {

namespace {

using partition::Pass;
using workloads::Phase;

constexpr std::int64_t picoseconds_per_clock = 1000;

/// A task as the test looks at it.
struct Ended {
  std::int64_t end = 0;
  std::string what;
  friend bool operator<(Ended const& a, Ended const& b) {
    return std::tie(a.end, a.what) < std::tie(b.end, b.what);
  }
};

std::string text_of(std::vector<std::vector<Ended>> all) {
  std::ostringstream text;
  for (std::size_t accelerator = 0; accelerator < all.size(); ++accelerator) {
    auto& passes = all[accelerator];
    std::sort(passes.begin(), passes.end());
    text << "accelerator " << accelerator << ":";
    for (auto const& [end, what] : passes) text << ' ' << end << ' ' << what << ',';
    text << '\n';
  }
  return text.str();
}

/// Keeps the computations of passes.
class PassSink final : public traces::Sink {
 public:
  struct Computation {
    std::size_t accelerator = 0;
    std::size_t part = 0;
    Phase phase = Phase::forward;
    std::int64_t begin = 0;  ///< ps
    std::int64_t end = 0;    ///< ps
  };

  /// Of computations, or of what ends them where they have memories.
  explicit PassSink(StagedChain const& chain)
      : kind_{chain.memories.empty() ? sim::TaskKind::compute : sim::TaskKind::store} {}

  void begin(traces::RunDescription const&) override {}
  void record(traces::TaskEvent const& event) override {
    auto const phase = static_cast<Phase>(event.phase);
    bool const is_pass = phase != Phase::update;
    if (static_cast<sim::TaskKind>(event.kind) != kind_ || !is_pass) return;
    passes.push_back({event.accelerator, event.op, phase, event.start.value(), event.end.value()});
  }
  void end(traces::RunSummary const&) override {}

  std::vector<Computation> passes;

 private:
  sim::TaskKind kind_;
};

/// The passes of a simulation, as text() of them says.
template <typename Text>
std::string simulated(StagedChain const& chain, sim::RunOptions const& options, Text text) {
  auto const network = network_of(chain);
  auto const array = array_of(chain);
  auto const plan = plan_of(chain, network, array);
  return forked([&] {
    PassSink sink{chain};
    auto const report = sim::run(array, sim::lower(network, array, plan), sink, options);
    if (!report.stuck.empty()) return "stuck: " + report.stuck.front();
    return text(sink, report);
  });
}

/// The parts of a slot, and when they end.
std::vector<std::pair<Phase, std::int64_t>> ends_of(TimedSlot const& slot, PassTimes const& times) {
  switch (slot.slot.pass) {
    case Pass::forward:
      return {{Phase::forward, slot.end}};
    case Pass::backward:
      return {{Phase::backward_data, slot.begin + times.backward_data},
              {Phase::backward_weight, slot.end}};
    case Pass::backward_data:
      return {{Phase::backward_data, slot.end}};
    case Pass::backward_weight:
      return {{Phase::backward_weight, slot.end}};
    case Pass::update:
      break;
  }
  return {};
}

std::string what(std::size_t part, Phase phase) { return part_name(part) + '.' + name(phase); }

}  // namespace

std::string simulated_passes(StagedChain const& chain, sim::RunOptions const& options) {
  return simulated(chain, options, [&](PassSink const& sink, sim::Report const&) {
    std::vector<std::vector<Ended>> all(chain.accelerators());
    for (auto const& pass : sink.passes) {
      EXPECTS(pass.end % picoseconds_per_clock == 0, pass.end);
      all[pass.accelerator].push_back(
          {pass.end / picoseconds_per_clock, what(pass.part, pass.phase)});
    }
    return text_of(std::move(all));
  });
}

std::string passes_of(StagedChain const& chain, Timeline const& timeline) {
  std::vector<std::vector<Ended>> all;
  for (std::size_t stage = 0; stage < timeline.size(); ++stage) {
    for (auto const& slots : timeline[stage]) {
      auto& passes = all.emplace_back();
      for (auto const& slot : slots) {
        auto const part = static_cast<std::size_t>(slot.slot.chunk) * chain.shape.stages() + stage;
        for (auto const& [phase, end] : ends_of(slot, chain.times.stages[stage])) {
          passes.push_back({end, what(part, phase)});
        }
      }
    }
  }
  return text_of(std::move(all));
}

StepClocks simulated_clocks(StagedChain const& chain) {
  std::istringstream text{simulated(chain, {}, [](PassSink const& sink, sim::Report const& report) {
    std::map<std::size_t, std::pair<std::int64_t, std::int64_t>> spans;
    for (auto const& pass : sink.passes) {
      auto& [begin, end] = spans.try_emplace(pass.accelerator, pass.begin, pass.end).first->second;
      begin = std::min(begin, pass.begin);
      end = std::max(end, pass.end);
    }
    std::int64_t longest = 0;
    for (auto const& [accelerator, span] : spans) {
      longest = std::max(longest, span.second - span.first);
    }
    return std::to_string(report.summary.time.value()) + ' ' + std::to_string(longest);
  })};
  StepClocks clocks;
  text >> clocks.time >> clocks.span;
  EXPECTS(clocks.time % picoseconds_per_clock == 0, clocks.time);
  EXPECTS(clocks.span % picoseconds_per_clock == 0, clocks.span);
  return {clocks.time / picoseconds_per_clock, clocks.span / picoseconds_per_clock};
}

}  // namespace tessera::test
