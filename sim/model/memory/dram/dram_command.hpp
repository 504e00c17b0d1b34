// What a DRAM channel is asked for, what it does, and what it answers. Times are clocks of the memory, counted from 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace tessera::sim {

enum class Access : std::uint8_t { read, write };

/// What a request can need of its bank next; each has a time from which on it is legal.
enum class BankCommand : std::uint8_t { read, write, activate, precharge };

[[nodiscard]] constexpr BankCommand column_command(Access access) {
  return access == Access::read ? BankCommand::read : BankCommand::write;
}
/// Else it is a row command.
[[nodiscard]] constexpr bool is_column(BankCommand command) {
  return command == BankCommand::read || command == BankCommand::write;
}

/// Where tables have what is of an access, and of a command.
[[nodiscard]] constexpr std::size_t index_of(Access access) {
  return static_cast<std::size_t>(access);
}
[[nodiscard]] constexpr std::size_t index_of(BankCommand command) {
  return static_cast<std::size_t>(command);
}

/// Consecutive bursts of one row.
struct DramRequest {
  std::uint64_t tag = 0;  ///< the requester's
  Access access = Access::read;
  std::uint16_t bank = 0;  ///< within the channel: (rank * bank groups + group) * banks + bank
  std::uint16_t bursts = 1;
  std::uint32_t row = 0;
};

/// A request that was served.
struct DramCompletion {
  std::uint64_t tag = 0;
  std::int64_t issued =
      0;                  ///< its last column command: from here on its place in the queue is free
  std::int64_t done = 0;  ///< its last data have passed the bus (and the controller, for reads)
};

struct DramCommand {
  enum class Kind : std::uint8_t {
    activate,
    precharge,
    precharge_all,  ///< of a rank
    read,
    write,
    read_precharge,  ///< with auto-precharge
    write_precharge,
    refresh,  ///< of a rank
    refresh_bank,
  };
  std::int64_t cycle = 0;
  Kind kind = Kind::activate;
  std::uint16_t bank = 0;  ///< of a rank's command: the first bank of the rank
  std::uint32_t row = 0;   ///< of an activate

  [[nodiscard]] auto key() const { return std::tuple{cycle, kind, bank, row}; }
  friend bool operator==(DramCommand const& a, DramCommand const& b) { return a.key() == b.key(); }
};

/// The names of the kinds of commands, in their order: "activate", "read-precharge".
[[nodiscard]] inline std::vector<std::string> command_names() {
  return {"activate",       "precharge",       "precharge-all", "read",        "write",
          "read-precharge", "write-precharge", "refresh",       "refresh-bank"};
}

}  // namespace tessera::sim
