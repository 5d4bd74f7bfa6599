"""The lower layers as they ship: int8, in onnxruntime. What is learned above them is learned from the very states that it will read."""

from collections.abc import Iterable, Sequence
from typing import Protocol

import numpy as np
import onnxruntime
import torch

from isnad_base import pieces
from isnad_ner.session import opened


class Row(Protocol):
    ids: list[int]
    states: torch.Tensor | None


class Lower:
    def __init__(self, serialised: bytes) -> None:
        self.session: onnxruntime.InferenceSession = opened(serialised)
        self.rows = pieces.rows().numpy()

    def states(self, ids: Sequence[int]) -> np.ndarray:
        """float32 [1, pieces, WIDTH]"""
        return self.session.run(None, {"words": self.rows[list(ids)][None]})[0]

    def read(self, rows: Iterable[Row]) -> None:
        """Gives each row its states, float16 [pieces, WIDTH]."""
        for row in rows:
            row.states = torch.from_numpy(self.states(row.ids)[0]).half()
