// Times of the requester, clocks of the memory.
#include "sim/model/memory/request_port.hpp"

#include <algorithm>

#include "sim/model/memory/hmc/link_port.hpp"

namespace tessera::sim {

namespace {

class LocalPort final : public RequestPort {
 public:
  explicit LocalPort(arch::DramSpec const& spec)
      : period_{spec.clock_period}, width_{spec.organization.channels}, stack_{spec} {}

  std::optional<Time> offer(Time now, DramStack::Request const& request,
                            std::vector<Answer>& out) override {
    auto const cycle = cycle_at_or_after(now);
    if (cycle != cycle_) offered_ = 0;
    cycle_ = cycle;
    auto const next = std::max(retry_, offered_ == width_ ? cycle + 1 : cycle);
    if (period_ * next > now) return period_ * next;
    auto const room_at = stack_.offer(cycle, request, completions_);
    collect(out);
    if (!room_at) {
      ++offered_;
      return std::nullopt;
    }
    retry_ = std::max(*room_at, cycle + 1);
    return period_ * retry_;
  }

  /// A clock is over when the next one begins.
  void advance(Time now, std::vector<Answer>& out) override {
    stack_.advance(cycle_at_or_after(now) - 1, completions_);
    collect(out);
  }

  std::optional<Time> next_wakeup() const override {
    auto const cycle = stack_.next_wakeup();
    if (!cycle) return std::nullopt;
    return period_ * (*cycle + 1);
  }

  DramStatistics statistics() const override { return stack_.statistics(); }

 private:
  [[nodiscard]] std::int64_t cycle_at_or_after(Time time) const {
    return ceil_ratio(time, period_);
  }

  void collect(std::vector<Answer>& out) {
    for (auto const& done : completions_) out.push_back({done.tag, period_ * done.done});
    completions_.clear();
  }

  Time period_;
  std::int64_t width_;
  DramStack stack_;
  std::int64_t cycle_ = -1;   ///< of the last offer
  std::int64_t offered_ = 0;  ///< taken in it
  std::int64_t retry_ = 0;    ///< the cycle in which the refused request has room
  std::vector<DramCompletion> completions_;
};

}  // namespace

std::unique_ptr<RequestPort> make_local_port(arch::DramSpec const& spec) {
  return std::make_unique<LocalPort>(spec);
}

std::unique_ptr<RequestPort> make_link_port(arch::DramSpec const& spec, std::size_t tags) {
  EXPECTS(spec.hmc && tags > 0, spec.name, tags);
  return std::make_unique<LinkPort>(spec, tags);
}

Bytes largest_request(arch::DramSpec const& spec) {
  return spec.hmc ? std::min(spec.block(), Bytes{HmcPacket::most_bytes}) : spec.block();
}

}  // namespace tessera::sim
