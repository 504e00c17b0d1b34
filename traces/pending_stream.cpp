#include "traces/pending_stream.hpp"

#include <fstream>
#include <utility>

namespace tessera::traces {

namespace {

constexpr std::size_t buffer_bytes = std::size_t{1} << 20U;

}  // namespace

PendingStream::PendingStream(std::string target) : file_{std::move(target)} {
  buffer_.reserve(buffer_bytes);
}

void PendingStream::write(std::string_view bytes) {
  if (buffer_.size() + bytes.size() > buffer_bytes) flush();
  buffer_ += bytes;
}

void PendingStream::flush() {
  file_.write_at(file_.size(), buffer_.data(), buffer_.size());
  file_.check();
  buffer_.clear();
}

void PendingStream::publish() {
  flush();
  file_.publish();
}

void check_same_beginning(std::string const& path, std::string_view beginning,
                          Overwrite overwrite) {
  if (overwrite == Overwrite::forced || holds_nothing(path)) return;
  std::ifstream file{path, std::ios::binary};
  std::string there(beginning.size(), '\0');
  file.read(there.data(), static_cast<std::streamsize>(there.size()));
  if (!file || there != beginning) refuse_to_replace(path, "it is no such export of this run");
}

}  // namespace tessera::traces
