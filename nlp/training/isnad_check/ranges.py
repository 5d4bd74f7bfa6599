"""The ranges of what goes into the classifier's matrix products."""

from torch import nn

from isnad_base.graph import Ranges
from isnad_base.ranges import input_ranges, products_of

from .batches import in_order, padded
from .encoder import Classifier


def products(model: Classifier) -> dict[str, nn.Linear]:
    """The matrix products of the layers; the head is computed in floats."""
    return products_of(model.encoder)


def ranges(model: Classifier, rows: list[list[int]], clip: float) -> Ranges:
    """See isnad_base.ranges."""
    model.eval()
    batches = (padded([rows[i] for i in chosen]) for chosen in in_order(rows, 32))
    return input_ranges(products(model), batches, model, clip)
