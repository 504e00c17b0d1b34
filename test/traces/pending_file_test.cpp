// A file appears when it is complete, whole, or not at all.
#include "traces/pending_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "arch/base/config_error.hpp"
#include "test/support/file_size_limit.hpp"
#include "test/support/files.hpp"
#include "test/support/forked.hpp"
#include "test/support/temporary_directory.hpp"

namespace tessera::traces {
namespace {

using test::read_file;
using test::TemporaryDirectory;
using test::write_file;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// The problem that `action` reports; empty when it reports none.
template <typename Action>
[[nodiscard]] std::string problem_of(Action action) {
  try {
    action();
  } catch (ConfigError const& error) {
    return error.problem();
  }
  return {};
}

[[nodiscard]] std::string problem_with(std::string const& target) {
  return problem_of([&] { PendingFile const file{target}; });
}

TEST(PendingFile, AppearsWhenItIsPublished) {
  TemporaryDirectory const directory;
  PendingFile file{directory.path("run")};
  file.write_at(0, "hello", 5);
  EXPECT_THAT(directory.names(), ElementsAre(testing::StartsWith("run.partial-")));
  file.publish();
  EXPECT_THAT(directory.names(), ElementsAre("run"));
  EXPECT_EQ(read_file(directory.path("run")), "hello");
}

TEST(PendingFile, LeavesNothingWhenItIsNotPublished) {
  TemporaryDirectory const directory;
  { PendingFile{directory.path("run")}.write_at(0, "hello", 5); }
  EXPECT_THAT(directory.names(), IsEmpty());
}

TEST(PendingFile, LeavesTheOldFileAloneUntilItReplacesIt) {
  TemporaryDirectory const directory;
  write_file(directory.path("run"), "old");
  { PendingFile{directory.path("run")}.write_at(0, "lost", 4); }
  EXPECT_EQ(read_file(directory.path("run")), "old");
  PendingFile file{directory.path("run")};
  file.write_at(0, "new", 3);
  EXPECT_EQ(read_file(directory.path("run")), "old");
  file.publish();
  EXPECT_EQ(read_file(directory.path("run")), "new");
}

TEST(PendingFile, ReadsZeroWhereNothingWasWritten) {
  TemporaryDirectory const directory;
  PendingFile file{directory.path("run")};
  file.write_at(2, "ab", 2);
  EXPECT_EQ(file.size(), 4);
  std::string bytes(6, '?');
  file.read_at(0, bytes.data(), bytes.size());
  EXPECT_EQ(bytes, std::string("\0\0ab\0\0", 6));
}

TEST(PendingFile, CanBeShortenedAndLengthened) {
  TemporaryDirectory const directory;
  PendingFile file{directory.path("run")};
  file.write_at(0, "abcd", 4);
  file.resize(2);
  file.resize(3);
  file.publish();
  EXPECT_EQ(read_file(directory.path("run")), std::string("ab\0", 3));
}

TEST(PendingFile, RefusesADirectory) {
  TemporaryDirectory const directory;
  EXPECT_THAT(problem_with(directory.path("")), HasSubstr("it is a directory; name a file in it"));
}

TEST(PendingFile, RefusesADirectoryThatDoesNotExist) {
  TemporaryDirectory const directory;
  auto const target = directory.path("missing/run");
  EXPECT_EQ(problem_with(target), "cannot write " + target + ": No such file or directory");
}

TEST(PendingFile, RefusesAFileAsADirectory) {
  TemporaryDirectory const directory;
  write_file(directory.path("file"), "");
  EXPECT_THAT(problem_with(directory.path("file/run")), HasSubstr("Not a directory"));
}

TEST(PendingFile, RefusesADeviceBecauseItWouldReplaceIt) {
  EXPECT_EQ(problem_with("/dev/full"),
            "cannot write /dev/full: it is not a regular file (it would be replaced)");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
}

TEST(PendingFile, RefusesAnEmptyName) {
  EXPECT_EQ(problem_with(""), "cannot write '': the name is empty");
}

TEST(PendingFile, RefusesANameThatIsTooLong) {
  TemporaryDirectory const directory;
  EXPECT_THAT(problem_with(directory.path(std::string(1000, 'x'))),
              HasSubstr("File name too long"));
}

TEST(PendingFile, RefusesADirectoryThatMayNotBeWritten) {
  TemporaryDirectory const directory;
  std::filesystem::create_directory(directory.path("locked"));
  std::filesystem::permissions(directory.path("locked"), std::filesystem::perms::owner_read);
  auto const user = geteuid();
  constexpr uid_t nobody = 65534;
  if (user == 0) {
    ASSERT_EQ(seteuid(nobody), 0);  // root may write everywhere
  }
  auto const problem = problem_with(directory.path("locked/run"));
  ASSERT_EQ(seteuid(user), 0);
  EXPECT_THAT(problem, HasSubstr("Permission denied"));
}

TEST(PendingFile, KeepsTheFirstErrorAndDropsWhatFollows) {
  TemporaryDirectory const directory;
  test::FileSizeLimit const ten_bytes{10};
  auto const target = directory.path("run");
  PendingFile file{target};
  file.write_at(0, "0123456789", 10);
  EXPECT_EQ(problem_of([&] { file.check(); }), "");
  file.write_at(10, "x", 1);
  file.write_at(0, "lost", 4);
  auto const expected = "cannot write " + target + ": File too large";
  EXPECT_EQ(problem_of([&] { file.check(); }), expected);
  EXPECT_EQ(problem_of([&] { file.publish(); }), expected);
  EXPECT_FALSE(std::filesystem::exists(target));
}

/// The name of the unfinished file of a writer of `target` that was killed.
[[nodiscard]] std::string killed_writer(std::string const& target) {
  try {
    static_cast<void>(test::forked([&]() -> std::string {
      PendingFile file{target};
      file.write_at(0, "lost", 4);
      raise(SIGKILL);
      return {};
    }));
  } catch (std::runtime_error const&) {  // it died
  }
  std::string left;
  auto const folder = std::filesystem::path{target}.parent_path();
  for (auto const& entry : std::filesystem::directory_iterator{folder}) {
    bool const is_its = entry.path().string().compare(0, target.size(), target) == 0;
    if (is_its) left = entry.path();
  }
  return left;
}

TEST(PendingFile, ASymbolicLinkOfItsUnfinishedNameIsNotFollowed) {
  TemporaryDirectory const directory;
  write_file(directory.path("victim"), "kept");
  auto const link = directory.path("run.partial-" + std::to_string(getpid()));
  std::filesystem::create_symlink(directory.path("victim"), link);
  PendingFile file{directory.path("run")};
  file.write_at(0, "hello", 5);
  file.publish();
  EXPECT_EQ(read_file(directory.path("victim")), "kept");
  EXPECT_EQ(read_file(directory.path("run")), "hello");
  EXPECT_TRUE(std::filesystem::is_symlink(link));
}

TEST(PendingFile, AFileOfItsUnfinishedNameThatSomebodyHoldsIsNotTouched) {
  TemporaryDirectory const directory;
  auto const taken = directory.path("run.partial-" + std::to_string(getpid()));
  std::filesystem::create_directory(taken);
  PendingFile file{directory.path("run")};
  file.publish();
  EXPECT_TRUE(std::filesystem::is_directory(taken));
}

TEST(PendingFile, WhatAKilledWriterLeftIsRemovedByTheNextOne) {
  TemporaryDirectory const directory;
  auto const target = directory.path("run");
  ASSERT_THAT(killed_writer(target), HasSubstr("run.partial-"));
  { PendingFile const next{target}; }
  EXPECT_THAT(directory.names(), IsEmpty());
}

TEST(PendingFile, WhatAKilledWriterLeftIsRemovedAlsoWhenItsNumberIsALivingProcess) {
  TemporaryDirectory const directory;
  auto const target = directory.path("run");
  std::filesystem::rename(killed_writer(target), directory.path("run.partial-1"));  // init lives
  { PendingFile const next{target}; }
  EXPECT_THAT(directory.names(), IsEmpty());
}

TEST(PendingFile, FilesThatOnlyLookLikeUnfinishedOnesAreKept) {
  TemporaryDirectory const directory;
  for (auto const* name : {"run.partial-", "run.partial-7.txt", "run2.partial-7", "run.partial"}) {
    write_file(directory.path(name), "kept");
  }
  auto const before = directory.names();
  { PendingFile const next{directory.path("run")}; }
  EXPECT_EQ(directory.names(), before);
}

TEST(PendingFile, OneThatSomebodyElseIsWritingIsLeftAlone) {
  TemporaryDirectory const directory;
  auto const target = directory.path("run");
  PendingFile file{target};
  file.write_at(0, "first", 5);
  auto const problem = test::forked([&] { return problem_with(target); });
  EXPECT_THAT(problem, HasSubstr("another process is writing it, in run.partial-"));
  file.publish();
  EXPECT_EQ(read_file(target), "first");
}

TEST(PendingFile, WhereOtherWritersAreAllowedTheLastToPublishWins) {
  TemporaryDirectory const directory;
  auto const target = directory.path("points");
  PendingFile file{target, OtherWriters::allowed};
  file.write_at(0, "first", 5);
  static_cast<void>(test::forked([&] {
    PendingFile other{target, OtherWriters::allowed};
    other.write_at(0, "second", 6);
    other.publish();
    return std::string{};
  }));
  EXPECT_EQ(read_file(target), "second");
  file.publish();
  EXPECT_EQ(read_file(target), "first");
  EXPECT_THAT(directory.names(), ElementsAre("points"));
}

TEST(PendingFile, WhatKilledWritersLeftIsRemovedFromAFolderAndNothingElseIs) {
  TemporaryDirectory const directory;
  ASSERT_THAT(killed_writer(directory.path("a")), HasSubstr("a.partial-"));
  ASSERT_THAT(killed_writer(directory.path("b")), HasSubstr("b.partial-"));
  write_file(directory.path("c.partial-7.txt"), "kept");
  PendingFile const busy{directory.path("d")};
  remove_abandoned_in(directory.path("."));
  EXPECT_THAT(directory.names(),
              testing::UnorderedElementsAre("c.partial-7.txt", testing::StartsWith("d.partial-")));
  remove_abandoned_in(directory.path("nowhere"));  // is no error
}

TEST(PendingFile, APublishedFileIsNotLocked) {
  TemporaryDirectory const directory;
  auto const target = directory.path("run");
  PendingFile file{target};
  file.publish();
  EXPECT_EQ(test::forked([&] { return problem_with(target); }), "");
}

}  // namespace
}  // namespace tessera::traces
