"""The shipped embedding, from which the reranker's table starts and which tells how rare words are."""

import json

import numpy as np
import onnx
from onnx import numpy_helper
from tokenizers import Tokenizer

from isnad_embed.corpus import ROOT

FOLDER = ROOT / "nlp" / "models" / "static-ar-en-256"


class Shipped:
    def __init__(self):
        self.json = (FOLDER / "tokenizer.json").read_text(encoding="utf8")
        self.tokenizer = Tokenizer.from_str(self.json)
        self.scores = np.array([score for _, score in json.loads(self.json)["model"]["vocab"]], np.float32)
        values = {i.name: numpy_helper.to_array(i) for i in onnx.load(FOLDER / "model.onnx").graph.initializer}
        self.table = values["table"].astype(np.float32) * values["scale"][:, None]

    def importance(self) -> np.ndarray:
        """Of each token, as lib/inference/rerank/encoder.ts has it: 0.06 for the commonest, 1 for those hardly known."""
        return np.clip((-self.scores - 5) / 8, 0.06, 1).astype(np.float32)

    def axes(self, dims: int) -> np.ndarray:
        """The rows turned onto their `dims` main axes."""
        _, _, axes = np.linalg.svd(self.table[::3], full_matrices=False)
        turned = (self.table @ axes[:dims].T).astype(np.float32)
        turned[0] = 0
        return turned

    def rarity(self, word: str) -> float:
        """Of a word: that of its rarest token."""
        ids = self.tokenizer.encode(word, add_special_tokens=False).ids
        rarest = max((-float(self.scores[i]) for i in ids), default=0.0)
        return min(1.0, max(0.06, 1.0 if rarest == 0 else (rarest - 5) / 8))

    def embed(self, words: list[str]) -> np.ndarray:
        rows = [self.tokenizer.encode(w, add_special_tokens=False).ids or [0] for w in words]
        vectors = np.stack([self.table[r].sum(0) for r in rows])
        return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-6)
