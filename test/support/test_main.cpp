// Our own main: libsystemc exports one too, and if that wins no test runs and the exit code is 0.
#include <gtest/gtest.h>

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
