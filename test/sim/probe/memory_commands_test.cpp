// The commands in a run file, read back and given to the checker that knows JEDEC's constraints.
#include <gtest/gtest.h>
#include <hdf5.h>

#include <vector>

#include "sim/model/memory/closed_loop.hpp"
#include "test/support/memory/command_checker.hpp"
#include "test/support/temporary_directory.hpp"
#include "traces/hdf5_sink.hpp"

namespace tessera::sim {

namespace {

void write_commands(std::string const& path, arch::DramSpec const& spec) {
  MemoryTraffic traffic;
  traffic.pattern = MemoryTraffic::Pattern::random;
  traffic.requests = 20'000;
  traffic.bytes = static_cast<std::uint64_t>(spec.block().value());
  traffic.span = static_cast<std::uint64_t>(spec.organization.capacity().value());
  traffic.read_fraction = 0.6;
  traces::Hdf5Sink sink{path, traces::TraceLevel::commands};
  sink.begin({});
  auto const observer = [&](std::size_t channel, DramCommand const& command) {
    sink.record_command({spec.clock_period * command.cycle, static_cast<std::uint32_t>(channel),
                         command.row, command.bank, static_cast<std::uint8_t>(command.kind)});
  };
  static_cast<void>(closed_loop(spec, make_requests(traffic, spec), {8, SIZE_MAX, {}}, observer));
  sink.end({});
}

/// A column of /commands.
std::vector<std::int64_t> column(hid_t table, char const* name, std::size_t rows) {
  std::vector<std::int64_t> values(rows);
  auto const type = H5Tcreate(H5T_COMPOUND, sizeof(std::int64_t));
  H5Tinsert(type, name, 0, H5T_NATIVE_INT64);
  EXPECT_GE(H5Dread(table, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
  H5Tclose(type);
  return values;
}

/// By channel.
std::vector<std::vector<DramCommand>> read_commands(std::string const& path,
                                                    arch::DramSpec const& spec) {
  auto const file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  auto const table = H5Dopen2(file, "commands", H5P_DEFAULT);
  auto const space = H5Dget_space(table);
  auto const rows = static_cast<std::size_t>(H5Sget_simple_extent_npoints(space));
  auto const time = column(table, "time_ps", rows);
  auto const channel = column(table, "channel", rows);
  auto const kind = column(table, "kind", rows);
  auto const bank = column(table, "bank", rows);
  auto const row = column(table, "row", rows);
  H5Sclose(space);
  H5Dclose(table);
  H5Fclose(file);
  std::vector<std::vector<DramCommand>> commands(
      static_cast<std::size_t>(spec.organization.channels));
  for (std::size_t i = 0; i < rows; ++i) {
    commands[static_cast<std::size_t>(channel[i])].push_back(
        {time[i] / spec.clock_period.value(), static_cast<DramCommand::Kind>(kind[i]),
         static_cast<std::uint16_t>(bank[i]), static_cast<std::uint32_t>(row[i])});
  }
  return commands;
}

TEST(CommandTrace, ViolatesNoConstraintWhenItIsReadBack) {
  for (auto const* const memory : {"hmc-2.1", "hbm2"}) {
    auto const spec = arch::load_dram(memory);
    test::TemporaryDirectory const directory;
    write_commands(directory.path("run.h5"), spec);
    std::size_t count = 0;
    for (auto const& commands : read_commands(directory.path("run.h5"), spec)) {
      count += commands.size();
      auto const found = test::violations(spec, commands);
      EXPECT_TRUE(found.empty()) << memory << ": " << found.front();
    }
    EXPECT_GT(count, 40'000U);  // an activate and a column command for each request
  }
}

}  // namespace

}  // namespace tessera::sim
