import unittest

import numpy as np
import onnxruntime
import torch

from isnad_base import encoder, published
from isnad_ner.rows import NONE
from isnad_nested import graphs
from isnad_nested.examples import Example, together
from isnad_nested.fit import loss_of
from isnad_nested.model import NESTED, OUTPUTS, WIDE, Upper
from isnad_nested.start import Start

LAYERS, FIRST = 3, 1


def start() -> Start:
    torch.manual_seed(1)
    made = encoder.Encoder(torch.zeros(4, published.WIDTH), LAYERS)
    weight, bias = torch.randn(WIDE, published.WIDTH), torch.randn(WIDE)
    return Start(made.state_dict(), weight, bias, {}, {}, "", {"lower.onnx": b"", "model.onnx": b""}, FIRST)


def example(length: int, firsts: list[int]) -> Example:
    count = len(firsts)
    labels = torch.zeros((count, NESTED // 2), dtype=torch.long)
    states = torch.randn(length, published.WIDTH).half()
    return Example([1] * length, firsts, labels, torch.full((count,), NONE), states)


class UpperLayers(unittest.TestCase):
    def setUp(self) -> None:
        self.start = start()
        self.model = Upper(self.start, FIRST, 0.0).eval()

    @torch.no_grad()
    def test_a_window_gives_the_same_alone_as_beside_a_longer_one(self) -> None:
        short, long = example(5, [1, 3]), example(9, [1, 2, 4, 7])
        both = self.model(*together([short, long]))
        self.assertEqual(len(both), 6)
        self.assertLess((both[:2] - self.model(*together([short]))).abs().max(), 1e-4)

    @torch.no_grad()
    def test_pieces_that_begin_no_word_are_read(self) -> None:
        one = example(5, [1, 3])
        before = self.model(*together([one]))
        one.states[2] += 1
        self.assertGreater((self.model(*together([one])) - before).abs().max(), 1e-3)

    @torch.no_grad()
    def test_the_graph_that_training_starts_from_gives_what_the_model_gives(self) -> None:
        one = example(7, [1, 2, 5])
        weight, bias = self.start.weight.numpy(), self.start.bias.numpy()
        graph = graphs.upper(self.start.state, FIRST, weight, bias, None)
        session = onnxruntime.InferenceSession(graph.SerializeToString())
        states = one.states.float().numpy()[None]
        (scores,) = session.run(None, {"states": states, "firsts": np.array(one.firsts, np.int32)})
        self.assertLess(np.abs(scores[0][:, OUTPUTS] - self.model(*together([one])).numpy()).max(), 1e-3)

    def test_letters_that_are_not_known_are_not_learned(self) -> None:
        loss_of(self.model, [example(5, [1, 3])]).backward()
        touched = self.model.head.weight.grad.abs().sum(1) > 0
        self.assertTrue(touched[:NESTED].all())
        self.assertFalse(touched[NESTED:].any())
