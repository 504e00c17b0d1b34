// Passes of a layer: whole ones, and those at the edges of filters, channels, images and rows.
#include "sim/model/compute/row_stationary.hpp"

#include <algorithm>
#include <array>

namespace tessera::sim {

namespace {

/// A loop in blocks: how often a whole block and how often the rest of it.
struct Block {
  std::int64_t extent = 0;
  std::int64_t times = 0;
};
std::array<Block, 2> blocks(std::int64_t extent, std::int64_t block) {
  return {Block{block, extent / block}, Block{extent % block, extent % block == 0 ? 0 : 1}};
}

std::int64_t span_of(ConvSide const& side) { return (side.taps - 1) * side.dilation + 1; }

/// Input rows (columns) that `outputs` neighbouring outputs read.
std::int64_t reach(ConvSide const& side, std::int64_t outputs) {
  return std::min(outputs * side.taps, (outputs - 1) * side.stride + span_of(side));
}

/// What is in a pass.
struct Contents {
  std::int64_t filters;
  std::int64_t channels;
  std::int64_t images;
  std::int64_t rows;
  std::int64_t columns;
};

RowStationaryPass pass_of(ConvShape const& conv, RowStationaryMapping const& mapping,
                          Contents const& contents) {
  RowStationaryPass pass;
  auto& used = pass.mapping;
  used.n = contents.images;
  used.e = contents.rows;
  used.f = contents.columns;
  used.t = std::min(contents.filters, mapping.t);
  used.p = ceil_divide(contents.filters, used.t);
  used.r = std::min(contents.channels, mapping.r);
  used.q = ceil_divide(contents.channels, used.r);
  pass.taps = conv.rows.taps;
  pass.row_taps = conv.columns.taps;
  pass.span = span_of(conv.columns);
  pass.rows = reach(conv.rows, contents.rows);
  pass.stride = std::min(conv.columns.stride, pass.span);
  return pass;
}

/// Calls visit(contents, times) for whole passes and for those at an edge of the layer: five loops,
/// each in whole blocks and a rest.
template <typename Visit>
void for_each_kind_of_pass(ConvShape const& conv, RowStationaryMapping const& mapping,
                           Visit const& visit) {
  std::array<std::array<Block, 2>, 5> const loops = {
      blocks(conv.filters / conv.groups, mapping.p * mapping.t),
      blocks(conv.channels / conv.groups, mapping.q * mapping.r), blocks(conv.samples, mapping.n),
      blocks(conv.rows.output, mapping.e), blocks(conv.columns.output, mapping.f)};
  for (std::size_t kind = 0; kind < 32; ++kind) {
    auto const block = [&](std::size_t loop) { return loops.at(loop).at(kind >> loop & 1U); };
    auto times = conv.groups;
    for (std::size_t loop = 0; loop < loops.size(); ++loop) times *= block(loop).times;
    if (times == 0) continue;
    visit(Contents{block(0).extent, block(1).extent, block(2).extent, block(3).extent,
                   block(4).extent},
          times);
  }
}

RowStationaryCost operator*(RowStationaryCost cost, std::int64_t times) {
  cost.cycles = cost.cycles * times;
  cost.macs = cost.macs * times;
  cost.register_accesses = cost.register_accesses * times;
  cost.network_words = cost.network_words * times;
  cost.buffer_words = cost.buffer_words * times;
  return cost;
}

/// Words and accesses of one pass. Sums are read and written once, also in the first pass (zeros).
RowStationaryCost cost_of(arch::RowStationaryCoreSpec const& core, RowStationaryPass const& pass,
                          ConvShape const& conv, Contents const& contents) {
  auto const& mapping = pass.mapping;
  auto const sums = contents.filters * contents.rows * contents.columns * contents.images;
  auto const inputs =
      contents.channels * pass.rows * reach(conv.columns, contents.columns) * contents.images;
  auto const weights = contents.filters * contents.channels * pass.taps * pass.row_taps;
  RowStationaryCost cost;
  cost.cycles = pass_cycles(core, pass);
  cost.macs = Macs{sums} * contents.channels * pass.taps * pass.row_taps;
  // Filter and input are read, the sum is read and written.
  cost.register_accesses = Elements{cost.macs.value()} * 4;
  cost.buffer_words = Elements{2 * sums + inputs};
  // Besides the words that enter and leave: each sum passes up the R * r PEs that share it.
  cost.network_words =
      cost.buffer_words + Elements{weights} + Elements{sums} * (pass.taps * mapping.r - 1);
  return cost;
}

/// Output planes whose sums the buffer holds beside the inputs of a pass: m in the paper.
std::int64_t planes_in_buffer(arch::RowStationaryCoreSpec const& core, ConvShape const& conv,
                              RowStationaryMapping const& mapping) {
  auto const bank = core.buffer.bank().value();
  auto const inputs = mapping.n * mapping.q * mapping.r * reach(conv.rows, mapping.e) *
                      reach(conv.columns, mapping.f);
  auto const plane = mapping.n * mapping.e * mapping.f * core.word.value();
  auto const banks = core.buffer.banks - ceil_divide(inputs * core.word.value(), bank);
  auto const filters = mapping.p * mapping.t;
  return banks < 1 ? 0 : banks * bank / plane / filters * filters;
}

/// Input rows (columns) of all blocks of outputs, those that two of them share twice.
std::int64_t reach_of_all(ConvSide const& side, std::int64_t block) {
  std::int64_t sum = 0;
  for (auto const& [outputs, times] : blocks(side.output, block)) {
    if (times > 0) sum += times * reach(side, outputs);
  }
  return sum;
}

/// Filters once per pass, inputs once per m output planes, outputs once.
Elements memory_words(arch::RowStationaryCoreSpec const& core, ConvShape const& conv,
                      RowStationaryMapping const& mapping) {
  auto const rounds = ceil_divide(conv.samples, mapping.n) *
                      ceil_divide(conv.rows.output, mapping.e) *
                      ceil_divide(conv.columns.output, mapping.f);
  auto const filters = conv.filters / conv.groups;
  auto const weights =
      conv.filters * (conv.channels / conv.groups) * conv.rows.taps * conv.columns.taps;
  auto const inputs = conv.samples * conv.channels * reach_of_all(conv.rows, mapping.e) *
                      reach_of_all(conv.columns, mapping.f);
  auto const again = ceil_divide(filters, planes_in_buffer(core, conv, mapping));
  auto const outputs = conv.samples * conv.filters * conv.rows.output * conv.columns.output;
  return Elements{weights} * rounds + Elements{inputs} * again + Elements{outputs};
}

/// A block of a loop: which one, and how long it is.
struct Part {
  std::int64_t index = 0;
  std::int64_t extent = 0;
};

/// `visit(part)` for `extent` cut into blocks.
template <typename Visit>
void for_each_part(std::int64_t extent, std::int64_t block, Visit const& visit) {
  for (std::int64_t first = 0; first < extent; first += block) {
    visit(Part{first / block, std::min(block, extent - first)});
  }
}

/// The passes of one layer in their order. Places count blocks in the order in which they are read.
class ArrayPasses final {
 public:
  ArrayPasses(arch::RowStationaryCoreSpec const& core, ConvShape const& conv,
              RowStationaryMapping const& mapping,
              std::function<void(RowStationaryVisit const&)> const& visit)
      : core_{core},
        conv_{conv},
        mapping_{mapping},
        visit_{visit},
        filters_{conv.filters / conv.groups},
        channels_{conv.channels / conv.groups},
        planes_{std::min(filters_, planes_in_buffer(core, conv, mapping))} {}

