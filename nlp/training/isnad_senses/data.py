"""What the model is trained on: example sentences as /wsd reads them, with the states of lower.onnx, and glosses as the teacher
reads them. Both are computed once and kept in `out/senses`."""

import hashlib
import json
import subprocess
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from isnad_base import pieces, teacher
from isnad_base.published import WIDTH
from isnad_embed.corpus import OUT, ROOT
from isnad_ner.rows import windows
from isnad_ner.session import opened

from .model import REACH

KEPT = OUT / "senses"
LAYERS = ROOT / "nlp" / "models" / "senses-ar" / "lower.onnx"
"""Three layers that are not trained: those that tagger-ar-en had below all its heads as of revision ae4ec71d."""
SIGNS = ("fit", "likeness", "rank", "letters", "vowels")
"""What speaks for a sense, as lib/arabic/senses/choose.ts weighs it; all but the first are known before training."""
LONGEST = 64
"""Pieces of a gloss that are read."""


@dataclass
class Sense:
    id: str
    key: str
    text: str
    several: bool
    """Whether its word has others."""


@dataclass
class Example:
    part: str
    senses: list[int]
    """The senses that the word can have, as rows of the glosses."""
    right: int
    """Which of them it has."""
    signs: np.ndarray
    """float [senses, SIGNS without fit]"""
    states: np.ndarray
    """float16 [pieces, WIDTH], those around the word"""
    before: int
    """How many of these stand before its first piece."""


def dumped(again: bool = False) -> tuple[list[dict], list[Sense]]:
    """Examples and senses as the program writes them that shares its code with the service; needs bun. Unless `again`, those that are kept."""
    KEPT.mkdir(parents=True, exist_ok=True)
    made = [KEPT / "examples.jsonl", KEPT / "glosses.jsonl"]
    if again or not all(path.exists() for path in made):
        subprocess.run(["bun", "lib/arabic/training/sense-examples.ts", *map(str, made)], cwd=ROOT, check=True)
    examples, senses = ([json.loads(line) for line in path.open(encoding="utf8")] for path in made)
    return examples, [Sense(**row) for row in senses]


def glosses(senses: list[Sense]) -> np.ndarray:
    """float32 [senses, WIDTH], the teacher's, of unit length."""
    texts = [sense.text for sense in senses]
    digest = hashlib.sha256("\n".join(texts).encode()).hexdigest()[:12]
    return teacher.kept(KEPT / f"glosses-{digest}.npy", texts, "passage: ", LONGEST)


def examples(rows: list[dict], senses: list[Sense]) -> list[Example]:
    """Each with the states around its word, of which the whole table is kept in one file."""
    numbers = {sense.id: number for number, sense in enumerate(senses)}
    coded = [located(row["words"], row["place"]) for row in rows]
    table = kept_states([ids for ids, _ in coded])
    found, at = [], 0
    for row, (ids, first) in zip(rows, coded, strict=True):
        low, high = max(0, first - REACH), min(len(ids), first + REACH + 1)
        known = zip(row["likeness"], range(len(row["senses"])), row["letters"], row["vowels"], strict=True)
        found.append(
            Example(
                row["part"],
                [numbers[sense] for sense in row["senses"]],
                row["senses"].index(row["sense"]),
                np.array([[float(value) for value in signs] for signs in known], np.float32),
                table[at + low : at + high],
                first - low,
            )
        )
        at += len(ids)
    return found


def located(words: list[str], place: int) -> tuple[list[int], int]:
    """The window that holds the word, and where in it the word begins."""
    before = 0
    for window in windows([words]):
        if place < before + len(window.firsts):
            return window.ids, window.firsts[place - before]
        before += len(window.firsts)
    raise ValueError(f"there is no word {place}")


def kept_states(rows: list[list[int]]) -> np.ndarray:
    """float16 [pieces of all rows, WIDTH], by the very int8 graph that ships."""
    serialised = LAYERS.read_bytes()
    digest = hashlib.sha256(serialised + json.dumps(rows).encode()).hexdigest()[:12]
    path = KEPT / f"states-{digest}.npy"
    if not path.exists():
        lower, table = opened(serialised), pieces.rows().numpy()
        read = (lower.run(None, {"words": table[ids][None]})[0][0].astype(np.float16) for ids in rows)
        np.save(path, np.concatenate(list(read)))
    return np.load(path, mmap_mode="r")


def around(batch: list[Example]) -> tuple[Tensor, Tensor]:
    """states float [batch, 2 * REACH + 1, WIDTH], the word's first piece in the middle, and which are there."""
    states = np.zeros((len(batch), 2 * REACH + 1, WIDTH), np.float32)
    present = np.zeros(states.shape[:2], bool)
    for row, example in enumerate(batch):
        start = REACH - example.before
        states[row, start : start + len(example.states)] = example.states
        present[row, start : start + len(example.states)] = True
    return torch.from_numpy(states), torch.from_numpy(present)


def centred(vectors: np.ndarray, mean: np.ndarray) -> np.ndarray:
    """Without the mean of all glosses, to unit length."""
    apart = vectors - mean
    return (apart / np.linalg.norm(apart, axis=1, keepdims=True)).astype(np.float32)


def checksum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
