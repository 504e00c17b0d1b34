"""Plans with impossible stages: one line says where, what is wrong and what to write instead."""

import unittest

from program import ProgramTest

PLAN = """\
schema: tessera.plan/2
planner: by-hand
network: hypar/lenet-c
array: hypar-paper
batch: 256
accelerators: 16
pipeline:
  schedule: SCHEDULE
  micro_batches: MICRO_BATCHES
  stages:
    - {accelerators: [0-7], operators: FIRST}
    - {accelerators: SECOND}
operators: {conv1: [n, n, n], conv2: [n, n, n], fc1: [n, n, n], fc2: [n, n, n]}
"""
GOOD = {"SCHEDULE": "1f1b", "MICRO_BATCHES": "8", "FIRST": "[conv1, conv2]", "SECOND": "[8-15], operators: [fc1, fc2]"}


class StagesRefused(ProgramTest):
    def plan(self, **changes):
        text = PLAN
        for word, replacement in {**GOOD, **changes}.items():
            text = text.replace(word, replacement)
        return self.write("plan.yaml", text)

    def assert_plan_refused(self, because, **changes):
        self.plan(**changes)
        self.assert_refused("simulate", "-w", "hypar/lenet-c", "-a", "hypar-paper", "--plan", "plan.yaml", because=because)

    def test_the_plan_that_the_others_change_is_good(self):
        self.plan()
        self.output_of("simulate", "-w", "hypar/lenet-c", "-a", "hypar-paper", "--plan", "plan.yaml")

    def test_a_stage_of_what_there_is_not(self):
        self.assert_plan_refused(
            "plan.yaml:11:48: pipeline.stages.0.operators.1: unknown operator 'conv3'; did you mean 'conv1'? ",
            FIRST="[conv1, conv3]")
        self.assert_plan_refused("plan.yaml:12:23: pipeline.stages.1.accelerators.0: there is no accelerator 16",
                                 SECOND="[8-16], operators: [fc1, fc2]")
        self.assert_plan_refused("plan.yaml:11:5: pipeline.stages: operator 'fc2' is in no stage; add it to one",
                                 SECOND="[8-15], operators: [fc1]")
        self.assert_plan_refused("plan.yaml:8:13: pipeline.schedule: unknown schedule '1f2b'; did you mean '1f1b'?",
                                 SCHEDULE="1f2b")

    def test_a_stage_that_is_not_convex(self):
        self.assert_plan_refused(
            ["plan.yaml:11:5: pipeline.stages: operator 'fc1' in stage 0 reads what 'conv2' in stage 1 computes",
             "; move 'conv2' to stage 0 or before it"],
            FIRST="[conv1, fc1]", SECOND="[8-15], operators: [conv2, fc2]")

    def test_orders_that_deadlock(self):
        self.assert_plan_refused(
            "plan.yaml:11:70: pipeline.stages.0.orders.0.1: the orders deadlock: stage 0 waits at backward of "
            "micro-batch 0 for backward_data of micro-batch 0 on stage 1, which waits at forward of micro-batch 1 for "
            "forward of micro-batch 1 on stage 0; let every pass come after those that it needs",
            SCHEDULE="explicit", MICRO_BATCHES="2", FIRST="[conv1, conv2], orders: [[F0, B0, F1, B1, U]]",
            SECOND="[8-15], operators: [fc1, fc2], orders: [[F0, F1, B0, B1, U]]")

    def test_fewer_micro_batches_than_2bw_needs(self):
        self.assert_plan_refused(
            ["plan.yaml:9:18: pipeline.micro_batches: 1 are too few for 2bw on 2 stages", "; use at least 2"],
            SCHEDULE="2bw", MICRO_BATCHES="1")


if __name__ == "__main__":
    unittest.main()
