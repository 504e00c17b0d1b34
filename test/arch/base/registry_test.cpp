// Registries: a table of contents with names.
#include "arch/base/registry.hpp"

#include <gtest/gtest.h>

#include "test/support/error_message.hpp"

namespace tessera {
namespace {

struct Shape {
  virtual ~Shape() = default;
  [[nodiscard]] virtual int corners() const = 0;
};

struct Polygon final : Shape {
  explicit Polygon(int count) : count_{count} {}
  [[nodiscard]] int corners() const override { return count_; }
  int count_;
};

struct Circle final : Shape {
  explicit Circle(int) {}
  [[nodiscard]] int corners() const override { return 0; }
};

Registry<Shape, int> shapes() {
  Registry<Shape, int> registry{"shape"};
  registry.add<Polygon>("polygon", "has corners").add<Circle>("circle", "has none");
  return registry;
}

TEST(Registry, MakesByName) {
  EXPECT_EQ(shapes().make("polygon", 5)->corners(), 5);
  EXPECT_EQ(shapes().make("circle", 5)->corners(), 0);
}

TEST(Registry, KeepsTheOrderOfItsTableOfContents) {
  EXPECT_EQ(shapes().names(), (std::vector<std::string>{"polygon", "circle"}));
}

TEST(Registry, AnUnknownNameListsTheKnownOnes) {
  EXPECT_EQ(test::error_message([] { return shapes().make("cirlce", 1); }),
            "unknown shape 'cirlce'; did you mean 'circle'? known: polygon, circle");
}

TEST(Registry, TheSameNameTwiceIsABug) {
  auto registry = shapes();
  EXPECT_THROW(registry.add<Circle>("circle", "again"), ContractError);
}

}  // namespace
}  // namespace tessera
