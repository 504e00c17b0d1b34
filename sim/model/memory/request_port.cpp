// Times of the requester, clocks of the memory.
#include "sim/model/memory/request_port.hpp"

#include <algorithm>
#include <functional>
#include <queue>

#include "sim/model/memory/hmc/hmc_cube.hpp"

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

class LinkPort final : public RequestPort {
 public:
  LinkPort(arch::DramSpec const& spec, std::size_t tags)
      : burst_{spec.organization.burst()},
        tags_{tags},
        cube_{spec, HmcCube::LocalSide::unused},
        links_(static_cast<std::size_t>(spec.hmc.value().links),
               HmcLink{*spec.hmc, spec.hmc->tokens}) {}

  std::optional<Time> offer(Time now, DramStack::Request const& request,
                            std::vector<Answer>& /*out*/) override {
    for (; !answers_.empty() && answers_.top() <= now; answers_.pop()) --unanswered_;
    if (unanswered_ == tags_)
      return answers_.empty() ? cube_.next_wakeup().value() : answers_.top();
    ++unanswered_;
    HmcPacket packet;
    packet.tag = request.tag;
    packet.address = request.address;
    packet.access = request.access;
    packet.bytes = static_cast<std::int32_t>((burst_ * request.bursts).value());
    links_[next_link_].push(now, packet);
    send(next_link_);
    next_link_ = (next_link_ + 1) % links_.size();
    return std::nullopt;
  }

  void advance(Time now, std::vector<Answer>& out) override {
    cube_.advance(now, outputs_);
    for (auto const& [at, side, link, packet] : outputs_) {
      if (packet.kind == HmcPacket::Kind::tokens) {
        links_[link].give_back(at, packet.tokens);
        send(link);
      } else {
        out.push_back({packet.tag, at});
        answers_.push(at);
      }
    }
    outputs_.clear();
  }

  std::optional<Time> next_wakeup() const override { return cube_.next_wakeup(); }
  DramStatistics statistics() const override { return cube_.statistics(); }
  std::int64_t link_flits() const override {
    auto sum = cube_.flits_sent();
    for (auto const& link : links_) sum += link.flits();
    return sum;
  }

 private:
  void send(std::size_t link) {
    links_[link].advance([&](Time at, HmcPacket const& packet) {
      cube_.push(at, HmcCube::Side::upstream, link, packet);
    });
  }

  Bytes burst_;
  std::size_t tags_;
  HmcCube cube_;
  std::vector<HmcLink> links_;
  std::size_t next_link_ = 0;
  std::size_t unanswered_ = 0;
  std::priority_queue<Time, std::vector<Time>, std::greater<>> answers_;  ///< still to come
  std::vector<HmcCube::Output> outputs_;
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
