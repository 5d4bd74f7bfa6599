import unittest

import numpy as np
import torch
from onnx import numpy_helper

from isnad_base import encoder, pieces
from isnad_base.ranges import Steps

from .graph import graph
from .judge import by_torch
from .model import Tagger
from .quantise import ranges
from .rows import windows
from .session import Session


class Graph(unittest.TestCase):
    def setUp(self) -> None:
        torch.manual_seed(1)
        self.model = Tagger(encoder.Encoder(pieces.rows(), 2), {"x": ["O", "B-X", "I-X"], "y": ["O"]}).eval()
        self.tables = self.model.head.weight.detach().numpy(), self.model.head.bias.detach().numpy()
        self.windows = list(windows([["Paris", "and", "Constantinople", "."], ["قال", "الرئيس"], ["word"] * 200]))

    def test_float_scores_are_those_of_the_model(self) -> None:
        found = Session(graph(self.model.encoder, *self.tables, None).SerializeToString())(self.windows)
        for got, want in zip(found, by_torch(self.model, exact=True)(self.windows), strict=True):
            np.testing.assert_allclose(got, want, atol=1e-3)

    def test_int8_scores_are_near(self) -> None:
        large = np.concatenate(Session(graph(self.model.encoder, *self.tables, None).SerializeToString())(self.windows))
        for bits in (8, 7):
            made = graph(self.model.encoder, *self.tables, Steps(ranges(self.model.encoder, self.windows)), bits)
            small = np.concatenate(Session(made.SerializeToString())(self.windows))
            self.assertGreater(np.corrcoef(large.ravel(), small.ravel())[0, 1], 0.99)
            tables = [numpy_helper.to_array(each) for each in made.graph.initializer if each.name.endswith(".weight")]
            most = max(int(np.abs(table.astype(np.int64)).max()) for table in tables if table.dtype == np.int8)
            self.assertEqual(most, 2 ** (bits - 1) - 1)


if __name__ == "__main__":
    unittest.main()
