// Evaluates what expression_parser.cpp has read.
#include "sim/sweep/expression.hpp"

#include <algorithm>
#include <cmath>

#include "arch/base/nearest_name.hpp"
#include "sim/sweep/expression_node.hpp"

namespace tessera::sim {

namespace {

/// Why an expression has no value; evaluate() adds where it stands.
struct NoValue {
  std::string problem;
};

[[noreturn]] void mismatch(std::string const& operation, SweepValue const& a, SweepValue const& b) {
  throw NoValue{"'" + operation + "' does not go with " + described(a) + " and " + described(b)};
}

bool truth_of(std::string const& operation, SweepValue const& value) {
  if (auto const* const truth = std::get_if<bool>(&value)) return *truth;
  throw NoValue{"'" + operation + "' wants true or false, not " + described(value)};
}

double number_of(std::string const& operation, SweepValue const& value) {
  if (auto const* const number = std::get_if<double>(&value)) return *number;
  throw NoValue{"'" + operation + "' wants a number, not " + described(value)};
}

double finite(std::string const& operation, double number) {
  if (std::isfinite(number)) return number;
  throw NoValue{"'" + operation + "' has no finite result"};
}

/// Of numbers; quantities have their own rules below.
double calculated(std::string const& operation, double a, double b) {
  if (operation == "+") return finite(operation, a + b);
  if (operation == "-") return finite(operation, a - b);
  if (operation == "*") return finite(operation, a * b);
  if (operation == "**") return finite(operation, std::pow(a, b));
  if (b == 0) throw NoValue{"'" + operation + "' by zero"};
  if (operation == "/") return finite(operation, a / b);
  if (operation == "//") return finite(operation, std::floor(a / b));
  return finite(operation, a - b * std::floor(a / b));  // %
}

/// Quantities of one family are added, and their ratio is a number; a number scales one.
SweepValue calculated_with_units(std::string const& operation, SweepValue const& a,
                                 SweepValue const& b) {
  auto const* const left = std::get_if<SweepQuantity>(&a);
  auto const* const right = std::get_if<SweepQuantity>(&b);
  auto const scaled = [&](SweepQuantity quantity, double number) {
    quantity.number = number;
    return quantity;
  };
  if (left != nullptr && right != nullptr && left->family == right->family) {
    auto const number = [&] { return calculated(operation, left->number, right->number); };
    if (operation == "+" || operation == "-") return scaled(*left, number());
    if (operation == "/" || operation == "//") return number();
  }
  auto const* const factor = std::get_if<double>(left != nullptr ? &b : &a);
  if (factor != nullptr && left != nullptr && (operation == "*" || operation == "/")) {
    return scaled(*left, calculated(operation, left->number, *factor));
  }
  if (factor != nullptr && right != nullptr && operation == "*") {
    return scaled(*right, calculated(operation, *factor, right->number));
  }
  mismatch(operation, a, b);
}

SweepValue arithmetic(std::string const& operation, SweepValue const& a, SweepValue const& b) {
  bool const has_units =
      std::holds_alternative<SweepQuantity>(a) || std::holds_alternative<SweepQuantity>(b);
  if (has_units) return calculated_with_units(operation, a, b);
  if (!std::holds_alternative<double>(a) || !std::holds_alternative<double>(b)) {
    mismatch(operation, a, b);
  }
  return calculated(operation, std::get<double>(a), std::get<double>(b));
}

/// -1, 0 or 1 as `a` is less than, equal to or greater than `b`.
int order_of(std::string const& operation, SweepValue const& a, SweepValue const& b) {
  if (a.index() != b.index()) mismatch(operation, a, b);
  auto const compared = [](auto const& x, auto const& y) { return x < y ? -1 : y < x ? 1 : 0; };
  if (auto const* const left = std::get_if<SweepQuantity>(&a)) {
    auto const& right = std::get<SweepQuantity>(b);
    if (left->family != right.family) mismatch(operation, a, b);
    return compared(left->number, right.number);
  }
  if (std::holds_alternative<double>(a)) return compared(std::get<double>(a), std::get<double>(b));
  if (std::holds_alternative<bool>(a)) return compared(std::get<bool>(a), std::get<bool>(b));
  return compared(std::get<std::string>(a), std::get<std::string>(b));
}

bool comparison(std::string const& operation, SweepValue const& a, SweepValue const& b) {
  auto const order = order_of(operation, a, b);
  if (operation == "==") return order == 0;
  if (operation == "!=") return order != 0;
  if (operation == "<") return order < 0;
  if (operation == "<=") return order <= 0;
  if (operation == ">") return order > 0;
  return order >= 0;
}

class Evaluator final {
 public:
  explicit Evaluator(Expression::Lookup const& lookup) : lookup_{&lookup} {}

