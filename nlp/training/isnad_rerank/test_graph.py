import tempfile
import unittest
from pathlib import Path

import numpy as np

from isnad_base import encoder, pieces
from isnad_base.published import dequantised, quantised
from isnad_base.teacher import padded
from isnad_rerank.export import session
from isnad_rerank.graph import LONGEST, encoder_graph, int8, scales

LAYERS = 2
TEXTS = ["passage: The council opened the bridge over the river in March. " * 20, "query: افتتح المجلس الجسر", "x"]


class Graph(unittest.TestCase):
    def test_gives_nearly_what_pytorch_gives_at_unit_length(self):
        model = encoder.start(range(LAYERS), 0.0).eval()
        read = pieces.encode(TEXTS, LONGEST)
        ids = padded(read)
        told = encoder.pooled(model(ids), ids).detach().numpy()
        told /= np.linalg.norm(told, axis=1, keepdims=True)
        rows = pieces.rows().numpy()
        with tempfile.TemporaryDirectory() as folder:
            run = session(encoder_graph(layers=LAYERS), Path(folder))
            found = np.concatenate([run.run(None, {"words": rows[each][None]})[0] for each in read])
        np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1, atol=1e-5)
        self.assertGreater(float((found * told).sum(1).min()), 0.995)

    def test_int8_weights_are_within_half_a_step_of_those_in_4_bits(self):
        weights = dequantised(quantised(np.random.default_rng(3).normal(size=(8, 64)).astype(np.float32)))
        rows = quantised(weights)
        np.testing.assert_allclose(
            int8(rows).T * scales(rows).astype(np.float32)[:, None], weights, atol=float(scales(rows).max()) * 0.6
        )
