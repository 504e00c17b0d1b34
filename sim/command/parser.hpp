// The command line's grammar, as subcommands declare it: options, positional arguments and subcommands of their own. CLI11 parses,
// checks and explains (--help) what is declared; it is slow to compile, and parser.cpp alone sees it.
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace tessera::sim {

/// An option or a positional argument while it is declared. What each function says is CLI11's of
/// the same name; all return the option itself.
class Option {
 public:
  enum class InHelp { no, yes };

  explicit Option(CLI::Option& option) : option_{option} {}

  Option* required();
  Option* type_name(std::string const& name);
  Option* capture_default_str();  ///< the help shows what it is without being typed
  Option* needs(Option const* other);
  Option* excludes(Option const* other);
  Option* expected(int values);
  Option* delimiter(char between);  ///< of the values of one use
  Option*
  one_value_each();  ///< a use takes one value (or one list of them); every use adds to the others
  Option* one_of(std::vector<std::string> const& names);
  /// Of integers or of doubles: from `least` to `most`, both included.
  template <typename Number>
  Option* within(Number least, Number most, InHelp range = InHelp::no);

 private:
  CLI::Option& option_;
};

/// The program or a subcommand: what may be typed behind its name.
class Parser {
 public:
  Parser(std::string const& name, std::string const& description, std::string const& version);
  explicit Parser(CLI::App& app);
  Parser(Parser const&) = delete;
  Parser& operator=(Parser const&) = delete;
  ~Parser();

  /// "-o,--output", or a name without dashes for a positional argument. `value` is written when it
  /// is typed, as long as the parser lives. A type that no option had before is added in
  /// parser.cpp.
  template <typename Value>
  Option* add_option(std::string const& names, Value& value, std::string const& help);
  Option* add_flag(std::string const& names, bool& value, std::string const& help);
  /// At most one subcommand is typed.
  Parser* add_subcommand(std::string const& name, std::string const& description);

  /// What the help ends with. Subcommands that are added later take it over.
  void footer(std::string const& text);
  void footer(std::function<std::string()> const& text);

  /// Parses a whole command line. Returns the text that it asks for instead of a command: help or
  /// the version. Throws FailureError; what is unknown is complained about before what is missing.
  [[nodiscard]] std::optional<std::string> parse(int argc, char const* const* argv);

  [[nodiscard]] bool parsed() const;            ///< it was typed
  [[nodiscard]] std::string full_name() const;  ///< "tessera probe compute"
  [[noreturn]] void refuse(std::string const& problem) const;
  /// An argument that was taken for something else, but is neither that nor a subcommand.
  [[noreturn]] void refuse_argument(std::string const& argument) const;

 private:
  std::unique_ptr<CLI::App> owned_;  ///< of the program
  CLI::App& app_;
  std::list<Option> options_;  ///< at addresses that stay
  std::list<Parser> subcommands_;
};

}  // namespace tessera::sim
