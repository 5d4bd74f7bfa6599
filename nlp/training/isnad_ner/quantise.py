"""The ranges of what goes into the tagger's matrix products."""

import torch
from torch import Tensor

from isnad_base.graph import Ranges
from isnad_base.ranges import input_ranges, products_of

from .model import Tagger
from .rows import Window, padded


def ranges(model: Tagger, found: list[Window], clip: float = 1e-5, together: int = 16) -> Ranges:
    """See isnad_base.ranges."""
    model.eval()

    def run(ids: Tensor) -> None:
        with torch.autocast("cpu", torch.bfloat16):
            model.encoder(ids)

    batches = (padded([w.ids for w in found[at : at + together]]) for at in range(0, len(found), together))
    return input_ranges(products_of(model.encoder), batches, run, clip)
