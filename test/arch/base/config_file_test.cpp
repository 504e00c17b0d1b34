// Files that are not what they should be.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <stdexcept>

#include "arch/base/config.hpp"
#include "test/support/error_message.hpp"
#include "test/support/files.hpp"
#include "test/support/forked.hpp"
#include "test/support/temporary_directory.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

class ConfigFile : public testing::Test {
 protected:
  [[nodiscard]] std::string path(std::string const& name) const { return folder_.path(name); }

  [[nodiscard]] std::string write(std::string const& name, std::string const& content) const {
    test::write_file(path(name), content);
    return path(name);
  }

  /// The message without the path in front.
  [[nodiscard]] static std::string complaint(std::string const& file) {
    auto const message = test::error_message([&] { return read_config_file(file); });
    EXPECT_EQ(message.substr(0, file.size()), file);
    return message.substr(file.size());
  }

 private:
  test::TemporaryDirectory folder_;
};

/// Root may read everything; the user nobody may not.
void give_up_root() {
  constexpr uid_t nobody = 65534;
  if (geteuid() == 0 && setuid(nobody) != 0) throw std::runtime_error("cannot give up root");
}

TEST_F(ConfigFile, IsReadWithItsNameAsPlace) {
  auto const file = write("good.yaml", "a: 1\n");
  EXPECT_EQ(read_config_file(file).as_map().node("a").where().file, file);
}

TEST_F(ConfigFile, AMissingFileIsAnError) {
  EXPECT_EQ(complaint(path("missing.yaml")), ": no such file");
  EXPECT_EQ(complaint(path("no-folder/missing.yaml")), ": no such file");
}

TEST_F(ConfigFile, AFileUsedAsAFolderIsAnError) {
  auto const file = write("file", "a: 1\n");
  EXPECT_NE(complaint(file + "/x.yaml"), "no error");
}

TEST_F(ConfigFile, ADirectoryIsAnError) {
  fs::create_directories(path("folder.yaml"));
  EXPECT_EQ(complaint(path("folder.yaml")), ": is a directory");
}

TEST_F(ConfigFile, AnEmptyFileIsAnError) {
  EXPECT_EQ(complaint(write("empty.yaml", "")), ":1:1: is empty (there is no value in it)");
}

TEST_F(ConfigFile, AFileWithoutPermissionIsAnError) {
  fs::permissions(write("secret.yaml", "a: 1\n"), fs::perms::none);
  fs::permissions(path("."), fs::perms::others_exec, fs::perm_options::add);
  auto const message = test::forked([&] {
    fs::current_path(path("."));  // so that only this folder has to be open to nobody
    give_up_root();
    return test::error_message([] { return read_config_file("secret.yaml"); });
  });
  EXPECT_EQ(message, "secret.yaml: cannot be read; check its permissions");
}

TEST_F(ConfigFile, AFileThatFailsWhileItIsReadIsAnError) {
  std::string const own_memory = "/proc/self/mem";  // opens, but its first page cannot be read
  ASSERT_TRUE(fs::exists(own_memory));
  EXPECT_EQ(complaint(own_memory), ": cannot be read; check its permissions");
}

TEST_F(ConfigFile, AnEndlessFileIsAnError) {
  EXPECT_EQ(complaint("/dev/zero"), ": is larger than 16 MiB (no configuration needs that much)");
}

TEST_F(ConfigFile, ABinaryFileIsAnError) {
  EXPECT_EQ(complaint(write("binary.yaml", std::string{"\x7f"
                                                       "ELF\x02\x01\x01\0",
                                                       8})),
            ":1:1: has a control character here (a binary file?)");
}

}  // namespace
}  // namespace tessera
