"""A graph in onnxruntime as what scores windows, run as lib/inference/tasks/entities runs it."""

import numpy as np
import onnxruntime

from isnad_base import pieces

from .rows import Window


class Session:
    def __init__(self, serialised: bytes) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(serialised, options)
        self.rows = pieces.rows().numpy()

    def __call__(self, found: list[Window]) -> list[np.ndarray]:
        """Scores [words, outputs] of each window."""
        return [
            self.session.run(None, {"words": self.rows[w.ids][None], "firsts": np.array(w.firsts, np.int32)})[0][0]
            for w in found
        ]
