import unittest

import numpy as np
import torch

from isnad_base import encoder as base
from isnad_base.published import WIDTH

from .encoder import Branch
from .learn import Contest, Part, Settings, learn
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

    def test_in_a_contest_the_marked_sentences_of_a_debate_come_to_stand_above_the_others(self) -> None:
        torch.set_num_threads(1)
        torch.manual_seed(1)
        rng = np.random.default_rng(1)
        branch = Branch((base.Layer(0.0, 32) for _ in range(2)), 0.0)
        marked = np.arange(24) % 4 == 0
        states = [(rng.normal(0, 1, (4, WIDTH)) + 0.3 * label).astype(np.float16) for label in marked]
        part = Part(states[:8], np.zeros(8, int), ("ar",))
        learn(branch, [part], Settings(20, 4, 1e-3), [Contest(states, marked.astype(int))])
        with torch.no_grad():
            logits = branch(*batch(states, range(len(states))))[:, 1].numpy()
        self.assertGreater(logits[marked].mean(), logits[~marked].mean() + 1)


if __name__ == "__main__":
    unittest.main()
