#include "workloads/weight_ties.hpp"

#include <algorithm>
#include <unordered_map>

#include "arch/base/nearest_name.hpp"

namespace tessera::workloads {

namespace {

bool has_weights(OperatorSpec const& op) {
  if (auto const* const profiled = std::get_if<ProfiledSpec>(&op.work)) {
    return profiled->weights > 0;
  }
  return std::holds_alternative<ConvSpec>(op.work) || std::holds_alternative<LinearSpec>(op.work) ||
         std::holds_alternative<EmbeddingSpec>(op.work) ||
         std::holds_alternative<LstmSpec>(op.work);
}

void check_tie(OperatorSpec const& op, OperatorSpec const& owner) {
  auto const& place = op.tied_to->place;
  if (&op == &owner) {
    throw place.error("operator '" + op.name +
                      "' is tied to itself; name the operator whose weights it shares, or leave "
                      "tied_to out");
  }
  for (auto const* const end : {&op, &owner}) {
    if (has_weights(*end)) continue;
    throw place.error("operator '" + end->name +
                      "' has no weights to share (conv, linear, embedding, lstm and profiled "
                      "operators have some); leave tied_to out");
  }
  if (owner.tied_to) {
    throw place.error("operator '" + owner.name + "' is tied to '" + owner.tied_to->name +
                      "' itself (all that share weights are tied to one that is not); " +
                      (owner.tied_to->name == op.name ? "leave one of the two tied_to out"
                                                      : "write tied_to: " + owner.tied_to->name));
  }
}

}  // namespace

std::vector<std::size_t> weight_owners(std::vector<OperatorSpec> const& operators) {
  std::unordered_map<std::string, std::size_t> indices;
  std::vector<std::string> names;
  for (auto const& op : operators) {
    indices.emplace(op.name, names.size());
    names.push_back(op.name);
  }
  std::vector<std::size_t> owners;
  for (auto const& op : operators) {
    owners.push_back(owners.size());
    if (!op.tied_to) continue;
    auto const owner = indices.find(op.tied_to->name);
    if (owner == indices.end()) {
      throw op.tied_to->place.error(unknown_name("operator", op.tied_to->name, names));
    }
    check_tie(op, operators[owner->second]);
    owners.back() = owner->second;
  }
  return owners;
}

std::optional<TensorAccess> shared_access(TensorAccess access, Shape const& own,
                                          Shape const& shared) {
  if (own == shared) return access;
  bool const is_transposed = own.size() == 2 && Shape{own.rbegin(), own.rend()} == shared;
  if (!is_transposed) return std::nullopt;
  std::reverse(access.axes.begin(), access.axes.end());
  return access;
}

}  // namespace tessera::workloads
