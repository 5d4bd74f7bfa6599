import itertools
import unittest

import numpy as np

from .calibrate import expected_error, platt, span_probabilities
from .chain import NEVER, Chain, never
from .evaluate import micro_f1, spans
from .lean import best_lean, leaned

LABELS = ["O", "B-X", "I-X"]
MOVES = np.array([[0.5, 0.25, NEVER], [0, -0.5, 1], [0.25, 0, 0.75]], np.float32)
SCORES = np.array([[0.2, 1, 3], [0.1, -1, 0.4], [0.3, 0.9, 0.2], [1, 0.1, 0.5]], np.float32)


class Decoding(unittest.TestCase):
    def setUp(self) -> None:
        self.chain = Chain(LABELS, MOVES)
        starts = self.chain.starts
        self.paths = {
            path: starts[path[0]]
            + sum(SCORES[t, y] for t, y in enumerate(path))
            + sum(MOVES[a, b] for a, b in itertools.pairwise(path))
            for path in itertools.product(range(3), repeat=4)
        }

    def test_the_best_path_is_the_best_of_all(self) -> None:
        best = max(self.paths, key=lambda path: self.paths[path])
        self.assertEqual(self.chain.decode(SCORES), [LABELS[y] for y in best])

    def test_a_span_has_the_share_of_the_paths_that_hold_it(self) -> None:
        total = sum(np.exp(s) for s in self.paths.values())
        for span in ((0, 1, "X"), (1, 3, "X"), (0, 4, "X"), (3, 4, "X")):
            want = (
                sum(np.exp(s) for p, s in self.paths.items() if s > -1000 and span in spans([LABELS[y] for y in p]))
                / total
            )
            found = span_probabilities(SCORES, self.chain.starts, MOVES, LABELS, {span})[span]
            self.assertAlmostEqual(found, want, places=5)


class Leaning(unittest.TestCase):
    gold = [[("a", "B-X"), ("b", "I-X"), ("c", "O")], [("a", "O"), ("b", "B-X"), ("c", "I-X")]] * 20

    def test_only_moves_into_other_names_are_impossible(self) -> None:
        np.testing.assert_array_equal(never(["O", "B-X", "I-X", "B-Y"])[:, 2], [NEVER, 0, 0, NEVER])
        self.assertEqual(never(LABELS)[:, :2].tolist(), [[0, 0]] * 3)

    def test_o_is_lowered_where_names_are_missed(self) -> None:
        chain = Chain(LABELS, never(LABELS))
        timid = [
            np.array(
                [[1.0, 0 if tag == "O" else 0.5 if tag[0] == "B" else -9, 0.6 if tag[0] == "I" else -9] for _, tag in s]
            )
            for s in self.gold
        ]
        by = best_lean(chain, timid, self.gold)
        self.assertTrue(0.25 <= by < 1.25, by)
        self.assertEqual(chain.decode(leaned(timid, 0.75)[0]), ["B-X", "I-X", "O"])


class Judging(unittest.TestCase):
    def test_only_exact_spans_count(self) -> None:
        f1, precision, recall = micro_f1([["B-X", "I-X", "O", "B-Y"]], [["B-X", "O", "O", "B-Y"]])
        self.assertEqual((f1, precision, recall), (0.5, 0.5, 0.5))

    def test_calibration_brings_probabilities_to_the_share_that_is_right(self) -> None:
        rng = np.random.default_rng(1)
        true = rng.uniform(0.05, 0.95, 4000)
        right = rng.random(4000) < true
        told = 1 / (1 + np.exp(-(2 * np.log(true / (1 - true)) + 0.5)))
        scale, _bias = platt(told, right)
        self.assertAlmostEqual(scale, 0.5, delta=0.05)
        self.assertLess(expected_error(true, right), 0.03)
        self.assertGreater(expected_error(told, right), 0.05)


if __name__ == "__main__":
    unittest.main()
