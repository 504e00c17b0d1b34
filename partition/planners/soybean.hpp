// SoyBean's tiling of a training step (Wang et al., arXiv:1805.04170; the same group's Tofu, EuroSys'19, extends it): every tensor has a
// layout of its own, and every computation takes the aligned form whose conversions move least.
//
// The step is a graph of tensors (activations, their errors, weights with their gradients) and computations (an operator's forward
// pass and its backward passes). A computation is aligned with a cut when one of its loop dimensions is split by it: what that dimension
// indexes is split, other operands are replicated, other results are partial sums. For a product these are SoyBean's three
// forms, over n, k and c. A cut chooses a layout per tensor and a form per computation; it costs the conversions
// (region_cut.hpp) from each operand's layout to its form, and from each result's form to its layout. Each is a term over one tensor
// and one computation, so that our min-sum engine finds the optimum of any graph; the authors' levelled dynamic programme ignores
// some edges of one that is not a chain.
//
// Devices 2^k: k cuts, one after another, each on what the ones before have left to the first halves, and both halves alike, so the
// whole moves the sum over i = 0 .. k-1 of 2^i times what cut i costs.
//
// Tofu is the same with cuts in as many parts as the prime factors of the number of devices, the largest first (the hierarchy of our
// arrays), what a cut costs counted as often as there are groups that it cuts; and the graph is coarsened before it is searched. An
// operator and its backward passes are one (Forms::per_operator), a tensor and its error another (Errors::tied), and an element-wise
// operator leaves its output as its input lies: the two are one tensor where nobody else reads the input. In our networks that is the
// sum of branches, since activation functions are part of the operator before them; unrolled time steps, which the authors merge,
// are one operator here anyway. Coarsening is exact for a cut of whole tensors where what the sum's readers are is one at most: then its
// output may as well lie as it is computed (proof: conversions obey the triangle inequality, and all but one of the layouts that
// the three tensors could have cost as much in between as they save at either end). With several readers, one replication
// could have served all of them. (Tofu's description language of operators, from which it derives the aligned forms, is not
// needed where operators have named dimensions; its dynamic programme is our min-sum.)
//
// Left out, as by the authors: computation (every cut halves it), the updates of weights, biases.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "partition/search/level_problem.hpp"
#include "partition/search/min_sum.hpp"
#include "partition/search/region_cut.hpp"
#include "partition/search/sample_levels.hpp"

namespace tessera::partition {

struct SoyBeanOptions {
  /// Which passes of an operator share one form.
  enum class Forms {
    per_operator,    ///< all
    fused_backward,  ///< the two backward passes, as in SoyBean's code
    split_backward,  ///< none
  };
  Forms forms = Forms::per_operator;

  /// May the error of an activation lie otherwise than the activation? (SoyBean's code says yes;
  /// its paper and Tofu tie the two.)
  enum class Errors { free, tied };
  Errors errors = Errors::free;

  /// Is the output of an element-wise operator one tensor with its input, as in Tofu? Needs tied
  /// errors.
  enum class Coarsening { element_wise, none };
  Coarsening coarsening = Coarsening::none;
};

class SoyBeanGraph final {
 public:
  SoyBeanGraph(workloads::Network const& network, SoyBeanOptions options);

  /// What a computation is split over; none: both halves compute it, which is an operator's form
  /// only where samples are kept whole and it can be split over nothing else.
  using Form = std::optional<Split>;

  /// What one cut decides.
  struct Cut {
    double elements = 0;              ///< that cross it, all directions, in one group
    double bound = 0;                 ///< no cut has fewer
    std::vector<Form> forward;        ///< of every operator's forward pass
    std::vector<Form> backward_data;  ///< of its backward passes
    std::vector<Form> backward_weight;
    std::int64_t evaluations = 0;
  };

  /// Which cut is asked for.
  struct Request {
    /// In how many parts; then the cuts that will follow, which decide between cuts of equal cost.
    std::vector<std::size_t> ways = {2};
    Samples samples = Samples::may_be_split;
    MinSum::Limits limits = {};
  };

  /// The cheapest cut of what is left, by min-sum; leaves the first part. Of equally cheap ones
  /// that after which the cuts that follow cost least together, as far as is looked ahead
  /// (soybean_ties.cpp). Ties that are left go by the layouts, not the forms: weights replicated
  /// first, all others split along the outermost axis first, replicated last; forms n, then k,
  /// then c.
  Cut cut(Request const& request);
  Cut cut(std::size_t ways = 2, MinSum::Limits const& limits = {}) {
    return cut(Request{{ways}, Samples::may_be_split, limits});
  }

 private:
  struct Value {
    Region left;
    std::vector<Holding> layouts;  ///< replicated, and those that some form needs or leaves
  };
  enum class Direction { operand, result };
  struct Use {
    std::size_t value = 0;
    Direction direction = Direction::operand;
    Region left;                 ///< what the computation needs or makes of the value
    std::vector<Holding> forms;  ///< how, in each of its forms
  };
  struct Computation {
    std::vector<Form> forms;
    std::vector<Use> uses;
  };
  class Builder;

  /// A labelling of the layouts of all values and the forms of all computations.
  struct Labels {
    std::vector<std::size_t> layouts;
    std::vector<std::size_t> forms;
    double elements = 0;
    double bound = 0;
    std::int64_t evaluations = 0;
  };

  [[nodiscard]] std::size_t gradient_of(std::size_t op) const;  ///< which computation
  [[nodiscard]] std::size_t error_of(std::size_t op) const;
  /// Which of a computation's forms a cut may choose.
  [[nodiscard]] static std::vector<std::size_t> allowed(Computation const& computation,
                                                        Samples samples);
  [[nodiscard]] std::vector<double> costs(Use const& use, std::vector<std::size_t> const& forms,
                                          std::size_t ways) const;
  [[nodiscard]] Labels cheapest(Request const& request) const;
  /// Of cuts that cost as little as `first`, one after which those that follow cost least, where
  /// that is less than after `first`.
  [[nodiscard]] Labels with_cheapest_followers(Request const& request, Labels first) const;
  class Window;
  void keep_first_part(Labels const& labels, std::size_t ways);

  std::size_t operators_;
  std::vector<Value> values_;
  std::vector<Computation> computations_;  ///< the forward passes first, in the operators' order
};

}  // namespace tessera::partition
