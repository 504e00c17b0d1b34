"""Files that were changed at random are refused with their place, or simulated; mutants.py says what is done to them."""

import unittest

import mutants
from program import IS_SANITIZED

COUNT = 40 if IS_SANITIZED else 100
SEED = 1


class Mutants(unittest.TestCase):
    def test_are_refused_in_one_line_with_a_place(self):
        print(f"mutants from seed {SEED} to {SEED + COUNT - 1}")
        self.assertEqual(mutants.run_mutants(COUNT, SEED), [])


if __name__ == "__main__":
    unittest.main()
