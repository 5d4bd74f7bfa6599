import unittest

import numpy as np
import torch

from isnad_base import encoder, pieces, published
from isnad_base.ranges import products_of, rounded, stepped
from isnad_ner.graph import graph
from isnad_ner.rows import NONE, Window
from isnad_ner.session import Session
from isnad_nested.examples import Example, Taught, together
from isnad_nested.export import OUTPUTS, outputs, steps_of, whole
from isnad_nested.fit import apart, loss_of
from isnad_nested.lower import Lower
from isnad_nested.model import CUTS, KEPT, NESTED, Upper
from isnad_nested.start import NESTED as NESTED_OUTPUTS
from isnad_nested.start import stack

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

    def test_a_batch_loses_what_its_windows_lose(self) -> None:
        plain, told, named = example(5, [1, 3]), example(7, [1, 2, 5]), example(6, [1, 4])
        told.nested[:] = NONE
        told.taught = Taught(slice(KEPT, KEPT + HEADS), torch.randn(3, HEADS).log_softmax(-1))
        named.head, named.flat = slice(KEPT, KEPT + HEADS), torch.tensor([2, NONE])
        named.cuts = torch.tensor([1, NONE])
        rows = [plain, told, named, plain]
        with torch.no_grad():
            apart_ = sum(loss_of(self.model, [one]).item() * len(one.firsts) for one in rows)
            together_ = loss_of(self.model, rows).item() * sum(len(one.firsts) for one in rows)
        self.assertAlmostEqual(apart_, together_, places=3)

    def test_states_of_each_layer_are_learned_from_those_of_another_tagger(self) -> None:
        one = example(5, [1, 3])
        one.nested[:] = NONE
        with torch.no_grad():
            own = self.model.words(*together([one]))
        self.assertEqual([x.shape for x in own], [(2, published.WIDTH)] * (LAYERS - FIRST))
        one.taught = Taught(states=[x.clone() for x in own])
        self.assertLess(loss_of(self.model, [one]).item(), 1e-6)
        one.taught.states[0] += 1
        below = loss_of(self.model, [one]).item()
        one.taught.states[0] -= 1
        one.taught.states[-1] += 1
        self.assertAlmostEqual(loss_of(self.model, [one]).item() / below, 4, delta=0.4)
        self.assertAlmostEqual(apart(own[0] + 1, own[0]).item(), 2 / own[0].var().item(), places=3)

    @torch.no_grad()
    def test_weights_are_rounded_as_those_of_the_graph_once_training_says_so(self) -> None:
        weight = torch.randn(5, 40)
        made = rounded(weight, 7)
        for row, exact in zip(made, weight, strict=True):
            self.assertLessEqual(len(row.unique()), 127)
            self.assertLess((row - exact).abs().max(), exact.abs().max() / 126 + 1e-6)
        self.assertLess((rounded(made, 7) - made).abs().max(), 1e-6)
        model = Upper(self.state, FIRST, 0.0, HEADS, self.words_from, 7).eval()
        one = example(5, [1, 3])
        before = model(*together([one]))
        model.round()
        after = model(*together([one]))
        self.assertGreater((after - before).abs().max(), 1e-4)

    @torch.no_grad()
    def test_rounded_with_ranges_the_layers_give_what_the_graph_of_these_ranges_gives(self) -> None:
        one, lower = example(7, [1, 2, 5]), Lower(self.state, FIRST)
        lower.encoder.places.weight.copy_(lower.encoder.places.weight.half())
        for number in range(FIRST):
            for part in products_of(lower.encoder.layers[number]).values():
                part.weight.copy_(rounded(part.weight, 7))
        state = lower.encoder.state_dict()
        for number in range(LAYERS):
            state[f"layers.{number}.norm1.weight"][5] = 40.0
        model = Upper(state, FIRST, 0.0, HEADS, self.words_from, 7).eval()
        model.head.weight *= 10
        window = Window(one.ids, one.firsts, [])
        found = steps_of(whole(state, model), [window], self.words_from, FIRST)
        self.assertEqual(set(found.even), {f"layers.{number}.up" for number in range(FIRST, LAYERS)})
        self.assertEqual([int(by.argmax()) for by in found.even.values()], [5] * (LAYERS - FIRST))
        made = graph(whole(state, model), *outputs(model, 0.0), found, 7, self.words_from).SerializeToString()
        scores = Session(made)([window])[0][:, OUTPUTS]
        apart = []
        for part in (None, model, lower):
            if part is not None:
                part.round(found)
            lower.read([one])
            apart.append(np.abs(scores - model(*together([one])).numpy()[:, :KEPT]).max())
        self.assertGreater(apart[0], 1e-3)
        self.assertLess(apart[2], 1e-4)
        again = stack(made, NESTED_OUTPUTS)
        exact = rounded(model.layers[0].up.weight * found.even["layers.1.up"], 7) / found.even["layers.1.up"]
        self.assertLess((again.state["layers.1.up.weight"] - exact).abs().max(), 1e-6)

    def test_what_is_read_outside_its_range_is_cut_off_and_nothing_is_learned_of_it(self) -> None:
        given = torch.tensor([-3.0, -0.4, 0.3, 9.0], requires_grad=True)
        made = stepped(given, -1.0, 1.55)
        made.sum().backward()
        self.assertLess((made - torch.tensor([-1.0, -0.4, 0.3, 1.55])).abs().max(), 0.006)
        self.assertEqual(given.grad.tolist(), [0, 1, 1, 0])

    def test_a_rounded_weight_is_learned_as_if_it_were_not(self) -> None:
        weight = torch.randn(3, 4, requires_grad=True)
        rounded(weight, 7).sum().backward()
        self.assertTrue(torch.equal(weight.grad, torch.ones(3, 4)))


class WordsFromTheFirstOn(UpperLayers):
    """The same where all of these layers answer for words alone."""

    words_from = FIRST

    @torch.no_grad()
    def test_ranges_are_those_of_what_goes_into_each_product(self) -> None:
        one = example(7, [1, 2, 5])
        tower = whole(self.state, self.model)
        found = steps_of(tower, [Window(one.ids, one.firsts, [])], self.words_from, FIRST)
        self.assertEqual(len(found.ranges), 4 * LAYERS)
        states = tower.of_words(torch.tensor([one.ids]), torch.tensor(one.firsts), self.words_from)
        Lower(self.state, FIRST).read([one])
        self.assertLess((states - self.model.states(*together([one]))[-1]).abs().max(), 2e-2)
