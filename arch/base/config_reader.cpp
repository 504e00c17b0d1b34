// Strict YAML: text to a tree of ConfigNodes. Built on the parser's events, so every key and value has a place, and anchors,
// aliases, tags and duplicate keys are refused where they stand, before anything is expanded.
//
// The only file that knows yaml-cpp.
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <sstream>
#include <unordered_map>

#include "arch/base/config.hpp"
#include "arch/base/config_limits.hpp"
#include "arch/base/config_source.hpp"

namespace tessera {

/// Receives the parser's events and builds the tree.
class ConfigTreeBuilder final : public YAML::EventHandler {
 public:
  explicit ConfigTreeBuilder(std::string name) : name_{std::move(name)} {}

  [[nodiscard]] std::optional<ConfigNode> take_root() {
    if (root_) root_->set_path({});
    return std::move(root_);
  }

  void OnDocumentStart(YAML::Mark const& mark) override {
    if (documents_++ > 0) fail(mark, "a second document (a configuration is one); remove it");
  }
  void OnDocumentEnd() override {}

  void OnNull(YAML::Mark const& mark, YAML::anchor_t anchor) override {
    reject_extras(mark, {}, anchor);
    if (open_.empty()) return;                          // the whole document is empty
    bool const has_key = open_.back().key.has_value();  // the mark is of what comes next
    throw ConfigError(has_key ? open_.back().key_where : where(mark), current_path(),
                      "no value here; write \"\" for an empty text, [] for an empty list");
  }
  void OnAlias(YAML::Mark const& mark, YAML::anchor_t) override {
    fail(mark, "aliases are not allowed (every value stands where it is used); write it out");
  }
  void OnAnchor(YAML::Mark const& mark, std::string const& name) override {
    fail(mark, "anchors are not allowed (every value stands where it is used); remove " +
                   in_quotes('&' + name));
  }

  void OnScalar(YAML::Mark const& mark, std::string const& tag, YAML::anchor_t anchor,
                std::string const& value) override {
    reject_extras(mark, tag == "!" ? "" : tag, anchor);  // "!" marks quoted text
    if (expects_key()) {
      take_key(mark, value);
    } else {
      attach(place(ConfigNode::scalar(value), mark));
    }
  }

  void OnSequenceStart(YAML::Mark const& mark, std::string const& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    reject_extras(mark, tag, anchor);
    open(mark, ConfigNode::list());
  }
  void OnSequenceEnd() override { close(); }

  void OnMapStart(YAML::Mark const& mark, std::string const& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    reject_extras(mark, tag, anchor);
    open(mark, ConfigNode::map());
  }
  void OnMapEnd() override { close(); }

 private:
  /// A list or map that is still being read.
  struct Frame {
    ConfigNode node;
    std::optional<std::string> key;  ///< of a map: read, its value is not
    SourceLocation key_where;
    std::unordered_map<std::string, int> lines;  ///< of a map: where each key was
  };

  [[nodiscard]] SourceLocation where(YAML::Mark const& mark) const {
    return {name_, mark.line + 1, mark.column + 1};
  }

  [[nodiscard]] ConfigNode place(ConfigNode node, YAML::Mark const& mark) const {
    node.where_ = where(mark);
    return node;
  }

  [[nodiscard]] bool expects_key() const {
    return !open_.empty() && open_.back().node.kind() == ConfigNode::Kind::map && !open_.back().key;
  }

  /// "fabric.link": the way to what is being read.
  [[nodiscard]] std::string current_path() const {
    std::string path;
    for (auto const& frame : open_) {
      bool const is_list = frame.node.kind() == ConfigNode::Kind::list;
      if (!is_list && !frame.key) break;
      path += path.empty() ? "" : ".";
      path += is_list ? std::to_string(frame.node.items_.size()) : *frame.key;
    }
    return path;
  }

  [[noreturn]] void fail(YAML::Mark const& mark, std::string problem) const {
    throw ConfigError(where(mark), current_path(), std::move(problem));
  }

  void reject_extras(YAML::Mark const& mark, std::string const& tag, YAML::anchor_t anchor) const {
    bool const is_tagged = !tag.empty() && tag != "?";  // "?" means none
    if (is_tagged) {
      fail(mark, "tags are not allowed (keys decide the types); remove " + in_quotes(tag));
    }
    if (anchor != 0) fail(mark, "anchors are not allowed; remove it");
  }

  void take_key(YAML::Mark const& mark, std::string const& key) {
    auto& frame = open_.back();
    if (key.empty()) fail(mark, "empty key");
    auto const [first, is_new] = frame.lines.emplace(key, mark.line + 1);
    frame.key = key;
    frame.key_where = where(mark);
    if (!is_new) {
      fail(mark, "duplicate key (it stands on line " + std::to_string(first->second) +
                     " already); remove one of them");
    }
  }

  void open(YAML::Mark const& mark, ConfigNode node) {
    if (expects_key()) {
      fail(mark, "a key must be a plain text (here begins a list or a map); close every bracket");
    }
    if (open_.size() >= config_limits::depth) {
      fail(mark, "nested deeper than " + std::to_string(config_limits::depth) + " levels");
    }
    open_.push_back({place(std::move(node), mark), {}, {}, {}});
  }

  void close() {
    auto node = std::move(open_.back().node);
    open_.pop_back();
    attach(std::move(node));
  }

  void attach(ConfigNode node) {
    if (++values_ > config_limits::values) {
      throw ConfigError(node.where_, current_path(),
                        "more than " + std::to_string(config_limits::values) +
                            " values (no configuration needs that many)");
    }
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    auto& frame = open_.back();
    if (frame.node.kind() == ConfigNode::Kind::list) {
      frame.node.items_.push_back(std::move(node));
      return;
    }
    node.key_where_ = std::move(frame.key_where);
    frame.node.entries_.emplace_back(std::move(*frame.key), std::move(node));
    frame.key.reset();
  }

  std::string name_;
  std::vector<Frame> open_;
  std::optional<ConfigNode> root_;
  std::size_t values_ = 0;
  int documents_ = 0;
};

namespace {

/// The text with an explicit end: without it the parser lets a quote or bracket stay open.
[[nodiscard]] std::string terminated(std::string_view text) {
  bool const ends_line = !text.empty() && text.back() == '\n';
  return std::string{text} + (ends_line ? "...\n" : "\n...\n");
}

}  // namespace

ConfigNode read_config_text(std::string_view text, std::string const& name) {
  detail::check_text(text, name);
  ConfigTreeBuilder builder{name};
  try {
    std::istringstream stream{terminated(text)};
    YAML::Parser parser{stream};
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (YAML::Exception const& error) {
    throw ConfigError({name, error.mark.line + 1, error.mark.column + 1}, {},
                      "not YAML (" + error.msg + ')');
  }
  auto root = builder.take_root();
  if (!root) throw ConfigError({name, 1, 1}, {}, "is empty (there is no value in it)");
  return std::move(*root);
}

ConfigNode read_config_file(std::string const& path) {
  return read_config_text(detail::read_text_file(path), path);
}

}  // namespace tessera
