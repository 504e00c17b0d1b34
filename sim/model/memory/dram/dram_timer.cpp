// The constraints, in one place.
#include "sim/model/memory/dram/dram_timer.hpp"

#include <algorithm>

namespace tessera::sim {

DramTimer::DramTimer(arch::DramSpec const& spec)
    : timing_{spec.timing},
      sending_{spec.timing.tACT - 1},
      banks_of_group_{static_cast<std::size_t>(spec.organization.banks)},
      groups_of_rank_{static_cast<std::size_t>(spec.organization.bank_groups)},
      groups_of_bus_{groups_of_rank_ * static_cast<std::size_t>(spec.organization.ranks)},
      gaps_{gaps_after(Access::read), gaps_after(Access::write)},
      banks_(static_cast<std::size_t>(spec.organization.banks_per_channel())),
      gates_(4 * groups_of_rank_ * static_cast<std::size_t>(spec.organization.all_ranks()),
             long_ago),
      windows_(static_cast<std::size_t>(spec.organization.all_ranks())) {
  EXPECTS(banks_.size() <= 64, banks_.size());
  auto const banks_of_group = static_cast<std::size_t>(spec.organization.banks);
  for (std::size_t index = 0; index < banks_.size(); ++index) {
    banks_[index].group = static_cast<std::uint16_t>(index / banks_of_group);
  }
}

DramTimer::Gaps DramTimer::gaps_after(Access access) const {
  auto const& t = timing_;
  auto const end = data_end(access);
  bool const reads = access == Access::read;
  // The data bus: the next data begin behind these, and tRTRS later where rank or direction change.
  auto const turn_to_read = end + t.tRTRS - t.tCL;
  auto const turn_to_write = end + t.tRTRS - t.tCWL;
  if (reads) {
    return {{std::max(t.tCCD_L, t.tBL), turn_to_write},
            {std::max(t.tCCD_S, t.tBL), turn_to_write},
            {t.tBL + t.tRTRS, turn_to_write}};
  }
  return {{std::max(end + t.tWTR_L, turn_to_read), std::max(t.tCCD_L, t.tBL)},
          {std::max(end + t.tWTR_S, turn_to_read), std::max(t.tCCD_S, t.tBL)},
          {turn_to_read, t.tBL + t.tRTRS}};
}

std::int64_t DramTimer::activate(std::int64_t cycle, std::size_t index, std::uint32_t row) {
  auto& bank = banks_[index];
  bank.is_open = true;
  bank.row = row;
  auto const sent = cycle + sending_;
  bank.last_use = sent;
  bank.earliest[index_of(BankCommand::activate)] = cycle + timing_.tRC;
  bank.earliest[index_of(BankCommand::precharge)] = sent + timing_.tRAS;
  bank.earliest[index_of(BankCommand::read)] = sent + timing_.tRCD;
  bank.earliest[index_of(BankCommand::write)] = sent + timing_.tRCDWR;
  auto const rank = bank.group / groups_of_rank_;
  auto& window = windows_[rank];
  window.activates[window.oldest] = cycle;
  window.oldest = (window.oldest + 1) % window.activates.size();
  auto const next =
      std::max(cycle + timing_.tRRD_S, window.activates[window.oldest] + timing_.tFAW);
  auto const first = rank * groups_of_rank_;
  for (auto group = first; group < first + groups_of_rank_; ++group) {
    raise_to(gates_[gate_of_group(BankCommand::activate, group)], next);
  }
  raise_to(gates_[gate_of_group(BankCommand::activate, bank.group)], cycle + timing_.tRRD_L);
  return sent;
}

void DramTimer::precharge(std::int64_t cycle, std::size_t index) {
  auto& bank = banks_[index];
  bank.is_open = false;
  block(index, cycle + timing_.tRP);
}

std::int64_t DramTimer::auto_precharge(std::size_t index) {
  auto const cycle = of_bank(BankCommand::precharge, index);
  precharge(cycle, index);
  return cycle;
}

void DramTimer::block(std::size_t index, std::int64_t until) {
  raise_to(banks_[index].earliest[index_of(BankCommand::activate)], until - sending_);
}

void DramTimer::serialize(std::int64_t now, StateWriter& out, BankView const& view,
                          Rows rows) const {
  // A time that no constraint reaches any more is as good as long ago.
  auto const ahead = [&](std::int64_t time) { out.put(std::max<std::int64_t>(time - now, 0)); };
  for (std::size_t i = 0; i < banks_.size(); ++i) {
    auto const index = view.bank(i);
    auto const& bank = banks_[index];
    out.put(bank.is_open ? 1 : 0);
    bool const tells = bank.is_open && rows == Rows::told;
    out.put(tells ? std::int64_t{bank.row} - view.row_of(index) : 0);
    for (auto const time : bank.earliest) ahead(time);
  }
  for (std::size_t i = 0; i < gates_.size() / 4; ++i) {
    auto const first = 4 * group_of(view, i);
    for (auto gate = first; gate < first + 4; ++gate) ahead(gates_[gate]);
  }
  for (auto const& window : windows_) {
    for (std::size_t i = 0; i < window.activates.size(); ++i) {
      // tFAW is added to it before it is compared.
      auto const time = window.activates[(window.oldest + i) % window.activates.size()];
      out.put(std::max(time - now, -timing_.tFAW));
    }
  }
}

std::int64_t DramTimer::settled() const {
  auto last = *std::max_element(gates_.begin(), gates_.end());
  for (auto const& bank : banks_) {
    last = std::max(last, *std::max_element(bank.earliest.begin(), bank.earliest.end()));
  }
  for (auto const& window : windows_) {
    auto const& activates = window.activates;
    last = std::max(last, *std::max_element(activates.begin(), activates.end()) + timing_.tFAW);
  }
  return last;
}

void DramTimer::serialize_uses(std::int64_t now, StateWriter& out) const {
  for (auto const& bank : banks_) out.put(bank.is_open ? bank.last_use - now : 0);
}

void DramTimer::turn(DramTimer const& other, BankView const& from, BankView const& to) {
  for (std::size_t i = 0; i < banks_.size(); ++i) {
    auto const source = from.bank(i);
    auto const index = to.bank(i);
    auto& bank = banks_[index];
    auto const group = bank.group;
    bank = other.banks_[source];
    bank.group = group;
    bank.row += to.row_of(index) - from.row_of(source);
  }
  for (std::size_t i = 0; i < gates_.size() / 4; ++i) {
    auto const source = 4 * other.group_of(from, i);
    auto const first = 4 * group_of(to, i);
    for (std::size_t gate = 0; gate < 4; ++gate) gates_[first + gate] = other.gates_[source + gate];
  }
  windows_ = other.windows_;
}

void DramTimer::shift(std::int64_t by) {
  for (auto& bank : banks_) {
    for (auto& time : bank.earliest) time += by;
    bank.last_use += by;
  }
  for (auto& time : gates_) time += by;
  for (auto& window : windows_) {
    for (auto& time : window.activates) time += by;
  }
}

}  // namespace tessera::sim
