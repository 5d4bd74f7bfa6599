"""The tagger: word, n-gram and shape rows -> gated, dilated convolutions -> one linear-chain CRF a set of types.

Dilated convolutions after Strubell et al., "Fast and Accurate Entity Recognition with Iterated Dilated Convolutions"
(2017), gated after Dauphin et al. (2017); subword bags after Bojanowski et al. (2017); CRF after Lafferty et al. (2001).
Every data set has a head of its own on top of one that all share."""

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from .features import SHAPES

BASE = ["O"] + [f"{p}-{t}" for t in ("PER", "LOC", "ORG", "MISC") for p in "BI"]
TO_BASE = {
    "GPE": "LOC", "FAC": "LOC", "location": "LOC", "person": "PER", "corporation": "ORG", "group": "ORG",
    "product": "MISC", "creative-work": "MISC", "NORP": "MISC", "PRODUCT": "MISC", "EVENT": "MISC", "LAW": "MISC",
    "LANGUAGE": "MISC", "PER": "PER", "LOC": "LOC", "ORG": "ORG", "MISC": "MISC",
}
SHAPE_DIMS = 32


def base_of(label: str) -> int:
    kind = TO_BASE.get(label[2:])
    return BASE.index(f"{label[0]}-{kind}") if kind else 0


class Inputs(nn.Module):
    """[sentences, places, 2 * dims + SHAPE_DIMS]: the vector of each token, fixed, and the row of its shape, learnt."""

    def __init__(self) -> None:
        super().__init__()
        self.shapes = nn.Embedding(SHAPES, SHAPE_DIMS)

    def forward(self, batch: dict[str, Tensor]) -> Tensor:
        return torch.cat([batch["vectors"], self.shapes(batch["shapes"])], 2)


class SharedDrop(nn.Module):
    """Dropout with one mask for all positions of a sentence (Gal and Ghahramani, 2016)."""

    def __init__(self, rate: float) -> None:
        super().__init__()
        self.rate = rate

    def forward(self, x: Tensor) -> Tensor:
        if not self.training or self.rate == 0:
            return x
        kept = (torch.rand(x.shape[0], 1, x.shape[2], dtype=torch.float32) > self.rate).to(x.dtype) / (1 - self.rate)
        return x * kept


class Block(nn.Module):
    """h + GLU(W [h(t-d); h(t); h(t+d)])."""

    def __init__(self, width: int, dilation: int, drop: float) -> None:
        super().__init__()
        self.dilation = dilation
        self.norm = nn.LayerNorm(width)
        self.mix = nn.Linear(3 * width, 2 * width)
        self.drop = SharedDrop(drop)

    def forward(self, h: Tensor, mask: Tensor) -> Tensor:
        d = self.dilation
        x = self.norm(h) * mask
        x = F.pad(x, (0, 0, d, d))
        length = h.shape[1]
        x = torch.cat([x[:, :length], x[:, d : d + length], x[:, 2 * d :]], 2)
        return h + self.drop(F.glu(self.mix(x), 2))


class Encoder(nn.Module):
    def __init__(self, inputs: int, width: int, dilations: list[int], drop: float) -> None:
        super().__init__()
        self.start = nn.Linear(inputs, width)
        self.blocks = nn.ModuleList(Block(width, d, drop) for d in dilations)
        self.norm = nn.LayerNorm(width)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        h = self.start(x)
        for block in self.blocks:
            h = block(h, mask)
        return self.norm(h)


