"""Training data: collections of queries made of news, searched by the platform's own first stage, in the tokens and pieces that the reranker reads."""

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from isnad_embed.corpus import OUT, ROOT, articles
from isnad_embed.fold import fold, is_arabic, words

from .shipped import Shipped
from .synthetic import KINDS, Maker
from .words import PASSAGE_TOKENS, QUERY_TOKENS, Reading, Text

FOLDER = OUT / "rerank"


@dataclass
class Lists:
    """Candidate lists: texts of queries and passages, candidates as numbers of passages, grades of the candidates and of all
    that is judged, keyword scores (0 where there is none), first stage."""

    passage_texts: list[str]
    passages: list[Text]
    texts: list[str]
    queries: list[Text]
    candidates: list[np.ndarray]
    grades: list[np.ndarray]
    ideal: list[np.ndarray]
    keyword: list[np.ndarray]
    stage: list[str]

    def some(self, chosen: np.ndarray) -> "Lists":
        """The lists of these numbers, over the same passages."""
        rows = ("texts", "queries", "candidates", "grades", "ideal", "keyword", "stage")
        return Lists(self.passage_texts, self.passages, *([getattr(self, name)[i] for i in chosen] for name in rows))


def merged(parts: list[Lists]) -> Lists:
    """All lists in one, their passages numbered anew."""
    whole = Lists(*([] for _ in range(9)))
    for part in parts:
        whole.candidates += [c + len(whole.passages) for c in part.candidates]
        for name in ("passage_texts", "passages", "texts", "queries", "grades", "ideal", "keyword", "stage"):
            getattr(whole, name).extend(getattr(part, name))
    return whole


def read(path: Path, reading: Reading) -> Lists:
    """What eval/rerank/dump.ts wrote."""
    with open(f"{path}.passages.jsonl", encoding="utf8") as lines:
        passages = [" ".join(json.loads(line)) for line in lines]
    found = Lists(passages, reading.texts(passages, PASSAGE_TOKENS), *([] for _ in range(7)))
    with open(f"{path}.queries.jsonl", encoding="utf8") as lines:
        for line in lines:
            row = json.loads(line)
            found.texts.append(row["t"])
            found.candidates.append(np.array(row["p"], np.int64))
            found.grades.append(np.array(row["g"], np.float32))
            found.ideal.append(np.array(row["all"], np.float32))
            found.keyword.append(np.array(row["k"], np.float32))
            found.stage.append(row["s"])
    found.queries.extend(reading.texts(found.texts, QUERY_TOKENS))
    return found


def word_neighbours(shipped: Shipped, texts: list[str], most: int = 12_000) -> dict[str, list[str]]:
    """For each frequent word the words nearest to it in the shipped embedding, other forms of the same word among them."""
    count: dict[str, int] = {}
    for text in texts:
        for word in words(text):
            count[word] = count.get(word, 0) + 1
    frequent = sorted((w for w in count if len(w) > 2 and not w[0].isdigit()), key=lambda w: -count[w])[:most]
    vectors = shipped.embed(frequent)
    found: dict[str, list[str]] = {}
    for at in range(0, len(frequent), 1000):
        scores = vectors[at : at + 1000] @ vectors.T
        for row, word in zip(scores, frequent[at : at + 1000], strict=True):
            near = [j for j in np.argpartition(-row, 8)[:8] if row[j] > 0.55 and frequent[j] != word]
            same = [frequent[j] for j in near if is_arabic(frequent[j]) == is_arabic(word)]
            if same:
                found[word] = same
    return found


def make(seed: int, size: int) -> list[Path]:
    """Writes the collections, `size` articles each, and has the platform search them; what is there already is kept."""
    rng = np.random.default_rng(seed)
    shipped = Shipped()
    train = [a for a in articles() if not a.held_out]
    by_lang = {lang: [a for a in train if a.lang == lang] for lang in ("ar", "en")}
    made: list[Path] = []
    for lang, every in by_lang.items():
        order = rng.permutation(len(every))
        near = word_neighbours(shipped, [every[i].text for i in order[:8000]])

        def neighbour(word: str, near: dict[str, list[str]] = near) -> str | None:
            options = near.get(fold(word))
            return options[int(rng.integers(len(options)))] if options else None

        maker = Maker(rng, shipped.rarity, neighbour)
        for k, (kind, build) in enumerate(KINDS.items()):
            chosen = [every[i] for i in order[k * size : (k + 1) * size]]
            folder = FOLDER / f"{kind}-{lang}"
            build(chosen, rng, maker).write(folder)
            made.append(folder)
    subprocess.run(["bun", "eval/rerank/dump.ts", *map(str, made)], cwd=ROOT, check=True)
    return made
