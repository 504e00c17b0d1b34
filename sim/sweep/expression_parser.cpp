// Recursive descent, loosest operator first: or, and, not, comparison and in, + -, * / // %, unary -, ** (right to left).
#include <algorithm>
#include <array>
#include <string_view>

#include "sim/sweep/expression_node.hpp"

namespace tessera::sim {

namespace {

using Node = Expression::Node;

constexpr std::string_view digits = "0123456789";
constexpr std::string_view first_of_name = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
constexpr int deepest = 64;
constexpr std::size_t longest = 4096;  ///< letters; what is chained is walked through recursively

class ExpressionParser final {
 public:
  ExpressionParser(std::string const& text, SourceLocation const& where)
      : text_{text}, where_{&where} {
    if (text.size() > longest) refuse("it is longer than " + std::to_string(longest) + " letters");
    next();
  }

  [[nodiscard]] Node whole() {
    auto node = disjunction();
    if (!token_.empty()) refuse("unexpected " + in_quotes(token_));
    return node;
  }

 private:
  [[noreturn]] void refuse(std::string const& problem) const {
    throw ConfigError{*where_,
                      {},
                      in_quotes(text_) + ": " + problem +
                          " (expressions have keys, numbers, 'texts', + - * / // % **, "
                          "comparisons, in [..], and, or, not, min, max, log2)"};
  }

  [[nodiscard]] std::string_view rest() const { return std::string_view{text_}.substr(position_); }

  void take(std::size_t length) {
    token_ = rest().substr(0, length);
    position_ += length;
  }

  /// Puts the next token into token_; "" at the end.
  void next() {
    auto const begin = text_.find_first_not_of(' ', position_);
    position_ = std::min(begin, text_.size());
    if (rest().empty()) return take(0);
    auto const letter = rest().front();
    if (letter == '\'' || letter == '"') return take_text(letter);
    if (digits.find(letter) != std::string_view::npos) return take_number();
    if (first_of_name.find(letter) != std::string_view::npos) {
      auto const end =
          rest().find_first_not_of(std::string{first_of_name} + std::string{digits} + ".");
      return take(std::min(end, rest().size()));
    }
    for (std::string_view const operation : {"**", "//", "==", "!=", "<=", ">="}) {
      if (rest().substr(0, 2) == operation) return take(2);
    }
    take(1);
  }

  void take_text(char quote) {
    auto const end = rest().find(quote, 1);
    if (end == std::string_view::npos) refuse("a text that does not end");
    take(end + 1);
  }

  void take_number() {
    auto end = std::min(rest().find_first_not_of("0123456789."), rest().size());
    bool const has_exponent = end < rest().size() && (rest()[end] == 'e' || rest()[end] == 'E');
    if (has_exponent) {
      auto const sign =
          end + 1 < rest().size() && (rest()[end + 1] == '-' || rest()[end + 1] == '+');
      end = std::min(rest().find_first_not_of(digits, end + (sign ? 2 : 1)), rest().size());
    }
    take(end);
  }

  /// Skips the token if it is one of `tokens`, and returns it.
  template <std::size_t Count>
  std::string accept(std::array<std::string_view, Count> const& tokens) {
    if (std::find(tokens.begin(), tokens.end(), token_) == tokens.end()) return {};
    auto found = token_;
    next();
    return found;
  }
  bool accept(std::string_view token) { return !accept(std::array{token}).empty(); }
  void expect(std::string_view token) {
    if (!accept(token)) refuse("'" + std::string{token} + "' is missing");
  }

  [[nodiscard]] Node disjunction() {
    if (++depth_ > deepest) refuse("it is nested too deeply");
    auto node = conjunction();
    while (accept("or")) node = {Node::Kind::logic, "or", 0.0, {node, conjunction()}};
    --depth_;
    return node;
  }

  [[nodiscard]] Node conjunction() {
    auto node = inversion();
    while (accept("and")) node = {Node::Kind::logic, "and", 0.0, {node, inversion()}};
    return node;
  }

  [[nodiscard]] Node inversion() {
    auto const count = count_of("not");
    return applied(count, {Node::Kind::inversion, "not"}, comparison());
  }

