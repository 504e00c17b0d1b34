// The words of tessera.core/1, for its reader and its writer. Internal to arch.
#pragma once

#include "arch/accelerator/core_spec.hpp"
#include "arch/base/config_words.hpp"

namespace tessera::arch::detail {

inline constexpr char const* core_schema = "tessera.core/1";

enum class CoreKind { systolic, row_stationary };

inline Names<CoreKind> const core_kinds = {{"systolic", CoreKind::systolic},
                                           {"row-stationary", CoreKind::row_stationary}};
inline Names<Dataflow> const dataflows = {{"weight-stationary", Dataflow::weight_stationary},
                                          {"output-stationary", Dataflow::output_stationary},
                                          {"input-stationary", Dataflow::input_stationary}};
inline Names<SystolicArraySpec::Schedule> const schedules = {
    {"serial", SystolicArraySpec::Schedule::serial},
    {"overlapped", SystolicArraySpec::Schedule::overlapped}};
inline Names<SystolicArraySpec::Operands> const operand_orders = {
    {"fixed", SystolicArraySpec::Operands::fixed},
    {"swappable", SystolicArraySpec::Operands::swappable}};
inline Names<NumberFormat> const formats = {
    {"fp32", NumberFormat::fp32}, {"bf16", NumberFormat::bf16}, {"int8", NumberFormat::int8}};

}  // namespace tessera::arch::detail
