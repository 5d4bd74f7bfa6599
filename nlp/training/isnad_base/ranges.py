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


def products_of(model: nn.Module) -> dict[str, nn.Linear]:
    return {name: part for name, part in model.named_modules() if isinstance(part, nn.Linear)}
