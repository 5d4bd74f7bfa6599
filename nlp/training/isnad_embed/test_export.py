import tempfile
import unittest
from pathlib import Path

import numpy as np
import onnx

from isnad_embed.export import check, graph, quantised, with_unknown


class Export(unittest.TestCase):
    def setUp(self):
        self.vectors = np.random.default_rng(0).standard_normal((500, 32)).astype(np.float32)

    def test_int8_rows_are_within_half_a_step(self):
        table, scale = quantised(self.vectors)
        error = np.abs(table * scale[:, None] - self.vectors)
        self.assertTrue((error <= scale[:, None] * 0.5001).all())

    def test_the_graph_gives_what_pytorch_gives(self):
        table, scale = quantised(self.vectors)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "model.onnx"
            onnx.save(graph(table, scale), path)
            difference, cosine = check(path, self.vectors, table, scale)
        self.assertLess(difference, 1e-5)
        self.assertGreater(cosine, 0.999)

    def test_the_unknown_token_points_where_no_text_points(self):
        flat = self.vectors.copy()
        flat[:, 7] = 0
        row = with_unknown(flat, np.full(500, 1 / 500))[0]
        self.assertEqual(int(np.argmax(np.abs(row))), 7)
