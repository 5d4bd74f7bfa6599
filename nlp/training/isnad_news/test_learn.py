import unittest

import numpy as np
import torch

from isnad_base import encoder as base
from isnad_base.published import WIDTH

from .encoder import Branch
from .learn import Part, Settings, learn
from .states import batch


class Learn(unittest.TestCase):
    def test_learns_labels_in_the_output_of_their_language_alone(self) -> None:
        torch.set_num_threads(1)
        torch.manual_seed(1)
        rng = np.random.default_rng(1)
        branch = Branch((base.Layer(0.0, 32) for _ in range(2)), 0.0)
        labels = rng.integers(0, 2, 32)
        states = [
            (rng.normal(0, 1, (int(rng.integers(2, 9)), WIDTH)) + 0.3 * label).astype(np.float16) for label in labels
        ]
        weight = branch.head.weight.detach().clone()
        learn(branch, [Part(states, labels, ("ar",))], Settings(5, 16, 1e-3))
        with torch.no_grad():
            logits = branch(*batch(states, range(len(states))))[:, 0].numpy()
        self.assertGreater(logits[labels == 1].mean(), logits[labels == 0].mean() + 1)
        np.testing.assert_allclose(branch.head.weight[1].detach(), weight[1], rtol=1e-2)


if __name__ == "__main__":
    unittest.main()
