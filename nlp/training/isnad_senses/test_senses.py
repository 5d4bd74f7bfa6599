import unittest

import numpy as np
import torch

from isnad_base.published import WIDTH
from isnad_ner.session import opened

from . import export
from .data import Example, around, located
from .fit import accuracy, weigh
from .graph import reader
from .model import REACH, Glosses, Senses


def example(states: np.ndarray, first: int) -> Example:
    low, high = max(0, first - REACH), min(len(states), first + REACH + 1)
    return Example("part", [0, 1], 0, np.zeros((2, 4), np.float32), states[low:high], first - low)


class Graph(unittest.TestCase):
    def test_graph_reads_words_of_long_windows_as_the_model_does(self) -> None:
        torch.manual_seed(3)
        model = Senses(dims=16, heads=2, drop=0.5).eval()
        torch.nn.init.normal_(model.reader.distance)
        states = torch.randn(3 * REACH, WIDTH).numpy().astype(np.float16)
        firsts = [0, 5, REACH, len(states) - 1]
        session = opened(reader(model.reader).SerializeToString())
        found = session.run(None, {"states": states[None].astype(np.float32), "firsts": np.array(firsts, np.int32)})[0]
        with torch.inference_mode():
            expected = model.reader(*around([example(states, first) for first in firsts])).numpy()
        self.assertLess(float(np.abs(found - expected).max()), 5e-3)

    def test_matrices_in_8_bits_give_nearly_the_vectors_of_the_model(self) -> None:
        torch.manual_seed(4)
        model = Senses(dims=128, heads=4, drop=0.0).eval()
        states = torch.randn(REACH, WIDTH).numpy().astype(np.float16)
        session = opened(reader(model.reader).SerializeToString())
        found = session.run(None, {"states": states[None].astype(np.float32), "firsts": np.array([3], np.int32)})[0]
        with torch.inference_mode():
            expected = model.reader(*around([example(states, 3)])).numpy()
        self.assertLess(float(np.abs(found - expected).max()), export.APART)

    def test_vectors_in_4_bits_point_where_they_did(self) -> None:
        vectors = np.random.default_rng(2).normal(size=(5, 16))
        bytes_of = export.packed(vectors).astype(np.int64)
        levels = np.stack([bytes_of & 15, bytes_of >> 4], 2).reshape(5, 16) - 8
        likeness = (levels * vectors).sum(1) / np.linalg.norm(levels, axis=1) / np.linalg.norm(vectors, axis=1)
        self.assertGreater(float(likeness.min()), 0.98)

    def test_projection_of_glosses_is_kept_in_8_bits(self) -> None:
        model, mean = Glosses(16, 0.1).eval(), np.linspace(-1, 1, WIDTH, dtype=np.float32)
        again, same = export.read_turned(export.turned(model, mean), 16)
        given = torch.randn(4, WIDTH)
        self.assertLess(float((model(given) - again(given)).detach().abs().max()), 1e-2)
        self.assertLess(float(np.abs(same - mean).max()), 1e-3)


class Examples(unittest.TestCase):
    def test_a_word_is_found_in_its_window(self) -> None:
        words = ["كتب"] * 300
        ids, first = located(words, 299)
        self.assertLess(first, len(ids))
        self.assertEqual(ids[first], located(words, 0)[0][1])

    def test_signs_that_tell_the_right_sense_weigh_most(self) -> None:
        draw = np.random.default_rng(1)
        made = [draw.normal(size=(3, 5)).astype(np.float32) for _ in range(200)]
        found = [Example("p", [0, 1, 2], int(rows[:, 2].argmax()), rows[:, 1:], rows, 0) for rows in made]
        weights = weigh(found, made)
        self.assertGreater(weights[2], max(abs(weights[[3, 4]])))
        self.assertGreater(accuracy(found, made, np.eye(5)[2], 3), 0.99)


if __name__ == "__main__":
    unittest.main()
