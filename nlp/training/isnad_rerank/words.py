"""Texts as the reranker reads them: tokens of static-ar-en-256 for matching, shared pieces for reading, both word by word."""

import re
from dataclasses import dataclass

import numpy as np

from isnad_base import pieces

from .shipped import Shipped

BLANKS = re.compile(r"[\s\x00-\x1f\x7f-\x9f\ufeff]+")
PASSAGE_TOKENS, QUERY_TOKENS, QUERY_PIECES = 320, 48, 62
UNKNOWN_TOKEN = 0


@dataclass
class Text:
    tokens: np.ndarray
    pieces: np.ndarray
    reading: np.ndarray
    """For each token where the pieces of its word start."""

    def reading_at(self, token: int) -> int:
        """Where the pieces start that are read for a window from this token on."""
        return int(self.reading[min(int(token), len(self.reading) - 1)])


class Reading:
    """Encodes words once."""

    def __init__(self, shipped: Shipped):
        self.tokenizer = shipped.tokenizer
        self.known: dict[str, tuple[list[int], list[int]]] = {}

    def _learn(self, words: set[str]) -> None:
        new = sorted(words - self.known.keys())
        tokens = self.tokenizer.encode_batch(new, add_special_tokens=False)
        parts = pieces.tokenizer().encode_batch(new, add_special_tokens=False)
        blank = pieces.tokenizer().token_to_id("▁")
        for word, a, b in zip(new, tokens, parts, strict=True):
            self.known[word] = ([i for i in a.ids if i != UNKNOWN_TOKEN], [] if b.ids == [blank] else b.ids)

    def texts(self, rows: list[str], most: int) -> list[Text]:
        """At most `most` tokens of each, and the pieces of the words that they are in."""
        split = [[word for word in BLANKS.split(row) if word] for row in rows]
        self._learn({word for words in split for word in words})
        found = []
        for words in split:
            tokens: list[int] = []
            reading: list[int] = []
            parts: list[int] = []
            for word in words:
                if len(tokens) >= most:
                    break
                own, own_pieces = self.known[word]
                tokens += own
                reading += [len(parts)] * len(own)
                parts += own_pieces
            found.append(
                Text(
                    np.array(tokens[:most] or [UNKNOWN_TOKEN], np.int32),
                    np.array(parts or [pieces.UNKNOWN], np.int32),
                    np.array(reading[:most] or [0], np.int32),
                )
            )
        return found
