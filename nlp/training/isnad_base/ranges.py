"""The ranges of what goes into each matrix product, for activations in 8 bits with fixed scales: so what a text gives does not depend on the
texts that share its run."""

from collections.abc import Callable, Iterable

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


SHARES = (1.0, 0.85, 0.7, 0.55, 0.4)
"""Of a range, those that are tried."""
ROWS = 400


@torch.no_grad()
def narrowed(
    products: dict[str, nn.Linear], ranges: Ranges, batches: Iterable[Tensor], run: Callable[[Tensor], object]
) -> Ranges:
    """Of each product the share of its range with which the product loses least by the rounding of its input to 8 bits, what lies outside being
    cut off: a few values far away leave few steps to all others. `run` reads batches without padding."""
    seen: dict[str, list[Tensor]] = {name: [] for name in products}
    hooks = [
        part.register_forward_pre_hook(lambda _, inputs, kept=seen[name]: kept.append(inputs[0].flatten(0, -2)))
        for name, part in products.items()
    ]
    for ids in batches:
        run(ids)
    for hook in hooks:
        hook.remove()
    found = {}
    for name, part in products.items():
        values = torch.cat(seen[name])
        values = values[:: max(1, len(values) // ROWS)]

        def lost(low: float, high: float, part: nn.Linear = part, values: Tensor = values) -> float:
            scale = (high - low) / 255
            zero = round(-low / scale)
            read = (torch.clamp(torch.round(values / scale) + zero, 0, 255) - zero) * scale
            return float(((read - values) @ part.weight.T).square().sum())

        low, high = ranges[name]
        high *= min(SHARES, key=lambda share: lost(low, high * share))
        low *= min(SHARES, key=lambda share: lost(low * share, high))
        found[name] = (low, high)
    return found


def products_of(model: nn.Module) -> dict[str, nn.Linear]:
    return {name: part for name, part in model.named_modules() if isinstance(part, nn.Linear)}
