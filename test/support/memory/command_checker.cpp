// The list of constraints, and a loop over all pairs that are close enough to matter.
#include "test/support/memory/command_checker.hpp"

#include <algorithm>
#include <array>
#include <sstream>

namespace tessera::test {

namespace {

using sim::DramCommand;
using Kind = DramCommand::Kind;

enum class Where { bank, group, other_group, rank, bus };
enum Set : unsigned {
  act = 1U << static_cast<unsigned>(Kind::activate),
  pre = 1U << static_cast<unsigned>(Kind::precharge),
  prea = 1U << static_cast<unsigned>(Kind::precharge_all),
  rd = 1U << static_cast<unsigned>(Kind::read),
  wr = 1U << static_cast<unsigned>(Kind::write),
  rda = 1U << static_cast<unsigned>(Kind::read_precharge),
  wra = 1U << static_cast<unsigned>(Kind::write_precharge),
  ref = 1U << static_cast<unsigned>(Kind::refresh),
  refb = 1U << static_cast<unsigned>(Kind::refresh_bank),
};
constexpr unsigned reads = rd | rda;
constexpr unsigned writes = wr | wra;

struct Rule {
  char const* name;
  unsigned earlier, later;
  Where where;
  std::int64_t distance;
};

std::vector<Rule> rules_of(arch::DramTiming const& t) {
  auto const write_end = t.tCWL + t.tBL;
  auto const read_end = t.tCL + t.tBL;
  return {
      {"tRC", act, act, Where::bank, t.tRC},
      {"tRCD", act, reads, Where::bank, t.tRCD},
      {"tRCDWR", act, writes, Where::bank, t.tRCDWR},
      {"tRAS", act, pre, Where::bank, t.tRAS},
      {"tRAS", act, prea, Where::rank, t.tRAS},
      {"tRP", pre, act | refb, Where::bank, t.tRP},
      {"tRP", prea, act | ref | refb, Where::rank, t.tRP},
      {"tRP", pre, ref, Where::rank, t.tRP},
      {"tRAS + tRP", act, ref, Where::rank, t.tRAS + t.tRP},
      {"tRAS + tRP", act, refb, Where::bank, t.tRAS + t.tRP},
      {"tRTP", rd, pre, Where::bank, t.tRTP},
      {"tRTP", rd, prea, Where::rank, t.tRTP},
      {"tWR", wr, pre, Where::bank, write_end + t.tWR},
      {"tWR", wr, prea, Where::rank, write_end + t.tWR},
      {"tRTP + tRP", rda, act | refb, Where::bank, t.tRTP + t.tRP},
      {"tRTP + tRP", rda, ref, Where::rank, t.tRTP + t.tRP},
      {"tWR + tRP", wra, act | refb, Where::bank, write_end + t.tWR + t.tRP},
      {"tWR + tRP", wra, ref, Where::rank, write_end + t.tWR + t.tRP},
      {"tRFC", ref, act | ref, Where::rank, t.tRFC},
      {"tRFCpb", refb, act | refb, Where::bank, t.tRFCpb},
      {"tRRD_L", act, act, Where::group, t.tRRD_L},
      {"tRRD_S", act, act, Where::other_group, t.tRRD_S},
      {"tCCD_L", reads, reads, Where::group, t.tCCD_L},
      {"tCCD_S", reads, reads, Where::other_group, t.tCCD_S},
      {"tCCD_L", writes, writes, Where::group, t.tCCD_L},
      {"tCCD_S", writes, writes, Where::other_group, t.tCCD_S},
      {"tWTR_L", writes, reads, Where::group, write_end + t.tWTR_L},
      {"tWTR_S", writes, reads, Where::other_group, write_end + t.tWTR_S},
      {"data bus", reads, reads, Where::bus, t.tBL},
      {"data bus", writes, writes, Where::bus, t.tBL},
      {"read to write", reads, writes, Where::bus, read_end + t.tRTRS - t.tCWL},
      {"write to read", writes, reads, Where::bus, write_end + t.tRTRS - t.tCL},
  };
}

struct Place {
  std::int64_t group, rank, bus;
};

class Checker {
 public:
  Checker(arch::DramSpec const& spec, std::vector<DramCommand> const& commands)
      : spec_{spec}, commands_{commands}, rules_{rules_of(spec.timing)} {
    for (auto const& rule : rules_) horizon_ = std::max(horizon_, rule.distance);
    horizon_ = std::max({horizon_, spec.timing.tFAW, spec.timing.tBL + spec.timing.tRTRS});
    horizon_ += spec.timing.tACT;
    open_.resize(static_cast<std::size_t>(spec.organization.banks_per_channel()));
  }

  std::vector<std::string> run() {
    for (std::size_t i = 0; i < commands_.size(); ++i) {
      check_state(i);
      check_pairs(i);
      check_refresh_interval(i);
    }
    return found_;
  }

 private:
  static bool is(DramCommand const& command, unsigned set) {
    return (1U << static_cast<unsigned>(command.kind) & set) != 0;
  }

  /// Its last clock, from which timing counts.
  std::int64_t sent(DramCommand const& command) const {
    return command.cycle + (is(command, act) ? spec_.timing.tACT - 1 : 0);
  }

  Place place(DramCommand const& command) const {
    auto const& organization = spec_.organization;
    auto const rank = command.bank / organization.banks_per_rank();
    return {command.bank / organization.banks, rank, rank / organization.ranks};
  }

