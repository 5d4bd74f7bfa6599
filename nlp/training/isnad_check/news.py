"""The upper layers for the news: they begin as those for debates and learn from our own sentences alone. What is below them, and what debates get,
stays as it is to the bit."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import Tensor, nn

from isnad_base.graph import Ranges

from .encoder import Branch, Classifier
from .rounded import as_graph


class News(nn.Module):
    """ids [batch, length] -> logits [batch, languages] of the news, as a model whose weights are those of the news alone."""

    def __init__(self, classifier: Classifier) -> None:
        super().__init__()
        self.classifier = (classifier.eval(),)
        """Within a tuple, so that its weights are none of this model's."""
        self.branch: Branch = classifier.news

    def forward(self, ids: Tensor) -> Tensor:
        classifier = self.classifier[0]
        with torch.no_grad():
            states = classifier.encoder.below(ids, classifier.shared_layers)
        return self.branch(states, ids)


def branched(model: Classifier, ranges: Ranges, layers: int) -> tuple[Classifier, Ranges]:
    """The model with `layers` upper layers for the news, which begin as those for debates; ranges of their products, too."""
    count = len(model.encoder.layers)
    own = {
        f"news.layers.{number - count + layers}.{part}": ranges[f"layers.{number}.{part}"]
        for number in range(count - layers, count)
        for part in ("qkv", "out", "up", "down")
    }
    return model.branch_off(layers), ranges | own


@contextmanager
def trainable(model: Classifier, ranges: Ranges) -> Iterator[News]:
    """The news of this model, to be trained as the graph of these ranges rounds."""
    with as_graph(model, ranges):
        yield News(model)
    model.eval()
