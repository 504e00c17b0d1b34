#include "workloads/repeated_blocks.hpp"

#include <cctype>

namespace tessera::workloads {

std::vector<Repeat> repeats(std::vector<std::string> const& items) {
  auto const size = items.size();
  std::vector<Repeat> best(size);
  for (std::size_t length = 1; 2 * length <= size; ++length) {
    std::size_t equal = 0;  // items from `begin` on that the items `length` later are equal to
    for (auto begin = size - length; begin-- > 0;) {
      equal = items[begin] == items[begin + length] ? equal + 1 : 0;
      auto const times = equal / length + 1;
      auto const covered = times > 1 ? times * length : 1;
      if (covered > best[begin].length * best[begin].times) best[begin] = {begin, length, times};
    }
  }
  std::vector<Repeat> all;
  for (std::size_t begin = 0; begin < size; begin += all.back().length * all.back().times) {
    all.push_back(best[begin]);
    all.back().begin = begin;
  }
  return all;
}

std::string name_pattern(std::string const& name) {
  std::string pattern;
  for (auto const letter : name) {
    bool const is_digit = std::isdigit(static_cast<unsigned char>(letter)) != 0;
    if (!is_digit) {
      pattern += letter;
    } else if (pattern.empty() || pattern.back() != '#') {
      pattern += '#';
    }
  }
  return pattern;
}

std::string block_key(Operator const& op) {
  auto key = name_pattern(op.name);
  key.append(" ").append(name(op.kind));
  for (auto const dim : all_dims) key.append(" ").append(std::to_string(op.extents[dim]));
  return key;
}

}  // namespace tessera::workloads