  [[nodiscard]] SweepValue operator()(Expression::Node const& node) const {
    using Kind = Expression::Node::Kind;
    switch (node.kind) {
      case Kind::literal:
        return node.value;
      case Kind::name:
        return named(node.text);
      case Kind::negation:
        return arithmetic("-", 0.0, argument(node, 0));
      case Kind::inversion:
        return !truth_of("not", argument(node, 0));
      case Kind::logic:
        return logic(node);
      case Kind::arithmetic:
        return arithmetic(node.text, argument(node, 0), argument(node, 1));
      case Kind::comparison:
        return comparison(node.text, argument(node, 0), argument(node, 1));
      case Kind::membership:
        return is_member(node);
      case Kind::call:
        return called(node);
    }
    throw NoValue{"nothing to compute"};
  }

 private:
  [[nodiscard]] SweepValue argument(Expression::Node const& node, std::size_t index) const {
    return (*this)(node.children[index]);
  }

  [[nodiscard]] SweepValue named(std::string const& name) const {
    if (auto const value = (*lookup_)(name)) return *value;
    throw NoValue{"no key " + in_quotes(name) + " here"};
  }

  /// The second is not asked where the first decides.
  [[nodiscard]] bool logic(Expression::Node const& node) const {
    bool const first = truth_of(node.text, argument(node, 0));
    if (first == (node.text == "or")) return first;
    return truth_of(node.text, argument(node, 1));
  }

  [[nodiscard]] bool is_member(Expression::Node const& node) const {
    auto const value = argument(node, 0);
    return std::any_of(node.children.begin() + 1, node.children.end(),
                       [&](auto const& item) { return order_of("in", value, (*this)(item)) == 0; });
  }

  [[nodiscard]] SweepValue called(Expression::Node const& node) const {
    auto best = argument(node, 0);
    if (node.text == "log2") return finite("log2", std::log2(number_of("log2", best)));
    for (std::size_t i = 1; i < node.children.size(); ++i) {
      auto const other = argument(node, i);
      auto const order = order_of(node.text, other, best);
      if (node.text == "min" ? order < 0 : order > 0) best = other;
    }
    return best;
  }

  Expression::Lookup const* lookup_;
};

void collect_names(Expression::Node const& node, std::vector<std::string>& names) {
  bool const is_new = std::find(names.begin(), names.end(), node.text) == names.end();
  if (node.kind == Expression::Node::Kind::name && is_new) names.push_back(node.text);
  for (auto const& child : node.children) collect_names(child, names);
}

}  // namespace

Expression::Expression(std::string text, SourceLocation where)
    : text_{std::move(text)},
      where_{std::move(where)},
      root_{std::make_shared<Node const>(parsed_expression(text_, where_))} {}

SweepValue Expression::evaluate(Lookup const& lookup) const {
  try {
    return Evaluator{lookup}(*root_);
  } catch (NoValue const& none) {
    throw ConfigError{where_, {}, in_quotes(text_) + ": " + none.problem};
  }
}

bool Expression::holds(Lookup const& lookup) const {
  auto const value = evaluate(lookup);
  if (auto const* const truth = std::get_if<bool>(&value)) return *truth;
  throw ConfigError{where_,
                    {},
                    in_quotes(text_) + " is " + described(value) +
                        " (a condition is true or false); compare it with something"};
}

std::vector<std::string> Expression::names() const {
  std::vector<std::string> names;
  collect_names(*root_, names);
  return names;
}

}  // namespace tessera::sim
