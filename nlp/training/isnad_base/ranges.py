"""The ranges of what goes into each matrix product, for activations in 8 bits with fixed scales: so what a text gives does not depend on the
texts that share its run."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn

from .graph import Ranges


@torch.no_grad()
def input_ranges(
    products: dict[str, nn.Linear], batches: Iterable[Tensor], run: Callable[[Tensor], object], clip: float = 1e-5
) -> Ranges:
    """For each product the lowest and the highest input while `run` reads the batches (ids, 0 is padding), without the share `clip` of
    values at either end of each batch. Zero is always within."""
    seen: dict[str, list[tuple[float, float]]] = {}
    present = torch.zeros(0)
    hooks = []
    for name, part in products.items():
        seen[name] = []

        def look(_module: nn.Module, inputs: tuple, kept: list = seen[name]) -> None:
            values = (inputs[0] if present.all() else inputs[0][present]).float().flatten()
            count = max(1, int(len(values) * clip))
            if count == 1:
                kept.append((float(values.min()), float(values.max())))
                return
            kept.append((float(values.kthvalue(count).values), float(values.kthvalue(len(values) - count + 1).values)))

        hooks.append(part.register_forward_pre_hook(look))
    for ids in batches:
        present = ids != 0
        run(ids)
    for hook in hooks:
        hook.remove()
    return {
        name: (min(0.0, min(low for low, _ in found)), max(0.0, max(high for _, high in found)))
        for name, found in seen.items()
    }


def stepped(x: Tensor, low: float, high: float) -> Tensor:
    """What goes into a product as a graph has it, in 256 steps from `low` to `high`; what lies beyond is cut off and has no gradient."""
    step = (high - low) / 255
    return torch.fake_quantize_per_tensor_affine(x, step, min(255, max(0, round(-low / step))), 0, 255)


def rounded(weight: Tensor, bits: int) -> Tensor:
    """A matrix [out, in], or rows [..., in], as a graph has them in so many bits, with one scale a row; the gradient is that of the exact one (straight-through
    estimator; Bengio, Léonard and Courville, 2013)."""
    with torch.no_grad():
        scale = weight.abs().amax(-1, keepdim=True).clamp(min=1e-9) / (2 ** (bits - 1) - 1)
        off = torch.round(weight / scale) * scale - weight
    return weight + off


def inputs_of(
    products: dict[str, nn.Linear], batches: Iterable[Tensor], run: Callable[[Tensor], object]
) -> dict[str, Tensor]:
    """What goes into each product [places, in] while `run` reads the batches."""
    seen: dict[str, list[Tensor]] = {name: [] for name in products}
    hooks = [
        part.register_forward_pre_hook(lambda _, inputs, kept=seen[name]: kept.append(inputs[0].flatten(0, -2)))
        for name, part in products.items()
    ]
    for ids in batches:
        run(ids)
    for hook in hooks:
        hook.remove()
    return {name: torch.cat(values) for name, values in seen.items()}


SHARES = (1.0, 0.85, 0.7, 0.55, 0.4)
"""Of a range, those that are tried."""
ROWS = 400


@torch.no_grad()
def narrowed(
    products: dict[str, nn.Linear], ranges: Ranges, batches: Iterable[Tensor], run: Callable[[Tensor], object]
) -> Ranges:
    """Of each product the share of its range with which the product loses least by the rounding of its input to 8 bits, what lies outside being
    cut off: a few values far away leave few steps to all others. `run` reads batches without padding."""
    found = {}
    for name, values in inputs_of(products, batches, run).items():
        values = values[:: max(1, len(values) // ROWS)]

        def lost(low: float, high: float, part: nn.Linear = products[name], values: Tensor = values) -> float:
            return float(((stepped(values, low, high) - values) @ part.weight.T).square().sum())

        low, high = ranges[name]
        high *= min(SHARES, key=lambda share: lost(low, high * share))
        low *= min(SHARES, key=lambda share: lost(low * share, high))
        found[name] = (low, high)
    return found


@dataclass(frozen=True)
class Steps:
    """How what goes into products becomes 8 bits: `ranges`; and of some products by what each place of the input is divided before, `even`
    [in], which their weights make up for."""

    ranges: Ranges
    even: dict[str, Tensor] = field(default_factory=dict)


@torch.no_grad()
def evened(
    products: dict[str, nn.Linear],
    ranges: Ranges,
    batches: Iterable[Tensor],
    run: Callable[[Tensor], object],
    bits: int,
) -> Steps:
    """Of the products whose input has a few places far beyond all others, such as what a normalisation gives, these places are divided by the
    root of how far (SmoothQuant; Xiao et al., 2023), where the product then loses less, with weights of so many bits. `run` reads batches
    without padding."""
    found, even = dict(ranges), {}
    for name, values in inputs_of(products, batches, run).items():
        part = products[name]
        far = values.abs().amax(0).clamp(min=1e-3) / part.weight.abs().amax(0).clamp(min=1e-6)
        by = (far / far.median()).sqrt().clamp(min=1)
        made, weight = values / by, rounded(part.weight * by, bits)
        some = slice(None, None, max(1, len(values) // ROWS))
        exact = values[some] @ part.weight.T

        def lost(low: float, high: float, given: Tensor, weight: Tensor, exact: Tensor = exact) -> float:
            return float((stepped(given, low, high) @ weight.T - exact).square().sum())

        ends = min(0.0, float(made.min())), max(0.0, float(made.max()))
        tries = [(ends[0] * share, ends[1] * share) for share in SHARES]
        best = min(tries, key=lambda pair: lost(*pair, made[some], weight))
        if lost(*best, made[some], weight) < lost(*ranges[name], values[some], rounded(part.weight, bits)):
            found[name], even[name] = best, by
    return Steps(found, even)


def products_of(model: nn.Module) -> dict[str, nn.Linear]:
    return {name: part for name, part in model.named_modules() if isinstance(part, nn.Linear)}
