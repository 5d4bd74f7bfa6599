import unittest

import numpy as np
import torch

from isnad_base import encoder, pieces, published
from isnad_ner.graph import graph
from isnad_ner.rows import NONE, Window
from isnad_ner.session import Session
from isnad_nested.examples import Example, Taught, together
from isnad_nested.export import OUTPUTS, outputs, ranges, whole
from isnad_nested.fit import loss_of
from isnad_nested.lower import Lower
from isnad_nested.model import CUTS, KEPT, NESTED, Upper

LAYERS, FIRST, HEADS = 3, 1, 5


def example(length: int, firsts: list[int]) -> Example:
    count = len(firsts)
    nested = torch.zeros((count, NESTED // 2), dtype=torch.long)
    unknown = torch.full((count,), NONE)
    ids = [1 + place % 9 for place in range(length)]
    return Example(ids, firsts, nested, unknown, unknown, states=torch.randn(length, published.WIDTH).half())


class UpperLayers(unittest.TestCase):
    words_from = LAYERS - 1

    def setUp(self) -> None:
        torch.manual_seed(1)
        self.state = encoder.Encoder(pieces.rows(), LAYERS).state_dict()
        self.model = Upper(self.state, FIRST, 0.0, HEADS, self.words_from).eval()

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
    def test_the_graph_gives_what_the_layers_give_with_o_lowered(self) -> None:
        one, lean = example(7, [1, 2, 5]), 0.5
        Lower(self.state, FIRST).read([one])
        weight, bias = outputs(self.model, lean)
        made = graph(whole(self.state, self.model), weight, bias, None, words_from=self.words_from)
        session = Session(made.SerializeToString())
        scores = session([Window(one.ids, one.firsts, [])])[0]
        expected = self.model(*together([one])).numpy()
        expected[:, :NESTED] += lean
        self.assertEqual(scores.shape[1], NESTED * 3 // 2 + CUTS + 1)
        self.assertLess(np.abs(scores[:, OUTPUTS] - expected[:, :KEPT]).max(), 2e-2)

    def test_what_is_not_known_is_not_learned(self) -> None:
        loss_of(self.model, [example(5, [1, 3])]).backward()
        touched = self.model.head.weight.grad.abs().sum(1) > 0
        self.assertTrue(touched[:NESTED].all())
        self.assertFalse(touched[NESTED:].any())

    def test_nothing_is_learned_of_a_window_about_which_the_teacher_says_the_same(self) -> None:
        one = example(5, [1, 3])
        one.nested[:] = NONE
        head = slice(KEPT, KEPT + HEADS)
        with torch.no_grad():
            said = torch.log_softmax(self.model(*together([one]))[:, head], -1)
        one.taught = Taught(head, said)
        self.assertLess(loss_of(self.model, [one]).item(), 1e-6)
        one.taught.flat = said.roll(1, dims=1)
        self.assertGreater(loss_of(self.model, [one]).item(), 1e-3)


class WordsFromTheFirstOn(UpperLayers):
    """The same where all of these layers answer for words alone."""

    words_from = FIRST

    @torch.no_grad()
    def test_ranges_are_those_of_what_goes_into_each_product(self) -> None:
        one = example(7, [1, 2, 5])
        tower = whole(self.state, self.model)
        found = ranges(tower, [Window(one.ids, one.firsts, [])], self.words_from)
        self.assertEqual(len(found), 4 * LAYERS)
        states = tower.of_words(torch.tensor([one.ids]), torch.tensor(one.firsts), self.words_from)
        Lower(self.state, FIRST).read([one])
        self.assertLess((states - self.model.states(*together([one]))).abs().max(), 2e-2)
