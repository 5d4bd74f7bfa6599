"""What the teacher, all twelve layers of multilingual-e5-small, tells of texts of the training data; kept under out/rerank."""

import numpy as np

from isnad_base import pieces, teacher
from isnad_embed.distil import sampled

from .data import FOLDER, Lists

LONGEST = 190


def kept(name: str, texts: list[str], prefix: str) -> np.ndarray:
    return teacher.kept(FOLDER / f"{name}.npy", texts, prefix, LONGEST)


def of_lists(name: str, lists: Lists) -> tuple[np.ndarray, np.ndarray]:
    """Of the queries, and of the whole passages."""
    different = list(dict.fromkeys(lists.texts))
    found = dict(zip(different, kept(f"{name}.taught-queries", different, "query: "), strict=True))
    return np.stack([found[t] for t in lists.texts]), kept(f"{name}.taught-passages", lists.passage_texts, "passage: ")


def news(count: int, seed: int) -> dict[str, tuple[list[np.ndarray], np.ndarray]]:
    """Title, a sentence, and a passage, often under its title, of `count` articles of each language: pieces and the teacher's vectors. Never
    of the held-out part."""
    texts = sampled(count, np.random.default_rng(seed))
    return {
        kind: (
            [np.array(ids[1:-1], np.int32) for ids in pieces.encode(rows, 126)],
            kept(f"news.taught-{kind}", rows, "passage: " if kind == "passages" else "query: "),
        )
        for kind, rows in texts.items()
    }
