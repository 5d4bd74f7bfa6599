"""Layers with fewer units between their two products: those stay whose loss the others can make up for least (optimal brain surgeon; Hassibi and
Stork, 1993), and what they say together is fitted anew by least squares."""

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from isnad_base import encoder
from isnad_ner.rows import Window

from .start import State

AT_ONCE = 256
"""Units that go between two fits."""
RIDGE = 1e-3
"""Of the mean variance of a unit, added to each."""
Part = tuple[Tensor, Tensor, Tensor]
"""Numbers of the units that stay; weight and bias of the product after them."""


def kept(values: Tensor, down: nn.Linear, count: int) -> Part:
    """values [samples, units], what the units were."""
    values, weight = values.double(), down.weight.double()
    mean = values.mean(0)
    spread = (values - mean).T @ (values - mean)
    spread += RIDGE * spread.diagonal().mean() * torch.eye(len(spread), dtype=torch.double)
    stay = torch.arange(len(spread))
    while True:
        inverse = torch.linalg.inv(spread[stay][:, stay])
        fitted = inverse @ (spread[stay] @ weight.T)
        if len(stay) == count:
            break
        cost = fitted.square().sum(1) / inverse.diagonal()
        going = min(AT_ONCE, len(stay) - count)
        stay = stay[cost.argsort()[going:].sort().values]
    bias = down.bias.double() + weight @ mean - mean[stay] @ fitted
    return stay, fitted.T.float().contiguous(), bias.float()


@torch.no_grad()
def pruned(state: State, tower: encoder.Encoder, windows: Sequence[Window], units: Sequence[int]) -> State:
    """`state`, which is that of `tower`, with so many units in each layer, by what they are while the windows are read."""
    values: list[list[Tensor]] = [[] for _ in tower.layers]
    hooks = [
        layer.down.register_forward_pre_hook(lambda _, inputs, found=found: found.append(inputs[0].flatten(0, 1)))
        for layer, found in zip(tower.layers, values, strict=True)
    ]
    for window in windows:
        tower(torch.tensor([window.ids]))
    for hook in hooks:
        hook.remove()
    made = dict(state)
    for number, (layer, found) in enumerate(zip(tower.layers, values, strict=True)):
        stay, weight, bias = kept(torch.cat(found), layer.down, units[number])
        at = f"layers.{number}"
        made |= {f"{at}.up.{part}": state[f"{at}.up.{part}"][stay] for part in ("weight", "bias")}
        made |= {f"{at}.down.weight": weight, f"{at}.down.bias": bias}
    return made
