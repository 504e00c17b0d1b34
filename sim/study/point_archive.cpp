// Field lists in a binary archive.
#include <sstream>

#include <cereal/archives/binary.hpp>
#include <cereal/types/optional.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/utility.hpp>
#include <cereal/types/vector.hpp>

#include "sim/study/result.hpp"

namespace tessera::sim {

/// What cereal looks for: of every type with a list of fields, these one after another.
template <typename Archive, typename T>
auto serialize(Archive& archive, T& value) -> decltype(T::each_field(value, nullptr)) {
  T::each_field(value, [&](char const*, auto& field) { archive(field); });
}

std::string archived(Point const& point) {
  std::ostringstream bytes;
  cereal::BinaryOutputArchive{bytes}(point);
  return bytes.str();
}

Point point_from(std::string const& bytes) {
  std::istringstream from{bytes};
  Point point;
  cereal::BinaryInputArchive{from}(point);
  return point;
}

}  // namespace tessera::sim
