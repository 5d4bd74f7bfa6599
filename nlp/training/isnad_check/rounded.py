"""Training as the exported graph computes: weights, word rows and inputs of matrix products are rounded to 8 bits on the way forward, and
gradients pass as if they were not (Jacob et al. 2018). What is trained is kept in floats; what ships is what was trained."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from torch import Tensor, nn
from torch.nn.utils import parametrize

from isnad_base.graph import Ranges
from isnad_base.ranges import rounded, stepped

from .encoder import Classifier
from .ranges import products

BITS = 8


class Rounded(nn.Module):
    def forward(self, weight: Tensor) -> Tensor:
        return rounded(weight, BITS)


def within(low: float, high: float) -> Callable[[nn.Module, tuple[Tensor]], Tensor]:
    return lambda _module, inputs: stepped(inputs[0], low, high)


@contextmanager
def as_graph(model: Classifier, ranges: Ranges) -> Iterator[Classifier]:
    """Rounds within the block as the graph of these ranges does; afterwards the weights are floats as they were trained."""
    parts = products(model)
    hooks = [part.register_forward_pre_hook(within(*ranges[name])) for name, part in parts.items()]
    hooks.append(model.encoder.words.register_forward_hook(lambda _module, _inputs, found: rounded(found, BITS)))
    for part in parts.values():
        parametrize.register_parametrization(part, "weight", Rounded(), unsafe=True)
    try:
        yield model
    finally:
        for hook in hooks:
            hook.remove()
        for part in parts.values():
            parametrize.remove_parametrizations(part, "weight", leave_parametrized=False)
