// Fields of one kind that appear twice make up one coordinate, low bits first.
#include "sim/model/memory/dram/dram_walk.hpp"

#include "arch/base/contract.hpp"
#include "sim/model/memory/dram/address_map.hpp"

namespace tessera::sim {

namespace {

using Kind = arch::AddressField::Kind;

}  // namespace

DramWalk::DramWalk(arch::DramSpec const& spec, Access access, std::uint16_t bursts)
    : access_{access}, bursts_{bursts} {
  auto const bytes = bursts * spec.organization.burst().value();
  EXPECTS(bursts > 0 && (bursts & (bursts - 1)) == 0 && bytes <= spec.block().value(), bursts);
  auto within = bits_of(bursts);  // bits of the column that are left out
  auto up = first_bits(spec.organization);
  unsigned shift = 0;
  for (auto const& [kind, bits] : spec.address_map) {
    if (kind == Kind::byte || kind == Kind::channel) continue;
    auto const skipped = kind == Kind::column ? std::min(within, static_cast<unsigned>(bits)) : 0;
    auto const width = static_cast<unsigned>(bits) - skipped;
    within -= skipped;
    auto& place = up[static_cast<std::size_t>(kind)];
    bool const is_row = kind == Kind::row;
    period_ = is_row ? std::uint64_t{1} << shift : std::uint64_t{1} << (shift + width);
    row_step_ = is_row ? std::uint32_t{1} << place : 0;
    if (kind == Kind::column && width > 0) {
      run_period_ = std::uint64_t{1} << shift;
      run_length_ = std::uint64_t{1} << (shift + width);
    }
    auto const mask = (std::uint64_t{1} << width) - 1;
    bool const is_bank = kind == Kind::bank || kind == Kind::bank_group;
    bool const keeps_turn = is_row && (fields_.empty() || !fields_.back().is_row);
    if (!keeps_turn) {
      turn_ = is_bank ? std::uint64_t{1} << shift : period_;
      turning_.shift = place;
      turning_.mask = is_bank ? mask : 0;
    }
    if (kind != Kind::column) fields_.push_back({is_row, shift, place, mask});
    place += width;
    shift += width;
  }
  blocks_ = std::uint64_t{1} << shift;
  for (auto const& field : fields_) {
    auto const first = std::uint64_t{1} << field.shift;
    if (first >= turn_) continue;
    if (field.is_row) keeps_rows_ = false;
    if (!field.is_row) bank_period_ = first * (field.mask + 1);
  }
}

}  // namespace tessera::sim
