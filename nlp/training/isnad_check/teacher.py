"""What a larger encoder, which has learned our own sentences, says of sentences that nobody has labelled (Hinton, Vinyals and Dean 2015)."""

import json
import random
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from isnad_base import encoder, pieces
from isnad_base.encoder import pooled

from . import text
from .batches import in_order, padded
from .data import OUT, checkthat, claims
from .encoder import LANGUAGES
from .finetune import Part, Settings, finetune

FROZEN = 6
"""Of its twelve layers, the lower ones, which stay as published."""
LONGEST = 128
NEWS, OTHERS, CHARACTERS = 3000, 2000, 200
"""Sentences of the news a language and of CheckThat! train, and characters of the longest."""
SETTINGS = Settings(epochs=4, size=32, rate=1e-4, smoothing=0.05)


class Teacher(nn.Module):
    """ids [batch, length] -> logits [batch, languages]: multilingual-e5-small."""

    def __init__(self) -> None:
        super().__init__()
        self.encoder = encoder.start()
        for part in (self.encoder.places, self.encoder.norm, *self.encoder.layers[:FROZEN]):
            part.requires_grad_(False)
        self.drop = nn.Dropout(0.1)
        self.head = nn.Linear(2 * self.encoder.places.embedding_dim, len(LANGUAGES))

    def train(self, mode: bool = True) -> "Teacher":
        super().train(mode)
        for part in (self.encoder.drop, *self.encoder.layers[:FROZEN]):
            part.eval()
        return self

    def forward(self, ids: Tensor) -> Tensor:
        states = self.encoder(ids)
        return self.head(self.drop(torch.cat([states[:, 0], pooled(states, ids)], 1)))


def taught(fresh: bool) -> Teacher:
    """The teacher, that of an earlier run unless `fresh`."""
    kept, model = OUT / "teacher.pt", Teacher()
    if fresh or not kept.exists():
        parts = []
        for lang in LANGUAGES:
            own = claims(lang, "train")
            parts.append(Part(LANGUAGES, pieces.encode(own.texts, LONGEST), np.array(own.labels)))
        finetune(model, parts, SETTINGS)
        torch.save(model.state_dict(), kept)
    model.load_state_dict(torch.load(kept))
    return model.eval()


def unlabelled(seed: int) -> list[str]:
    """Sentences of the news, but of no article that is judged by eye, and of CheckThat! train without their labels."""
    rng = random.Random(seed)
    judged = frozenset(json.loads(Path(__file__).with_name("judged-articles.json").read_text(encoding="utf8")))
    found = []
    for lang in LANGUAGES:
        measured = {sentence for part in ("dev", "dev-test") for sentence in checkthat(lang, part).texts}
        for given, count in ((text.sentences(lang, judged), NEWS), (checkthat(lang, "train").texts, OTHERS)):
            short = sorted({sentence for sentence in given if len(sentence) <= CHARACTERS} - measured)
            found += rng.sample(short, count)
    return found


@torch.no_grad()
def told(texts: list[str], fresh: bool) -> np.ndarray:
    """The teacher's probability of each text, the mean of its outputs; what an earlier run said unless `fresh`."""
    kept = OUT / "told.npy"
    if fresh or not kept.exists():
        model, rows = taught(fresh), pieces.encode(texts, LONGEST)
        logits = np.zeros(len(rows), np.float32)
        for chosen in in_order(rows, 64):
            logits[chosen] = model(padded([rows[i] for i in chosen])).mean(1).numpy()
        np.save(kept, logits)
    return 1 / (1 + np.exp(-np.load(kept)))
