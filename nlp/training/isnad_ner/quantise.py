"""The ranges of what goes into the tagger's matrix products."""

from isnad_base import encoder
from isnad_base.graph import Ranges
from isnad_base.ranges import input_ranges, products_of

from .rows import Window, padded


def ranges(tower: encoder.Encoder, found: list[Window], clip: float = 1e-5, together: int = 16) -> Ranges:
    """See isnad_base.ranges."""
    batches = (padded([w.ids for w in found[at : at + together]]) for at in range(0, len(found), together))
    return input_ranges(products_of(tower.eval()), batches, tower, clip)
