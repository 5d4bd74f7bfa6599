"""The graphs in onnxruntime as what scores windows, run as lib/inference/tasks/entities runs them."""

import numpy as np
import onnxruntime

from isnad_base import pieces
from isnad_ner.rows import Window
from isnad_ner.session import opened


class Branch:
    """Scores [words, outputs] of each window by one of the upper graphs."""

    def __init__(self, lower: bytes, upper: bytes) -> None:
        self.lower: onnxruntime.InferenceSession = opened(lower)
        self.upper: onnxruntime.InferenceSession = opened(upper)
        self.rows = pieces.rows().numpy()

    def __call__(self, found: list[Window]) -> list[np.ndarray]:
        out = []
        for w in found:
            (states,) = self.lower.run(None, {"words": self.rows[w.ids][None]})
            out.append(self.upper.run(None, {"states": states, "firsts": np.array(w.firsts, np.int32)})[0][0])
        return out
