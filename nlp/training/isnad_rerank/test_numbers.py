import unittest

import numpy as np

from isnad_rerank.matching import Matching
from isnad_rerank.numbers import beside


def matching(rows: np.ndarray) -> Matching:
    return Matching(rows, np.eye(rows.shape[1], dtype=np.float32), np.full(len(rows), 0.5, np.float32))


class Numbers(unittest.TestCase):
    def test_a_bag_has_unit_length_and_counts_repeated_tokens_less_than_fully(self):
        found = matching(np.eye(3, dtype=np.float32)).bag(np.array([1, 1, 2]))
        self.assertAlmostEqual(float(np.linalg.norm(found)), 1, 6)
        self.assertAlmostEqual(found[1] / found[2], 2**0.85, 5)

    def test_a_window_is_the_best_stretch_and_not_the_sum_of_far_places(self):
        made = matching(np.eye(4, dtype=np.float32))
        together = np.array([*[3] * 60, 1, 2])
        apart = np.array([1, *[3] * 60, 2])
        scores, starts = made.windows(np.array([1, 2]), [together, apart])
        self.assertAlmostEqual(float(scores[0]), 1, 5)
        self.assertLess(scores[1], scores[0])
        self.assertEqual(starts[0], 48)

    def test_padding_changes_neither_mean_nor_best(self):
        x = np.array([[[1.0], [3.0], [99.0]]], np.float32)
        present = np.array([[1, 1, 0]], np.float32)
        found = beside(x, present)
        np.testing.assert_allclose(found[0, :2], [[1, -1, -2], [3, 1, 0]])
        np.testing.assert_allclose(found[0, 2], 0)
