// Profiles as files, by themselves and as the times of an array's processing units.
#include "arch/accelerator/profile_spec.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "arch/array/load.hpp"
#include "test/support/error_message.hpp"
#include "test/support/files.hpp"
#include "test/support/temporary_directory.hpp"

namespace tessera::arch {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

constexpr Time ms{1'000'000'000};

/// A file whose first operator stands in line 5.
std::string text_with(std::string const& operators, std::string const& more = "") {
  return "schema: tessera.profile/1\nname: test\nbatch: 16\noperators:\n" + operators + more;
}

ProfileSpec profile_of(std::string const& text) {
  return profile_from(read_config_text(text, "times.yaml"));
}

std::string complaint(std::string const& text) {
  return test::error_message([&] { return profile_of(text); });
}

TEST(Profile, ABackwardPassThatIsOneNumberGoesToThePhasesThatThereAre) {
  auto const profile = profile_of(
      text_with("  - {name: a, forward: 1 ms, backward: 3 ms}\n", "backward_data_share: 0.25\n"));
  auto const quarter = Time{ms.value() * 3 / 4};
  EXPECT_THAT(profile.phase_times("a", true, true),
              ElementsAre(ms, quarter, ms * 3 - quarter, Time{0}));
  EXPECT_THAT(profile.phase_times("a", true, false), ElementsAre(ms, ms * 3, Time{0}, Time{0}));
  EXPECT_THAT(profile.phase_times("a", false, true), ElementsAre(ms, Time{0}, ms * 3, Time{0}));
}

TEST(Profile, WritesWhatItReads) {
  auto const profile = profile_of(text_with(
      "  - {name: a, forward: 1 ms, backward_data: 2 ms, backward_weight: 3 us, update: 7 ns}\n"
      "  - {name: b, forward: 0 s, backward: 5 ps, output: 4 B}\n"));
  auto const again = profile_from(to_config(profile));
  EXPECT_EQ(again.batch, 16);
  EXPECT_EQ(again.phase_times("a", true, true), profile.phase_times("a", true, true));
  EXPECT_EQ(again.phase_times("b", true, true), profile.phase_times("b", true, true));
  EXPECT_EQ(again.of("b").output, Bytes{4});
}

TEST(Profile, WhatIsWrongIsAnErrorAtItsPlace) {
  EXPECT_THAT(complaint(text_with("  - {name: a, forward: 1, backward: 3 ms}\n")),
              StartsWith("times.yaml:5:24: operators.0.forward: "));
  EXPECT_THAT(complaint(text_with("  - {name: a, forward: -1 ms, backward: 3 ms}\n")),
              StartsWith("times.yaml:5:24: operators.0.forward: "));
  EXPECT_THAT(
      complaint(text_with("  - {name: a, forward: 1 s, backward: 3 ms, backward_weight: 1 ms}\n")),
      HasSubstr("operators.0.backward_weight: is a part of 'backward', which is given, too"));
  EXPECT_THAT(complaint(text_with("  - {name: a, forward: 1 s, backward_data: 3 ms}\n")),
              HasSubstr("backward_weight"));
  EXPECT_THAT(complaint(text_with("  - {name: a, forward: 1 s, backward: 1 s}\n"
                                  "  - {name: a, forward: 1 s, backward: 1 s}\n")),
              HasSubstr("times.yaml:6:12: operators.1.name: a second operator 'a'"));
  EXPECT_THAT(complaint(text_with("  - {name: a, forward: 1 s, backward: 1 s}\n",
                                  "backward_data_share: 1.5\n")),
              HasSubstr("must be from 0 to 1"));
  EXPECT_THAT(complaint(text_with("  []\n")), HasSubstr("needs at least one operator"));
}

TEST(Profile, AnOperatorThatItLacksIsAnErrorWithTheNearestName) {
  auto const profile = profile_of(text_with("  - {name: conv1, forward: 1 s, backward: 1 s}\n"));
  EXPECT_THAT(test::error_message([&] { return profile.of("conv2"); }),
              StartsWith("times.yaml:5:3: operators: has no operator 'conv2' (the network has; a "
                         "time cannot be guessed); the nearest name is 'conv1'"));
}

TEST(Profile, AnArraysProfileIsFoundBesideTheArraysFile) {
  test::TemporaryDirectory const folder;
  test::write_file(folder.path("times.yaml"),
                   text_with("  - {name: a, forward: 1 ms, backward: 3 ms}\n"));
  auto const file = folder.path("array.yaml");
  test::write_file(file,
                   "schema: tessera.array/2\nname: test\naccelerators: 2\naccelerator:\n"
                   "  clock: 1 GHz\n  processing_unit: {kind: profile, times: times.yaml}\n"
                   "  memory: {kind: ideal, capacity: 1 GB}\n"
                   "fabric: {topology: htree, clock: 1 GHz, link: {bandwidth: 8 Gb/s, latency: 0 "
                   "s}}\nenergy: {multiply: 0 J, add: 0 J, buffer_access: 0 J, memory_access: 0 J, "
                   "link_word: 0 J}\n");
  auto const array = load(file);
  auto const& unit = std::get<ProfileUnitSpec>(array.accelerator(0).processing_unit);
  EXPECT_EQ(unit.profile.of("a").forward, ms);
  auto const again = array_from(to_config(array));
  EXPECT_EQ(std::get<ProfileUnitSpec>(again.accelerator(1).processing_unit).profile.batch, 16);
  EXPECT_EQ(again.accelerator(0).clock, Frequency{1'000'000'000});
}

}  // namespace
}  // namespace tessera::arch
