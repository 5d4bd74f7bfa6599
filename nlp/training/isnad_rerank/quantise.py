"""The ranges of what goes into the matrix products of the reader's layers."""

from isnad_base.graph import Ranges
from isnad_base.ranges import input_ranges, products_of
from isnad_base.teacher import padded

from .reader import Reader


def ranges(model: Reader, rows: list[list[int]], clip: float = 1e-5) -> Ranges:
    """See isnad_base.ranges."""
    products = {name: part for name, part in products_of(model).items() if name.startswith("encoder.")}
    return input_ranges(products, (padded(rows[at : at + 32]) for at in range(0, len(rows), 32)), model, clip)
