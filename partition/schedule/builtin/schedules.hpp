// The built-in schedules, one .cpp each. p stages, m micro-batches per step, v chunks; s is a stage.
#pragma once

#include "partition/schedule/schedule.hpp"

namespace tessera::partition {

/// GPipe (Huang et al., NeurIPS 2019, section 2.3). Backward begins with the first micro-batch,
/// whose error the last stage can have first; in the reverse order a step would take as long.
class GPipe final : public Schedule {
 public:
  explicit GPipe(ScheduleOptions const& /*options*/) {}
  [[nodiscard]] std::optional<Refusal> refusal(PipelineShape const& shape) const override;
  [[nodiscard]] Order order(PipelineShape const& shape, std::size_t stage,
                            std::size_t replica) const override;
  [[nodiscard]] bool flushes() const override { return true; }
};

/// PipeDream-Flush (Narayanan et al., ICML 2021, section 3.2): stage s keeps p - s micro-batches in
/// flight at most. Stages with replicas warm up as PipeDream's do.
class OneForwardOneBackward final : public Schedule {
 public:
  explicit OneForwardOneBackward(ScheduleOptions const& /*options*/) {}
  [[nodiscard]] std::optional<Refusal> refusal(PipelineShape const& shape) const override;
  [[nodiscard]] Order order(PipelineShape const& shape, std::size_t stage,
                            std::size_t replica) const override;
  [[nodiscard]] bool flushes() const override { return true; }
};

/// Megatron-LM's interleaved schedule (Narayanan et al., SC 2021, section 2.2): groups of p
/// micro-batches go through one chunk after the other; stage s starts with 2 (p - 1 - s) + (v - 1)
/// p forward passes of chunks.
class Interleaved final : public Schedule {
 public:
  explicit Interleaved(ScheduleOptions const& /*options*/) {}
  [[nodiscard]] std::optional<Refusal> refusal(PipelineShape const& shape) const override;
  [[nodiscard]] Order order(PipelineShape const& shape, std::size_t stage,
                            std::size_t replica) const override;
  [[nodiscard]] bool flushes() const override { return true; }
};

/// ZB-H1 (Qi et al., Zero Bubble Pipeline Parallelism, ICLR 2024, section 2.1): the warm-up of
/// 1f1b; stage s holds back s weight passes and does them last. The orders are inferred from the
/// paper's figure: they reproduce the rates of its Table 5.
class ZeroBubbleH1 final : public Schedule {
 public:
  explicit ZeroBubbleH1(ScheduleOptions const& /*options*/) {}
  [[nodiscard]] std::optional<Refusal> refusal(PipelineShape const& shape) const override;
  [[nodiscard]] Order order(PipelineShape const& shape, std::size_t stage,
                            std::size_t replica) const override;
  [[nodiscard]] bool flushes() const override { return true; }
};

/// ZB-H2 (the same, section 2.2): stage s starts with 2 (p - s) - 1 forward passes and holds back 2
/// s weight passes.
class ZeroBubbleH2 final : public Schedule {
 public:
  explicit ZeroBubbleH2(ScheduleOptions const& /*options*/) {}
  [[nodiscard]] std::optional<Refusal> refusal(PipelineShape const& shape) const override;
  [[nodiscard]] Order order(PipelineShape const& shape, std::size_t stage,
                            std::size_t replica) const override;
  [[nodiscard]] bool flushes() const override { return true; }
};

/// PipeDream (Narayanan et al., SOSP 2019, sections 3.2 and 3.3). A replica's j-th backward pass is
/// followed by update j of its stage, which takes the j-th gradients of all replicas together. In
/// steady state a pass forward is W_s updates behind the last one (stage_warm_up()), and backward
/// on the weights of the same micro-batch's forward pass: W_s + 1 versions. Where the last round
/// has no micro-batch for a replica, it takes part in the update only.
class PipeDream final : public Schedule {
 public:
  explicit PipeDream(ScheduleOptions const& options) : vertical_sync_{options.vertical_sync} {}
  [[nodiscard]] std::optional<Refusal> refusal(PipelineShape const& shape) const override;
  [[nodiscard]] Order order(PipelineShape const& shape, std::size_t stage,
                            std::size_t replica) const override;
  [[nodiscard]] bool flushes() const override { return false; }

 private:
  ScheduleOptions::VerticalSync vertical_sync_;
};

/// PipeDream-2BW (Narayanan et al., ICML 2021, section 3.1): all micro-batches of step t, counted
/// from 0, pass both ways on the weights after max(t - 1, 0) updates; the update that ends step t
/// applies their gradients to the weights after t.
class TwoBufferedWeights final : public Schedule {
 public:
  explicit TwoBufferedWeights(ScheduleOptions const& /*options*/) {}
  [[nodiscard]] std::optional<Refusal> refusal(PipelineShape const& shape) const override;
  [[nodiscard]] Order order(PipelineShape const& shape, std::size_t stage,
                            std::size_t replica) const override;
  [[nodiscard]] bool flushes() const override { return false; }
};

}  // namespace tessera::partition
