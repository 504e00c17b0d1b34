#include "partition/planners/auto_budget.hpp"

#include <algorithm>
#include <cmath>

namespace tessera::partition {

namespace {

/// Prices for each simulation of a budget of those.
constexpr std::int64_t prices_per_simulation = 25;
/// Simulations that are left over for what comes last.
constexpr std::int64_t kept_back = 3;

/// Of a budget in seconds, what is over when a part of the search ends.
double share_at_end(AutoBudget::Part part) {
  switch (part) {
    case AutoBudget::Part::planning:
      return 0.25;
    case AutoBudget::Part::seeds:
      return 0.5;
    case AutoBudget::Part::moves:
      return 0.65;
    case AutoBudget::Part::climbing:
      return 0.85;
    case AutoBudget::Part::all:
      return 1;
  }
  return 1;
}

/// Of a budget in simulations: seeds of parts of the array have a third.
std::int64_t simulations_at_end(AutoBudget::Part part, std::int64_t all) {
  switch (part) {
    case AutoBudget::Part::planning:
    case AutoBudget::Part::seeds:
      return std::max<std::int64_t>(1, all / 3);
    case AutoBudget::Part::moves:
    case AutoBudget::Part::climbing:
      return all - kept_back;
    case AutoBudget::Part::all:
      return all;
  }
  return all;
}

}  // namespace

bool AutoBudget::has_seconds_for(Part part) const {
  return context_.seconds() < share_at_end(part) * *options_.seconds;
}

bool AutoBudget::may_simulate(Part part) const {
  if (is_interrupted()) return false;
  if (options_.seconds) return has_seconds_for(part);
  return simulations_ < simulations_at_end(part, options_.evaluations);
}

bool AutoBudget::may_price(Part part) const {
  if (is_interrupted()) return false;
  if (options_.seconds) return has_seconds_for(part);
  return prices_ < prices_per_simulation * options_.evaluations;
}

std::int64_t AutoBudget::most_simulations() const {
  if (!options_.seconds) return options_.evaluations;
  auto const used = std::min(1.0, context_.seconds() / *options_.seconds);
  return used == 0 ? simulations_ : std::llround(static_cast<double>(simulations_) / used);
}

std::string AutoBudget::end() const {
  if (is_interrupted()) return "interrupted: the best plan so far";
  if (may_simulate(Part::climbing)) return "no single change is better";
  if (!options_.seconds) return "out of budget";
  return "out of time: another run, or another machine, may find another plan";
}

}  // namespace tessera::partition
