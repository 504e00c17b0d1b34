// A network: a DAG of operators by construction, for one batch size.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "arch/base/id.hpp"
#include "workloads/operator.hpp"
#include "workloads/tensor.hpp"

namespace tessera::workloads {

/// What the training step does besides the operators' own phases.
struct TrainingSpec {
  /// Compute the error of the network's input too? Nobody needs it; HyPar counts three
  /// multiplications for every layer, the first included (reference fit, factor 3).
  bool input_error = false;
};

/// An immutable network: operators in a topological order (the file's where that is one), each
/// tensor with one producer. Built by NetworkBuilder or load().
class Network final {
 public:
  [[nodiscard]] std::string const& name() const { return name_; }
  [[nodiscard]] std::int64_t batch() const { return batch_; }
  [[nodiscard]] Bytes element_size() const { return element_size_; }
  [[nodiscard]] TrainingSpec const& training() const { return training_; }

  /// The configuration it was built from, overrides applied, as YAML text: reading it gives an
  /// equal network. Traces store it.
  [[nodiscard]] std::string const& source_text() const { return source_text_; }

  [[nodiscard]] IdVector<OperatorId, Operator> const& operators() const { return operators_; }
  [[nodiscard]] IdVector<TensorId, Tensor> const& tensors() const { return tensors_; }
  [[nodiscard]] Operator const& at(OperatorId id) const { return operators_[id]; }
  [[nodiscard]] Tensor const& at(TensorId id) const { return tensors_[id]; }

  /// Throws ConfigError with the nearest name.
  [[nodiscard]] OperatorId find(std::string const& operator_name) const;

  [[nodiscard]] Elements weights() const;      ///< of all operators, shared ones once, no biases
  [[nodiscard]] Macs macs(Phase phase) const;  ///< of the whole batch, on output maps
  [[nodiscard]] Bytes bytes(TensorId tensor) const;  ///< of the whole batch

 private:
  friend class NetworkBuilder;
  std::string name_;
  std::int64_t batch_ = 0;
  Bytes element_size_{4};
  TrainingSpec training_;
  std::string source_text_;
  IdVector<OperatorId, Operator> operators_;
  IdVector<TensorId, Tensor> tensors_;
  std::unordered_map<std::string, OperatorId> by_name_;
};

}  // namespace tessera::workloads
