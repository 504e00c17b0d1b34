// What a channel did, in whole events; times and energies are derived from these.
#pragma once

#include <cstdint>

#include "arch/memory/dram_spec.hpp"
#include "sim/model/memory/dram/dram_command.hpp"

namespace tessera::sim {

/// Integers that only grow, so that equal periods add equal amounts.
struct DramStatistics {
  std::int64_t activates = 0;
  std::int64_t precharges = 0;  ///< explicit ones; an auto-precharge has no command
  std::int64_t reads = 0;       ///< bursts
  std::int64_t writes = 0;
  std::int64_t refreshes = 0;
  std::int64_t bank_refreshes = 0;
  std::int64_t active_clocks = 0;  ///< of ranks, with a row open (open_rows.hpp)

  void count(DramCommand::Kind kind) {
    switch (kind) {
      case DramCommand::Kind::activate:
        ++activates;
        break;
      case DramCommand::Kind::precharge:
      case DramCommand::Kind::precharge_all:
        ++precharges;
        break;
      case DramCommand::Kind::read:
      case DramCommand::Kind::read_precharge:
        ++reads;
        break;
      case DramCommand::Kind::write:
      case DramCommand::Kind::write_precharge:
        ++writes;
        break;
      case DramCommand::Kind::refresh:
        ++refreshes;
        break;
      case DramCommand::Kind::refresh_bank:
        ++bank_refreshes;
        break;
    }
  }

  DramStatistics& operator+=(DramStatistics const& other) {
    activates += other.activates;
    precharges += other.precharges;
    reads += other.reads;
    writes += other.writes;
    refreshes += other.refreshes;
    bank_refreshes += other.bank_refreshes;
    active_clocks += other.active_clocks;
    return *this;
  }
  DramStatistics& operator-=(DramStatistics const& other) {
    activates -= other.activates;
    precharges -= other.precharges;
    reads -= other.reads;
    writes -= other.writes;
    refreshes -= other.refreshes;
    bank_refreshes -= other.bank_refreshes;
    active_clocks -= other.active_clocks;
    return *this;
  }
  /// Counts what happened since `before` that many times more.
  void repeat(DramStatistics const& before, std::int64_t times) {
    activates += (activates - before.activates) * times;
    precharges += (precharges - before.precharges) * times;
    reads += (reads - before.reads) * times;
    writes += (writes - before.writes) * times;
    refreshes += (refreshes - before.refreshes) * times;
    bank_refreshes += (bank_refreshes - before.bank_refreshes) * times;
    active_clocks += (active_clocks - before.active_clocks) * times;
  }
  friend bool operator==(DramStatistics const& a, DramStatistics const& b) {
    return a.activates == b.activates && a.precharges == b.precharges && a.reads == b.reads &&
           a.writes == b.writes && a.refreshes == b.refreshes &&
           a.bank_refreshes == b.bank_refreshes && a.active_clocks == b.active_clocks;
  }
};

}  // namespace tessera::sim
