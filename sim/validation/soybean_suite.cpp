// SoyBean's tilings (arXiv:1805.04170) of multi-layer perceptrons: the elements that one to three cuts move: exactly, or fewer.
#include "partition/planners/soybean.hpp"
#include "sim/validation/suites.hpp"
#include "workloads/load.hpp"

namespace tessera::sim {

namespace {

using partition::SoyBeanGraph;
using partition::SoyBeanOptions;

/// A line of the table.
struct Perceptron {
  std::int64_t layers = 1;
  std::int64_t batch = 1;
  std::int64_t hidden = 1;
  std::int64_t cuts = 1;
  bool is_tied = false;
};

workloads::Network perceptron(Perceptron const& point) {
  auto const hidden = std::to_string(point.hidden);
  std::string text =
      "schema: tessera.network/1\nname: mlp\nelement: fp32\nbatch: " + std::to_string(point.batch) +
      "\ninput: {name: x0, features: " + hidden + "}\noperators:\n";
  for (std::int64_t layer = 1; layer <= point.layers; ++layer) {
    text += "  - {name: x" + std::to_string(layer) + ", kind: linear, input: x" +
            std::to_string(layer - 1) + ", outputs: " + hidden + "}\n";
  }
  return workloads::network_from(read_config_text(text, "mlp"));
}

/// Of all groups: cut i is made in 2^i of them, and knows of those that follow, as the planner's
/// do.
std::int64_t moved(Perceptron const& point) {
  SoyBeanOptions options;
  options.forms = SoyBeanOptions::Forms::fused_backward;
  options.errors = point.is_tied ? SoyBeanOptions::Errors::tied : SoyBeanOptions::Errors::free;
  SoyBeanGraph graph{perceptron(point), options};
  double elements = 0;
  for (std::int64_t i = 0; i < point.cuts; ++i) {
    SoyBeanGraph::Request request;
    request.ways.assign(static_cast<std::size_t>(point.cuts - i), 2);
    elements += graph.cut(request).elements * static_cast<double>(std::int64_t{1} << i);
  }
  return static_cast<std::int64_t>(elements);
}

class SoyBeanSuite final : public Suite {
 public:
  [[nodiscard]] std::vector<Row> run(ValidationOptions const& /*options*/) const override {
    std::vector<Row> rows;
    for (auto const& line : reference_table("soybean/mlp_kcuts")) {
      auto map = line.as_map();
      Perceptron point;
      point.layers = map.required<std::int64_t>("layers");
      point.batch = map.required<std::int64_t>("batch");
      point.hidden = map.required<std::int64_t>("hidden");
      point.cuts = map.required<std::int64_t>("cuts");
      point.is_tied = map.required<std::int64_t>("tied") != 0;
      Row row;
      row.suite = "soybean";
      row.source = "SoyBean, k-cuts";
      row.title = std::to_string(point.layers) + " x " + std::to_string(point.hidden) + ", batch " +
                  std::to_string(point.batch) + ", " + std::to_string(point.cuts) + " cuts" +
                  (point.is_tied ? ", tied errors" : "");
      row.metric = "elements moved";
      row.reference = Figure::written(map.required<std::string>("moved"));
      row.value = Figure::of_count(moved(point));
      // The other implementation makes another one of equally cheap cuts; dearer would be a mistake.
      if (*row.value.number < *row.reference.number) row.deviation = "D64";
      row.note = "from another implementation, not the authors'";
      rows.push_back(judged(row));
      map.finish();
    }
    return rows;
  }
};

}  // namespace

std::unique_ptr<Suite> soybean_suite() { return std::make_unique<SoyBeanSuite>(); }

}  // namespace tessera::sim
