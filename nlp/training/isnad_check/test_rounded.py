import unittest

import numpy as np
import torch

from isnad_base.ranges import rounded, stepped

from .batches import padded
from .encoder import Classifier
from .export import sessions
from .finetune import Part, Settings, finetune
from .ranges import ranges
from .rounded import BITS, as_graph
from .test_graph import small_model


def logits(model: Classifier, texts: list[list[int]]) -> np.ndarray:
    with torch.no_grad():
        return model(padded(texts)).numpy()


torch.set_num_threads(1)


class Rounded(unittest.TestCase):
    def test_is_nearer_to_the_graph_in_8_bits_than_the_floats_are(self) -> None:
        model, texts = small_model()
        kept = ranges(model, texts, 1e-5)
        _, small, _ = sessions(model, kept)
        shipped = small.all(texts)
        plain = np.abs(logits(model, texts) - shipped).mean()
        with as_graph(model, kept):
            near = np.abs(logits(model, texts) - shipped).mean()
        self.assertLess(near, plain / 3)

    def test_afterwards_the_model_is_what_it_was(self) -> None:
        model, texts = small_model()
        before, names = logits(model, texts), sorted(model.state_dict())
        with as_graph(model, ranges(model, texts, 1e-5)):
            self.assertGreater(np.abs(logits(model, texts) - before).max(), 0)
        self.assertEqual(sorted(model.state_dict()), names)
        np.testing.assert_array_equal(logits(model, texts), before)

    def test_gradients_pass_but_for_what_was_cut_off(self) -> None:
        value = torch.tensor([-9.0, -0.31, 0.0, 0.52, 9.0], requires_grad=True)
        found = stepped(value, -1.0, 2.0)
        self.assertAlmostEqual(float(found[0].detach()), -1.0, places=2)
        self.assertAlmostEqual(float(found[4].detach()), 2.0, places=2)
        found.sum().backward()
        self.assertEqual(value.grad.tolist(), [0.0, 1.0, 1.0, 1.0, 0.0])

    def test_rows_have_127_steps_either_side_of_zero(self) -> None:
        found = rounded(torch.tensor([[1.27, 0.014, -0.006], [0.0, 0.0, 0.0]]), BITS)
        np.testing.assert_allclose(found.numpy(), [[1.27, 0.01, -0.01], [0, 0, 0]], atol=1e-6)

    def test_training_so_moves_the_weights_and_leaves_no_trace_of_the_rounding(self) -> None:
        model, texts = small_model()
        before, names = model.encoder.layers[0].qkv.weight.clone(), sorted(model.state_dict())
        labels = np.array([row[0] > 25 for row in texts], dtype=np.float64)
        settings = Settings(epochs=100, size=40, rate=4e-3, average=0.8)
        finetune(model, [Part(("en",), texts, labels)], settings, ranges=ranges(model, texts, 1e-5))
        self.assertEqual(sorted(model.state_dict()), names)
        self.assertGreater(float((model.encoder.layers[0].qkv.weight - before).abs().max()), 1e-3)
        found = logits(model.eval(), texts)[:, 1]
        self.assertGreater(found[labels == 1].mean(), found[labels == 0].mean() + 1)

    def test_training_ends_after_the_step_that_is_named(self) -> None:
        model, texts = small_model()
        part = Part(("en",), texts, np.ones(len(texts)))
        once = small_model()[0]
        finetune(once, [part], Settings(epochs=1, size=40, average=0.5))
        finetune(model, [part], Settings(epochs=9, size=40, average=0.5, until=1))
        np.testing.assert_array_equal(logits(model.eval(), texts), logits(once.eval(), texts))


if __name__ == "__main__":
    unittest.main()
