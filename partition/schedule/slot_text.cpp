#include "partition/schedule/slot_text.hpp"

#include "arch/base/contract.hpp"

namespace tessera::partition {

char const* name(Pass pass) {
  switch (pass) {
    case Pass::forward:
      return "forward";
    case Pass::backward:
      return "backward";
    case Pass::backward_data:
      return "backward_data";
    case Pass::backward_weight:
      return "backward_weight";
    case Pass::update:
      return "update";
  }
  EXPECTS(false, static_cast<int>(pass));
  return "";
}

std::string text_of(Slot const& slot, PipelineShape const& shape) {
  if (slot.pass == Pass::update) return "update " + std::to_string(slot.version);
  auto const text = name(slot.pass) + (" of micro-batch " + std::to_string(slot.micro_batch));
  return shape.chunks == 1 ? text : text + " in chunk " + std::to_string(slot.chunk);
}

std::string stage_text(PipelineShape const& shape, std::size_t stage, std::size_t replica) {
  auto const text = "stage " + std::to_string(stage);
  return shape.replicas.at(stage) == 1 ? text : text + ", replica " + std::to_string(replica);
}

}  // namespace tessera::partition
