import tempfile
import unittest
from pathlib import Path

import numpy as np
import onnx

from isnad_embed.export import check, graph, held, quantised, read_rows, unpacked, with_unknown


class Export(unittest.TestCase):
    def setUp(self):
        self.vectors = np.random.default_rng(0).standard_normal((500, 32)).astype(np.float32)

    def test_rows_in_four_bits_are_within_half_a_step(self):
        packed, steps = quantised(self.vectors)
        error = np.abs(unpacked(packed, steps) - self.vectors)
        half = np.repeat(np.abs(steps.astype(np.float32)), 32, axis=1) / 2
        clipped = np.abs(self.vectors) > 7 * 2 * half
        self.assertTrue((error <= half * 1.001)[~clipped].all())

    def test_the_graph_gives_what_pytorch_gives(self):
        packed, steps = quantised(self.vectors)
        with tempfile.TemporaryDirectory() as folder:
            onnx.save(graph(packed, steps), Path(folder) / "model.onnx")
            rows = held(read_rows(Path(folder)))
            difference, cosine = check(Path(folder) / "model.onnx", self.vectors, rows)
        self.assertLess(difference, 1e-5)
        self.assertGreater(cosine, 0.99)

    def test_the_unknown_token_points_where_no_text_points(self):
        flat = self.vectors.copy()
        flat[:, 7] = 0
        row = with_unknown(flat, np.full(500, 1 / 500))[0]
        self.assertEqual(int(np.argmax(np.abs(row))), 7)
