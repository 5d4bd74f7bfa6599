import unittest

import numpy as np
import torch
from torch import nn

from isnad_base import encoder as base
from isnad_base.published import WIDTH
from isnad_base.ranges import Steps, input_ranges

from .encoder import Branch
from .export import Session, serialised
from .graph import products


class Small(nn.Module):
    """A checker of few layers with few units, over random rows."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(1)
        self.shared = base.Encoder(torch.randn(50, WIDTH), 1, 0.0, [32])
        self.branch = Branch(base.Layer(0.0, 32) for _ in range(2))
        for value in self.parameters():
            nn.init.normal_(value, std=0.05)
        self.eval()

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        return self.branch(self.shared(ids), ids != 0)


def opened(model: Small, steps: Steps | None) -> Session:
    session = Session(serialised(model, steps))
    session.rows = model.shared.rows
    return session


class Graph(unittest.TestCase):
    def setUp(self) -> None:
        torch.set_num_threads(1)
        self.model = Small()
        rng = np.random.default_rng(1)
        self.rows = [rng.integers(1, 50, int(rng.integers(2, 16))).tolist() for _ in range(16)]
        ids = [torch.tensor([row]) for row in self.rows]
        self.steps = Steps(input_ranges(products(self.model), ids, self.model))

    def test_in_float32_gives_what_pytorch_gives(self) -> None:
        with torch.no_grad():
            expected = np.concatenate([self.model(torch.tensor([row])).numpy() for row in self.rows])
        np.testing.assert_allclose(opened(self.model, None).all(self.rows), expected, atol=1e-4)

    def test_in_int8_stays_near_and_does_not_depend_on_the_rows_of_a_run(self) -> None:
        large, small = opened(self.model, None), opened(self.model, self.steps)
        together = small.all(self.rows)
        self.assertGreater(np.corrcoef(large.all(self.rows)[:, 0], together[:, 0])[0, 1], 0.98)
        alone = np.concatenate([small.all([row]) for row in self.rows])
        np.testing.assert_allclose(together, alone, atol=1e-4)

    def test_an_input_that_is_evened_gives_nearly_the_same(self) -> None:
        even = {name: torch.rand(WIDTH) + 1 for name in self.steps.ranges if name.endswith(".up")}
        plain = opened(self.model, self.steps).all(self.rows)
        evened = opened(self.model, Steps(self.steps.ranges, even)).all(self.rows)
        self.assertGreater(np.corrcoef(plain[:, 0], evened[:, 0])[0, 1], 0.98)


if __name__ == "__main__":
    unittest.main()
