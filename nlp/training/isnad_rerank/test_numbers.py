import unittest

import numpy as np

from isnad_rerank.numbers import bag, beside, window


class Numbers(unittest.TestCase):
    def test_a_bag_has_unit_length_and_counts_repeated_tokens_less_than_fully(self):
        table = np.eye(3, dtype=np.float32)
        found = bag(np.array([1, 1, 2]), table)
        self.assertAlmostEqual(float(np.linalg.norm(found)), 1, 6)
        self.assertAlmostEqual(found[1] / found[2], 2**0.85, 5)

    def test_a_window_is_the_best_stretch_and_not_the_sum_of_far_places(self):
        table = np.eye(4, dtype=np.float32)
        query, importance = table[[1, 2]], np.array([0.5, 0.5], np.float32)
        together = window(query, importance, table[[3, 1, 2, 3]])
        apart = window(query, importance, table[[1, *[3] * 60, 2]])
        self.assertAlmostEqual(together, 1)
        self.assertLess(apart, together)

    def test_padding_changes_neither_mean_nor_best(self):
        x = np.array([[[1.0], [3.0], [99.0]]], np.float32)
        present = np.array([[1, 1, 0]], np.float32)
        found = beside(x, present)
        np.testing.assert_allclose(found[0, :2], [[1, -1, -2], [3, 1, 0]])
        np.testing.assert_allclose(found[0, 2], 0)
