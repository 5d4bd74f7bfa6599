"""The graphs in onnxruntime as what scores windows, run as lib/inference/tasks/entities runs them."""

from functools import lru_cache

import numpy as np
import onnxruntime

from isnad_ner.rows import Window
from isnad_ner.session import opened

from .lower import Lower

REMEMBERED = 4096


class Branch:
    """Scores [words, outputs] of each window by an upper graph. `below` reads a window for the branches that share it once."""

    def __init__(self, lower: "Lower | Branch", upper: bytes) -> None:
        self.below = lower.below if isinstance(lower, Branch) else lru_cache(REMEMBERED)(lower.states)
        self.upper: onnxruntime.InferenceSession = opened(upper)

    def __call__(self, found: list[Window]) -> list[np.ndarray]:
        return [
            self.upper.run(None, {"states": self.below(tuple(w.ids)), "firsts": np.array(w.firsts, np.int32)})[0][0]
            for w in found
        ]
