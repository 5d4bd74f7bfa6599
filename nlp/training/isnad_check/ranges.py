"""The ranges of what goes into the classifier's matrix products."""

from torch import nn

from isnad_base.graph import Ranges
from isnad_base.ranges import input_ranges, products_of

from .batches import in_order, padded
from .encoder import Classifier


def products(model: Classifier) -> dict[str, nn.Linear]:
    """The matrix products of the layers, those for the news as `news.layers.…`; the heads are computed in floats."""
    news = {} if model.news is None else products_of(model.news.layers)
    return products_of(model.encoder) | {f"news.layers.{name}": part for name, part in news.items()}


def ranges(model: Classifier, rows: list[list[int]], clip: float) -> Ranges:
    """See isnad_base.ranges; those of what debates are read with."""
    model.eval()
    batches = (padded([rows[i] for i in chosen]) for chosen in in_order(rows, 32))
    return input_ranges(products_of(model.encoder), batches, model, clip)
