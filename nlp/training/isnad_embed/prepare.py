"""Everything that training reads, from the named data sets, kept in out/prepared.pkl."""

import pickle
from collections import Counter

import numpy as np

from . import corpus, lexicon, names, translation, vocabulary
from .encode import Documents, Ragged, Types, count_types
from .fold import is_arabic, words
from .morphology import Analyser

PARALLEL = ("tatoeba_manythings", "tico19")


def named_words(train: list[corpus.Article], types: Counter[str], analyser: Analyser) -> translation.Table:
    """Names of one word: those of our list, and words unknown to the lexicon that sound like an English name."""
    unknown = Counter({w: n for w, n in types.items() if n >= 4 and is_arabic(w) and not analyser.analyses(w)})
    spelled = names.capitalised([a.text for a in train if a.lang == "en"])
    found: translation.Table = {
        word: {(name,): p for name, p in options.items()} for word, options in names.matches(unknown, spelled).items()
    }
    for arabic, english in lexicon.names():
        left, right = words(arabic), words(english)
        if len(left) == 1:
            found[left[0]] = {tuple(right): 1.0}
    return found


class Options:
    """Translations of each type as numbers of types with cumulative probabilities, for sampling."""

    def __init__(self, rows: dict[int, list[tuple[int, float]]], size: int):
        filled = [rows.get(i, []) for i in range(size)]
        self.to = Ragged([[t for t, _ in r] for r in filled])
        self.count = np.diff(self.to.start)
        self.cumulative = np.concatenate([np.cumsum([p for _, p in r]) for r in filled if r]).astype(np.float32)

    def sample(self, types: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """One translation for each type, the type itself where there is none."""
        out = types.copy()
        where = np.flatnonzero(self.count[types])
        start, n = self.to.start[types[where]], self.count[types[where]]
        draw = rng.random(len(where), np.float32)
        pick = np.zeros(len(where), np.int64)
        for step in range(int(n.max(initial=1)) - 1):
            more = (pick == step) & (step < n - 1) & (draw > self.cumulative[start + np.minimum(step, n - 1)])
            pick[more] += 1
        out[where] = self.to.flat[start + pick]
        return out


def prepare(size: int, arabic_share: float) -> dict:
    found = corpus.articles()
    train = [a for a in found if not a.held_out]
    parallel = [p for name in PARALLEL for p in corpus.pairs(name)]
    named = lexicon.phrases() + lexicon.names()
    types = count_types(train, [s for p in parallel for s in p])
    analyser = Analyser(lexicon.morphological() + lexicon.wordlists())
    scores = vocabulary.choose(vocabulary.morphemes(types, analyser), size, arabic_share)
    tokenizer = vocabulary.build(scores)
    bitext = [(words(e), words(a)) for e, a in parallel]
    bitext += [(words(e), words(a)) for a, e in named for _ in range(2)]
    prior = translation.lexical(types, analyser)
    translation.add_names(prior, named_words(train, types, analyser))
    seen = Counter(w for _, a in bitext for w in a)
    table = translation.merge(prior, translation.model_one(bitext, prior), seen)
    back = translation.inverted(table, types)

    numbers = Types(tokenizer)
    documents = Documents(train, numbers)
    rows = {}
    for word, options in {**table, **back}.items():
        rows[numbers.add((word,))] = [(numbers.add(g), p) for g, p in options.items()]
    left = [numbers.text(a) for _, a in parallel] + [numbers.text(a) for a, _ in named for _ in range(3)]
    right = [numbers.text(e) for e, _ in parallel] + [numbers.text(e) for _, e in named for _ in range(3)]
    kept = [(a, e) for a, e in zip(left, right, strict=True) if a and e]
    synonyms = [[numbers.add(tuple(w.split())) for w in s] for s in lexicon.synonym_sets()]
    pieces = numbers.seal()
    count = np.array([types.get(p[0], 0) if len(p) == 1 else 0 for p in numbers.phrases])
    return {
        "tokenizer": vocabulary.compact(tokenizer),
        "documents": documents,
        "pieces": pieces,
        "count": count,
        "arabic": np.array([is_arabic(p[0]) for p in numbers.phrases]),
        "options": Options(rows, len(numbers.phrases)),
        "parallel": (Ragged([a for a, _ in kept]), Ragged([e for _, e in kept])),
        "synonyms": Ragged(synonyms),
        "table": table,
        "back": back,
        "phrases": numbers.phrases,
    }


def prepared(size: int, arabic_share: float, fresh: bool = False) -> dict:
    path = corpus.OUT / f"prepared-{size}.pkl"
    if not fresh and path.exists():
        return pickle.loads(path.read_bytes())
    corpus.OUT.mkdir(parents=True, exist_ok=True)
    data = prepare(size, arabic_share)
    path.write_bytes(pickle.dumps(data))
    return data
