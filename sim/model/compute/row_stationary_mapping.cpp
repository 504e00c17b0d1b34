// The search for a mapping, and the phases of training as convolutions that a row-stationary array can hold.
#include <algorithm>
#include <numeric>
#include <optional>
#include <tuple>

#include "arch/base/config_error.hpp"
#include "sim/model/compute/row_stationary.hpp"

namespace tessera::sim {

namespace {

using workloads::Phase;

/// Sizes of blocks that cut `extent` into different numbers of blocks, from the largest that is
/// allowed; at most `how_many`.
std::vector<std::int64_t> block_sizes(std::int64_t extent, std::int64_t most,
                                      std::size_t how_many) {
  std::vector<std::int64_t> sizes;
  for (auto size = std::min(extent, most); size > 0 && sizes.size() < how_many;) {
    sizes.push_back(ceil_divide(extent, ceil_divide(extent, size)));
    size = sizes.back() - 1;
  }
  return sizes;
}

/// The fastest mapping so far.
class BestMapping final {
 public:
  BestMapping(arch::RowStationaryCoreSpec const& core, ConvShape const& conv)
      : core_{core}, conv_{conv}, macs_{analytical_macs(conv, Phase::forward)} {}

  /// Could a mapping be as fast? No PE multiplies more than once in a cycle, and every sum passes
  /// the network once for each q * r channels.
  [[nodiscard]] bool may_be_beaten_by(RowStationaryMapping const& mapping) const {
    if (!mapping_) return true;
    auto const& [n, e, f, p, q, r, t] = mapping;
    auto const taps = conv_.rows.taps * conv_.columns.taps;
    auto const macs_per_cycle = conv_.rows.taps * e * r * t;
    auto const macs_per_cycle_of_sums = taps * q * r * core_.networks.psum;
    return macs_.value() / std::min(macs_per_cycle, macs_per_cycle_of_sums) <= std::get<0>(key_);
  }

  void consider(RowStationaryMapping const& mapping) {
    auto const cost = row_stationary_cost(core_, conv_, mapping);
    auto const key = std::make_tuple(cost.cycles.value(), cost.buffer_words.value());
    if (mapping_ && key_ <= key) return;
    mapping_ = mapping;
    key_ = key;
  }

  [[nodiscard]] std::optional<RowStationaryMapping> const& mapping() const { return mapping_; }

