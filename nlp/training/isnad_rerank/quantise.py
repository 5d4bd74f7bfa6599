"""The ranges of what goes into each matrix product, for quantising activations with fixed scales."""

import torch
from torch import nn

from .graph import Ranges
from .reader import Reader, padded


@torch.no_grad()
def ranges(model: Reader, rows: list[list[int]], clip: float = 1e-5) -> Ranges:
    """For each product of the layers the lowest and the highest input over `rows`, without the share `clip` of values at either end."""
    seen: dict[str, list[tuple[float, float]]] = {}
    present = torch.zeros(0)
    hooks = []
    for name, part in model.named_modules():
        if not isinstance(part, nn.Linear) or not name.startswith("encoder."):
            continue
        seen[name] = []

        def look(_module: nn.Module, inputs: tuple, kept: list = seen[name]) -> None:
            values = inputs[0][present].flatten().float()
            count = max(1, int(len(values) * clip))
            kept.append((float(values.kthvalue(count).values), float(values.kthvalue(len(values) - count + 1).values)))

        hooks.append(part.register_forward_pre_hook(look))
    for at in range(0, len(rows), 32):
        ids = padded(rows[at : at + 32])
        present = ids != 0
        model(ids)
    for hook in hooks:
        hook.remove()
    return {name: (min(0.0, min(low for low, _ in values)), max(0.0, max(high for _, high in values))) for name, values in seen.items()}
