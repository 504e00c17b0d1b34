// A registry: a value that one function fills with explicit calls, like a table of contents.
//
//   Registry<Planner> planners{"planner"};
//   planners.add<DataParallel>("dp", "every operator split over samples");
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "arch/base/config_error.hpp"
#include "arch/base/contract.hpp"
#include "arch/base/nearest_name.hpp"

namespace tessera {

/// Names to factories of `Interface`, in the order they were added. An unknown name lists the known
/// ones.
template <typename Interface, typename... Arguments>
class Registry final {
 public:
  using Factory = std::function<std::unique_ptr<Interface>(Arguments...)>;
  struct Entry {
    std::string name;
    std::string description;  ///< one line, with its source
    Factory factory;
  };

  /// `kind` is what an error calls the entries: "planner", "topology".
  explicit Registry(std::string kind) : kind_{std::move(kind)} {}

  template <typename Implementation>
  Registry& add(std::string name, std::string description) {
    return add(std::move(name), std::move(description), [](Arguments... arguments) {
      return std::make_unique<Implementation>(std::forward<Arguments>(arguments)...);
    });
  }

  Registry& add(std::string name, std::string description, Factory factory) {
    for (auto const& entry : entries_) EXPECTS(entry.name != name, name);
    entries_.push_back({std::move(name), std::move(description), std::move(factory)});
    return *this;
  }

  /// Throws ConfigError with the nearest and all known names.
  [[nodiscard]] std::unique_ptr<Interface> make(std::string const& name,
                                                Arguments... arguments) const {
    for (auto const& entry : entries_) {
      if (entry.name == name) return entry.factory(std::forward<Arguments>(arguments)...);
    }
    throw ConfigError({}, {}, unknown_name(kind_, name, names()));
  }

  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (auto const& entry : entries_) all.push_back(entry.name);
    return all;
  }

  [[nodiscard]] std::vector<Entry> const& entries() const { return entries_; }

 private:
  std::string kind_;
  std::vector<Entry> entries_;
};

}  // namespace tessera
