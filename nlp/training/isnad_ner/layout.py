"""`features.bin` and `tagger.json`: where the hashes of each chain and each name list lie, and what belongs to them."""

from dataclasses import dataclass, field

import numpy as np

from .attributes import feature_hash
from .stack import Stack


@dataclass
class Layout:
    """The hashes, then the bytes of the labels; settings of chains and lists; the rows of the table, row 0 empty."""

    keys: list[np.ndarray] = field(default_factory=list)
    values: list[np.ndarray] = field(default_factory=list)
    chains: list[dict] = field(default_factory=list)
    names: list[dict] = field(default_factory=list)
    rows: list[np.ndarray] = field(default_factory=list)

    def put(self, hashes: np.ndarray) -> dict:
        at = sum(map(len, self.keys))
        self.keys.append(hashes.astype("<u4"))
        return {"at": at, "count": len(hashes)}

    def put_labels(self, known: dict[str, str], labels: list[str]) -> dict:
        place = {label: i for i, label in enumerate(labels)}
        by_hash = {feature_hash(text): place[label] for text, label in known.items()}
        at = sum(map(len, self.values))
        self.values.append(np.array(list(by_hash.values()), np.uint8))
        return {**self.put(np.array(list(by_hash))), "values": at}

    def bytes(self) -> bytes:
        return np.concatenate(self.keys).tobytes() + np.concatenate(self.values).tobytes()


def layout(stack: Stack, calibration: dict[str, tuple[float, float]]) -> Layout:
    out = Layout()
    width = max(len(chain.labels) for chain in stack.chains.values())
    first = 1
    for name, chain in stack.chains.items():
        weights: dict[int, np.ndarray] = {}
        for feature, row in chain.rows.items():
            key = feature_hash(feature)
            weights[key] = weights.get(key, 0) + chain.weights[row]
        rows = np.zeros((len(weights), width), np.float32)
        rows[:, : len(chain.labels)] = np.stack(list(weights.values()))
        out.rows.append(rows)
        scale, bias = calibration.get(name, (1.0, 0.0))
        out.chains.append({
            "name": name, "features": out.put(np.array(list(weights))), "firstRow": first, "labels": chain.labels,
            "moves": [[round(float(x), 4) for x in row] for row in chain.moves],
            "uses": [{"names": used} | ({"chain": used} if used in stack.chains else {}) for used in stack.uses.get(name, [])],
            "scale": round(scale, 5), "bias": round(bias, 5),
        })
        first += len(weights)
    for name, known in stack.names.items():
        kinds, marks = sorted(set(known.phrases.values())), sorted(set(known.words.values()))
        out.names.append({
            "name": name, "phrases": out.put_labels(known.phrases, kinds), "words": out.put_labels(known.words, marks),
            "phraseLabels": kinds, "wordLabels": marks,
        })
    base = 4 * sum(map(len, out.keys))
    for known in out.names:
        for part in ("phrases", "words"):
            known[part]["values"] += base
    return out
