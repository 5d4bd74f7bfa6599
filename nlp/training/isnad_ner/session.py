"""A graph in onnxruntime as what scores windows, run as lib/models/tasks/entities runs it."""

import numpy as np
import onnxruntime

from isnad_base import pieces

from .rows import Window


def opened(serialised: bytes) -> onnxruntime.InferenceSession:
    """A session as lib/models opens it: without VNNI, sums of int8 products overflow otherwise."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.add_session_config_entry("session.x64quantprecision", "1")
    return onnxruntime.InferenceSession(serialised, options)


class Session:
    def __init__(self, serialised: bytes) -> None:
        self.session = opened(serialised)
        self.rows = pieces.rows().numpy()

    def __call__(self, found: list[Window]) -> list[np.ndarray]:
        """Scores [words, outputs] of each window."""
        return [
            self.session.run(None, {"words": self.rows[w.ids][None], "firsts": np.array(w.firsts, np.int32)})[0][0]
            for w in found
        ]
