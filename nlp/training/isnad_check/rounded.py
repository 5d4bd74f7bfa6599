"""Training as the exported graph computes: weights, word rows and inputs of matrix products are rounded to 8 bits on the way forward, and
gradients pass as if they were not (Jacob et al. 2018). What is trained is kept in floats; what ships is what was trained."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import torch
from torch import Tensor, nn
from torch.nn.utils import parametrize

from isnad_base.graph import Ranges

from .encoder import Classifier
from .ranges import products


def through(value: Tensor, rounded: Tensor) -> Tensor:
    """`rounded`, whose gradient is that of `value`."""
    return value + (rounded - value).detach()


def rows(weight: Tensor) -> Tensor:
    """Rounded to a step of its own a row, as isnad_base.graph.int8_columns and the graph's word rows are."""
    step = weight.detach().abs().amax(-1, keepdim=True).clamp(min=1e-9) / 127
    return through(weight, torch.round(weight.detach() / step) * step)


def within(value: Tensor, low: float, high: float) -> Tensor:
    """Rounded to the 256 steps from `low` to `high`; what lies beyond is cut off and has no gradient."""
    step = (high - low) / 255
    zero = min(255, max(0, round(-low / step)))
    cut = value.clamp(-zero * step, (255 - zero) * step)
    return through(cut, torch.round(cut.detach() / step) * step)


class Rows(nn.Module):
    def forward(self, weight: Tensor) -> Tensor:
        return rows(weight)


def cut_to(low: float, high: float) -> Callable[[nn.Module, tuple[Tensor]], Tensor]:
    return lambda _module, inputs: within(inputs[0], low, high)


@contextmanager
def rounded(model: Classifier, ranges: Ranges) -> Iterator[Classifier]:
    """Rounds within the block as the graph of these ranges does; afterwards the weights are floats as they were trained."""
    parts = products(model)
    hooks = [part.register_forward_pre_hook(cut_to(*ranges[name])) for name, part in parts.items()]
    hooks.append(model.encoder.words.register_forward_hook(lambda _module, _inputs, found: rows(found)))
    for part in parts.values():
        parametrize.register_parametrization(part, "weight", Rows(), unsafe=True)
    try:
        yield model
    finally:
        for hook in hooks:
            hook.remove()
        for part in parts.values():
            parametrize.remove_parametrizations(part, "weight", leave_parametrized=False)
