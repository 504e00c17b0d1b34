// Drives the event-driven channel from arrival to arrival, and from wake-up to wake-up where the queue is full; and the closed form.
#include <algorithm>

#include "sim/model/memory/dram/dram_channel.hpp"
#include "sim/model/memory/dram/dram_stream.hpp"
#include "test/support/memory/run_result.hpp"

namespace tessera::test {

RunResult run_channel(arch::DramSpec const& spec, std::vector<Arrival> const& arrivals) {
  RunResult result;
  sim::DramChannel channel{
      spec, [&](sim::DramCommand const& command) { result.commands.push_back(command); }};
  std::int64_t cycle = 0;
  for (auto const& [at, request] : arrivals) {
    cycle = std::max(cycle, at);
    channel.advance(cycle - 1, result.completions);
    while (!channel.has_room(request.access)) {
      cycle = *channel.next_wakeup() + 1;
      channel.advance(cycle - 1, result.completions);
    }
    channel.push(cycle, request);
  }
  while (auto const wakeup = channel.next_wakeup()) channel.advance(*wakeup, result.completions);
  result.active_clocks = channel.statistics().active_clocks;
  return result;
}

RunResult run_stream(arch::DramSpec const& spec, std::vector<Arrival> const& arrivals) {
  RunResult result;
  sim::DramStream stream{
      spec, [&](sim::DramCommand const& command) { result.commands.push_back(command); }};
  for (auto const& [at, request] : arrivals) {
    result.completions.push_back(stream.serve(at, request));
  }
  if (!result.completions.empty()) stream.finish(result.completions.back().issued);
  result.active_clocks = stream.statistics().active_clocks;
  std::sort(result.commands.begin(), result.commands.end(),
            [](auto const& a, auto const& b) { return a.key() < b.key(); });
  return result;
}

}  // namespace tessera::test
