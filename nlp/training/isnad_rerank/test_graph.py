import tempfile
import unittest
from pathlib import Path

import numpy as np
import onnx
import torch

from isnad_base.teacher import padded
from isnad_rerank.export import match_inputs, read_inputs, session
from isnad_rerank.graph import match_graph, model_graph
from isnad_rerank.matching import STEP, STRETCH, matching
from isnad_rerank.model import Judge
from isnad_rerank.numbers import FEATURES, NUMBERS, beside
from isnad_rerank.quantise import ranges
from isnad_rerank.reader import Reader, sequence
from isnad_rerank.shipped import Shipped
from isnad_rerank.words import Reading

TEXTS = ["The council opened the bridge over the river in March. " * 8, "افتتح المجلس الجسر فوق النهر", "Rates rose."]


class Graphs(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(1)
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.shipped = Shipped()
        reading = Reading(self.shipped)
        self.passages = reading.texts(TEXTS, 99)
        (self.query,) = reading.texts(["who opened the bridge"], 20)

    def run_of(self, graph):
        path = Path(self.folder.name) / "graph.onnx"
        onnx.save(graph, path)
        return session(path)

    def test_the_matching_graph_gives_what_numpy_gives(self):
        made = matching(self.shipped, 16)
        features = np.random.default_rng(1).random((len(TEXTS), FEATURES)).astype(np.float32)
        given = match_inputs(made, self.query, self.passages, features)
        numbers, window = self.run_of(match_graph(made)).run(["numbers", "window"], given)
        scores, starts = made.windows(self.query.tokens, [p.tokens for p in self.passages])
        cosine = np.array([made.bag(p.tokens) @ made.bag(self.query.tokens) for p in self.passages])
        told = np.stack([*features.T, cosine, cosine / max(0.05, cosine.max()), scores], 1)
        np.testing.assert_allclose(numbers, told, atol=1e-4)
        np.testing.assert_array_equal(window * STEP, starts)

    def test_the_reading_graph_gives_what_pytorch_gives_and_int8_is_near(self):
        reader, judge = Reader().eval(), Judge(1, 0.0).eval()
        torch.nn.init.normal_(judge.straight.weight)
        rows = [sequence(p.pieces, 0, STRETCH) for p in self.passages]
        numbers = np.random.default_rng(1).random((len(rows), NUMBERS)).astype(np.float32)
        given = read_inputs(self.query, rows, numbers)
        scores, alike = self.run_of(model_graph(reader, judge, None, 64)).run(["scores", "alike"], given)
        with torch.no_grad():
            vectors = reader(padded(rows))
            told = (vectors @ reader(padded([sequence(self.query.pieces, 0, 62)]))[0]).numpy()
            judged = judge(
                torch.from_numpy(beside(np.concatenate([numbers, told[:, None]], 1)[None], np.ones((1, 3), np.float32)))
            )[0].numpy()
        np.testing.assert_allclose(alike[:, 0], told, atol=1e-4)
        np.testing.assert_allclose(scores, judged, atol=1e-3)
        (near,) = self.run_of(model_graph(reader, judge, ranges(reader, rows), 64)).run(["alike"], given)
        np.testing.assert_allclose(near[:, 0], told, atol=0.05)
