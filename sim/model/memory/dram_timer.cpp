// The constraints, in one place.
#include "sim/model/memory/dram_timer.hpp"

#include <algorithm>

namespace tessera::sim {

using detail::raise;

DramTimer::DramTimer(arch::DramSpec const& spec) : timing_{spec.timing} {
  auto const& organization = spec.organization;
  auto const size = [](std::int64_t count) { return static_cast<std::size_t>(count); };
  banks_.resize(size(organization.banks_per_channel()));
  EXPECTS(banks_.size() <= 64, banks_.size());
  groups_.resize(size(organization.all_ranks() * organization.bank_groups));
  ranks_.resize(size(organization.all_ranks()));
  buses_.resize(size(organization.pseudo_channels));
  for (std::size_t index = 0; index < banks_.size(); ++index) {
    auto const rank = index / size(organization.banks_per_rank());
    auto& bank = banks_[index];
    bank.group = static_cast<std::uint16_t>(index / size(organization.banks));
    bank.rank = static_cast<std::uint16_t>(rank);
    bank.bus = static_cast<std::uint16_t>(rank / size(organization.ranks));
    auto& group = groups_[bank.group];
    group.rank = bank.rank;
    group.bus = bank.bus;
  }
}

void DramTimer::activate(std::int64_t cycle, std::size_t index, std::uint32_t row) {
  auto& bank = banks_[index];
  auto& rank = ranks_[bank.rank];
  bank.is_open = true;
  bank.row = row;
  bank.last_use = cycle;
  bank.activate = cycle + timing_.tRC;
  bank.precharge = cycle + timing_.tRAS;
  bank.read = cycle + timing_.tRCD;
  bank.write = cycle + timing_.tRCDWR;
  groups_[bank.group].activate = cycle + timing_.tRRD_L;
  rank.activate = cycle + timing_.tRRD_S;
  rank.activates[rank.oldest] = cycle;
  rank.oldest = (rank.oldest + 1) % rank.activates.size();
}

void DramTimer::precharge(std::int64_t cycle, std::size_t index) {
  auto& bank = banks_[index];
  bank.is_open = false;
  raise(bank.activate, cycle + timing_.tRP);
}

void DramTimer::auto_precharge(std::size_t index) { precharge(banks_[index].precharge, index); }

void DramTimer::block(std::size_t index, std::int64_t until) {
  raise(banks_[index].activate, until);
}

void DramTimer::serialize(std::int64_t now, StateWriter& out, std::uint32_t row) const {
  // A time that no constraint reaches any more is as good as long ago.
  auto const ahead = [&](std::int64_t time) { out.put(std::max<std::int64_t>(time - now, 0)); };
  // These are added to before they are compared.
  auto const behind = [&](std::int64_t time, std::int64_t reach) {
    out.put(std::max(time - now, -reach));
  };
  for (auto const& bank : banks_) {
    out.put(bank.is_open ? 1 : 0);
    out.put(bank.is_open ? std::int64_t{bank.row} - row : 0);
    for (auto const time : {bank.activate, bank.precharge, bank.read, bank.write}) ahead(time);
  }
  auto const put_shared = [&](Shared const& it) {
    for (auto const time : {it.activate, it.read, it.write}) ahead(time);
  };
  for (auto const& group : groups_) put_shared(group);
  for (auto const& rank : ranks_) {
    put_shared(rank);
    for (std::size_t i = 0; i < rank.activates.size(); ++i) {
      behind(rank.activates[(rank.oldest + i) % rank.activates.size()], timing_.tFAW);
    }
  }
  for (auto const& bus : buses_) {
    auto const reach = timing_.tRTRS;
    behind(bus.free, reach);
    bool const matters = bus.free + reach > now;
    out.put(matters ? 2 * std::int64_t{bus.rank} + (bus.access == Access::write ? 1 : 0) : 0);
  }
}

void DramTimer::serialize_uses(std::int64_t now, StateWriter& out) const {
  for (auto const& bank : banks_) out.put(bank.is_open ? bank.last_use - now : 0);
}

void DramTimer::move_rows(std::uint32_t by) {
  for (auto& bank : banks_) bank.row += by;
}

void DramTimer::shift(std::int64_t by) {
  for (auto& bank : banks_) {
    for (auto* const time :
         {&bank.activate, &bank.precharge, &bank.read, &bank.write, &bank.last_use}) {
      *time += by;
    }
  }
  auto const move = [by](Shared& it) {
    for (auto* const time : {&it.activate, &it.read, &it.write}) *time += by;
  };
  for (auto& group : groups_) move(group);
  for (auto& rank : ranks_) {
    move(rank);
    for (auto& time : rank.activates) time += by;
  }
  for (auto& bus : buses_) bus.free += by;
}

}  // namespace tessera::sim
