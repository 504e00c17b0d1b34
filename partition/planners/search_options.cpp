#include "partition/planners/search_options.hpp"

namespace tessera::partition {

double read_number(ConfigMap& options, std::string const& key, double fallback) {
  auto const* const node = options.find(key);
  if (node == nullptr) return fallback;
  auto const value = node->as<double>();
  if (value < 0) throw node->error("must be at least 0");
  return value;
}

double read_fraction(ConfigMap& options, std::string const& key, double fallback) {
  auto const value = read_number(options, key, fallback);
  if (value > 1) throw options.node(key).error("must be at most 1");
  return value;
}

std::int64_t read_whole(ConfigMap& options, std::string const& key, std::int64_t fallback) {
  auto const* const node = options.find(key);
  if (node == nullptr) return fallback;
  auto const value = node->as<std::int64_t>();
  if (value < 1) throw node->error("must be at least 1");
  return value;
}

}  // namespace tessera::partition
