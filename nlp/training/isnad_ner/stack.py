"""The stack: chains over large sets of silver or other annotations first, whose tags are features of the chains over the
gold sets (Cohen and Carvalho, "Stacked Sequential Learning", 2005; here the lower chains see other data, so nothing leaks)."""

import time
from dataclasses import dataclass, field

import numpy as np

from .attributes import facts, sentence_features, window_features
from .chain import Chain, Features, slimmed, train
from .coarse import coarse
from .data import Sentence, Sets
from .names import NameList, listed, name_list


@dataclass(frozen=True)
class Settings:
    """Rounds of the averaged perceptron of the lower chains, iterations of L-BFGS of the upper ones, L1 and L2 of these, and the
    features that are kept of each."""

    rounds: int = 8
    iterations: int = 60
    l1: float = 0.1
    l2: float = 0.05
    lower_features: int = 60_000
    upper_features: int = 80_000
    seed: int = 7


# Lower chains: the share of each set they learn from; their name lists are made of the whole sets.
LOWER = {"f": {"wikifane": 0.5}, "b": {"btc": 1.0}, "w": {"wikiann": 0.7, "re3d": 1.0}}
# Upper chains: the set whose conventions each follows, and the lower ones it uses.
UPPER = {"ar": ("anercorp", ["f"]), "en": ("wikigold", ["b", "w"]), "social": ("wnut", ["b", "w"])}


@dataclass
class Stack:
    chains: dict[str, Chain] = field(default_factory=dict)
    uses: dict[str, list[str]] = field(default_factory=dict)
    names: dict[str, NameList] = field(default_factory=dict)

    def features(self, name: str, tokens: list[str]) -> Features:
        """The features of a sentence for one chain."""
        own = sentence_features(tokens)
        parts = [own]
        for used in self.uses.get(name, []):
            known = self.names[used]
            parts.append(window_features(f"ax{used}", self.chains[used].tag(own)))
            parts.append(window_features(f"gz{used}", known.cover([facts(t)[0] for t in tokens])))
            parts.append(window_features(f"gt{used}", known.singles(tokens)))
        return [[f for part in row for f in part] for row in zip(*parts)]

    def tag(self, name: str, sentences: list[Sentence]) -> list[list[str]]:
        return [self.chains[name].tag(self.features(name, [t for t, _ in s])) for s in sentences]


def say(what: str, began: float) -> None:
    print(f"{what:44} {time.process_time() - began:6.0f} s", flush=True)


def lower(sets: Sets, settings: Settings, stack: Stack) -> None:
    rng = np.random.default_rng(settings.seed)
    for name, shares in LOWER.items():
        began = time.process_time()
        stack.names[name] = name_list([sets.train[s] for s in shares], listed() if name == "f" else [])
        rows: list[Sentence] = []
        for data_set, share in shares.items():
            sentences = sets.train[data_set]
            rows += [coarse(sentences[i]) for i in rng.permutation(len(sentences))[: int(len(sentences) * share)]]
        features = [sentence_features([t for t, _ in s]) for s in rows]
        made = train(features, [[tag for _, tag in s] for s in rows], "ap", {"max_iterations": settings.rounds})
        stack.chains[name] = slimmed(made, settings.lower_features)
        say(f"chain {name}: {len(rows)} sentences, {len(made.rows)} features", began)


def upper(sets: Sets, settings: Settings, stack: Stack, names: list[str] | None = None) -> None:
    for name, (data_set, uses) in UPPER.items():
        if names and name not in names:
            continue
        began = time.process_time()
        stack.uses[name] = uses
        rows = sets.train[data_set]
        features = [stack.features(name, [t for t, _ in s]) for s in rows]
        made = train(
            features, [[tag for _, tag in s] for s in rows], "lbfgs",
            {"max_iterations": settings.iterations, "c1": settings.l1, "c2": settings.l2},
        )
        stack.chains[name] = slimmed(made, settings.upper_features)
        say(f"chain {name}: {len(rows)} sentences, {len(made.rows)} features", began)
