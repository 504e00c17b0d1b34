// Drives a memory of Tessera with a file of requests ("0xADDRESS READ|WRITE" a line) and prints the latency of each in picoseconds:
//
//   drive_memory MEMORY local|links at|lt FILE
#define SC_INCLUDE_DYNAMIC_PROCESSES

#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>

#include <tessera/tlm_memory.hpp>

#include "initiator.hpp"

namespace {

std::vector<example::Request> read_requests(char const* path) {
  std::ifstream file{path};
  std::vector<example::Request> requests;
  std::string address, kind, rest;
  while (file >> address >> kind && std::getline(file, rest)) {
    requests.push_back({std::stoull(address, nullptr, 16), kind == "WRITE"});
  }
  return requests;
}

int drive(std::string const& name, bool has_links, bool is_loosely_timed, char const* path) {
  using tessera::sim::TlmMemory;
  auto const through = has_links ? TlmMemory::Through::links : TlmMemory::Through::local;
  TlmMemory memory{"memory", {name, {}, through}};
  example::Rule rule;
  rule.is_loosely_timed = is_loosely_timed;
  rule.bytes = static_cast<unsigned>(memory.block());
  // An answer is there at the end of its clock; past the links there are no clocks.
  if (!has_links) rule.pause = memory.clock_period();
  example::Initiator initiator{"initiator", read_requests(path), rule};
  initiator.socket.bind(memory.socket);
  sc_core::sc_start();
  auto const picosecond = sc_core::sc_time{1, sc_core::SC_PS};
  for (auto const& latency : initiator.latencies) {
    std::cout << static_cast<std::int64_t>(latency / picosecond) << '\n';
  }
  return initiator.answered == initiator.latencies.size() ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int sc_main(int count, char* arguments[]) {
  if (count != 5) {
    std::cerr << "drive_memory MEMORY local|links at|lt FILE\n";
    return EXIT_FAILURE;
  }
  try {
    return drive(arguments[1], std::string{arguments[2]} == "links",
                 std::string{arguments[3]} == "lt", arguments[4]);
  } catch (std::exception const& error) {
    std::cerr << error.what() << '\n';
    return EXIT_FAILURE;
  }
}
