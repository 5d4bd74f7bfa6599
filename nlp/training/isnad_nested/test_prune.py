import unittest

import torch
from torch import nn

from isnad_base import encoder, pieces
from isnad_ner.rows import windows
from isnad_nested.prune import kept, pruned


class Pruned(unittest.TestCase):
    def setUp(self) -> None:
        torch.manual_seed(1)

    @torch.no_grad()
    def test_units_that_others_make_up_for_go_without_a_loss(self) -> None:
        down = nn.Linear(8, 3)
        six = torch.randn(200, 6)
        values = torch.cat([six, six[:, :1] * 2 - six[:, 1:2], torch.ones(200, 1)], 1)
        stay, weight, bias = kept(values, down, 6)
        again = values[:, stay] @ weight.T + bias
        self.assertLess((again - down(values)).abs().max(), 0.02)

    @torch.no_grad()
    def test_an_encoder_gets_so_many_units_a_layer(self) -> None:
        tower = encoder.Encoder(pieces.rows(), 2, 0.0, [40, 30]).eval()
        state = pruned(tower.state_dict(), tower, list(windows([["قال", "الرئيس"], ["word"] * 9])), [32, 30])
        self.assertEqual(encoder.inner_of(state), [32, 30])
        smaller = encoder.Encoder(pieces.rows(), 2, 0.0, [32, 30]).eval()
        smaller.load_state_dict(state)
        ids = torch.tensor([[1, 7, 9, 12, 2]])
        self.assertLess((smaller(ids) - tower(ids)).pow(2).mean(), 0.1)
