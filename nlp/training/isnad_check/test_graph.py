import unittest

import numpy as np
import onnx
import torch

from . import shipped
from .batches import padded
from .data import ROOT
from .encoder import Classifier, Encoder, Shape
from .export import sessions
from .graph import graph
from .ranges import ranges


def small_model() -> tuple[Classifier, list[list[int]]]:
    torch.manual_seed(1)
    model = Classifier(Encoder(Shape(vocabulary=50, layers=2, width=24, heads=3, inner=48, positions=16)))
    for value in model.parameters():
        torch.nn.init.normal_(value, std=0.2)
    rng = np.random.default_rng(1)
    rows = [rng.integers(1, 50, int(rng.integers(2, 16))).tolist() for _ in range(40)]
    return model.eval(), rows


class Graph(unittest.TestCase):
    def test_in_float32_gives_what_pytorch_gives(self) -> None:
        model, rows = small_model()
        large, _, _ = sessions(model, ranges(model, rows, 1e-5))
        with torch.no_grad():
            expected = np.concatenate([model(padded([row])).numpy() for row in rows])
        np.testing.assert_allclose(large.all(rows), expected, atol=1e-4)

    def test_in_int8_stays_near_and_does_not_depend_on_the_rows_of_a_run(self) -> None:
        model, rows = small_model()
        large, small, _ = sessions(model, ranges(model, rows, 1e-5))
        self.assertGreater(np.corrcoef(large.all(rows)[:, 0], small.all(rows)[:, 0])[0, 1], 0.99)
        alone = np.concatenate([small.all([row]) for row in rows])
        np.testing.assert_allclose(small.all(rows), alone, atol=1e-5)

    def test_padding_changes_nothing(self) -> None:
        model, rows = small_model()
        _, small, _ = sessions(model, ranges(model, rows, 1e-5))
        short, long = [7, 8], list(range(1, 16))
        together = small.run(padded([long, short, long]).numpy().astype(np.int32))
        alone = np.concatenate([small.run(np.array([row], np.int32)) for row in (long, short, long)])
        np.testing.assert_allclose(together, alone, atol=1e-5)

    def test_of_the_weights_that_ship_is_the_one_that_ships(self) -> None:
        folder = ROOT / "nlp" / "models" / "checkworthy-ar-en"
        _, model = shipped.read(folder)
        made = graph(model.eval(), shipped.ranges(folder))
        self.assertTrue(made.graph == onnx.load(str(folder / "model.onnx")).graph)


if __name__ == "__main__":
    unittest.main()
