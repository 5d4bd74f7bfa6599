"""What the teacher, all twelve layers of multilingual-e5-small, tells of texts of the training data; kept under out/rerank."""

from pathlib import Path

import numpy as np
import torch

from isnad_base import encoder, pieces
from isnad_embed.corpus import articles

from .data import FOLDER, Lists
from .reader import padded

LONGEST = 190
CELLS = 8192
KINDS = ("titles", "sentences", "passages")


def vectors(texts: list[str], prefix: str) -> np.ndarray:
    """float32 [texts, WIDTH], unit length. `prefix` is `query: ` or `passage: `, as the teacher was trained."""
    model = encoder.start(drop=0.0).bfloat16().eval()
    rows = pieces.encode([prefix + text for text in texts], LONGEST)
    order = sorted(range(len(rows)), key=lambda i: len(rows[i]))
    out = np.zeros((len(rows), model.rows.shape[1]), np.float32)
    at = 0
    with torch.inference_mode():
        while at < len(order):
            size = max(1, CELLS // len(rows[order[min(at + 255, len(order) - 1)]]))
            chosen = order[at : at + size]
            at += size
            ids = padded([rows[i] for i in chosen])
            out[chosen] = torch.nn.functional.normalize(encoder.pooled(model(ids), ids).float(), dim=1).numpy()
    return out


def kept(path: Path, texts: list[str], prefix: str) -> np.ndarray:
    """vectors(), made once."""
    if not path.exists() or len(np.load(path, mmap_mode="r")) != len(texts):
        np.save(path, vectors(texts, prefix).astype(np.float16))
    return np.load(path).astype(np.float32)


def of_lists(name: str, lists: Lists) -> tuple[np.ndarray, np.ndarray]:
    """Of the queries, and of the whole passages."""
    different = list(dict.fromkeys(lists.texts))
    found = dict(zip(different, kept(FOLDER / f"{name}.taught-queries.npy", different, "query: "), strict=True))
    return np.stack([found[t] for t in lists.texts]), kept(FOLDER / f"{name}.taught-passages.npy", lists.passage_texts, "passage: ")


def news(count: int, seed: int) -> dict[str, tuple[list[np.ndarray], np.ndarray]]:
    """Title, a sentence, and a passage, often under its title, of `count` articles of each language: pieces and the teacher's vectors. Never
    of the held-out part."""
    rng = np.random.default_rng(seed)
    texts: dict[str, list[str]] = {kind: [] for kind in KINDS}
    every = [a for a in articles() if not a.held_out]
    for lang in ("ar", "en"):
        own = [a for a in every if a.lang == lang]
        for i in rng.permutation(len(own))[:count]:
            body = " ".join(own[i].text.split())
            at = int(rng.integers(0, max(1, len(body) - 600)))
            at = 0 if rng.random() < 0.4 else body.find(" ", at) + 1
            passage = body[at : at + int(rng.integers(200, 700))]
            parts = [s.strip() for s in body.replace("؟", "؟.").split(". ") if 40 < len(s) < 250]
            texts["titles"].append(own[i].title)
            texts["sentences"].append(parts[int(rng.integers(len(parts)))] if parts else own[i].title)
            texts["passages"].append(f"{own[i].title}\n{passage}" if rng.random() < 0.7 else passage)
    return {
        kind: ([np.array(ids[1:-1], np.int32) for ids in pieces.encode(rows, 126)], kept(FOLDER / f"news.taught-{kind}.npy", rows, "passage: " if kind == "passages" else "query: "))
        for kind, rows in texts.items()
    }
