// Overrides: one key path, one value, reported as typed.
#include <gtest/gtest.h>

#include "arch/base/builtin_config.hpp"
#include "test/support/error_message.hpp"

namespace tessera {
namespace {

using test::error_message;

[[nodiscard]] ConfigLibrary library() {
  return {"array",
          "arch",
          {{"small", "size: 1\nfabric: {link: {bandwidth: 1 GB/s}}\nlist: [{x: 1}, {x: 2}]\n"},
           {"group/large", "size: 64\n"}}};
}

[[nodiscard]] std::string loaded(std::vector<std::string> const& overrides) {
  return write_config(load_config(library(), "small", overrides));
}

[[nodiscard]] std::string complaint(std::string const& override_text) {
  return error_message([&] { return loaded({override_text}); });
}

TEST(Override, ReplacesAValue) {
  EXPECT_EQ(loaded({"fabric.link.bandwidth=2 GB/s"}),
            "size: 1\nfabric:\n  link: {bandwidth: 2 GB/s}\nlist:\n  - {x: 1}\n  - {x: 2}\n");
}

TEST(Override, ReachesIntoLists) {
  EXPECT_EQ(loaded({"list.1.x=3"}),
            "size: 1\nfabric:\n  link: {bandwidth: 1 GB/s}\nlist:\n  - {x: 1}\n  - {x: 3}\n");
}

TEST(Override, ReplacesWholeMapsAndLists) {
  EXPECT_EQ(loaded({"fabric={link: none}", "list=[a, b]"}),
            "size: 1\nfabric: {link: none}\nlist: [a, b]\n");
}

TEST(Override, CreatesMapsOnTheWay) {
  EXPECT_EQ(loaded({"fabric=0", "list=[]", "new.deep.key=5"}),
            "size: 1\nfabric: 0\nlist: []\nnew:\n  deep: {key: 5}\n");
}

TEST(Override, TheLastOneWins) {
  EXPECT_EQ(loaded({"size=2", "size=4", "fabric=0", "list=[]"}), "size: 4\nfabric: 0\nlist: []\n");
}

TEST(Override, AnErrorInItsValueNamesTheOptionAsTyped) {
  auto const root = load_config(library(), "small", {"fabric.link.bandwidth=2 ns"});
  auto const& link = root.as_map().node("fabric").as_map().node("link");
  EXPECT_EQ(
      error_message([&] { return link.as_map().required<Bandwidth>("bandwidth"); }).substr(0, 73),
      "--set arch.fabric.link.bandwidth=2 ns: fabric.link.bandwidth: '2 ns' is n");
}

TEST(Override, AnUnknownKeyNamesTheOptionAsTyped) {
  auto const root = load_config(library(), "small", {"fabric.link.bandwith=2 GB/s"});
  auto link = root.as_map().node("fabric").as_map().node("link").as_map();
  static_cast<void>(link.required<Bandwidth>("bandwidth"));
  EXPECT_EQ(error_message([&] {
              link.finish();
              return 0;
            }),
            "--set arch.fabric.link.bandwith=2 GB/s: fabric.link.bandwith: unknown key; did you "
            "mean 'bandwidth'?");
}

TEST(Override, WhatIsNoOverrideIsAnError) {
  EXPECT_EQ(complaint("size"), "--set arch.size: no '=' (an override is key.path=value)");
  EXPECT_EQ(complaint("=5"),
            "--set arch.=5: empty key (an override is key.path=value, key.path not empty)");
  EXPECT_EQ(complaint("a..b=5"),
            "--set arch.a..b=5: empty key (an override is key.path=value, key.path not empty)");
  EXPECT_EQ(complaint("size="),
            "--set arch.size=: size: no value after '='; write \"\" for an empty text");
  EXPECT_EQ(complaint("size={1: 2, x").substr(0, 30), "--set arch.size={1: 2, x: size");
  EXPECT_EQ(complaint("size=&x 1").substr(0, 49),
            "--set arch.size=&x 1: size: anchors are not allow");
}

TEST(Override, APathThroughAScalarOrAMissingItemIsAnError) {
  EXPECT_EQ(complaint("size.x=1"),
            "--set arch.size.x=1: size: has no key 'x' (its value is '1', not a map)");
  EXPECT_EQ(complaint("list.2.x=1"),
            "--set arch.list.2.x=1: list: no item '2' (the list has 2, counted from 0)");
  EXPECT_EQ(complaint("list.first.x=1"),
            "--set arch.list.first.x=1: list: no item 'first' (the list has 2, counted from 0)");
}

TEST(Override, AnEndlessPathIsAnError) {
  std::string path = "a";
  for (int level = 0; level < 100'000; ++level) path += ".a";
  EXPECT_NE(complaint(path + "=1").find("key path is deeper than 64 levels"), std::string::npos);
}

TEST(ConfigLibrary, ABuiltinIsFoundByNameEvenWithASlash) {
  EXPECT_EQ(write_config(load_config(library(), "group/large", {})), "size: 64\n");
}

TEST(ConfigLibrary, AnUnknownNameListsTheNearestAndTheKnown) {
  EXPECT_EQ(error_message([] { return load_config(library(), "smal", {}); }),
            "unknown array 'smal'; did you mean 'small'? known: small, group/large; or a path to a "
            ".yaml file");
}

TEST(ConfigLibrary, WhatEndsInYamlIsAPath) {
  EXPECT_EQ(error_message([] { return load_config(library(), "missing.yaml", {}); }),
            "missing.yaml: no such file");
}

TEST(ConfigLibrary, AnExistingPathNeedsASlash) {
  EXPECT_EQ(error_message([] { return load_config(library(), "./", {}); }), "./: is a directory");
}

TEST(ConfigLibrary, AnErrorInABuiltinNamesItsFile) {
  ConfigLibrary const broken{"array", "arch", {{"broken", "a: [\n"}}};
  auto const message = error_message([&] { return load_config(broken, "broken", {}); });
  EXPECT_EQ(message.substr(0, 12), "broken.yaml:");
}

}  // namespace
}  // namespace tessera