  [[nodiscard]] Node comparison() {
    using namespace std::string_view_literals;
    auto node = sum();
    auto const operation = accept(std::array{"=="sv, "!="sv, "<"sv, "<="sv, ">"sv, ">="sv});
    if (!operation.empty()) return {Node::Kind::comparison, operation, 0.0, {node, sum()}};
    return accept("in") ? membership(std::move(node)) : node;
  }

  [[nodiscard]] Node membership(Node value) {
    Node node{Node::Kind::membership, "in", 0.0, {std::move(value)}};
    expect("[");
    do node.children.push_back(sum());
    while (accept(","));
    expect("]");
    return node;
  }

  [[nodiscard]] Node sum() {
    using namespace std::string_view_literals;
    auto node = product();
    for (auto op = accept(std::array{"+"sv, "-"sv}); !op.empty();
         op = accept(std::array{"+"sv, "-"sv})) {
      node = {Node::Kind::arithmetic, op, 0.0, {node, product()}};
    }
    return node;
  }

  [[nodiscard]] Node product() {
    using namespace std::string_view_literals;
    constexpr std::array operations{"*"sv, "/"sv, "//"sv, "%"sv};
    auto node = negation();
    for (auto op = accept(operations); !op.empty(); op = accept(operations)) {
      node = {Node::Kind::arithmetic, op, 0.0, {node, negation()}};
    }
    return node;
  }

  [[nodiscard]] Node negation() {
    auto const count = count_of("-");
    return applied(count, {Node::Kind::negation, "-"}, power());
  }

  int count_of(std::string_view token) {
    auto count = 0;
    while (accept(token)) ++count;
    return count;
  }

  /// `operation` so many times; twice is as good as four times, and a text stays none that can be
  /// negated.
  [[nodiscard]] static Node applied(int count, Node const& operation, Node node) {
    for (auto times = count > 2 ? 2 - count % 2 : count; times > 0; --times) {
      auto outer = operation;
      outer.children = {std::move(node)};
      node = std::move(outer);
    }
    return node;
  }

  [[nodiscard]] Node power() {
    if (++depth_ > deepest) refuse("it is nested too deeply");
    auto node = operand();
    if (accept("**")) node = {Node::Kind::arithmetic, "**", 0.0, {node, negation()}};
    --depth_;
    return node;
  }

  [[nodiscard]] Node operand() {
    if (accept("(")) {
      auto node = disjunction();
      expect(")");
      return node;
    }
    if (token_.empty()) refuse("something is missing at its end");
    auto const token = token_;
    next();
    if (token.front() == '\'' || token.front() == '"') {
      return {Node::Kind::literal, {}, sweep_value(token.substr(1, token.size() - 2))};
    }
    if (digits.find(token.front()) != std::string_view::npos) return number(token);
    if (token == "true" || token == "false") return {Node::Kind::literal, {}, token == "true"};
    bool const is_name = first_of_name.find(token.front()) != std::string_view::npos;
    if (!is_name || token == "and" || token == "or" || token == "in") {
      refuse("unexpected " + in_quotes(token));
    }
    return token_ == "(" ? call(token) : Node{Node::Kind::name, token};
  }

  [[nodiscard]] Node number(std::string const& token) const {
    auto const value = sweep_value(token);
    if (!std::holds_alternative<double>(value)) refuse("no number " + in_quotes(token));
    return {Node::Kind::literal, {}, value};
  }

  [[nodiscard]] Node call(std::string const& function) {
    if (function != "min" && function != "max" && function != "log2") {
      refuse("no function " + in_quotes(function));
    }
    expect("(");
    Node node{Node::Kind::call, function};
    do node.children.push_back(disjunction());
    while (accept(","));
    expect(")");
    if (function == "log2" && node.children.size() != 1) refuse("log2 wants one number");
    return node;
  }

  std::string const& text_;
  SourceLocation const* where_;
  std::size_t position_ = 0;
  std::string token_;
  int depth_ = 0;
};

}  // namespace

Node parsed_expression(std::string const& text, SourceLocation const& where) {
  return ExpressionParser{text, where}.whole();
}

}  // namespace tessera::sim
