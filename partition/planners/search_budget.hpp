// How much a search against the timeline may try: as its options say, unless it has a budget; and no more once it is interrupted.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "partition/planners/planning_context.hpp"
#include "partition/planners/search_options.hpp"
#include "partition/search/strategy_search.hpp"

namespace tessera::partition {

class SearchBudget final {
 public:
  /// `at_most`: evaluations without a budget. The problem's context must outlive this; a budget in
  /// seconds requires one, which lends its clock.
  SearchBudget(Problem const& problem, BudgetOption const& option, std::int64_t at_most);

  [[nodiscard]] bool is_given() const { return option_.evaluations || option_.seconds; }
  /// Which part of it is used after so many evaluations, from 0 on.
  [[nodiscard]] double used(std::int64_t evaluations) const;
  [[nodiscard]] bool is_interrupted() const { return context_.is_interrupted(); }
  [[nodiscard]] bool is_over(std::int64_t evaluations) const;
  void tell(std::int64_t evaluations, std::optional<Time> best) const;

  /// For a search of so many chains, the polish among them. This must outlive it.
  [[nodiscard]] SearchLimits limits(std::size_t chains) const;

  /// A line about a search that has ended, where `times` were the operators'.
  [[nodiscard]] std::string summary(std::int64_t evaluations, TimesOf times) const;

 private:
  PlanningContext context_;
  BudgetOption option_;
  std::int64_t at_most_;
};

}  // namespace tessera::partition
