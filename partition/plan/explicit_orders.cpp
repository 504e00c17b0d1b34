// Passes as words.
#include "partition/plan/explicit_orders.hpp"

#include <array>
#include <charconv>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace tessera::partition {

namespace {

struct PassLetter {
  char letter;
  Pass pass;
};

constexpr std::array<PassLetter, 5> letters = {{{'F', Pass::forward},
                                                {'B', Pass::backward},
                                                {'D', Pass::backward_data},
                                                {'W', Pass::backward_weight},
                                                {'U', Pass::update}}};

/// Which weights each pass is on unless its word says so.
class DefaultVersions final {
 public:
  [[nodiscard]] std::int64_t of(Slot const& slot) const {
    if (slot.pass == Pass::update) return newest_ + 1;
    auto const forward = forward_on_.find({slot.micro_batch, slot.chunk});
    bool const has_passed = slot.pass != Pass::forward && forward != forward_on_.end();
    return has_passed ? forward->second : newest_;
  }
  void note(Slot const& slot) {
    if (slot.pass == Pass::update) newest_ = slot.version;
    if (slot.pass == Pass::forward) forward_on_[{slot.micro_batch, slot.chunk}] = slot.version;
  }

 private:
  std::int64_t newest_ = 0;
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> forward_on_;
};

/// Reads a word from its begin to its end.
class SlotReader final {
 public:
  explicit SlotReader(ConfigNode const& node) : node_{node}, text_{node.text()}, rest_{text_} {}

  [[nodiscard]] Slot read(DefaultVersions const& versions) {
    Slot slot;
    slot.pass = pass();
    if (slot.pass != Pass::update) {
      slot.micro_batch = number();
      if (takes('.')) slot.chunk = number();
    }
    bool const is_update = slot.pass == Pass::update;
    slot.version = !is_update && takes('@') ? number() : versions.of(slot);
    if (!rest_.empty()) throw error();
    return slot;
  }

 private:
  [[nodiscard]] Pass pass() {
    for (auto const& [letter, pass] : letters) {
      if (takes(letter)) return pass;
    }
    throw error();
  }

  [[nodiscard]] bool takes(char letter) {
    if (rest_.empty() || rest_.front() != letter) return false;
    rest_.remove_prefix(1);
    return true;
  }

  [[nodiscard]] std::int64_t number() {
    std::int64_t value = 0;
    auto const* const end = rest_.data() + rest_.size();
    auto const [stop, problem] = std::from_chars(rest_.data(), end, value);
    if (problem != std::errc{} || value < 0) throw error();
    rest_.remove_prefix(static_cast<std::size_t>(stop - rest_.data()));
    return value;
  }

  [[nodiscard]] ConfigError error() const {
    return node_.error("'" + text_ +
                       "' is no pass (they are F, B, D or W with a micro-batch, and U); write F0 "
                       "for forward, B0 for backward, D0 and W0 for its error and its gradient, "
                       "F0.1 in chunk 1, F0@1 on the weights after an update, U for an update");
  }

  ConfigNode const& node_;
  std::string text_;
  std::string_view rest_;
};

std::string word_of(Slot const& slot) {
  std::string word;
  for (auto const& [letter, pass] : letters) {
    if (slot.pass == pass) word = letter;
  }
  if (slot.pass == Pass::update) return word;
  word += std::to_string(slot.micro_batch);
  if (slot.chunk > 0) word.append(".").append(std::to_string(slot.chunk));
  return word;
}

}  // namespace

Order order_from(ConfigNode const& node) {
  Order order;
  DefaultVersions versions;
  for (auto const& entry : node.as_list()) {
    if (entry.kind() != ConfigNode::Kind::scalar) throw entry.error("is not a pass; write F0");
    order.push_back(SlotReader{entry}.read(versions));
    versions.note(order.back());
  }
  return order;
}

ConfigNode to_config(Order const& order) {
  auto list = ConfigNode::list();
  DefaultVersions versions;
  for (auto const& slot : order) {
    auto word = word_of(slot);
    if (slot.version != versions.of(slot)) word.append("@").append(std::to_string(slot.version));
    list.append(ConfigNode::scalar(word));
    versions.note(slot);
  }
  return list;
}

}  // namespace tessera::partition
