"""The ranges of what goes into each matrix product, for quantising activations with fixed scales: so a sentence's score does not
depend on the sentences that share its run."""

import numpy as np
import torch
from torch import nn

from .batches import in_order, padded
from .encoder import Classifier


def products(model: Classifier) -> dict[str, nn.Linear]:
    return {name: part for name, part in model.encoder.named_modules() if isinstance(part, nn.Linear)}


@torch.no_grad()
def ranges(model: Classifier, rows: list[list[int]], clip: float) -> dict[str, tuple[float, float]]:
    """For each product the lowest and the highest input, without the share `clip` of values at either end."""
    model.eval()
    seen: dict[str, list[np.ndarray]] = {}
    present = torch.zeros(0)
    hooks = []
    for name, part in products(model).items():
        seen[name] = []

        def look(_module: nn.Module, inputs: tuple, kept: list = seen[name]) -> None:
            values = inputs[0][present].flatten()
            count = max(1, int(len(values) * clip))
            kept.append([float(values.kthvalue(count).values), float(values.kthvalue(len(values) - count + 1).values)])

        hooks.append(part.register_forward_pre_hook(look))
    for chosen in in_order(rows, 32):
        ids = padded([rows[i] for i in chosen])
        present = ids != 0
        model(ids)
    for hook in hooks:
        hook.remove()
    found = {name: np.array(values) for name, values in seen.items()}
    return {name: (min(0.0, float(v[:, 0].min())), max(0.0, float(v[:, 1].max()))) for name, v in found.items()}
