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
    features that are kept of each; the sentences of each language's news in which names are looked for."""

    rounds: int = 8
    iterations: int = 50
    l1: float = 0.1
    l2: float = 0.2
    lower_features: int = 80_000
    upper_features: int = 80_000
    news_sentences: int = 20_000
    seed: int = 7


# Lower chains: the share of each set they learn from; their name lists are made of the whole sets.
LOWER = {"f": {"wikifane": 0.7}, "b": {"btc": 1.0}, "w": {"wikiann": 0.7, "re3d": 1.0}}
# Upper chains: the set whose conventions each follows, the lower ones it uses, and the list of names of the news.
UPPER = {
    "ar": ("anercorp", ["f"], "news-ar"),
    "en": ("wikigold", ["b", "w"], "news-en"),
    "social": ("wnut", ["b", "w"], "news-en"),
}
# Wide features that only the large sets of the lower chains have enough examples for.
ONLY_LOWER = {"w-2", "w+2", "w-10", "w01", "w-1cs", "c256-2", "c256+2", "c256-10", "c256+10", "c64-101"}


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
            if used in self.chains:
                parts.append(window_features(f"ax{used}", self.chains[used].tag(own)))
            parts.append(window_features(f"gz{used}", known.cover([facts(t)[0] for t in tokens])))
            parts.append(window_features(f"gt{used}", known.singles(tokens)))
        return [[f for part in row for f in part] for row in zip(*parts)]

    def tag(self, name: str, sentences: list[Sentence]) -> list[list[str]]:
        return [self.chains[name].tag(self.features(name, [t for t, _ in s])) for s in sentences]


def say(what: str, began: float) -> None:
    print(f"{what:44} {time.process_time() - began:6.0f} s", flush=True)


def lower(name: str, sets: Sets, settings: Settings) -> tuple[Chain, NameList]:
    """A lower chain, and the names in all of its sets."""
    began = time.process_time()
    rng = np.random.default_rng(settings.seed)
    shares = LOWER[name]
    names = name_list([sets.train[s] for s in shares], listed() if name == "f" else [])
    rows: list[Sentence] = []
    for data_set, share in shares.items():
        sentences = sets.train[data_set]
        rows += [coarse(sentences[i]) for i in rng.permutation(len(sentences))[: int(len(sentences) * share)]]
    features = [sentence_features([t for t, _ in s]) for s in rows]
    made = train(features, [[tag for _, tag in s] for s in rows], "ap", {"max_iterations": settings.rounds})
    say(f"chain {name}: {len(rows)} sentences, {len(made.rows)} features", began)
    return slimmed(made, settings.lower_features), names


def upper(name: str, sets: Sets, settings: Settings, stack: Stack) -> tuple[Chain, list[str]]:
    """An upper chain, and the names of what it uses: the list of the news too, where there is one yet."""
    began = time.process_time()
    data_set, uses, news = UPPER[name]
    stack.uses[name] = [*uses, *([news] if news in stack.names else [])]
    rows = sets.train[data_set]
    features = [narrow(stack.features(name, [t for t, _ in s])) for s in rows]
    made = train(
        features, [[tag for _, tag in s] for s in rows], "lbfgs",
        {"max_iterations": settings.iterations, "c1": settings.l1, "c2": settings.l2},
    )
    say(f"chain {name}: {len(rows)} sentences, {len(made.rows)} features", began)
    return slimmed(made, settings.upper_features), stack.uses[name]


def narrow(sentence: Features) -> Features:
    return [[f for f in token if f.split("=", 1)[0] not in ONLY_LOWER] for token in sentence]
