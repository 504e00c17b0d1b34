// The builder: from what a network file says to a Network that is true forever.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "workloads/network.hpp"
#include "workloads/network_spec.hpp"
#include "workloads/shapes.hpp"

namespace tessera::workloads {

// What one network may hold; beyond it nobody computes in 64 bits with certainty.
inline constexpr std::int64_t max_tensor_elements = std::int64_t{1} << 41;  ///< 8 TiB of fp32
inline constexpr std::int64_t max_macs = std::int64_t{1} << 61;             ///< of one phase

/// Resolves names, orders the operators, infers shapes and checks every limit. One per network.
class NetworkBuilder final {
 public:
  explicit NetworkBuilder(NetworkSpec spec);

  /// Throws ConfigError with the place of the operator or key that is at fault.
  [[nodiscard]] Network build();

 private:
  /// Where a tensor comes from: 0 is the network's input, i + 1 is operator i of the file.
  using Source = std::size_t;
  static constexpr Source network_input = 0;

  void name_sources();
  void resolve_inputs();
  [[nodiscard]] std::vector<Source> sources_of(OperatorSpec const& op) const;
  [[nodiscard]] Source source_of(OperatorSpec::Input const& input) const;
  void sort();
  void choose_flattened();

  void add_input();
  void add_operator(std::size_t index);
  void link_tensors(std::size_t index, ShapedOperator& shaped);
  void link_weight(std::size_t index, ShapedOperator& shaped);
  [[nodiscard]] ConfigError other_weights(OperatorSpec const& spec, Shape const& shape,
                                          Tensor const& shared) const;
  [[nodiscard]] std::vector<Shape> input_shapes(std::size_t index) const;
  [[nodiscard]] bool reads_computed(std::size_t index) const;
  void check_macs(OperatorSpec const& spec, Operator const& op);
  TensorId add_tensor(std::string name, Tensor::Role role, Shape shape);

  NetworkSpec spec_;
  std::unordered_map<std::string, Source> source_names_;
  std::vector<std::vector<Source>> inputs_;  ///< per operator of the file
  std::vector<std::size_t> order_;
  std::vector<bool> flattened_;             ///< per source: a feature map that is stored flat
  std::vector<TensorId> tensors_;           ///< per source
  std::vector<std::size_t> weight_owners_;  ///< per operator of the file
  std::unordered_map<std::size_t, TensorId> weights_;  ///< per owner
  std::int64_t macs_ = 0;                              ///< forward, of the operators added so far
  Network network_;
};

}  // namespace tessera::workloads
