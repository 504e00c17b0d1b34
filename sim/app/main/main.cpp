// The program: exit codes, signals and stderr. libsystemc exports a main of its own; this one is linked first and wins.
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>
#include <memory>
#include <new>

#include "sim/command/command.hpp"
#include "sim/study/process_pool.hpp"
#include "sim/terminal/failure.hpp"
#include "sim/terminal/output.hpp"

namespace {

/// The last words of a program that has no memory left, not even for an exception's text.
[[noreturn]] void leave_out_of_memory() {
  if (!tessera::sim::is_out_of_memory()) std::abort();
  auto const* const text = tessera::sim::out_of_memory_text;
  static_cast<void>(write(STDERR_FILENO, text, std::strlen(text)) + write(STDERR_FILENO, "\n", 1));
  _exit(static_cast<int>(tessera::sim::ExitCode::users_fault));
}

/// Large lists, as of all messages of a collective, come and go. The system would give their pages
/// back to us one by one, each filled with zeros. False with another allocator than the system's,
/// as sanitizers have.
bool keep_freed_memory() {
  constexpr int kept = 1 << 30;  // bytes: from there on it goes back
  return mallopt(M_MMAP_THRESHOLD, kept) != 0 && mallopt(M_TRIM_THRESHOLD, kept) != 0;
}

/// Has the system lay the heap, as far as it is likely to grow, on huge pages, if it has any: the
/// first access to a page takes microseconds on many a virtual machine, and a large step has tens
/// of thousands of small ones. Asks for addresses only, fewer than keep_freed_memory() keeps.
void lay_heap_on_huge_pages() {
  constexpr std::size_t page = std::size_t{1} << 21U;
  constexpr std::size_t size = 384 * page;
  void* const room = ::operator new(size, std::nothrow);
  if (room == nullptr) return;
  void* begin = room;
  std::size_t left = size;
  if (std::align(page, size - page, begin, left) != nullptr) {
    madvise(begin, size - page, MADV_HUGEPAGE);
  }
  ::operator delete(room);
}

/// Errors of writing come back as error codes, never as signals; children can always be waited for.
void prepare_process() {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  std::set_terminate(leave_out_of_memory);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGCHLD, SIG_DFL);
  tessera::sim::reserve_standard_descriptors();
}

/// Ends as if the signal had not been caught, so that the shell sees why.
int die_of(int signal) {
  std::signal(signal, SIG_DFL);
  std::raise(signal);
  return 128 + signal;
}

}  // namespace

int main(int argc, char** argv) {
  if (keep_freed_memory()) lay_heap_on_huge_pages();
  prepare_process();
  try {
    return static_cast<int>(tessera::sim::run_command_line(argc, argv));
  } catch (tessera::sim::Interrupted const& interrupted) {
    return die_of(interrupted.signal);
  } catch (...) {
    auto const failure = tessera::sim::current_failure();
    std::cerr << failure.text << '\n';
    return static_cast<int>(failure.code);
  }
}
