// Messages between the host and the cubes of a chain, in order of time.
#include "sim/model/memory/hmc_host.hpp"

#include <algorithm>
#include <functional>
#include <queue>

namespace tessera::sim {

namespace {

using Side = HmcCube::Side;

constexpr std::size_t host = SIZE_MAX;

struct Mail {
  Time at;
  std::size_t to;  ///< a cube, or the host
  Side side;       ///< from where
  std::size_t link;
  HmcPacket packet;
  [[nodiscard]] auto key() const { return std::tuple{at.value(), to, side, link, packet.key()}; }
  friend bool operator>(Mail const& a, Mail const& b) { return a.key() > b.key(); }
};

class Host {
 public:
  Host(arch::DramSpec const& spec, std::vector<TimedRequest> const& requests, HostRule const& rule,
       DramStack::Observer const& observer)
      : spec_{spec}, requests_{requests}, rule_{rule}, sent_(requests.size()) {
    latency_.resize(requests.size());
    cubes_.reserve(rule.cubes);
    for (std::size_t i = 0; i < rule.cubes; ++i) {
      cubes_.emplace_back(spec, i + 1 == rule.cubes ? observer : DramStack::Observer{});
    }
    links_.assign(static_cast<std::size_t>(spec.hmc.value().links),
                  HmcLink{*spec.hmc, spec.hmc->tokens});
  }

  MemoryRun run() {
    while (answers_ < requests_.size()) step();
    for (auto const& cube : cubes_) {
      result_.link_flits += cube.flits_sent();
      result_.dram += cube.statistics();
    }
    for (auto const& link : links_) result_.link_flits += link.flits();
    for (std::size_t i = 0; i < requests_.size(); ++i) {
      auto const& request = requests_[i].request;
      result_.bytes += spec_.organization.burst() * request.bursts;
      auto& latencies =
          request.access == Access::read ? result_.read_latency : result_.write_latency;
      latencies.push_back(latency_[i]);
    }
    return result_;
  }

 private:
  void step() {
    auto const now = next_event();
    EXPECTS(now < Time{INT64_MAX}, answers_);
    while (!mail_.empty() && mail_.top().at <= now) {
      auto const mail = mail_.top();
      mail_.pop();
      if (mail.to == host) {
        receive(now, mail);
      } else {
        cubes_[mail.to].push(now, mail.side, mail.link, mail.packet);
      }
    }
    send(now);
    for (std::size_t i = 0; i < cubes_.size(); ++i) advance(i, now);
  }

  [[nodiscard]] Time next_event() const {
    Time next = mail_.empty() ? Time{INT64_MAX} : mail_.top().at;
    for (auto const& cube : cubes_) {
      if (auto const wakeup = cube.next_wakeup()) next = std::min(next, *wakeup);
    }
    bool const may_send = next_ < requests_.size() && waiting_ < rule_.outstanding;
    return may_send ? std::min(next, due(next_)) : next;
  }

  [[nodiscard]] Time due(std::size_t index) const {
    return spec_.clock_period * requests_[index].cycle;
  }

  void advance(std::size_t index, Time now) {
    std::vector<HmcCube::Output> out;
    cubes_[index].advance(now, out);
    for (auto const& [at, side, link, packet] : out) {
      if (side == Side::downstream) {
        mail_.push({at, index + 1, Side::upstream, link, packet});
      } else if (side == Side::upstream && index > 0) {
        mail_.push({at, index - 1, Side::downstream, link, packet});
      } else {
        mail_.push({at, host, side, link, packet});
      }
    }
  }

  void receive(Time now, Mail const& mail) {
    if (mail.packet.kind == HmcPacket::Kind::tokens) {
      links_[mail.link].give_back(mail.packet.tokens);
      return;
    }
    latency_[mail.packet.tag] = now - sent_[mail.packet.tag];
    result_.finished = std::max(result_.finished, now);
    ++answers_;
    --waiting_;
  }

  void send(Time now) {
    while (next_ < requests_.size() && waiting_ < rule_.outstanding && due(next_) <= now) {
      auto const packet = packet_of(next_);
      sent_[next_] = now;
      if (rule_.side == Side::local) {
        cubes_[0].push(now, Side::local, 0, packet);
      } else {
        links_[next_ % links_.size()].push(packet);
      }
      ++next_;
      ++waiting_;
    }
    for (std::size_t link = 0; link < links_.size(); ++link) {
      links_[link].advance(now, [&](Time at, HmcPacket const& packet) {
        mail_.push({at, 0, Side::upstream, link, packet});
      });
    }
  }

  [[nodiscard]] HmcPacket packet_of(std::size_t index) const {
    auto const& request = requests_[index].request;
    HmcPacket packet;
    packet.tag = index;
    packet.address = request.address;
    packet.access = request.access;
    packet.bytes = (spec_.organization.burst() * request.bursts).value();
    packet.hops = static_cast<std::int64_t>(cubes_.size()) - 1;
    return packet;
  }

  arch::DramSpec const& spec_;
  std::vector<TimedRequest> const& requests_;
  HostRule rule_;
  std::vector<HmcCube> cubes_;
  std::vector<HmcLink> links_;
  std::vector<Time> sent_, latency_;
  std::size_t next_ = 0;
  std::size_t waiting_ = 0;
  std::size_t answers_ = 0;
  std::priority_queue<Mail, std::vector<Mail>, std::greater<>> mail_;
  MemoryRun result_;
};

}  // namespace

MemoryRun run_host(arch::DramSpec const& spec, std::vector<TimedRequest> const& requests,
                   HostRule const& rule, DramStack::Observer const& observer) {
  return Host{spec, requests, rule, observer}.run();
}

}  // namespace tessera::sim
