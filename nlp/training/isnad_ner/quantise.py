"""The ranges of what goes into each matrix product, for activations in 8 bits with fixed scales: so a sentence's scores do not depend on the
sentences that share its run."""

import numpy as np
import torch
from torch import nn

from .graph import Ranges
from .model import Tagger
from .rows import Window, padded


@torch.no_grad()
def ranges(model: Tagger, found: list[Window], clip: float = 1e-5, together: int = 16) -> Ranges:
    """For each product the lowest and the highest input, without the share `clip` of values at either end of each batch."""
    model.eval()
    seen: dict[str, list[tuple[float, float]]] = {}
    present = torch.zeros(0)
    hooks = []
    for name, part in model.encoder.named_modules():
        if not isinstance(part, nn.Linear):
            continue
        seen[name] = []

        def look(_module: nn.Module, inputs: tuple, kept: list = seen[name]) -> None:
            values = inputs[0].float()[present].flatten()
            count = max(1, int(len(values) * clip))
            kept.append((float(values.kthvalue(count).values), float(values.kthvalue(len(values) - count + 1).values)))

        hooks.append(part.register_forward_pre_hook(look))
    for at in range(0, len(found), together):
        ids = padded([w.ids for w in found[at : at + together]])
        present = ids != 0
        with torch.autocast("cpu", torch.bfloat16):
            model.encoder(ids)
    for hook in hooks:
        hook.remove()
    bounds = {name: np.array(values) for name, values in seen.items()}
    return {name: (min(0.0, float(v[:, 0].min())), max(0.0, float(v[:, 1].max()))) for name, v in bounds.items()}
