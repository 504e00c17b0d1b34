// Operators of which only the names matter.
#pragma once

#include <string>
#include <vector>

#include "arch/base/id.hpp"
#include "workloads/operator.hpp"

namespace tessera::sim {

[[nodiscard]] inline IdVector<workloads::OperatorId, workloads::Operator> operators_named(
    std::vector<std::string> const& names) {
  IdVector<workloads::OperatorId, workloads::Operator> operators;
  for (auto const& name : names) {
    workloads::Operator op;
    op.name = name;
    operators.push_back(op);
  }
  return operators;
}

}  // namespace tessera::sim
