"""Pairs for contrastive training, drawn as arrays of pieces with lengths."""

from dataclasses import dataclass

import numpy as np

from .encode import Documents, Ragged


@dataclass
class Source:
    documents: Documents
    pieces: Ragged
    options: object
    parallel: tuple[Ragged, Ragged]
    synonyms: Ragged
    words: np.ndarray
    word_share: np.ndarray


@dataclass
class Side:
    """Rows of types, flat, with the number of types in each."""

    flat: np.ndarray
    lengths: np.ndarray


def side(rows: list[np.ndarray]) -> Side:
    return Side(np.concatenate(rows), np.array([len(r) for r in rows]))


class Batches:
    def __init__(self, source: Source, rng: np.random.Generator):
        self.s, self.rng = source, rng
        d = source.documents
        self.size = np.diff(d.first)
        self.with_body = np.flatnonzero(self.size > 0)
        self.with_abstract = np.flatnonzero((np.diff(d.abstracts.start) > 4) & (self.size > 0))
        self.long = np.flatnonzero(self.size >= 4)
        # Arabic articles are more and longer: draw the languages evenly
        self.weight = {}
        for name, index in (("body", self.with_body), ("abstract", self.with_abstract), ("long", self.long)):
            share = d.arabic[index].mean()
            p = np.where(d.arabic[index], 0.5 / share, 0.5 / max(1e-9, 1 - share)) if share < 1 else np.ones(len(index))
            self.weight[name] = p / p.sum()

    def run(self, article: int, words: int, sentence: int | None = None) -> tuple[np.ndarray, int, int]:
        """A run of whole sentences of about `words` words; also its first and last sentence."""
        d = self.s.documents
        low, high = d.first[article], d.first[article + 1]
        first = int(self.rng.integers(low, high)) if sentence is None else sentence
        start = d.sentences.start
        last = min(high, max(first + 1, int(np.searchsorted(start, start[first] + words))))
        return d.sentences.flat[start[first] : start[last]][:400], first, last

    def drawn(self, name: str, index: np.ndarray, n: int) -> np.ndarray:
        return self.rng.choice(index, n, replace=False, p=self.weight[name])

    def titles(self, n: int) -> tuple[Side, Side, np.ndarray]:
        d, rng = self.s.documents, self.rng
        ids = self.drawn("body", self.with_body, n)
        left, right = [], []
        for i in ids:
            left.append(d.titles[i])
            lead = rng.random() < 0.4
            right.append(self.run(i, int(rng.integers(40, 220)), d.first[i] if lead else None)[0])
        return side(left), side(right), ids

    def abstracts(self, n: int) -> tuple[Side, Side, np.ndarray]:
        d, rng = self.s.documents, self.rng
        ids = rng.choice(self.with_abstract, n, replace=False)
        right = [self.run(i, int(rng.integers(60, 220)), min(d.first[i] + 1, d.first[i + 1] - 1))[0] for i in ids]
        return side([d.abstracts[i] for i in ids]), side(right), ids

    def neighbours(self, n: int) -> tuple[Side, Side, np.ndarray]:
        d, rng = self.s.documents, self.rng
        ids = self.drawn("long", self.long, n)
        left, right = [], []
        for i in ids:
            low, high = d.first[i], d.first[i + 1]
            first = int(rng.integers(low, high - 1))
            a, _, last = self.run(i, int(rng.integers(8, 60)), first)
            if last >= high:
                last = low
            left.append(a)
            right.append(self.run(i, int(rng.integers(15, 120)), last)[0])
        return side(left), side(right), ids

    def cloze(self, n: int) -> tuple[Side, Side, np.ndarray]:
        """A few words out of a passage, and the passage, in half of the cases without them (Lee et al. 2019), in half
        of the cases after its title, as passages are embedded in use."""
        rng = self.rng
        ids = self.drawn("long", self.long, n)
        left, right = [], []
        for i in ids:
            passage = self.run(i, int(rng.integers(40, 160)))[0]
            words = int(rng.integers(3, 12))
            at = int(rng.integers(0, max(1, len(passage) - words)))
            left.append(passage[at : at + words])
            rest = np.concatenate([passage[:at], passage[at + words :]])
            kept = passage if rng.random() < 0.5 or len(rest) < 5 else rest
            title = self.s.documents.titles[i]
            right.append(np.concatenate([title, kept]) if rng.random() < 0.5 else kept)
        return side(left), side(right), ids

    def translations(self, n: int) -> tuple[Side, Side, np.ndarray]:
        ar, en = self.s.parallel
        ids = self.rng.choice(len(ar), n, replace=False)
        return side([ar[i] for i in ids]), side([en[i] for i in ids]), ids

    def glosses(self, n: int) -> tuple[Side, Side, np.ndarray]:
        ids = self.rng.choice(self.s.words, n, replace=False, p=self.s.word_share)
        to = self.s.options.sample(ids.astype(np.int32), self.rng)
        one = np.ones(n, np.int64)
        return Side(ids.astype(np.int32), one), Side(to, one), to

    def synonyms(self, n: int) -> tuple[Side, Side, np.ndarray]:
        ids = self.rng.choice(len(self.s.synonyms), n, replace=False)
        picked = [self.rng.choice(self.s.synonyms[i], 2, replace=False) for i in ids]
        one = np.ones(n, np.int64)
        return Side(np.array([p[0] for p in picked]), one), Side(np.array([p[1] for p in picked]), one), ids

    def glossed(self, n: int) -> tuple[Side, Side, np.ndarray]:
        """A sentence and itself word for word in the other language."""
        rng = self.rng
        ids = self.drawn("body", self.with_body, n)
        left = side([self.run(i, int(rng.integers(8, 40)))[0] for i in ids])
        return left, self.switched(left, 0.95), ids

    def switched(self, given: Side, share: float) -> Side:
        flat = given.flat.copy()
        chosen = np.flatnonzero(self.rng.random(len(flat)) < share)
        flat[chosen] = self.s.options.sample(flat[chosen], self.rng)
        return Side(flat, given.lengths)

    def maybe_switched(self, given: Side) -> Side:
        """Each row, with its own share of words replaced: none in half of the rows, nearly all in a quarter."""
        share = self.rng.choice([0.0, 0.3, 0.95], len(given.lengths), p=[0.5, 0.25, 0.25])
        flat = given.flat.copy()
        chosen = np.flatnonzero(self.rng.random(len(flat)) < np.repeat(share, given.lengths))
        flat[chosen] = self.s.options.sample(flat[chosen], self.rng)
        return Side(flat, given.lengths)

    def dropped(self, given: Side, share: float) -> tuple[np.ndarray, np.ndarray]:
        """Pieces and row numbers with a share of words left out."""
        row = np.repeat(np.arange(len(given.lengths)), given.lengths)
        kept = self.rng.random(len(given.flat)) >= share
        kept |= np.repeat(given.lengths < 6, given.lengths)
        pieces, lengths = self.s.pieces.gather(given.flat[kept])
        return pieces, np.repeat(row[kept], lengths)
