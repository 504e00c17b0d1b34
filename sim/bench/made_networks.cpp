#include "sim/bench/made_networks.hpp"

namespace tessera::sim {

namespace {

std::string head(std::string const& name) {
  return "schema: tessera.network/1\nname: " + name +
         "\nbatch: 256\nelement: fp32\ninput: {name: image, features: 64}\noperators:\n";
}

std::string layer(std::string const& name, std::string const& input) {
  return "  - {name: " + name + ", kind: linear, input: " + input + ", outputs: 64}\n";
}

}  // namespace

std::string chain_of_100000() {
  auto text = head("chain-100000");
  std::string before = "image";
  for (int number = 1; number <= 100'000; ++number) {
    auto const name = "fc" + std::to_string(number);
    text += layer(name, before);
    before = name;
  }
  return text;
}

std::string branches_20000() {
  auto text = head("branches-20000") + layer("stem", "image");
  std::string all;
  for (int number = 1; number <= 20'000; ++number) {
    auto const name = "branch" + std::to_string(number);
    text += layer(name, "stem");
    all += (all.empty() ? "" : ", ") + name;
  }
  return text + "  - {name: sum, kind: add, inputs: [" + all + "]}\n" + layer("head", "sum");
}

}  // namespace tessera::sim
