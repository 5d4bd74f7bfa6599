"""One linear-chain CRF, trained by CRFsuite (Okazaki, 2007) and kept as weights: of each feature for each label, and of moves."""

import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pycrfsuite

Features = list[list[str]]
NEVER = -10000.0


@dataclass
class Chain:
    labels: list[str]
    rows: dict[str, int]
    weights: np.ndarray  # [features, labels]
    moves: np.ndarray  # [labels, labels], from row to column

    def scores(self, sentence: Features) -> np.ndarray:
        """[tokens, labels]"""
        out = np.zeros((len(sentence), len(self.labels)), np.float32)
        for t, features in enumerate(sentence):
            known = [self.rows[f] for f in features if f in self.rows]
            out[t] = self.weights[known].sum(0)
        return out

    def starts(self) -> np.ndarray:
        return np.array([NEVER if label[0] == "I" else 0.0 for label in self.labels], np.float32)

    def decode(self, scores: np.ndarray) -> list[str]:
        """The best path (Viterbi, 1967)."""
        best, back = self.starts() + scores[0], []
        for row in scores[1:]:
            value = best[:, None] + self.moves
            back.append(value.argmax(0))
            best = value.max(0) + row
        path = [int(best.argmax())]
        for came in reversed(back):
            path.append(int(came[path[-1]]))
        return [self.labels[i] for i in path[::-1]]

    def tag(self, sentence: Features) -> list[str]:
        return self.decode(self.scores(sentence)) if sentence else []


def train(sentences: list[Features], tags: list[list[str]], algorithm: str, settings: dict[str, float]) -> Chain:
    """`algorithm`: `lbfgs` (likelihood, with L1 and L2) or `ap` (averaged perceptron)."""
    trainer = pycrfsuite.Trainer(verbose=False, algorithm=algorithm)
    for features, row in zip(sentences, tags, strict=True):
        trainer.append(pycrfsuite.ItemSequence(features), row)
    trainer.set_params(settings | {"feature.possible_transitions": True})
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "chain.crfsuite")
        trainer.train(path)
        tagger = pycrfsuite.Tagger()
        tagger.open(path)
        told = tagger.info()
    labels = sorted(told.labels, key=lambda name: (name != "O", name[2:], name[0]))
    place = {label: i for i, label in enumerate(labels)}
    rows: dict[str, int] = {}
    for name, _ in told.state_features:
        rows.setdefault(name, len(rows))
    weights = np.zeros((len(rows), len(labels)), np.float32)
    for (name, label), weight in told.state_features.items():
        weights[rows[name], place[label]] = weight
    moves = np.zeros((len(labels), len(labels)), np.float32)
    for (before, after), weight in told.transitions.items():
        moves[place[before], place[after]] = weight
    for before in labels:
        for after in labels:
            if after[0] == "I" and before[1:] != after[1:]:
                moves[place[before], place[after]] = NEVER
    return Chain(labels, rows, weights, moves)


def slimmed(chain: Chain, most: int) -> Chain:
    """Only the `most` features with the largest weights."""
    if len(chain.rows) <= most:
        return chain
    size = np.abs(chain.weights).max(1)
    kept = np.sort(np.argsort(-size, kind="stable")[:most])
    names = list(chain.rows)
    return Chain(chain.labels, {names[i]: n for n, i in enumerate(kept)}, chain.weights[kept], chain.moves)
