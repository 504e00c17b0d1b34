// Skips the clocks in which nothing can be accepted.
#include "sim/model/memory/closed_loop.hpp"

#include <algorithm>
#include <functional>
#include <queue>

namespace tessera::sim {

namespace {

class Loop {
 public:
  Loop(arch::DramSpec const& spec, std::vector<TimedRequest> const& requests, LoopRule const& rule,
       DramStack::Observer const& observer)
      : spec_{spec},
        requests_{requests},
        rule_{rule},
        is_bounded_{rule.outstanding != SIZE_MAX},
        stack_{spec, observer},
        accepted_(requests.size()),
        answered_(requests.size(), -1) {}

  MemoryRun run() {
    while (next_ < requests_.size()) step();
    while (auto const wakeup = stack_.next_wakeup()) {
      stack_.advance(*wakeup, out_);
      collect();
    }
    return result();
  }

 private:
  void step() {
    if (requests_[next_].cycle > cycle_) go_to(requests_[next_].cycle);
    if (is_bounded_) settle();
    if (outstanding_ >= rule_.outstanding) return wait_for_an_answer();
    auto const& request = requests_[next_].request;
    auto const retry = stack_.offer(cycle_, request, out_);
    if (!retry) accept(request);
    collect();
    if (retry) return go_to(*retry);
    if (++offered_ == rule_.width) go_to(cycle_ + 1);
  }

  void go_to(std::int64_t cycle) {
    cycle_ = cycle;
    offered_ = 0;
  }

  void accept(DramStack::Request const& request) {
    accepted_[next_] = cycle_;
    ++next_;
    ++outstanding_;
    if (is_posted(request)) answer(request.tag, cycle_ + *rule_.posted_writes);
  }

  [[nodiscard]] bool is_posted(DramStack::Request const& request) const {
    return rule_.posted_writes && request.access == Access::write;
  }

  void answer(std::uint64_t tag, std::int64_t cycle) {
    answered_[tag] = cycle;
    if (is_bounded_) answers_.push(cycle);
  }

  void collect() {
    for (auto const& it : out_) {
      if (!is_posted(requests_[it.tag].request)) answer(it.tag, it.done);
    }
    out_.clear();
  }

  /// Everything that was answered before this clock.
  void settle() {
    stack_.advance(cycle_ - 1, out_);
    collect();
    while (!answers_.empty() && answers_.top() < cycle_) answers_.pop(), --outstanding_;
  }

  void wait_for_an_answer() {
    auto const wakeup = stack_.next_wakeup();
    auto const answer = answers_.empty() ? INT64_MAX : answers_.top() + 1;
    go_to(std::max(cycle_ + 1, wakeup ? std::min(answer, *wakeup + 1) : answer));
  }

  [[nodiscard]] MemoryRun result() const {
    MemoryRun run;
    auto const burst = spec_.organization.burst();
    for (std::size_t i = 0; i < requests_.size(); ++i) {
      auto const& request = requests_[i].request;
      run.finished = std::max(run.finished, spec_.clock_period * answered_[i]);
      run.bytes += burst * request.bursts;
      auto& latencies = request.access == Access::read ? run.read_latency : run.write_latency;
      latencies.push_back(spec_.clock_period * (answered_[i] - accepted_[i]));
    }
    run.dram = stack_.statistics();
    return run;
  }

  arch::DramSpec const& spec_;
  std::vector<TimedRequest> const& requests_;
  LoopRule rule_;
  bool is_bounded_;
  DramStack stack_;
  std::vector<std::int64_t> accepted_, answered_;
  std::vector<DramCompletion> out_;
  std::priority_queue<std::int64_t, std::vector<std::int64_t>, std::greater<>> answers_;
  std::int64_t cycle_ = 0;
  std::size_t next_ = 0;
  std::size_t outstanding_ = 0;
  int offered_ = 0;
};

}  // namespace

MemoryRun closed_loop(arch::DramSpec const& spec, std::vector<TimedRequest> const& requests,
                      LoopRule const& rule, DramStack::Observer const& observer) {
  return Loop{spec, requests, rule, observer}.run();
}

}  // namespace tessera::sim
