// Keys that are missing are told of together: not one per run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "arch/accelerator/core_spec.hpp"
#include "arch/array/load.hpp"
#include "arch/memory/dram_spec.hpp"
#include "test/support/error_message.hpp"

namespace tessera::arch {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using Names = std::set<std::string>;

/// A copy without some keys of the map at `path`.
ConfigNode without(ConfigNode const& node, std::string const& path, Names const& keys) {
  if (node.kind() == ConfigNode::Kind::scalar) return ConfigNode::scalar(node.text());
  if (node.kind() == ConfigNode::Kind::list) {
    auto list = ConfigNode::list();
    for (auto const& item : node.as_list()) list.append(without(item, path, keys));
    return list;
  }
  auto map = ConfigNode::map();
  for (auto const& [key, value] : node.entries()) {
    bool const is_left_out = node.path() == path && keys.count(key) > 0;
    if (!is_left_out) map.add(key, without(value, path, keys));
  }
  return map;
}

/// What reading says; "no error" if nothing.
using Read = std::function<std::string(ConfigNode const&)>;

/// Of every map below `node`: leaves out each key, and then all that were missed at once.
void expect_told_together(ConfigNode const& root, ConfigNode const& node, Read const& read) {
  if (node.kind() == ConfigNode::Kind::scalar) return;
  if (node.kind() == ConfigNode::Kind::list) {
    for (auto const& item : node.as_list()) expect_told_together(root, item, read);
    return;
  }
  // Which keys are needed depends on the kind, so it has to be there.
  Names const kinds{"kind",      "processing_unit", "topology", "page",
                    "scheduler", "queues",          "refresh"};
  Names missed;
  for (auto const& [key, value] : node.entries()) {
    expect_told_together(root, value, read);
    auto const message = read(without(root, node.path(), {key}));
    bool const is_missed = message.find("missing key '" + key + "'") != std::string::npos;
    if (is_missed && kinds.count(key) == 0) missed.insert(key);
  }
  if (missed.size() < 2) return;
  auto const message = read(without(root, node.path(), missed));
  EXPECT_THAT(message, HasSubstr("missing keys ")) << node.path();
  for (auto const& key : missed) EXPECT_THAT(message, HasSubstr("'" + key + "'")) << node.path();
}

template <typename Reader>
Read complaint_of(Reader reader) {
  return [reader](ConfigNode const& node) {
    return test::error_message([&] { return reader(node); });
  };
}

TEST(MissingKeys, OfACoreAreToldTogether) {
  auto const read = complaint_of(core_from);
  for (auto const* const name : {"tpu-v3", "eyeriss"}) {
    auto const core = core_config(name);
    expect_told_together(core, core, read);
  }
  EXPECT_THAT(read(without(core_config("tpu-v3"), "", {"clock", "vector", "format", "name"})),
              EndsWith("missing keys 'name', 'clock', 'vector', 'format'"));
}

TEST(MissingKeys, OfAMemoryAreToldTogether) {
  for (auto const* const name : {"hmc-2.0", "hbm2", "peers/ramulator1-hbm-4gb"}) {
    auto const memory = dram_config(name);
    expect_told_together(memory, memory, complaint_of(dram_from));
  }
}

TEST(MissingKeys, OfAnArrayAreToldTogether) {
  for (auto const* const name : {"hypar-paper", "accpar-paper-256", "hmc-htree-16"}) {
    auto const array = to_config(load(name));
    expect_told_together(array, array,
                         complaint_of([](ConfigNode const& node) { return array_from(node); }));
  }
}

TEST(MissingKeys, AreNotTakenForMisspellingsOfOnesThatAreThere) {
  // tRCDWR and tCWL look like tRCD and tCL.
  auto const message =
      complaint_of(dram_from)(without(dram_config("hbm2"), "timing", {"tRCD", "tCL"}));
  EXPECT_THAT(message, EndsWith("timing: missing keys 'tRCD', 'tCL'"));
}

TEST(MissingKeys, OfAFormatThatTheCoreDoesNotComputeInMayBe) {
  auto const core = without(core_config("tpu-v3"), "energy", {"fp32", "int8"});
  EXPECT_EQ(complaint_of(core_from)(core), "no error");
  auto int8 = core;
  int8.override_key("format", "int8", "test");
  EXPECT_THAT(complaint_of(core_from)(int8), EndsWith("energy: missing key 'int8'"));
}

}  // namespace
}  // namespace tessera::arch
