"""The tagger: an encoder over shared pieces, and one table of outputs in which each set of annotations has labels of its own."""

from torch import Tensor, nn

from isnad_base import encoder, published


class Tagger(nn.Module):
    """`heads`: the labels of each head, O first; logits of a head are a slice of all."""

    def __init__(self, base: encoder.Encoder, heads: dict[str, list[str]], drop: float = 0.1) -> None:
        super().__init__()
        self.encoder = base
        self.labels = heads
        self.slices: dict[str, slice] = {}
        at = 0
        for name, labels in heads.items():
            self.slices[name] = slice(at, at + len(labels))
            at += len(labels)
        self.drop = nn.Dropout(drop)
        self.head = nn.Linear(published.WIDTH, at)

    def forward(self, ids: Tensor) -> Tensor:
        """ids [batch, length] -> logits of all heads [batch, length, outputs]"""
        return self.head(self.drop(self.encoder(ids)))
