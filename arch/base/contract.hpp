// Contracts: invariants that stay on in release builds and report the values that broke them.
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>

namespace tessera {

/// A broken invariant: a bug of ours, never the user's fault (exit code 5).
class ContractError final : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

namespace detail {

/// Throws ContractError("file:line: kind condition (values)"); `values` are streamed, comma
/// separated.
template <typename... Values>
[[noreturn]] void broken_contract(char const* kind, char const* condition, char const* file,
                                  int line, Values const&... values) {
  std::ostringstream text;
  text << file << ':' << line << ": " << kind << " broken: " << condition;
  if constexpr (sizeof...(values) > 0) {
    char const* separator = " (";
    ((text << separator << values, separator = ", "), ...);
    text << ')';
  }
  throw ContractError(text.str());
}

}  // namespace detail
}  // namespace tessera

// The project's only two macros: only a macro can quote its condition.
// EXPECTS(condition, values...): what a function demands; ENSURES: what it promises.
#define EXPECTS(condition, ...)                                                   \
  (static_cast<bool>(condition)                                                   \
       ? void(0)                                                                  \
       : ::tessera::detail::broken_contract("precondition", #condition, __FILE__, \
                                            __LINE__ __VA_OPT__(, ) __VA_ARGS__))
#define ENSURES(condition, ...)                                                \
  (static_cast<bool>(condition)                                                \
       ? void(0)                                                               \
       : ::tessera::detail::broken_contract("guarantee", #condition, __FILE__, \
                                            __LINE__ __VA_OPT__(, ) __VA_ARGS__))
