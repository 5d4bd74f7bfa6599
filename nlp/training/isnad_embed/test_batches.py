import unittest

import numpy as np

from isnad_embed.encode import Ragged
from isnad_embed.prepare import Options
from isnad_embed.train import pooled


class RaggedRows(unittest.TestCase):
    def test_gather_gives_the_rows_one_after_the_other(self):
        flat, lengths = Ragged([[1, 2], [], [3]]).gather(np.array([2, 0, 1, 0]))
        self.assertEqual(flat.tolist(), [3, 1, 2, 1, 2])
        self.assertEqual(lengths.tolist(), [1, 2, 0, 2])


class Sampling(unittest.TestCase):
    def test_translations_come_with_their_probabilities(self):
        options = Options({1: [(5, 0.25), (6, 0.75)]}, 7)
        drawn = options.sample(np.ones(20_000, np.int32), np.random.default_rng(1))
        self.assertEqual(set(drawn.tolist()), {5, 6})
        self.assertAlmostEqual((drawn == 6).mean(), 0.75, delta=0.02)

    def test_a_word_without_translation_stays(self):
        options = Options({1: [(5, 1.0)]}, 7)
        drawn = options.sample(np.array([0, 1, 2], np.int32), np.random.default_rng(1))
        self.assertEqual(drawn.tolist(), [0, 5, 2])


class Pooling(unittest.TestCase):
    def test_with_power_one_half_a_piece_that_occurs_four_times_counts_twice(self):
        import torch

        table = torch.eye(3)
        (row,) = pooled(table, [(np.array([0, 0, 0, 0, 1]), np.zeros(5, np.int64), 1)], 0.5).numpy()
        self.assertAlmostEqual(row[0] / row[1], 2.0, places=5)
        self.assertAlmostEqual(float(np.linalg.norm(row)), 1.0, places=5)