class Tagger(nn.Module):
    def __init__(self, dims: int, width: int, dilations: list[int], heads: dict[str, list[str]], drop: float) -> None:
        super().__init__()
        self.heads = heads
        self.inputs = Inputs()
        self.encoder = Encoder(2 * dims + SHAPE_DIMS, width, dilations, drop)
        self.drop = SharedDrop(drop)
        self.base = nn.Linear(width, len(BASE))
        self.delta = nn.Linear(width, sum(map(len, heads.values())))
        nn.init.normal_(self.delta.weight, std=0.01)
        self.starts = nn.ParameterDict({h: nn.Parameter(torch.zeros(len(t))) for h, t in heads.items()})
        self.moves = nn.ParameterDict({h: nn.Parameter(torch.zeros(len(t), len(t))) for h, t in heads.items()})
        self.slices: dict[str, tuple[int, int]] = {}
        at = 0
        for h, labels in heads.items():
            self.slices[h] = (at, at + len(labels))
            self.register_buffer(f"map_{h}", torch.tensor([base_of(label) for label in labels]), persistent=False)
            self.register_buffer(f"bad_{h}", forbidden(labels), persistent=False)
            at += len(labels)

    def hidden(self, batch: dict[str, Tensor]) -> Tensor:
        x = self.drop(self.inputs(batch))
        return self.drop(self.encoder(x, batch["mask"]))

    def emissions(self, hidden: Tensor, head: str) -> Tensor:
        low, high = self.slices[head]
        delta = F.linear(hidden, self.delta.weight[low:high], self.delta.bias[low:high])
        return (delta + self.base(hidden)[..., self.get_buffer(f"map_{head}")]).float()

    def chain(self, head: str) -> tuple[Tensor, Tensor]:
        bad = self.get_buffer(f"bad_{head}")
        return self.starts[head] + bad[-1], self.moves[head] + bad[:-1]

    def loss(self, batch: dict[str, Tensor], head: str) -> Tensor:
        """Negative log-likelihood a token."""
        scores = self.emissions(self.hidden(batch), head)
        start, moves = self.chain(head)
        return crf_loss(scores, batch["tags"], batch["lengths"], start, moves) / batch["lengths"].sum()


def forbidden(labels: list[str]) -> Tensor:
    """-10000 where a label must not follow another; the last row is for the first word of a sentence."""
    bad = torch.zeros(len(labels) + 1, len(labels))
    for j, after in enumerate(labels):
        if after[0] == "I":
            for i, before in enumerate([*labels, "O"]):
                if before[1:] != after[1:] or before == "O":
                    bad[i, j] = -10000.0
    return bad


def crf_loss(scores: Tensor, tags: Tensor, lengths: Tensor, start: Tensor, moves: Tensor) -> Tensor:
    """Sum over the batch of log Z - score(gold)."""
    _, length, _ = scores.shape
    inside = torch.arange(length)[None] < lengths[:, None]
    gold = scores.gather(2, tags.unsqueeze(2)).squeeze(2)
    steps = moves[tags[:, :-1], tags[:, 1:]] * inside[:, 1:]
    total = (gold * inside).sum() + steps.sum() + start[tags[:, 0]].sum()
    alpha = start + scores[:, 0]
    for t in range(1, length):
        after = torch.logsumexp(alpha.unsqueeze(2) + moves, 1) + scores[:, t]
        alpha = torch.where(inside[:, t].unsqueeze(1), after, alpha)
    return torch.logsumexp(alpha, 1).sum() - total


def viterbi(scores: Tensor, lengths: Tensor, start: Tensor, moves: Tensor) -> list[list[int]]:
    """The best path of each sentence, scores [batch, length, labels]."""
    best, back = start + scores[:, 0], []
    for t in range(1, scores.shape[1]):
        value, came = (best.unsqueeze(2) + moves).max(1)
        inside = (t < lengths).unsqueeze(1)
        best = torch.where(inside, value + scores[:, t], best)
        back.append(torch.where(inside, came, torch.arange(moves.shape[0])))
    at = best.argmax(1)
    path = [at]
    for came in reversed(back):
        at = came.gather(1, at.unsqueeze(1)).squeeze(1)
        path.append(at)
    rows = torch.stack(path[::-1], 1).tolist()
    return [row[: int(n)] for row, n in zip(rows, lengths)]
