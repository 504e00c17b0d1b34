// Maps exceptions to exit codes.
#include "sim/terminal/failure.hpp"

#include <exception>
#include <new>

#include "arch/base/config_error.hpp"

namespace tessera::sim {

std::string one_line(std::string text) {
  for (auto& letter : text) {
    if (letter == '\n' || letter == '\r') letter = ' ';
  }
  auto const first = text.find_first_not_of(' ');
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

Failure out_of_memory() { return {ExitCode::users_fault, out_of_memory_text}; }

bool is_out_of_memory() noexcept {
  try {
    if (std::current_exception()) throw;
  } catch (std::bad_alloc const&) {
    return true;
  } catch (...) {
  }
  return false;
}

Failure current_failure() {
  try {
    throw;
  } catch (FailureError const& error) {
    return error.failure();
  } catch (ConfigError const& error) {
    return {ExitCode::users_fault, one_line(error.what())};
  } catch (std::bad_alloc const&) {
    return out_of_memory();
  } catch (std::exception const& error) {
    return {ExitCode::our_fault, "tessera: internal error: " + one_line(error.what())};
  } catch (...) {
    return {ExitCode::our_fault, "tessera: internal error: unknown exception"};
  }
}

}  // namespace tessera::sim
