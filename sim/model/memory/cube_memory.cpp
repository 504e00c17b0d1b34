// Block by block over the links, then a copy to the last answer.
#include "sim/model/memory/cube_memory.hpp"

#include <algorithm>

namespace tessera::sim {

namespace {

/// Commands of the first vault: a file of commands has one for each accelerator.
DramStack::Observer of_first_vault(arch::DramSpec const& dram, MemoryParts const& parts) {
  if (!parts.commands) return {};
  return [tell = parts.commands, period = dram.clock_period](std::size_t vault,
                                                             DramCommand const& command) {
    if (vault == 0) tell(period * command.cycle, command);
  };
}

}  // namespace

CubeMemory::CubeMemory(arch::DramMemorySpec const& spec, MemoryParts const& parts)
    : Memory{parts.clock, parts.graph},
      block_{largest_request(spec.dram)},
      bursts_{static_cast<std::uint16_t>(block_ / spec.dram.organization.burst())},
      blocks_{spec.dram.organization.capacity() / block_},
      links_{spec.dram.hmc.value().links},
      vaults_{static_cast<std::size_t>(spec.dram.organization.channels)},
      utilisation_{parts.utilisation},
      port_{spec.dram, static_cast<std::size_t>(spec.links.value().outstanding),
            of_first_vault(spec.dram, parts)},
      ahead_{port_} {}

MemoryInside CubeMemory::inside() {
  MemoryInside inside{"vault", 0};
  inside.together.push_back({"crossbar", "crossbar"});
  for (std::int64_t link = 0; link < links_; ++link) {
    inside.together.push_back({"link-" + std::to_string(link), "link"});
  }
  for (std::size_t vault = 0; vault < vaults_; ++vault) {
    inside.together.push_back({"vault-" + std::to_string(vault), "vault"});
  }
  return inside;
}

Memory::Result CubeMemory::perform(Task const& task, Time now) {
  auto const end = transfer(now, {access_of(task), next_address_, task.bytes});
  next_address_ += block_ * ceil_ratio(task.bytes, block_);
  return {end};
}

Time CubeMemory::transfer(Time at, Transfer const& transfer) {
  if (transfer.size == Bytes{0}) return at;
  auto const first = transfer.address / block_;
  auto const end = ceil_ratio(transfer.address + transfer.size, block_);
  ++transfers_;
  waiting_ = end - first;
  done_ = Time{0};
  sent_ = std::max(sent_, at);
  for (auto block = first; block < end; ++block) {
    auto const address = block_ * (block % blocks_);
    send({transfers_, static_cast<std::uint64_t>(address.value()), transfer.access, bursts_});
  }
  auto const last = last_answer();
  count(transfer, at, last);
  return last;
}

void CubeMemory::send(DramStack::Request const& request) {
  go_on(sent_);
  while (auto const again = port_.offer(sent_, request, answers_)) {
    if (*again > sent_) {
      sent_ = *again;
      go_on(sent_);
    } else {
      port_.advance(*port_.next_wakeup(), answers_);
      take_answers();
    }
  }
}

void CubeMemory::go_on(Time now) {
  for (auto next = port_.next_wakeup(); next && *next < now; next = port_.next_wakeup()) {
    port_.advance(*next, answers_);
    take_answers();
  }
}

void CubeMemory::take_answers() {
  for (auto const& answer : answers_) {
    if (answer.tag != transfers_) continue;
    --waiting_;
    done_ = std::max(done_, answer.at);
  }
  answers_.clear();
}

Time CubeMemory::last_answer() {
  if (waiting_ == 0) return done_;
  ahead_ = port_;
  ahead_.silence();
  while (waiting_ > 0) {
    ahead_.advance(*ahead_.next_wakeup(), answers_);
    take_answers();
  }
  return done_;
}

void CubeMemory::close(Time end) {
  while (auto const next = port_.next_wakeup()) port_.advance(*next, answers_);
  answers_.clear();
  port_.close(end);
  count_commands();
}

/// Busy while anything is asked for and not there.
void CubeMemory::count(Transfer const& transfer, Time start, Time end) {
  auto const from = std::max(start, busy_until_);
  busy_until_ = std::max(busy_until_, end);
  utilisation_.add(from, busy_until_);
  statistics_[busy_time].add((busy_until_ - from).value());
  statistics_[transfer.access == Access::read ? bytes_read : bytes_written].add(
      transfer.size.value());
  statistics_[words].add(words_of(transfer.size));
}

void CubeMemory::count_commands() {
  auto const now = port_.statistics();
  auto const set = [this](Counter counter, std::int64_t value) {
    statistics_[counter].add(value - statistics_[counter].value);
  };
  set(activates, now.activates);
  set(bursts_read, now.reads);
  set(bursts_written, now.writes);
  set(refreshes, now.refreshes);
  set(active_clocks, now.active_clocks);
  set(bank_refreshes, now.bank_refreshes);
  set(link_flits, port_.link_flits());
}

/// Never alike: nothing of it is to be repeated.
void CubeMemory::serialize(Time now, StateWriter& out) const { out.put(now.value()); }

}  // namespace tessera::sim
