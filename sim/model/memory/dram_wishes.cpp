// Where not all banks of a group are ready, each is asked.
#include "sim/model/memory/dram_wishes.hpp"

namespace tessera::sim {

DramWishes::DramWishes(std::size_t banks, std::size_t banks_per_group) {
  for (auto const kind : {Kind::read, Kind::write, Kind::activate, Kind::precharge}) {
    auto& it = of_[static_cast<std::size_t>(kind)];
    auto const together = kind == Kind::precharge ? banks : banks_per_group;
    it.wishes.resize(banks);
    it.summaries.resize(banks / together);
    for (std::size_t bank = 0; bank < banks; ++bank) {
      it.group_of.push_back(static_cast<std::uint8_t>(bank / together));
    }
  }
}

std::size_t DramWishes::oldest_ready(Kind kind, std::size_t group, std::int64_t cycle) const {
  auto const& wishes = of(kind).wishes;
  auto age = UINT64_MAX;
  std::size_t oldest = 0;
  for (auto banks = of(kind).summaries[group].banks; banks != 0; banks &= banks - 1) {
    auto const bank = first_bit(banks);
    bool const older = wishes[bank].ready <= cycle && wishes[bank].age < age;
    age = older ? wishes[bank].age : age;
    oldest = older ? bank : oldest;
  }
  return oldest;
}

}  // namespace tessera::sim