  void all() {
    for (std::int64_t group = 0; group < conv_.groups; ++group) {
      for_each_part(conv_.samples, mapping_.n, [&](Part images) {
        for_each_part(conv_.rows.output, mapping_.e, [&](Part rows) {
          for_each_part(conv_.columns.output, mapping_.f, [&](Part columns) {
            strip({0, 0, images.extent, rows.extent, columns.extent});
          });
        });
      });
    }
  }

 private:
  /// All output planes of one strip of outputs.
  void strip(Contents contents) {
    filter_place_ = 0;
    for_each_part(filters_, planes_, [&](Part planes) {
      auto const first_ofmap = ofmap_place_;
      for_each_part(channels_, mapping_.q * mapping_.r, [&](Part channels) {
        contents.channels = channels.extent;
        ofmap_place_ = first_ofmap;
        load_inputs(contents, channels.index);
        bool const is_last = channels.index + 1 == ceil_divide(channels_, mapping_.q * mapping_.r);
        for_each_part(planes.extent, mapping_.p * mapping_.t, [&](Part filters) {
          contents.filters = filters.extent;
          pass(contents, is_last);
        });
      });
    });
    strip_place_ += ceil_divide(channels_, mapping_.q * mapping_.r);
  }

  void load_inputs(Contents const& contents, std::int64_t channel_block) {
    next_.ifmap_place = strip_place_ + channel_block;
    next_.ifmap_words = contents.channels * reach(conv_.rows, contents.rows) *
                        reach(conv_.columns, contents.columns) * contents.images;
  }

  void pass(Contents const& contents, bool sums_are_done) {
    next_.cycles = pass_cycles(core_, pass_of(conv_, mapping_, contents));
    next_.filter_place = filter_place_++;
    next_.filter_words =
        contents.filters * contents.channels * conv_.rows.taps * conv_.columns.taps;
    next_.ofmap_place = ofmap_place_++;
    next_.ofmap_words =
        sums_are_done ? contents.filters * contents.rows * contents.columns * contents.images : 0;
    visit_(next_);
    next_.ifmap_words = 0;
  }

