// A stripe: a block on every channel of a DRAM memory. Transfers of whole tensors begin at one, and tensors do.
#pragma once

#include "arch/memory/dram_spec.hpp"

namespace tessera::arch {

[[nodiscard]] inline Bytes stripe_of(DramSpec const& spec) {
  return spec.block() * spec.organization.channels;
}

}  // namespace tessera::arch
