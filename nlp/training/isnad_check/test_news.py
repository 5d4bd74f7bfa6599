import tempfile
import unittest
from pathlib import Path

import numpy as np
import onnx
import torch

from . import news, shipped
from .export import sessions
from .finetune import Part, Settings, finetune
from .ranges import ranges
from .test_graph import small_model

torch.set_num_threads(1)


class News(unittest.TestCase):
    def test_begins_as_debates_and_learns_alone(self) -> None:
        model, rows = small_model()
        _, before, _ = sessions(model, ranges(model, rows, 1e-5))
        model, within = news.branched(model, ranges(model, rows, 1e-5), 1)
        _, small, _ = sessions(model, within)
        np.testing.assert_array_equal(small.all(rows), before.all(rows))
        np.testing.assert_array_equal(small.all(rows, "news"), before.all(rows))

        scores = before.all(rows)[:, 1]
        labels = (scores < np.median(scores)).astype(np.float64)
        with news.trainable(model, within) as alone:
            finetune(alone, [Part(("ar", "en"), rows, labels)], Settings(epochs=100, size=40, rate=4e-3, average=0.8))
        large, small, _ = sessions(model, within)
        np.testing.assert_array_equal(small.all(rows), before.all(rows))
        found = small.all(rows, "news")[:, 1]
        self.assertGreater(found[labels == 1].mean(), found[labels == 0].mean() + 1)
        with torch.no_grad():
            expected = np.concatenate([model.of_news(torch.tensor([row])).numpy() for row in rows])
        np.testing.assert_allclose(large.all(rows, "news"), expected, atol=1e-4)

    def test_is_computed_alone_where_it_is_asked_for(self) -> None:
        model, rows = small_model()
        model, within = news.branched(model, ranges(model, rows, 1e-5), 1)
        with torch.no_grad():
            model.news.layers[0].up.weight.mul_(float("nan"))
        large, _, _ = sessions(model, within)
        self.assertTrue(np.isfinite(large.all(rows)).all())
        self.assertTrue(np.isnan(large.all(rows, "news")).all())

    def test_what_ships_is_read_back_with_its_ranges(self) -> None:
        model, rows = small_model()
        model, within = news.branched(model, ranges(model, rows, 1e-5), 1)
        _, small, serialised = sessions(model, within)
        self.assertEqual(small.genres, ("debate", "news"))
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "model.onnx").write_bytes(serialised)
            constants, found = shipped.constants(Path(folder)), shipped.ranges(Path(folder))
        self.assertEqual(set(found), set(within))
        for name, (low, high) in within.items():
            np.testing.assert_allclose(found[name], (low, high), atol=(high - low) / 255)
        self.assertEqual(constants["news.layers.0.up.weight"].dtype, np.int8)
        top = {given.name for given in onnx.load_from_string(serialised).graph.initializer}
        self.assertNotIn("news.layers.0.up.weight", top)
        self.assertIn("words", top)


if __name__ == "__main__":
    unittest.main()