  arch::RowStationaryCoreSpec const& core_;
  ConvShape const& conv_;
  RowStationaryMapping const& mapping_;
  std::function<void(RowStationaryVisit const&)> const& visit_;
  std::int64_t filters_;
  std::int64_t channels_;
  std::int64_t planes_;
  std::int64_t strip_place_ = 0;
  std::int64_t filter_place_ = 0;
  std::int64_t ofmap_place_ = 0;
  RowStationaryVisit next_;
};

}  // namespace

Cycles pass_cycles(arch::RowStationaryCoreSpec const& core, RowStationaryPass const& pass) {
  auto const& [n, e, f, p, q, r, t] = pass.mapping;
  auto const& networks = core.networks;
  auto const filter = ceil_divide(p * t * q * r * pass.taps * pass.row_taps, networks.filter);
  auto const window = ceil_divide(q * r * pass.rows * pass.span, networks.ifmap);
  auto const step = ceil_divide(q * r * pass.rows * pass.stride, networks.ifmap);
  auto const mac = p * q * pass.row_taps;
  auto const psum = ceil_divide(p * t * e, networks.psum);

  auto const slots = n * f;
  auto const ends = filter + window + psum;  // before the first slot and after the last
  if (slots == 1) return Cycles{ends + mac};
  // The first slot has no sums to send, the last no input to wait for.
  auto const second_starts_an_image = f == 1;
  auto const first = std::max(mac, second_starts_an_image ? window : step);
  auto const last = std::max(mac, psum);
  auto const image_starts = n - 1 - (second_starts_an_image ? 1 : 0);
  auto const steps = slots - 2 - image_starts;
  return Cycles{ends + first + last} + Cycles{std::max({mac, psum, window})} * image_starts +
         Cycles{std::max({mac, psum, step})} * steps;
}

RowStationaryCost& RowStationaryCost::operator+=(RowStationaryCost const& other) {
  cycles += other.cycles;
  macs += other.macs;
  active_pes = std::max(active_pes, other.active_pes);
  register_accesses += other.register_accesses;
  network_words += other.network_words;
  buffer_words += other.buffer_words;
  memory_words += other.memory_words;
  return *this;
}

std::int64_t sets_that_fit(arch::RowStationaryCoreSpec const& core, std::int64_t taps,
                           std::int64_t e) {
  auto const segments = ceil_divide(e, core.columns);
  auto const side_by_side = segments == 1 ? core.columns / e : 1;
  return side_by_side * (core.rows / (taps * segments));
}

bool fits(arch::RowStationaryCoreSpec const& core, ConvShape const& conv,
          RowStationaryMapping const& mapping) {
  auto const& [n, e, f, p, q, r, t] = mapping;
  auto const& words = core.scratchpads;
  return r * t <= sets_that_fit(core, conv.rows.taps, e) &&
         p * q * conv.columns.taps <= words.filter && q * span_of(conv.columns) <= words.ifmap &&
         p <= words.psum && planes_in_buffer(core, conv, mapping) > 0;
}

RowStationaryCost row_stationary_cost(arch::RowStationaryCoreSpec const& core,
                                      ConvShape const& conv, RowStationaryMapping const& mapping) {
  EXPECTS(fits(core, conv, mapping), mapping.n, mapping.e, mapping.p, mapping.q, mapping.r,
          mapping.t);
  RowStationaryCost total;
  for_each_kind_of_pass(conv, mapping, [&](Contents const& contents, std::int64_t times) {
    total += cost_of(core, pass_of(conv, mapping, contents), conv, contents) * times;
  });
  total.active_pes = conv.rows.taps * mapping.e * mapping.r * mapping.t;
  total.memory_words = memory_words(core, conv, mapping);
  return total;
}

ConsumedEnergy energy_of(arch::RowStationaryCoreSpec const& core, RowStationaryCost const& cost,
                         double zeros) {
  EXPECTS(zeros >= 0 && zeros <= 1, zeros);
  auto const& energy = core.energy;
  double const active = 1 - energy.gated_share * zeros;
  return {cost.macs.value() * energy.mac * active,
          cost.register_accesses.value() * energy.register_file * active,
          cost.network_words.value() * energy.network,
          cost.buffer_words.value() * energy.buffer,
          cost.cycles.value() * energy.cycle,
          cost.memory_words.value() * energy.memory};
}

void for_each_pass(arch::RowStationaryCoreSpec const& core, ConvShape const& conv,
                   RowStationaryMapping const& mapping,
                   std::function<void(RowStationaryVisit const&)> const& visit) {
  EXPECTS(fits(core, conv, mapping), mapping.n, mapping.e, mapping.p, mapping.q);
  ArrayPasses{core, conv, mapping, visit}.all();
}

}  // namespace tessera::sim
