// Messages between the host and the cubes of a chain, in order of time.
#include "test/support/memory/hmc_host.hpp"

#include <algorithm>
#include <functional>
#include <queue>

namespace tessera::test {

namespace {

using sim::HmcCube;
using sim::HmcPacket;
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
  Host(arch::DramSpec const& spec, std::vector<HmcPacket> const& requests, std::size_t outstanding,
       Side side, std::size_t cubes)
      : requests_{requests}, outstanding_{outstanding}, side_{side}, cubes_(cubes, HmcCube{spec}) {
    links_.assign(static_cast<std::size_t>(spec.hmc->links),
                  sim::HmcLink{*spec.hmc, spec.hmc->tokens});
  }

  HostRun run() {
    send(Time{0});
    while (result_.responses < static_cast<std::int64_t>(requests_.size())) step();
    for (auto const& cube : cubes_) {
      result_.flits += cube.flits_sent();
      result_.dram += cube.statistics();
    }
    for (auto const& link : links_) result_.flits += link.flits();
    return result_;
  }

 private:
  void step() {
    Time now = mail_.empty() ? Time{INT64_MAX} : mail_.top().at;
    for (auto const& cube : cubes_) {
      if (auto const wakeup = cube.next_wakeup()) now = std::min(now, *wakeup);
    }
    EXPECTS(now < Time{INT64_MAX}, result_.responses);
    while (!mail_.empty() && mail_.top().at <= now) {
      auto const mail = mail_.top();
      mail_.pop();
      if (mail.to == host) {
        receive(now, mail);
      } else {
        cubes_[mail.to].push(now, mail.side, mail.link, mail.packet);
      }
    }
    for (std::size_t i = 0; i < cubes_.size(); ++i) advance(i, now);
    send(now);
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
    if (mail.packet.tag == 0) result_.first_latency = now;
    result_.finished = std::max(result_.finished, now);
    ++result_.responses;
    --waiting_;
  }

  void send(Time now) {
    for (; next_ < requests_.size() && waiting_ < outstanding_; ++next_, ++waiting_) {
      auto packet = requests_[next_];
      packet.tag = next_;
      packet.hops = static_cast<std::int64_t>(cubes_.size()) - 1;
      if (side_ == Side::local) {
        mail_.push({now, 0, Side::local, 0, packet});
      } else {
        links_[next_ % links_.size()].push(packet);
      }
    }
    for (std::size_t link = 0; link < links_.size(); ++link) {
      links_[link].advance(now, [&](Time at, HmcPacket const& packet) {
        mail_.push({at, 0, Side::upstream, link, packet});
      });
    }
  }

  std::vector<HmcPacket> const& requests_;
  std::size_t outstanding_;
  Side side_;
  std::vector<HmcCube> cubes_;
  std::vector<sim::HmcLink> links_;
  std::size_t next_ = 0;
  std::size_t waiting_ = 0;
  std::priority_queue<Mail, std::vector<Mail>, std::greater<>> mail_;
  HostRun result_;
};

}  // namespace

HostRun run_host(arch::DramSpec const& spec, std::vector<HmcPacket> const& requests,
                 std::size_t outstanding, Side side, std::size_t cubes) {
  return Host{spec, requests, outstanding, side, cubes}.run();
}

std::vector<HmcPacket> sequential(std::size_t count, std::int64_t bytes, sim::Access access) {
  std::vector<HmcPacket> all(count);
  for (std::size_t i = 0; i < count; ++i) {
    all[i].address = i * static_cast<std::uint64_t>(bytes);
    all[i].bytes = bytes;
    all[i].access = access;
  }
  return all;
}

}  // namespace tessera::test
