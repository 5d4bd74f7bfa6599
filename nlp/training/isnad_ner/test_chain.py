import itertools
import unittest

import numpy as np

from .calibrate import expected_error, platt, span_probabilities
from .chain import NEVER, Chain, slimmed, train
from .evaluate import micro_f1, spans

LABELS = ["O", "B-X", "I-X"]
MOVES = np.array([[0.5, 0.25, NEVER], [0, -0.5, 1], [0.25, 0, 0.75]], np.float32)
SCORES = np.array([[0.2, 1, 3], [0.1, -1, 0.4], [0.3, 0.9, 0.2], [1, 0.1, 0.5]], np.float32)


class Decoding(unittest.TestCase):
    def setUp(self) -> None:
        self.chain = Chain(LABELS, {}, np.zeros((0, 3), np.float32), MOVES)
        starts = self.chain.starts()
        self.paths = {
            path: starts[path[0]] + sum(SCORES[t, y] for t, y in enumerate(path)) + sum(MOVES[a, b] for a, b in zip(path, path[1:]))
            for path in itertools.product(range(3), repeat=4)
        }

    def test_the_best_path_is_the_best_of_all(self) -> None:
        best = max(self.paths, key=lambda path: self.paths[path])
        self.assertEqual(self.chain.decode(SCORES), [LABELS[y] for y in best])

    def test_a_span_has_the_share_of_the_paths_that_hold_it(self) -> None:
        total = sum(np.exp(s) for s in self.paths.values())
        for span in ((0, 1, "X"), (1, 3, "X"), (0, 4, "X"), (3, 4, "X")):
            want = sum(np.exp(s) for p, s in self.paths.items() if s > -1000 and span in spans([LABELS[y] for y in p])) / total
            found = span_probabilities(SCORES, self.chain.starts(), MOVES, LABELS, {span})[span]
            self.assertAlmostEqual(found, want, places=5)


class Training(unittest.TestCase):
    def test_a_chain_learns_and_keeps_what_weighs_most(self) -> None:
        sentences = [[["w=a"], ["w=b"], ["w=c"]], [["w=c"], ["w=a"], ["w=b"]]] * 5
        tags = [["B-X", "I-X", "O"], ["O", "B-X", "I-X"]] * 5
        made = train(sentences, tags, "lbfgs", {"max_iterations": 50, "c1": 0.0, "c2": 0.01})
        self.assertEqual([made.tag(s) for s in sentences], tags)
        self.assertEqual(made.labels[0], "O")
        self.assertEqual(len(slimmed(made, 2).rows), 2)


class Judging(unittest.TestCase):
    def test_only_exact_spans_count(self) -> None:
        f1, precision, recall = micro_f1([["B-X", "I-X", "O", "B-Y"]], [["B-X", "O", "O", "B-Y"]])
        self.assertEqual((f1, precision, recall), (0.5, 0.5, 0.5))

    def test_calibration_brings_probabilities_to_the_share_that_is_right(self) -> None:
        rng = np.random.default_rng(1)
        true = rng.uniform(0.05, 0.95, 4000)
        right = rng.random(4000) < true
        told = 1 / (1 + np.exp(-(2 * np.log(true / (1 - true)) + 0.5)))
        scale, bias = platt(told, right)
        self.assertAlmostEqual(scale, 0.5, delta=0.05)
        self.assertLess(expected_error(true, right), 0.03)
        self.assertGreater(expected_error(told, right), 0.05)


if __name__ == "__main__":
    unittest.main()
