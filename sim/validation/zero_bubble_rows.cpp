#include "sim/validation/zero_bubble_rows.hpp"

#include "arch/base/config.hpp"
#include "sim/validation/suites.hpp"

namespace tessera::sim {

namespace {

Time milliseconds(ConfigNode const& node) {
  return node.with_text(node.as<std::string>() + " ms").as<Time>();
}

}  // namespace

double ZeroBubbleRow::rate_of(Time span) const {
  auto const work = (forward + backward_data + backward_weight) * micro_batches;
  return 1.0 - static_cast<double>(work.value()) / static_cast<double>(span.value());
}

std::vector<ZeroBubbleRow> zero_bubble_rows() {
  std::vector<ZeroBubbleRow> rows;
  for (auto const& line : reference_table("pipeline/zero_bubble")) {
    auto map = line.as_map();
    ZeroBubbleRow row;
    row.model = map.required<std::string>("model");
    row.schedule = map.required<std::string>("schedule");
    row.stages = map.required<std::int64_t>("stages");
    row.chunks = map.required<std::int64_t>("chunks");
    row.micro_batches = map.required<std::int64_t>("micro_batches");
    row.forward = milliseconds(map.node("forward_ms"));
    row.backward_data = milliseconds(map.node("backward_data_ms"));
    row.backward_weight = milliseconds(map.node("backward_weight_ms"));
    row.transfer = milliseconds(map.node("transfer_ms"));
    row.bubble_rate = map.required<double>("bubble_rate");
    map.finish();
    rows.push_back(row);
  }
  return rows;
}

}  // namespace tessera::sim
