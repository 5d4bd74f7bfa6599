"""Which outputs of the upper layers are those of the heads."""

from isnad_ner.data import SHIPPED
from isnad_ner.data import Sentence as Tagged
from isnad_ner.examples import heads as labels_of

from .examples import Head
from .model import KEPT

TEACHER = ("newsfane", "wikifane")
"""Sets that a teacher has heads for besides those that ship."""


def heads_of(sets: dict[str, list[Tagged]], others: tuple[str, ...] = ()) -> dict[str, Head]:
    """Those of the sets whose heads ship, and of these, by the names of the sets."""
    out, at = {}, KEPT
    for name, labels in labels_of({name: sets[name] for name in (*SHIPPED, *others)}).items():
        out[name] = Head(slice(at, at + len(labels)), {label: i for i, label in enumerate(labels)})
        at += len(labels)
    return out


def count_of(heads: dict[str, Head]) -> int:
    return max(head.outputs.stop for head in heads.values()) - KEPT