 private:
  arch::RowStationaryCoreSpec const& core_;
  ConvShape const& conv_;
  Macs macs_;
  std::optional<RowStationaryMapping> mapping_;
  std::tuple<std::int64_t, std::int64_t> key_;
};

/// Gives a pass as many columns as the buffer has room for; false when not even a few fit.
bool widen(arch::RowStationaryCoreSpec const& core, ConvShape const& conv,
           RowStationaryMapping& mapping) {
  for (auto const f : block_sizes(conv.columns.output, conv.columns.output, 16)) {
    mapping.f = f;
    if (fits(core, conv, mapping)) return true;
  }
  return false;
}

/// All mappings with these rows and images of a pass: so many sets for filters, all others for
/// channels.
void try_sets(arch::RowStationaryCoreSpec const& core, ConvShape const& conv,
              RowStationaryMapping mapping, BestMapping& best) {
  auto const filters = conv.filters / conv.groups;
  auto const channels = conv.channels / conv.groups;
  auto const sets = sets_that_fit(core, conv.rows.taps, mapping.e);
  auto const span = (conv.columns.taps - 1) * conv.columns.dilation + 1;
  for (auto t = std::min(sets, filters); t > 0; t = sets / (sets / t + 1)) {
    mapping.t = t;
    mapping.r = std::min(sets / t, channels);
    auto const share = ceil_divide(channels, mapping.r);
    for (auto const q : block_sizes(share, core.scratchpads.ifmap / span, 4)) {
      mapping.q = q;
      if (!best.may_be_beaten_by(mapping)) continue;
      auto const most =
          std::min(core.scratchpads.psum, core.scratchpads.filter / (q * conv.columns.taps));
      for (auto const p : block_sizes(ceil_divide(filters, mapping.t), most, 2)) {
        mapping.p = p;
        if (widen(core, conv, mapping)) best.consider(mapping);
      }
    }
  }
}

/// A side whose taps do not fit becomes `parts` sides of fewer taps.
std::int64_t cut_taps(ConvSide& side, std::int64_t most) {
  auto const parts = ceil_divide(side.taps, most);
  side.taps = ceil_divide(side.taps, parts);
  return parts;
}

ConvShape cut_to_fit(arch::RowStationaryCoreSpec const& core, ConvShape conv) {
  auto const& words = core.scratchpads;
  auto const span = (std::min(words.ifmap, words.filter) - 1) / conv.columns.dilation + 1;
  conv.channels *= cut_taps(conv.rows, core.rows) * cut_taps(conv.columns, span);
  return conv;
}

/// One side of the convolution that computes an error: unit stride over the error's positions.
std::vector<ConvSide> error_sides(ConvSide const& side) {
  std::vector<ConvSide> sides;
  for (auto const& found : residue_classes(side)) {
    ConvSide error;
    error.output = found.positions;
    error.taps = found.taps;
    error.dilation = side.dilation / std::gcd(side.dilation, side.stride);
    error.input = (error.output - 1) + (error.taps - 1) * error.dilation + 1;
    sides.push_back(error);
  }
  return sides;
}

/// One side of the convolution that computes a gradient: the error is the filter.
ConvSide gradient_side(ConvSide const& side) {
  return {side.input, side.taps, side.output, side.dilation, side.stride, side.padding};
}

std::vector<ConvShape> convolutions(ConvShape const& conv, Phase phase) {
  if (phase == Phase::forward) return {conv};
  if (phase == Phase::backward_weight) {
    return {{conv.channels / conv.groups, conv.filters, conv.samples * conv.groups, conv.groups,
             gradient_side(conv.rows), gradient_side(conv.columns)}};
  }
  std::vector<ConvShape> errors;
  for (auto const& row : error_sides(conv.rows)) {
    for (auto const& column : error_sides(conv.columns)) {
      errors.push_back({conv.samples, conv.channels, conv.filters, conv.groups, row, column});
    }
  }
  return errors;
}

template <typename Shape>
std::vector<ConvShape> convolutions(Shape const& shape, Phase phase) {
  std::vector<ConvShape> products;
  for (auto const& [batch, m, n, k] : gemms_of(shape, phase)) {
    products.push_back({m, n * batch, k * batch, batch, {}, {}});
  }
  return products;
}

/// All mappings with up to `most_images` in a pass.
void try_images(arch::RowStationaryCoreSpec const& core, ConvShape const& conv,
                std::int64_t most_images, BestMapping& best) {
  auto const tallest = core.columns * std::max<std::int64_t>(core.rows / conv.rows.taps, 1);
  for (auto const e : block_sizes(conv.rows.output, tallest, 8)) {
    for (auto const n : block_sizes(conv.samples, most_images, 4)) {
      RowStationaryMapping mapping;
      mapping.n = n;
      mapping.e = e;
      try_sets(core, conv, mapping, best);
    }
  }
}

}  // namespace

RowStationaryMapping choose_mapping(arch::RowStationaryCoreSpec const& core,
                                    ConvShape const& conv) {
  BestMapping best{core, conv};
  // Fewer images only where the buffer has no room for many.
  for (std::int64_t images = 64; images > 0 && !best.mapping(); images /= 2) {
    try_images(core, conv, images, best);
  }
  if (best.mapping()) return *best.mapping();
  throw ConfigError({}, {},
                    "no mapping fits the row-stationary array (a filter of " +
                        std::to_string(conv.rows.taps) + " rows and a row of " +
                        std::to_string(conv.columns.output) +
                        " positions); use more rows, larger scratchpads or a larger buffer");
}

std::vector<ConvShape> convolutions_of(arch::RowStationaryCoreSpec const& core,
                                       OperatorShape const& shape, Phase phase) {
  if (phase == Phase::update) return {};
  auto const whole = std::visit([&](auto const& kind) { return convolutions(kind, phase); }, shape);
  std::vector<ConvShape> parts;
  for (auto const& conv : whole) parts.push_back(cut_to_fit(core, conv));
  return parts;
}

}  // namespace tessera::sim
