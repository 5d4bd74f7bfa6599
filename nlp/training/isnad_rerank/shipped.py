"""The shipped embedding, whose rows the reranker matches with and which tells how rare words are."""

import json

import numpy as np
import onnx
from onnx import numpy_helper
from tokenizers import Tokenizer

from isnad_embed.corpus import ROOT

FOLDER = ROOT / "nlp" / "models" / "static-ar-en-256"


BLOCK = 32


def dequantised(packed: np.ndarray, steps: np.ndarray) -> np.ndarray:
    """uint8 [rows, width / 2], low halves first, and a step for each BLOCK of a row -> float32 [rows, width]."""
    halves = np.concatenate([packed & 15, packed >> 4], 1).astype(np.float32) - 8
    return halves * np.repeat(steps.astype(np.float32), BLOCK, axis=1)


class Shipped:
    def __init__(self):
        text = (FOLDER / "tokenizer.json").read_text(encoding="utf8")
        self.tokenizer = Tokenizer.from_str(text)
        self.scores = np.array([score for _, score in json.loads(text)["model"]["vocab"]], np.float32)
        values = {i.name: numpy_helper.to_array(i) for i in onnx.load(FOLDER / "model.onnx").graph.initializer}
        self.table = dequantised(values["packed"], values["steps"])

    def importance(self) -> np.ndarray:
        """Of each token, as lib/inference/tasks/rerank/encoder.ts has it: 0.06 for the commonest, 1 for those hardly known."""
        return np.clip((-self.scores - 5) / 8, 0.06, 1).astype(np.float32)

    def axes(self, dims: int) -> np.ndarray:
        """The `dims` main axes of the rows [width, dims]."""
        _, _, axes = np.linalg.svd(self.table[::3], full_matrices=False)
        return axes[:dims].T.astype(np.float32)

    def rarity(self, word: str) -> float:
        """Of a word: that of its rarest token."""
        ids = self.tokenizer.encode(word, add_special_tokens=False).ids
        rarest = max((-float(self.scores[i]) for i in ids), default=0.0)
        return min(1.0, max(0.06, 1.0 if rarest == 0 else (rarest - 5) / 8))

    def embed(self, words: list[str]) -> np.ndarray:
        rows = [self.tokenizer.encode(w, add_special_tokens=False).ids or [0] for w in words]
        vectors = np.stack([self.table[r].sum(0) for r in rows])
        return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-6)
