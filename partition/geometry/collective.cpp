#include "partition/geometry/collective.hpp"

#include <limits>
#include <numeric>

#include "arch/base/contract.hpp"
#include "partition/geometry/collective_builder.hpp"

namespace tessera::partition {

namespace {

/// What there is to say of a shape that is none of `ranks`.
[[nodiscard]] bool has_shape_of(CollectiveSpec const& spec, std::uint32_t ranks) {
  auto const product = std::accumulate(spec.shape.begin(), spec.shape.end(), std::int64_t{1},
                                       [](auto a, auto b) { return a * b; });
  return !spec.shape.empty() && product == ranks;
}

}  // namespace

std::vector<std::pair<std::string, CollectiveKind>> const& collective_kinds() {
  static std::vector<std::pair<std::string, CollectiveKind>> const kinds = {
      {"allreduce", CollectiveKind::all_reduce}, {"reducescatter", CollectiveKind::reduce_scatter},
      {"allgather", CollectiveKind::all_gather}, {"alltoall", CollectiveKind::all_to_all},
      {"broadcast", CollectiveKind::broadcast},  {"reshard", CollectiveKind::reshard}};
  return kinds;
}

std::vector<std::pair<std::string, CollectiveAlgorithm>> const& collective_algorithms() {
  static std::vector<std::pair<std::string, CollectiveAlgorithm>> const algorithms = {
      {"ring", CollectiveAlgorithm::ring},
      {"bidirectional-ring", CollectiveAlgorithm::bidirectional_ring},
      {"halving-doubling", CollectiveAlgorithm::halving_doubling},
      {"tree", CollectiveAlgorithm::tree},
      {"double-tree", CollectiveAlgorithm::double_tree},
      {"torus", CollectiveAlgorithm::torus},
      {"hierarchical", CollectiveAlgorithm::hierarchical},
      {"direct", CollectiveAlgorithm::direct},
      {"in-switch", CollectiveAlgorithm::in_switch}};
  return algorithms;
}

bool makes(CollectiveAlgorithm algorithm, CollectiveKind kind) {
  bool const is_block_wise = kind == CollectiveKind::all_reduce ||
                             kind == CollectiveKind::reduce_scatter ||
                             kind == CollectiveKind::all_gather;
  switch (algorithm) {
    case CollectiveAlgorithm::ring:
      return kind != CollectiveKind::broadcast && kind != CollectiveKind::reshard;
    case CollectiveAlgorithm::direct:
      return kind != CollectiveKind::broadcast;
    case CollectiveAlgorithm::bidirectional_ring:
    case CollectiveAlgorithm::halving_doubling:
    case CollectiveAlgorithm::torus:
    case CollectiveAlgorithm::hierarchical:
      return is_block_wise;
    case CollectiveAlgorithm::tree:
    case CollectiveAlgorithm::double_tree:
      return kind == CollectiveKind::all_reduce || kind == CollectiveKind::broadcast;
    case CollectiveAlgorithm::in_switch:
      break;
  }
  return kind == CollectiveKind::all_reduce;
}

std::string collective_problem(CollectiveSpec const& spec, std::uint32_t ranks) {
  if (!makes(spec.algorithm, spec.kind)) return "this algorithm does not make this collective";
  if (ranks < 2) return "a collective needs two ranks";
  auto const is_part = [&](std::int64_t group) { return group >= 1 && group <= ranks; };
  if (spec.kind == CollectiveKind::reshard && !(is_part(spec.from) && is_part(spec.to))) {
    return "a reshard is from 1 to " + std::to_string(ranks) + " ranks, to as many";
  }
  if (spec.algorithm == CollectiveAlgorithm::torus && !has_shape_of(spec, ranks)) {
    return "the algorithm torus needs a mesh or torus";
  }
  return {};
}

std::int64_t block_of(std::int64_t size, std::int64_t block, std::int64_t blocks) {
  return size / blocks * (block + 1) + size % blocks * (block + 1) / blocks -
         size / blocks * block - size % blocks * block / blocks;
}

std::vector<std::int64_t> pieces_of(CollectiveSpec const& spec, std::uint32_t ranks) {
  std::vector<std::int64_t> pieces;
  auto const cut = [&pieces](std::int64_t size, std::int64_t parts) {
    for (std::int64_t i = 0; i < parts; ++i) pieces.push_back(block_of(size, i, parts));
  };
  bool const is_in_chunks = spec.algorithm == CollectiveAlgorithm::tree ||
                            spec.algorithm == CollectiveAlgorithm::in_switch;
  if (is_in_chunks) {
    cut(spec.size, spec.chunks);
    return pieces;
  }
  if (spec.algorithm == CollectiveAlgorithm::double_tree) {
    cut(spec.size - spec.size / 2, spec.chunks);
    cut(spec.size / 2, spec.chunks);
    return pieces;
  }
  pieces = spec.blocks;
  if (pieces.empty()) cut(spec.size, ranks);
  bool const go_two_ways = spec.algorithm == CollectiveAlgorithm::bidirectional_ring ||
                           spec.algorithm == CollectiveAlgorithm::torus;
  for (std::size_t i = 0; go_two_ways && i < ranks; ++i) {
    auto const half = pieces[i] / 2;
    pieces[i] -= half;
    pieces.push_back(half);
  }
  return pieces;
}

std::vector<CollectiveMessage> collective_messages(CollectiveSpec const& spec,
                                                   std::uint32_t ranks) {
  EXPECTS(collective_problem(spec, ranks).empty(), ranks, spec.size);
  return CollectiveBuilder{spec, ranks}.build();
}

std::vector<CollectiveMessage> collective_messages(CollectiveSpec const& spec, std::uint32_t ranks,
                                                   Representatives const& representatives) {
  EXPECTS(collective_problem(spec, ranks).empty(), ranks, spec.size);
  EXPECTS(representatives.size() == ranks, representatives.size(), ranks);
  return CollectiveBuilder{spec, ranks, representatives}.build();
}

}  // namespace tessera::partition
