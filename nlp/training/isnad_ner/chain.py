"""A linear chain over labels: scores of words, and of moves between labels (Lafferty, McCallum and Pereira, 2001)."""

from dataclasses import dataclass

import numpy as np

NEVER = -10000.0


@dataclass
class Chain:
    labels: list[str]
    moves: np.ndarray
    """[labels, labels], from row to column."""

    @property
    def starts(self) -> np.ndarray:
        return np.array([NEVER if label[0] == "I" else 0.0 for label in self.labels], np.float32)

    def decode(self, scores: np.ndarray) -> list[str]:
        """The best path (Viterbi, 1967)."""
        if len(scores) == 0:
            return []
        best, back = self.starts + scores[0], []
        for row in scores[1:]:
            value = best[:, None] + self.moves
            back.append(value.argmax(0))
            best = value.max(0) + row
        path = [int(best.argmax())]
        for came in reversed(back):
            path.append(int(came[path[-1]]))
        return [self.labels[i] for i in path[::-1]]


def never(labels: list[str]) -> np.ndarray:
    """Moves that can be are 0: no I- but after its own type."""
    return np.array([[NEVER if b[0] == "I" and a[1:] != b[1:] else 0.0 for b in labels] for a in labels], np.float32)
