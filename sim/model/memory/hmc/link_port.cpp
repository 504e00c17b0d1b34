// Packets out, answers and tokens back.
#include "sim/model/memory/hmc/link_port.hpp"

namespace tessera::sim {

LinkPort::LinkPort(arch::DramSpec const& spec, std::size_t tags,
                   DramStack::Observer const& observer)
    : burst_{spec.organization.burst()},
      tags_{tags},
      cube_{spec, HmcCube::LocalSide::unused, observer},
      links_(static_cast<std::size_t>(spec.hmc.value().links),
             HmcLink{*spec.hmc, spec.hmc->tokens}) {}

std::optional<Time> LinkPort::offer(Time now, DramStack::Request const& request,
                                    std::vector<Answer>& /*out*/) {
  for (; !answers_.empty() && answers_.top() <= now; answers_.pop()) --unanswered_;
  if (unanswered_ == tags_) return answers_.empty() ? cube_.next_wakeup().value() : answers_.top();
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

void LinkPort::advance(Time now, std::vector<Answer>& out) {
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

std::int64_t LinkPort::link_flits() const {
  auto sum = cube_.flits_sent();
  for (auto const& link : links_) sum += link.flits();
  return sum;
}

void LinkPort::send(std::size_t link) {
  links_[link].advance([&](Time at, HmcPacket const& packet) {
    cube_.push(at, HmcCube::Side::upstream, link, packet);
  });
}

}  // namespace tessera::sim
