"""The ranges of what goes into the classifier's matrix products."""

from isnad_base.graph import Ranges
from isnad_base.ranges import input_ranges, products_of

from .batches import in_order, padded
from .encoder import Classifier


def ranges(model: Classifier, rows: list[list[int]], clip: float) -> Ranges:
    """See isnad_base.ranges."""
    model.eval()
    batches = (padded([rows[i] for i in chosen]) for chosen in in_order(rows, 32))
    return input_ranges(products_of(model.encoder), batches, model, clip)