  void complain(std::size_t index, std::string const& what) {
    std::ostringstream text;
    text << "cycle " << commands_[index].cycle << ": command "
         << static_cast<int>(commands_[index].kind) << " of bank " << commands_[index].bank << ": "
         << what;
    found_.push_back(text.str());
  }

  bool applies(Rule const& rule, DramCommand const& earlier, DramCommand const& later) const {
    if (!is(earlier, rule.earlier) || !is(later, rule.later)) return false;
    auto const a = place(earlier);
    auto const b = place(later);
    switch (rule.where) {
      case Where::bank:
        return earlier.bank == later.bank;
      case Where::group:
        return a.group == b.group;
      case Where::other_group:
        return a.rank == b.rank && a.group != b.group;
      case Where::rank:
        return a.rank == b.rank;
      case Where::bus:
        return a.bus == b.bus;
    }
    return false;
  }

  void check_pairs(std::size_t index) {
    auto const& later = commands_[index];
    int activates = 0;
    for (std::size_t i = index; i-- > 0 && commands_[i].cycle + horizon_ > later.cycle;) {
      auto const& earlier = commands_[i];
      check_command_bus(index, earlier, later);
      for (auto const& rule : rules_) {
        if (!applies(rule, earlier, later) || sent(later) - sent(earlier) >= rule.distance)
          continue;
        complain(index, std::string{rule.name} + " since cycle " + std::to_string(earlier.cycle));
      }
      check_rank_switch(index, earlier, later);
      bool const in_window = later.cycle - earlier.cycle < spec_.timing.tFAW;
      if (is(earlier, act) && place(earlier).rank == place(later).rank && in_window) ++activates;
    }
    if (is(later, act) && activates >= 4) complain(index, "tFAW: the fifth activate of a window");
  }

  void check_command_bus(std::size_t index, DramCommand const& earlier, DramCommand const& later) {
    constexpr unsigned columns = reads | writes;
    if (earlier.cycle > later.cycle) complain(index, "is out of order");
    bool const split = spec_.policy.command_bus == arch::DramPolicy::CommandBus::split;
    bool const same_bus = !split || is(earlier, columns) == is(later, columns);
    auto const length = is(earlier, act) ? spec_.timing.tACT : 1;
    if (same_bus && later.cycle < earlier.cycle + length) {
      complain(index, "finds the command bus taken");
    }
  }

  void check_rank_switch(std::size_t index, DramCommand const& earlier, DramCommand const& later) {
    bool const same_kind =
        (is(earlier, reads) && is(later, reads)) || (is(earlier, writes) && is(later, writes));
    auto const a = place(earlier);
    auto const b = place(later);
    if (!same_kind || a.bus != b.bus || a.rank == b.rank) return;
    if (later.cycle - earlier.cycle < spec_.timing.tBL + spec_.timing.tRTRS) {
      complain(index, "tRTRS since cycle " + std::to_string(earlier.cycle));
    }
  }

  void check_state(std::size_t index) {
    auto const& command = commands_[index];
    auto const first = static_cast<std::size_t>(command.bank);
    auto const rank = static_cast<std::size_t>(spec_.organization.banks_per_rank());
    if (is(command, act)) {
      if (open_[first]) complain(index, "opens an open bank");
      open_[first] = true;
      rows_opened_at(first) = sent(command);
    } else if (is(command, reads | writes)) {
      if (!open_[first]) complain(index, "accesses a closed bank");
      if (is(command, rda | wra)) open_[first] = false;
    } else if (is(command, pre)) {
      if (!open_[first]) complain(index, "closes a closed bank");
      open_[first] = false;
    } else if (is(command, prea)) {
      for (std::size_t i = 0; i < rank; ++i) open_[first + i] = false;
    } else {
      auto const count = is(command, ref) ? rank : 1;
      for (std::size_t i = 0; i < count; ++i) {
        if (open_[first + i]) complain(index, "refreshes an open bank");
      }
    }
    check_auto_precharge(index);
  }

  std::int64_t& rows_opened_at(std::size_t bank) {
    opened_.resize(open_.size(), -1'000'000'000);
    return opened_[bank];
  }

  /// A row that closes itself may not do so before tRAS: its bank's next activate shows it.
  void check_auto_precharge(std::size_t index) {
    auto const& command = commands_[index];
    if (is(command, rda | wra)) {
      closes_.resize(open_.size(), -1'000'000'000);
      closes_[command.bank] = rows_opened_at(command.bank) + spec_.timing.tRAS;
    } else if (is(command, act) && !closes_.empty() &&
               sent(command) < closes_[command.bank] + spec_.timing.tRP) {
      complain(index, "tRAS + tRP since the activate of a row that closed itself");
    }
  }

  /// A target is refreshed at least every tREFI.
  void check_refresh_interval(std::size_t index) {
    auto const& command = commands_[index];
    if (!is(command, ref | refb)) return;
    refreshed_.resize(open_.size(), 0);
    auto& last = refreshed_[command.bank];
    if (last > 0 && command.cycle - last > spec_.timing.tREFI) complain(index, "is late (tREFI)");
    last = command.cycle;
  }

  arch::DramSpec const& spec_;
  std::vector<DramCommand> const& commands_;
  std::vector<Rule> rules_;
  std::int64_t horizon_ = 0;
  std::vector<bool> open_;
  std::vector<std::int64_t> opened_, closes_, refreshed_;
  std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> violations(arch::DramSpec const& spec,
                                    std::vector<DramCommand> const& commands) {
  return Checker{spec, commands}.run();
}

}  // namespace tessera::test
